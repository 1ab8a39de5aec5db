//! `demo`: shows what the program does, in a store that it makes for the purpose.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use memory_core::{Code, Error, Result};

use crate::environment;
use crate::shell::{Shell, Status};

/// Show the main commands in a temporary store
///
/// Runs commands of this program in a temporary directory and shows them with their output: write, recall over
/// several kinds of memory, dream and undo. Your own memories are neither read nor changed.
///
/// Examples:
///   memory demo
///   memory demo --keep ~/memory-demo
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Keep the store in this directory, which must be empty or not exist
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
}

/// The time and the ids of the demo, so that its output is the same every time.
const NOW: &str = "2026-05-07T10:00:00Z";
const SEED: usize = 7;
/// Far enough apart that the ids of two commands differ.
const SEED_STEP: usize = 100;

/// Headings with the commands below them, each as the arguments of `memory`.
const STEPS: [(&str, &[&[&str]]); 5] = [
    (
        "Remember: notes are Markdown files, with or without a category",
        &[
            &[
                "write",
                "The user prefers dark mode in every editor",
                "--category",
                "preferences",
            ],
            &[
                "write",
                "We decided to deploy from the release branch only",
                "--category",
                "decisions",
            ],
            &[
                "write",
                "Learned: migrations must be reversible. Email Ann tomorrow at 9am",
            ],
        ],
    ),
    (
        "Other kinds: JSON under keys for scripts and agents, typed records",
        &[
            &[
                "bank",
                "write",
                "session",
                "context",
                r#"{"branch": "release", "open": ["PR 12"]}"#,
            ],
            &["bank", "query", "session", "context", ".open | length"],
            &[
                "journal",
                "add",
                "task",
                "Deploy the payments service",
                "--blocker",
                "review of PR 12",
            ],
        ],
    ),
    (
        "Recall: one question over all kinds, by words and by meaning, offline",
        &[
            &["recall", "how do we deploy?"],
            &["recall", "which colour theme does the user like?"],
        ],
    ),
    (
        "Dream: sort the inbox, merge, link and create reminders, with the rule for each action",
        &[&["dream", "--level", "3"], &["list"]],
    ),
    (
        "Undo: whatever a command removed or changed",
        &[&["undo"], &["list"]],
    ),
];

pub(crate) fn run(args: &Args, shell: &Shell) -> Result<Status> {
    let files = shell.files();
    match &args.keep {
        Some(folder) => {
            let folder = shell.ground().environment.absolute(folder);
            files.make_empty_folder(&folder)?;
            show(&folder, true, shell)?;
            shell.print(&after_keeping(&folder))
        }
        None => {
            let folder = files.temporary_folder()?;
            show(folder.path(), false, shell)?;
            shell.print("The demo used a temporary directory, which has been removed.\n")
        }
    }?;
    shell.print(&next(shell))
}

/// Runs all steps in a folder.
fn show(folder: &Path, is_kept: bool, shell: &Shell) -> Result<()> {
    let program = environment::program()
        .ok_or_else(|| Error::new(Code::IoError, "The path of this program is not known"))?;
    let mut seed = SEED;
    for (heading, commands) in STEPS {
        shell.print_styled(&format!("\u{1b}[1m# {heading}\u{1b}[0m\n"))?;
        for arguments in commands {
            let words: Vec<String> = arguments.iter().map(|word| quoted(word)).collect();
            shell.print_styled(&format!(
                "\u{1b}[32m$\u{1b}[0m memory {}\n",
                words.join(" ")
            ))?;
            let status = command(&program, folder, is_kept, seed)
                .args(*arguments)
                .status();
            seed += SEED_STEP;
            let failed =
                |detail: String| Error::new(Code::IoError, format!("The demo stopped: {detail}"));
            let status = status.map_err(|error| failed(error.to_string()))?;
            if !status.success() {
                return Err(failed(status.to_string()));
            }
        }
        shell.print("\n")?;
    }
    Ok(())
}

/// Returns a command whose stores are all in the folder.
fn command(program: &Path, folder: &Path, is_kept: bool, seed: usize) -> Command {
    let mut command = Command::new(program);
    command
        .current_dir(folder)
        .env_clear()
        .envs(environment::of_terminal())
        .env("HOME", folder);
    command
        .envs(places(folder))
        .env("MEMORY_SEED", seed.to_string())
        .env("TZ", "UTC");
    // Notes of a store that is kept are not old from the beginning.
    let now = if is_kept {
        environment::held_clock()
    } else {
        Some(NOW.into())
    };
    command.envs(now.map(|now| ("MEMORY_NOW", now)));
    command
}

/// Returns the variables by which the program finds the stores of the demo.
fn places(folder: &Path) -> [(&'static str, PathBuf); 3] {
    [
        ("MEMORY_ROOT", folder.join("notes")),
        ("MEMORY_BANKS_DIR", folder.join("banks")),
        ("MEMORY_DIR", folder.join("journal")),
    ]
}

/// Returns a word as a shell takes it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else if word.contains(['"', '$', '`', '\\', '!']) {
        format!("'{}'", word.replace('\'', r"'\''"))
    } else {
        format!("\"{word}\"")
    }
}

fn after_keeping(folder: &Path) -> String {
    let mut text = format!(
        "The store of the demo is in {}. To use it in this shell:\n",
        folder.display()
    );
    for (name, path) in places(folder) {
        let _ = writeln!(
            text,
            "  export {name}={}",
            quoted(&path.display().to_string())
        );
    }
    text
}

fn next(shell: &Shell) -> String {
    let is_installed = shell
        .ground()
        .environment
        .find_program("memory", shell.files())
        .is_some();
    let install = "  cargo install --path crates/cli   install the program\n";
    format!(
        "\nNext:\n{}{}",
        if is_installed { "" } else { install },
        "  memory connect                    connect Claude Code, Codex, Gemini CLI and other agents\n\
         \x20 memory write \"…\"                  add a note to your own store, ~/.memory\n\
         \x20 memory --help                     show all commands\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_as_a_shell_takes_them() {
        assert_eq!(quoted("--level"), "--level");
        assert_eq!(quoted("how do we deploy?"), "\"how do we deploy?\"");
        assert_eq!(quoted(r#"{"a": "it's"}"#), r#"'{"a": "it'\''s"}'"#);
        assert_eq!(quoted(""), "\"\"");
    }
}
