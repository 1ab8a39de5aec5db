//! Completion by the shell: the registration script, and the candidates that it asks for.
//!
//! `memory completions SHELL` prints a script that runs this program with `COMPLETE=SHELL` and the words of the
//! command line. Candidates for ids, categories, banks, keys, conversations and settings come from the stores.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::process::ExitCode;

use clap::Command;
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate};
use clap_complete::env::{CompleteEnv, Shells};
use memory_core::{Result, Silent, printable};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::environment;
use crate::house::House;
use crate::render::text::cut;

/// The variable in which a completion script names its shell.
const VARIABLE: &str = "COMPLETE";
/// Notes that are offered, newest first.
const NOTES: usize = 200;
/// Longest description of a candidate, in characters.
const DESCRIPTION: usize = 60;

/// A program whose arguments are completed.
#[derive(Clone, Copy)]
pub(crate) struct Program {
    pub(crate) definition: fn() -> Command,
    /// Opens the stores, for reading.
    pub(crate) open: fn() -> Result<House>,
    /// What an argument takes: the names of the command and its parents, then the id of the argument.
    pub(crate) values: fn(&[&str], &str) -> Option<Values>,
}

/// What an argument takes, as far as it depends on what is stored or configured.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Values {
    Notes,
    ArchivedNotes,
    Banks,
    Keys,
    Conversations,
    /// Fixed names.
    Names(fn() -> Vec<&'static str>),
}

/// Answers a completion script; returns `None` if this is an ordinary call.
pub(crate) fn answer(program: Program) -> Option<ExitCode> {
    environment::completes(VARIABLE).then(|| {
        let complete =
            CompleteEnv::with_factory(move || annotated((program.definition)(), &[], program))
                .var(VARIABLE);
        match complete.try_complete(environment::arguments(), None) {
            Ok(_) => ExitCode::SUCCESS,
            // A shell shows nothing of a failure, and offers nothing.
            Err(_) => ExitCode::FAILURE,
        }
    })
}

/// Returns the script that registers completion in a shell.
pub(crate) fn script(shell: &str, name: &str) -> Option<String> {
    let shells = Shells::builtins();
    let mut script = Vec::new();
    shells
        .completer(shell)?
        .write_registration(VARIABLE, name, name, name, &mut script)
        .ok()?;
    String::from_utf8(script).ok()
}

/// Returns the names of the shells that are supported.
pub(crate) fn shells() -> Vec<&'static str> {
    Shells::builtins().names().collect()
}

/// Adds completers to the arguments of a command and of all commands below it.
fn annotated(command: Command, path: &[&str], program: Program) -> Command {
    let ids: Vec<String> = command
        .get_arguments()
        .map(|argument| argument.get_id().to_string())
        .collect();
    let names: Vec<String> = command
        .get_subcommands()
        .map(|below| below.get_name().to_owned())
        .collect();
    // Every argument is passed through `mut_arg`, which moves it to the end: so their order stays.
    let command = ids.into_iter().fold(command, |command, id| {
        let values = (program.values)(path, &id);
        command.mut_arg(id, |argument| match values {
            Some(values) => argument.add(completer(values, program)),
            None => argument,
        })
    });
    names.into_iter().fold(command, |command, name| {
        command.mut_subcommand(&name, |below| {
            let path: Vec<&str> = path.iter().copied().chain([name.as_str()]).collect();
            annotated(below, &path, program)
        })
    })
}

fn completer(values: Values, program: Program) -> ArgValueCompleter {
    ArgValueCompleter::new(move |current: &OsStr| {
        let begun = current.to_string_lossy().into_owned();
        let mut candidates = candidates(values, program).unwrap_or_default();
        candidates.retain(|candidate| candidate.get_value().to_string_lossy().starts_with(&begun));
        candidates
    })
}

fn candidates(values: Values, program: Program) -> Result<Vec<CompletionCandidate>> {
    if let Values::Names(names) = values {
        return Ok(names().into_iter().map(CompletionCandidate::new).collect());
    }
    let house = (program.open)()?;
    match values {
        Values::Notes => notes(&house, &json!({"limit": NOTES, "brief": true})),
        Values::ArchivedNotes => notes(
            &house,
            &json!({"limit": NOTES, "brief": true, "archived": true}),
        ),
        Values::Banks => named(&house, "banks", "memory_list", "banks", "name", &json!({})),
        Values::Keys => keys(&house),
        Values::Conversations => named(
            &house,
            "conversations",
            "conversation_list",
            "conversations",
            "id",
            &json!({}),
        ),
        Values::Names(_) => Ok(Vec::new()),
    }
}

