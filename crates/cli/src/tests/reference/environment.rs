//! `environment.md`: every environment variable that the program reads.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::{cell, check, heading};

/// Sections with their variables.
const VARIABLES: [(&str, &[(&str, &str)]); 5] = [
    (
        "Locations",
        &[
            (
                "HOME",
                "Home directory. The default locations are below it.",
            ),
            (
                "MEMORY_ROOT",
                "Directory of notes, configuration and index, as `--root`; default `~/.memory`.",
            ),
            (
                "MEMORY_BANKS_DIR",
                "Directory of the user's banks; precedes `banks.user_dir`.",
            ),
            (
                "MEMORY_DIR",
                "Directory of the journal; precedes `journal.path`.",
            ),
            (
                "XDG_CONFIG_HOME",
                "Directory of user configuration in place of `~/.config`; the user's banks are below it.",
            ),
            (
                "XDG_STATE_HOME",
                "Directory of the user's state in place of `~/.local/state`; the id of this machine is below it.",
            ),
            (
                "MEMORY_PROJECT_DIR",
                "Project whose banks and settings are used, as `--project`.",
            ),
            (
                "CLAUDE_PROJECT_DIR",
                "For `memory mcp`: the directory in which the search for the project begins, in place of the working directory.",
            ),
            (
                "MEMORY_RUN_ID",
                "Run that a program works in, as `--run` of the compartment commands.",
            ),
        ],
    ),
    (
        "Other servers",
        &[
            (
                "OPENAI_BASE_URL",
                "Upstream of `memory proxy`, and server of the model of `memory conversation summarize`.",
            ),
            (
                "OPENAI_API_KEY",
                "Key of that server. `llm.api_key_env` and `embedding.api_key_env` name other variables for other servers.",
            ),
            (
                "SSL_CERT_FILE",
                "File of the certificates that are trusted, in place of those of the system.",
            ),
            (
                "SSL_CERT_DIR",
                "Directory of the certificates that are trusted, in place of those of the system.",
            ),
        ],
    ),
    (
        "Clients that `memory connect` configures",
        &[
            (
                "CLAUDE_CONFIG_DIR",
                "Configuration directory of Claude Code, in place of `~/.claude`.",
            ),
            (
                "CODEX_HOME",
                "Configuration directory of Codex, in place of `~/.codex`.",
            ),
            (
                "GEMINI_CLI_HOME",
                "Home directory of Gemini CLI; its `.gemini` is below it.",
            ),
            (
                "COPILOT_HOME",
                "Configuration directory of Copilot CLI, in place of `~/.copilot`.",
            ),
            (
                "PATH",
                "Directories in which clients, `git` and notification programs are searched.",
            ),
        ],
    ),
    (
        "Terminal and desktop",
        &[
            (
                "NO_COLOR",
                "Disables colours, as do `CLICOLOR=0` and a `TERM` without colours.",
            ),
            ("CLICOLOR", "`0` disables colours."),
            (
                "CLICOLOR_FORCE",
                "Any value but `0` enables colours in output that is not a terminal.",
            ),
            (
                "PAGER",
                "Command that shows long output on a terminal (default: `less`). Empty, or `cat`: no pager.",
            ),
            (
                "LESS",
                "Options of `less`. If unset, Memory runs it with `FRX`.",
            ),
            ("TERM", "Capabilities of the terminal."),
            ("COLORTERM", "Capabilities of the terminal."),
            ("COLUMNS", "Width of the terminal."),
            ("LANG", "Character set of the terminal."),
            ("LC_ALL", "Character set of the terminal; precedes `LANG`."),
            (
                "DISPLAY",
                "If set, `notification.method: auto` uses desktop notifications on Linux.",
            ),
            ("WAYLAND_DISPLAY", "As `DISPLAY`."),
            (
                "TZ",
                "Time zone of the system, unless the setting `timezone` names one.",
            ),
        ],
    ),
    (
        "Tests and demonstrations",
        &[
            (
                "MEMORY_NOW",
                "Time that the program uses in place of the clock, such as `2026-05-07T10:00:00Z`.",
            ),
            (
                "MEMORY_SEED",
                "Integer from which ids are derived, so that they are the same in every run.",
            ),
        ],
    ),
];

/// Variables that libraries read.
const READ_BY_LIBRARIES: [&str; 3] = ["SSL_CERT_FILE", "SSL_CERT_DIR", "TZ"];

#[test]
fn the_environment() {
    let mut page = heading("Environment variables");
    page.push_str("A flag precedes a variable, and a variable precedes the [settings](settings.md). An empty variable counts as not set.\n");
    for (section, variables) in VARIABLES {
        let _ = writeln!(page, "\n## {section}\n\n| variable | meaning |\n|---|---|");
        for (name, meaning) in variables {
            let _ = writeln!(page, "| `{name}` | {} |", cell(meaning));
        }
    }
    check("environment.md", &page);
}

#[test]
fn every_variable_that_the_program_reads_is_described() {
    let source = include_str!("../../environment.rs");
    let program = source
        .split("#[cfg(test)]")
        .next()
        .expect("the part before the tests");
    let is_name =
        |text: &&str| text.len() > 3 && text.chars().all(|c| c.is_ascii_uppercase() || c == '_');
    let read: BTreeSet<&str> = program
        .split('"')
        .skip(1)
        .step_by(2)
        .filter(is_name)
        .collect();
    let described = VARIABLES
        .iter()
        .flat_map(|(_, variables)| *variables)
        .map(|(name, _)| *name);
    let described: BTreeSet<&str> = described
        .filter(|name| !READ_BY_LIBRARIES.contains(name))
        .collect();
    assert_eq!(described, read);
}
