//! What was wrong with the arguments, in our own shape: a sentence and what was meant instead.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use memory_core::{Code, Error};

use crate::shell::Speech;

/// Says whether this is help or the version: asked for, or what a person needs who gave no command.
pub(crate) fn is_help(error: &clap::Error, speech: Speech) -> bool {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => true,
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => speech == Speech::People,
        _ => false,
    }
}

/// Turns a mistake in the arguments into an error of ours.
pub(crate) fn explain(error: &clap::Error) -> Error {
    let told = Error::new(Code::InvalidArgument, sentence(error));
    match meant(error).or_else(|| values(error)) {
        Some(hint) => told.hint(hint),
        None if error.kind() == ErrorKind::UnknownArgument => {
            told.hint("If it is meant as a value, put -- before it; --help shows how it is used")
        }
        None => told.hint("Add --help to see how it is used"),
    }
}

/// The first line of what clap says; for missing arguments, with their names.
fn sentence(error: &clap::Error) -> String {
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return "A command is missing".to_owned();
    }
    let whole = error.render().to_string();
    let mut lines = whole.lines().map(str::trim);
    let first = lines.next().unwrap_or_default().trim_start_matches("error: ");
    let rest: Vec<&str> = match first.ends_with(':') {
        true => lines.take_while(|line| !line.is_empty()).collect(),
        false => vec![],
    };
    let sentence = format!("{first} {}", rest.join(", "));
    let sentence = sentence.trim();
    let mut chars = sentence.chars();
    chars.next().map(|c| c.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

fn meant(error: &clap::Error) -> Option<String> {
    let kinds = [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg, ContextKind::SuggestedValue];
    let words = kinds.iter().find_map(|kind| match error.get(*kind)? {
        ContextValue::String(word) => Some(word.clone()),
        ContextValue::Strings(words) => words.first().cloned(),
        _ => None,
    });
    words.map(|word| format!("Did you mean '{word}'?"))
}

fn values(error: &clap::Error) -> Option<String> {
    match error.get(ContextKind::ValidValue)? {
        ContextValue::Strings(values) if !values.is_empty() => {
            Some(format!("It can be {}", values.join(", ")))
        }
        _ => None,
    }
}