/// Returns the ids of notes with their titles.
fn notes(house: &House, params: &Value) -> Result<Vec<CompletionCandidate>> {
    let reply: Value = ask(house, "notes", "memory_list", params)?;
    let notes = reply["memories"].as_array().cloned().unwrap_or_default();
    let candidate = |note: &Value| {
        let id: String = note["id"].as_str()?.chars().take(8).collect();
        let title = printable(&cut(
            note["title"].as_str().unwrap_or_default(),
            DESCRIPTION,
        ));
        Some(CompletionCandidate::new(id).help(Some(title.into())))
    };
    Ok(notes.iter().filter_map(candidate).collect())
}

/// Returns the keys of the bank that is named on the command line.
fn keys(house: &House) -> Result<Vec<CompletionCandidate>> {
    match bank_of(&environment::arguments()) {
        Some(bank) => named(
            house,
            "banks",
            "memory_list",
            "keys",
            "key",
            &json!({"bank": bank}),
        ),
        None => Ok(Vec::new()),
    }
}

/// Returns the bank on a command line that is completed: the word behind the command.
fn bank_of(arguments: &[OsString]) -> Option<String> {
    let begin = arguments.iter().position(|word| word == "--")? + 2;
    let mut words = arguments
        .get(begin..)?
        .iter()
        .map(|word| word.to_string_lossy().into_owned());
    let command = words.find(|word| !word.starts_with('-') && word != "bank");
    command
        .and_then(|_| words.find(|word| !word.starts_with('-')))
        .filter(|bank| !bank.is_empty())
}

/// Returns one field of each object in a list of a reply.
fn named(
    house: &House,
    toolset: &str,
    tool: &str,
    list: &str,
    field: &str,
    params: &Value,
) -> Result<Vec<CompletionCandidate>> {
    let reply: Value = ask(house, toolset, tool, params)?;
    let items = reply[list].as_array().cloned().unwrap_or_default();
    let names: BTreeSet<&str> = items
        .iter()
        .filter_map(|item| item.as_str().or(item[field].as_str()))
        .collect();
    Ok(names.into_iter().map(CompletionCandidate::new).collect())
}

fn ask<R: DeserializeOwned>(house: &House, toolset: &str, tool: &str, params: &Value) -> Result<R> {
    house.registry.ask(toolset, tool, params, &Silent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::{COMPLETED, bank};

    #[test]
    fn the_bank_of_a_command_line_is_behind_the_command() {
        let check = |line: &str, bank: Option<&str>| {
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            assert_eq!(bank_of(&words).as_deref(), bank, "{line}");
        };
        check("memory -- memory bank read session", Some("session"));
        check(
            "memory -- memory --json bank read session key",
            Some("session"),
        );
        check(
            "memory-cli -- memory-cli update session --create",
            Some("session"),
        );
        check("memory-cli -- memory-cli read", None);
        check("memory-cli read", None);
    }

    #[test]
    fn positions_of_arguments_stay_and_settings_and_categories_are_completed() {
        let check = |line: &[&str], expected: &str| {
            let mut command = annotated((COMPLETED.definition)(), &[], COMPLETED);
            let words: Vec<OsString> = line.iter().map(OsString::from).collect();
            let found =
                clap_complete::engine::complete(&mut command, words, line.len() - 1, None).unwrap();
            let values: Vec<_> = found
                .iter()
                .map(|candidate| candidate.get_value().to_string_lossy())
                .collect();
            assert!(
                values.iter().any(|value| value == expected),
                "{line:?}: {values:?}"
            );
        };
        annotated((bank::COMPLETED.definition)(), &[], bank::COMPLETED).build();
        check(&["memory", "config", "set", "daemon.in"], "daemon.interval");
        check(&["memory", "list", "--category", "dec"], "decisions");
        check(&["memory", "tag", "7f8d9e00", "--al"], "--allow-secret");
        check(&["memory", "wri"], "write");
    }

    #[test]
    fn each_shell_has_a_script() {
        for shell in shells() {
            let script = script(shell, "memory").expect("a script");
            assert!(script.contains("memory"), "{shell}");
        }
    }
}
