//! `config set`: one setting in the user's file, and nothing else in it.

use std::path::Path;

use memory_core::{Result, printable};
use serde_json::json;

use super::{file, model_name};
use crate::config::{self, Setting, Source};
use crate::shell::{Shell, Speech, Status};

/// Change a setting in your configuration file
///
/// Only the line of the setting changes; comments and order are preserved. The file is created if it
/// does not exist. Relative paths are resolved against the current directory.
///
/// Examples:
///   memory config set storage.short_term_ttl 30d
///   memory config set timezone Asia/Shanghai
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The setting, such as daemon.interval
    key: String,
    /// The new value
    #[arg(allow_hyphen_values = true)]
    value: String,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let setting = config::find(&args.key).ok_or_else(|| config::unknown(&args.key))?;
    let path = file(shell)?;
    let value = setting
        .takes
        .typed_here(args.value.trim(), &shell.ground().environment);
    let warning = model_name::check(setting.key, &value, shell)?;
    config::set(shell.ground(), &path, setting, &value)?;
    warning.iter().for_each(|warning| shell.warn(warning));
    warn_if_overruled(setting, shell);
    match shell.speech {
        Speech::Json => shell.show(&json!({
            "key": setting.key,
            "value": setting.takes.to_json(&value),
            "path": path.display().to_string(),
        })),
        Speech::People => shell.print(&said(setting, &value, &path)),
    }
}

fn said(setting: &Setting, value: &str, path: &Path) -> String {
    format!(
        "{} is {} now, in {}\n",
        setting.key,
        printable(value),
        path.display()
    )
}

/// Tells the user when something else goes before what was just set, or when the file has another
/// mistake.
fn warn_if_overruled(setting: &'static Setting, shell: &Shell) {
    let loaded = match config::load(shell.ground()) {
        Ok(loaded) => loaded,
        Err(error) => return shell.warn(&error.message),
    };
    let found = config::in_effect(setting, &loaded, shell.ground());
    let first = match found.source {
        Source::File | Source::Default => return,
        Source::Project => "the project's configuration",
        Source::Variable(name) | Source::Flag(name) => name,
    };
    let value = found.text.unwrap_or_default();
    shell.warn(&format!(
        "{} is still {value} here, because {first} takes precedence",
        setting.key
    ));
}
