//! `backlinks`: the notes that link to one.

use memory_core::Result;
use memory_notes::LineView;
use memory_notes::tools::backlinks::{Params, Reply};

use super::list::note_table;
use super::{answer, ask, short};
use crate::shell::{Shell, Status};

/// List the notes that link to a note
///
/// Example: memory backlinks 7f8d9e00
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The note's id, or its first characters (at least 4)
    id: String,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let reply: Reply = ask(shell, "backlinks", &Params { id: args.id })?;
    answer(shell, &reply, |reply| {
        if reply.backlinks.is_empty() {
            format!("No note links to {}\n", short(&reply.id))
        } else {
            note_table(&reply.backlinks.iter().collect::<Vec<&LineView>>(), shell)
        }
    })
}
