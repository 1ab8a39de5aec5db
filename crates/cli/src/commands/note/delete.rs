//! `delete`: takes a note away.

use memory_core::{Result, printable};
use memory_notes::tools::delete::{Params, Reply};

use super::{answer, ask, short};
use crate::shell::{Shell, Status};

/// Delete a note
///
/// It stays in the trash: 'memory undo' or 'memory restore ID' bring it back.
///
/// Example: memory delete 7f8d9e00
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The note's id, or its first characters (at least 4)
    id: String,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let reply: Reply = ask(shell, "memory_delete", &Params { id: args.id })?;
    answer(shell, &reply, |reply| {
        format!("Deleted {} '{}'; 'memory undo' brings it back\n", short(&reply.id), printable(&reply.title))
    })
}
