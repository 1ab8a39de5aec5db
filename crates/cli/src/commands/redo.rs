//! `redo`: reverts the last undo.

use std::path::PathBuf;

use memory_core::{Actor, Code, Error, Result, Step};

use super::undo::{is_local, show};
use crate::shell::{Shell, Status};

/// Redo the change that your last undo reverted
///
/// Changes of banks and of compartments can be redone, until you make another change.
///
/// Example: memory redo
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Compartment file whose steps are redone (default: memory.json in the working directory)
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
}

impl Args {
    pub(super) fn file(&self) -> Option<PathBuf> {
        self.file.clone()
    }
}

pub(crate) fn run(shell: &Shell) -> Result<Status> {
    let is_own = |step: &&Step| is_local(step) && step.by == Actor::Person;
    let steps = shell.registry().steps().complete()?;
    let last_change = steps.iter().filter(is_own).map(|step| step.written).max();
    for mut step in shell.registry().undos().complete()? {
        // After another change there is nothing to redo.
        if !is_own(&&step) || Some(step.written) < last_change {
            continue;
        }
        // An undo that another process takes back at this moment is skipped.
        if let Some(undone) = shell.registry().undo(&step)? {
            step.what = step.what.trim_start_matches("undo: ").to_owned();
            return show(&step, &undone, "Redid", shell);
        }
    }
    Err(Error::new(Code::NotFound, "There is nothing to redo"))
}
