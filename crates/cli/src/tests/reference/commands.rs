//! `commands.md`: every command with its arguments, flags, defaults and examples, from clap.

use std::fmt::Write as _;

use clap::{Arg, Command, CommandFactory};

use super::{cell, check, escaped, heading};
use crate::{BankCliArgs, MemoryArgs};

#[test]
fn the_commands() {
    let mut memory = MemoryArgs::command().disable_help_subcommand(true);
    memory.build();
    let mut page = heading("Commands");
    page.push_str(
        "Every command of `memory`. `memory COMMAND --help` prints the same text. Results go to standard output,\n\
         everything else to standard error. Exit statuses are listed with the [error codes](errors.md).\n\n\
         `memory-cli` has the commands of [`memory bank`](#memory-bank) at its top level, with the same flags and the\n\
         same output: `memory-cli read session` is `memory bank read session`.\n\n## Options of every command\n\n",
    );
    let global: Vec<&Arg> = memory
        .get_arguments()
        .filter(|arg| arg.is_global_set())
        .collect();
    write_table(&mut page, &global);
    for command in visible(&memory) {
        write_command(&mut page, command, "memory", 2);
    }
    check("commands.md", &page.replace("\n\n\n", "\n\n"));
}

#[test]
fn both_programs_have_the_same_bank_commands() {
    let describe = |command: &Command| {
        let long = |arg: &Arg| {
            (
                arg.get_id().to_string(),
                arg.get_help().map(ToString::to_string),
            )
        };
        (
            command.get_name().to_owned(),
            command.get_arguments().map(long).collect::<Vec<_>>(),
        )
    };
    let (memory, bank_cli) = (MemoryArgs::command(), BankCliArgs::command());
    let banks = memory
        .find_subcommand("bank")
        .expect("the command is there");
    let banks: Vec<_> = banks.get_subcommands().map(describe).collect();
    let own = |name: &str| banks.iter().any(|(bank, _)| bank == name);
    let alone: Vec<_> = bank_cli
        .get_subcommands()
        .map(describe)
        .filter(|(name, _)| own(name))
        .collect();
    assert_eq!(alone, banks);
}

fn visible(command: &Command) -> impl Iterator<Item = &Command> {
    let mut commands: Vec<&Command> = command
        .get_subcommands()
        .filter(|below| !below.is_hide_set())
        .collect();
    commands.sort_by_key(|command| command.get_name());
    commands.into_iter()
}

fn write_command(page: &mut String, command: &Command, above: &str, level: usize) {
    let name = format!("{above} {}", command.get_name());
    let _ = writeln!(page, "\n{} `{name}`\n", "#".repeat(level));
    let about = command
        .get_long_about()
        .or(command.get_about())
        .map(ToString::to_string)
        .unwrap_or_default();
    write_text(page, &about);
    let aliases: Vec<String> = command
        .get_visible_aliases()
        .map(|alias| format!("`{alias}`"))
        .collect();
    if !aliases.is_empty() {
        let _ = writeln!(page, "Aliases: {}\n", aliases.join(", "));
    }
    if !command.has_subcommands() {
        let usage = command.clone().render_usage().to_string();
        let usage = usage.trim_start_matches("Usage:").trim();
        let _ = writeln!(page, "```text\n{usage}\n```\n");
    }
    let is_own = |arg: &&Arg| !arg.is_global_set() && !arg.is_hide_set() && arg.get_id() != "help";
    let own: Vec<&Arg> = command.get_arguments().filter(is_own).collect();
    if !own.is_empty() {
        write_table(page, &own);
    }
    for below in visible(command) {
        write_command(page, below, &name, level + 1);
    }
}

/// Writes a help text: its paragraphs as they are, and its examples as code.
fn write_text(page: &mut String, text: &str) {
    let mut code: Option<&str> = None;
    let mut begin = |page: &mut String, language: Option<&'static str>| {
        if code != language {
            page.push_str(if code.is_some() { "```\n\n" } else { "" });
            page.push_str(
                &language
                    .map(|language| format!("```{language}\n"))
                    .unwrap_or_default(),
            );
            code = language;
        }
    };
    let mut is_example = false;
    for line in text.lines() {
        if let Some(command) = line.strip_prefix("Example: ") {
            begin(page, Some("sh"));
            let _ = writeln!(page, "{command}");
        } else if line == "Examples:" {
            is_example = true;
        } else if let Some(indented) = line.strip_prefix("  ") {
            begin(page, Some(if is_example { "sh" } else { "text" }));
            let _ = writeln!(page, "{indented}");
        } else {
            begin(page, None);
            is_example &= line.is_empty();
            let _ = writeln!(page, "{}", escaped(line));
        }
    }
    begin(page, None);
    if !page.ends_with("\n\n") {
        page.push('\n');
    }
}

fn write_table(page: &mut String, arguments: &[&Arg]) {
    page.push_str("| argument | meaning |\n|---|---|\n");
    for argument in arguments {
        let help = argument
            .get_help()
            .map(ToString::to_string)
            .unwrap_or_default();
        let _ = writeln!(
            page,
            "| `{}` | {} |",
            cell(&spelling(argument)),
            cell(&(help + &values(argument)))
        );
    }
}

/// Returns how an argument is written, such as `-k, --limit N`.
fn spelling(argument: &Arg) -> String {
    let names = argument.get_value_names().unwrap_or_default();
    let takes_value = argument.get_action().takes_values();
    let value = names
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(" ");
    let many = if argument
        .get_num_args()
        .is_some_and(|count| count.max_values() > names.len().max(1))
    {
        "…"
    } else {
        ""
    };
    if argument.is_positional() {
        return format!("{value}{many}");
    }
    let short = argument.get_short().map(|short| format!("-{short}"));
    let long = argument.get_long().map(|long| format!("--{long}"));
    let flag = [short, long]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(", ");
    if takes_value {
        format!("{flag} {value}{many}")
    } else {
        flag
    }
}

/// Returns the values and the default of an argument, as an addition to its meaning.
fn values(argument: &Arg) -> String {
    if !argument.get_action().takes_values() {
        return String::new();
    }
    let possible = argument.get_possible_values();
    let names: Vec<String> = possible
        .iter()
        .map(|value| format!("`{}`", value.get_name()))
        .collect();
    let default: Vec<String> = argument
        .get_default_values()
        .iter()
        .map(|value| format!("`{}`", value.to_string_lossy()))
        .collect();
    let mut text = String::new();
    if !names.is_empty() {
        let _ = write!(text, "; one of {}", names.join(", "));
    }
    if !default.is_empty() {
        let _ = write!(text, "; default {}", default.join(", "));
    }
    text
}
