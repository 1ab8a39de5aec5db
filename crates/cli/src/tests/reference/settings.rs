//! `settings.md`: every setting, from the table that declares it.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::{cell, check, heading};
use crate::config::{SETTINGS, Setting, Takes, Who};

/// Variables that take precedence over a setting.
const VARIABLES: [(&str, &str); 4] = [
    ("storage.root", "MEMORY_ROOT"),
    ("banks.user_dir", "MEMORY_BANKS_DIR"),
    ("journal.path", "MEMORY_DIR"),
    ("conversations.openai_base_url", "OPENAI_BASE_URL"),
];

#[test]
fn the_settings() {
    let mut page = heading("Settings");
    page.push_str(INTRODUCTION);
    page.push_str(
        "| setting | meaning | value | default | project | variable |\n|---|---|---|---|---|---|\n",
    );
    let mut keys = BTreeSet::new();
    for setting in SETTINGS {
        assert!(
            keys.insert(setting.key),
            "{} is declared twice",
            setting.key
        );
        write_row(&mut page, setting);
    }
    check("settings.md", &page);
}

const INTRODUCTION: &str = "\
The configuration file is `config.yaml` in `~/.memory`, in `MEMORY_ROOT`, or in the directory of `--root`; `--config FILE` names
another one. `memory config list` shows every setting with its value and where the value comes from. [Settings and
precedence](../how-to/change-settings.md) explains how to change them.

A **project** may set a setting in its `.slop-mcp/config.yaml` only where the column *project* says yes. The column
*variable* names the environment variable that takes precedence over the files.

";

fn write_row(page: &mut String, setting: &Setting) {
    let variable = VARIABLES.iter().find(|(key, _)| *key == setting.key);
    let variable = variable
        .map(|(_, name)| format!("`{name}`"))
        .unwrap_or_default();
    let project = if setting.who == Who::Project {
        "yes"
    } else {
        ""
    };
    let default = match setting.takes {
        _ if setting.default == "none" => "none".to_owned(),
        Takes::Zone(_) => setting.default.to_owned(),
        _ => format!("`{}`", setting.default),
    };
    let _ = writeln!(
        page,
        "| `{}` | {} | {} | {default} | {project} | {variable} |",
        setting.key,
        cell(setting.about),
        cell(&value(setting.takes)),
    );
}

/// Describes what a setting takes.
fn value(takes: Takes) -> String {
    match takes {
        Takes::Length(_) => "a duration: `60s`, `2h30m`, `168h`, `30d`".to_owned(),
        Takes::Number(_) => "an integer from 1".to_owned(),
        Takes::Switch(_) => "`true` or `false`".to_owned(),
        Takes::Share(_) | Takes::Threshold(_) => "a number from 0 to 1".to_owned(),
        Takes::Choice(names, _) => names
            .iter()
            .map(|name| format!("`{name}`"))
            .collect::<Vec<_>>()
            .join(", "),
        Takes::Path(_) => {
            "a path: absolute, below `~/`, or relative to the home directory".to_owned()
        }
        Takes::Command(_) => "a shell command".to_owned(),
        Takes::Address(_) => "a URL without a key in it".to_owned(),
        Takes::Text(_) | Takes::Word(..) => "a name".to_owned(),
        Takes::Zone(_) => "an IANA time zone".to_owned(),
    }
}
