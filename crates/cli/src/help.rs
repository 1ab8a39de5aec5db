//! The help of `memory` itself: its commands in groups, those of every day first.

use std::ffi::OsString;
use std::fmt::Write as _;

use clap::Command;

/// Headings with their commands.
const GROUPS: [(&str, &[&str]); 7] = [
    (
        "Notes",
        &[
            "write",
            "read",
            "list",
            "search",
            "delete",
            "tag",
            "link",
            "unlink",
            "backlinks",
        ],
    ),
    ("Recall", &["recall", "context"]),
    (
        "Agents",
        &["connect", "mcp", "serve", "proxy", "agent", "hook"],
    ),
    (
        "Other kinds of memory",
        &["bank", "journal", "conversation", "add", "compartment"],
    ),
    ("History", &["undo", "redo", "restore", "trash"]),
    (
        "Maintenance",
        &[
            "dream",
            "notify",
            "ingest",
            "export",
            "import",
            "doctor",
            "stats",
            "consolidate",
            "decay",
            "upgrade",
            "resolve-links",
            "index",
        ],
    ),
    (
        "Settings",
        &[
            "config",
            "model",
            "trust",
            "completions",
            "man",
            "demo",
            "help",
        ],
    ),
];

const TEMPLATE: &str = "\
{about-with-newline}
{usage-heading} {usage}

{before-help}{all-args}{after-help}";

/// Returns whether the help of the program itself is asked for, and not that of one command.
pub(crate) fn is_wanted(arguments: &[OsString]) -> bool {
    let mut words = arguments
        .iter()
        .skip(1)
        .filter_map(|argument| argument.to_str());
    let is_help = |word: &str| matches!(word, "-h" | "--help" | "help");
    arguments.len() <= 1 || words.next().is_some_and(is_help) && words.next().is_none()
}

/// Returns the command with its commands in groups.
pub(crate) fn in_groups(command: Command) -> Command {
    let groups = groups(&command);
    let names: Vec<String> = command
        .get_subcommands()
        .map(|below| below.get_name().to_owned())
        .collect();
    let hidden =
        |command: Command, name: &String| command.mut_subcommand(name, |below| below.hide(true));
    names
        .iter()
        .fold(command, hidden)
        .before_help(groups)
        .help_template(TEMPLATE)
        .override_usage("memory [OPTIONS] <COMMAND>")
}

fn groups(command: &Command) -> String {
    let widest = GROUPS
        .iter()
        .flat_map(|(_, names)| *names)
        .map(|name| name.len())
        .max()
        .unwrap_or_default();
    let mut text = String::new();
    for (heading, names) in GROUPS {
        let _ = writeln!(text, "\u{1b}[1;4m{heading}:\u{1b}[0m");
        for name in names {
            let about = command
                .find_subcommand(name)
                .and_then(Command::get_about)
                .map(ToString::to_string);
            let about = about.unwrap_or_else(|| "Show the help of a command".to_owned());
            let _ = writeln!(text, "  \u{1b}[1m{name:widest$}\u{1b}[0m  {about}");
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::MemoryArgs;

    #[test]
    fn every_command_is_in_one_group() {
        let command = MemoryArgs::command();
        let visible = command
            .get_subcommands()
            .filter(|below| !below.is_hide_set());
        let mut commands: Vec<&str> = visible.map(Command::get_name).chain(["help"]).collect();
        let mut grouped: Vec<&str> = GROUPS
            .iter()
            .flat_map(|(_, names)| *names)
            .copied()
            .collect();
        commands.sort_unstable();
        grouped.sort_unstable();
        assert_eq!(grouped, commands);
    }

    #[test]
    fn the_help_of_the_program_is_told_from_that_of_a_command() {
        let is_wanted = |words: &[&str]| {
            let words: Vec<OsString> = std::iter::once(&"memory")
                .chain(words)
                .map(OsString::from)
                .collect();
            super::is_wanted(&words)
        };
        assert!(
            is_wanted(&[]) && is_wanted(&["--help"]) && is_wanted(&["-h"]) && is_wanted(&["help"])
        );
        assert!(
            !is_wanted(&["help", "list"])
                && !is_wanted(&["list", "--help"])
                && !is_wanted(&["list"])
        );
    }
}
