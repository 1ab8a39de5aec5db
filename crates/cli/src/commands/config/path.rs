//! `config path`: which file the user's settings are in. Helps even if that is broken.

use memory_core::Result;
use memory_files::Spot;
use serde_json::json;

use super::file;
use crate::shell::{Shell, Speech, Status};

/// Print the path of the configuration file
///
/// Example: ${EDITOR:-vi} "$(memory config path)"
#[derive(Debug, clap::Args)]
pub(crate) struct Args {}

pub(crate) fn run(_: Args, shell: &Shell) -> Result<Status> {
    let path = file(shell)?;
    match shell.speech {
        Speech::Json => {
            let exists = shell.files().stamp(&Spot::anchor(&path))?.is_some();
            shell.show(&json!({ "path": path.display().to_string(), "exists": exists }))
        }
        Speech::People => shell.print(&format!("{}\n", path.display())),
    }
}
