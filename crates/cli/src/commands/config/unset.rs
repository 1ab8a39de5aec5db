//! `config unset`: takes one setting out of the user's file, also one that is none.

use memory_core::Result;
use serde_json::json;

use super::file;
use crate::config;
use crate::shell::{Shell, Speech, Status};

/// Remove a setting from your configuration file, which restores its default
///
/// Also removes names that are not settings, with everything below them.
///
/// Example: memory config unset daemon.interval
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The setting, such as daemon.interval
    key: String,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let key = &args.key;
    let path = file(shell)?;
    let is_mistake = config::find(key).is_none();
    if is_mistake && config::is_section(key) {
        return Err(config::unknown(key));
    }
    let removed = config::unset(shell.ground(), &path, key)?;
    if is_mistake && !removed {
        return Err(config::unknown(key));
    }
    if let Err(error) = config::load(shell.ground()) {
        shell.warn(&error.message);
    }
    let path = path.display().to_string();
    match (shell.speech, removed) {
        (Speech::Json, _) => shell.show(&json!({ "key": key, "removed": removed, "path": path })),
        (Speech::People, true) => shell.print(&format!("{key} is no longer in {path}\n")),
        (Speech::People, false) => shell.print(&format!("{key} was not in {path}\n")),
    }
}
