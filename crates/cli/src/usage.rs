//! What was wrong with the arguments, in our own shape: a sentence and what was meant instead.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgMatches, Command};
use memory_core::{Code, Error, nearest};

use crate::shell::Speech;

/// Says whether this is help or the version: asked for, or what a person needs who gave no command.
pub(crate) fn is_help(error: &clap::Error, speech: Speech) -> bool {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => true,
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => speech == Speech::People,
        _ => false,
    }
}

/// Reads arguments again of which one begins with a dash and can be no flag, such as "- buy milk".
///
/// Such words are put behind `--`; only where all words are one text and none of them changes its place.
pub(crate) fn read_dashes(mut command: Command, arguments: &[OsString]) -> Option<ArgMatches> {
    let is_text = |argument: &&OsString| {
        let word = argument.to_string_lossy();
        let name = word.split('=').next().unwrap_or_default();
        word.starts_with('-') && name.contains(char::is_whitespace)
    };
    let texts: Vec<&OsString> = arguments.iter().filter(is_text).collect();
    if texts.is_empty() || arguments.iter().any(|argument| argument == "--") {
        return None;
    }
    let others = arguments.iter().filter(|argument| !is_text(argument));
    let again: Vec<OsString> = others
        .chain([&OsString::from("--")])
        .chain(texts.clone())
        .cloned()
        .collect();
    let matches = command.try_get_matches_from_mut(again).ok()?;
    let (mut deepest, mut inner) = (&command, &matches);
    while let Some((name, below)) = inner.subcommand() {
        (deepest, inner) = (deepest.find_subcommand(name)?, below);
    }
    let mut positionals = deepest.get_positionals();
    let (only, none) = (positionals.next()?, positionals.next());
    let words = inner
        .get_raw(only.get_id().as_str())
        .map_or(0, Iterator::count);
    (none.is_none() && words == texts.len()).then_some(matches)
}

/// Turns a mistake in the arguments into an error of ours.
pub(crate) fn explain(error: &clap::Error) -> Error {
    let told = Error::new(Code::InvalidArgument, sentence(error));
    match (meant(error), values(error)) {
        (Some(meant), Some(values)) => told.hint(format!("{meant} {values}")),
        (Some(hint), None) | (None, Some(hint)) => told.hint(hint),
        (None, None) if error.kind() == ErrorKind::UnknownArgument => {
            told.hint("To pass it as a value, put -- before it; --help shows the usage")
        }
        (None, None) => told.hint("--help shows the usage"),
    }
}

/// The first line of what clap says; for missing arguments, with their names.
fn sentence(error: &clap::Error) -> String {
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return "A command is missing".to_owned();
    }
    let whole = error.render().to_string();
    let mut lines = whole.lines().map(str::trim);
    let first = lines
        .next()
        .unwrap_or_default()
        .trim_start_matches("error: ");
    let first = first.replace("unrecognized subcommand", "unknown command");
    let rest: Vec<&str> = if first.ends_with(':') {
        lines.take_while(|line| !line.is_empty()).collect()
    } else {
        vec![]
    };
    let sentence = format!("{first} {}", rest.join(", "));
    let sentence = sentence.trim();
    let mut chars = sentence.chars();
    chars
        .next()
        .map(|c| c.to_uppercase().chain(chars).collect())
        .unwrap_or_default()
}

/// Of what clap suggests, which is generous and has the likeliest last, the one that was meant.
fn meant(error: &clap::Error) -> Option<String> {
    let pairs = [
        (
            ContextKind::InvalidSubcommand,
            ContextKind::SuggestedSubcommand,
        ),
        (ContextKind::InvalidArg, ContextKind::SuggestedArg),
        (ContextKind::InvalidValue, ContextKind::SuggestedValue),
    ];
    pairs.iter().find_map(|(wrong, suggested)| {
        let wrong = words(error, *wrong).into_iter().next()?;
        let suggested = words(error, *suggested);
        let begun = || {
            suggested
                .iter()
                .map(String::as_str)
                .find(|word| word.starts_with(&wrong))
        };
        let meant = nearest(&wrong, suggested.iter().map(String::as_str)).or_else(begun)?;
        Some(format!("Did you mean '{meant}'?"))
    })
}

fn words(error: &clap::Error, kind: ContextKind) -> Vec<String> {
    match error.get(kind) {
        Some(ContextValue::String(word)) => vec![word.clone()],
        Some(ContextValue::Strings(words)) => words.clone(),
        _ => vec![],
    }
}

fn values(error: &clap::Error) -> Option<String> {
    match error.get(ContextKind::ValidValue)? {
        ContextValue::Strings(values) if !values.is_empty() => {
            Some(format!("Possible values: {}", values.join(", ")))
        }
        _ => None,
    }
}
