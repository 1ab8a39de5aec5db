//! `journal get`: one record by its id.

use memory_core::{Json, Result};
use memory_journal::tools::get::Params;

use super::{Shown, answer, ask};
use crate::shell::{Shell, Status};

/// Show a record, live or archived
///
/// Showing a record does not count as an access; a query does.
///
/// Example: memory journal get 7f8d9e00
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The record's id, or its first characters (at least 4)
    id: String,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let reply: Json = ask(shell, "get", &Params { id: args.id })?;
    let record = Shown::of(&reply)?;
    answer(shell, &reply, |_| record.whole(shell))
}
