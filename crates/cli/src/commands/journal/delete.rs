//! `journal delete`: moves a record to the archive, or takes it away for good.

use memory_core::{Result, printable};
use memory_journal::tools::delete::{Params, Reply};

use super::{answer, ask, short};
use crate::shell::{Shell, Status};

/// Archive a record, or remove it permanently
///
/// 'memory undo' restores it in both cases.
///
/// Example: memory journal delete 7f8d9e00
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The record's id, or its first characters (at least 4)
    id: String,
    /// Remove it instead of archiving it
    #[arg(long)]
    permanent: bool,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let reply: Reply = ask(
        shell,
        "delete_memory",
        &Params {
            id: args.id,
            permanent: args.permanent,
        },
    )?;
    answer(shell, &reply, |reply| {
        let verb = if reply.archived {
            "Archived"
        } else {
            "Removed"
        };
        let title = printable(&reply.title);
        format!(
            "{verb} {} '{title}'; 'memory undo' restores it\n",
            short(&reply.id)
        )
    })
}
