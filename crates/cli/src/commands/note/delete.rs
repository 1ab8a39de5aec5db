//! `delete`: takes a note away.

use memory_core::{Result, printable};
use memory_notes::tools::delete::{Deleted, Params, Reply};

use super::{answer, ask, short};
use crate::shell::{Shell, Status};

/// Delete notes
///
/// They stay in the trash: 'memory undo' and 'memory restore ID' restore them.
///
/// Example: memory delete 7f8d9e00
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Ids of the notes, or their first characters (at least 4)
    #[arg(required = true, value_name = "ID")]
    ids: Vec<String>,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let mut ids = args.ids.into_iter();
    let params = Params {
        id: ids.next().unwrap_or_default(),
        others: ids.collect(),
    };
    let reply: Reply = ask(shell, "memory_delete", &params)?;
    answer(shell, &reply, |reply| {
        let name = |one: &Deleted| format!("{} '{}'", short(&one.id), printable(&one.title));
        if reply.others.is_empty() {
            return format!(
                "Deleted {}; 'memory undo' restores it\n",
                name(&reply.first)
            );
        }
        let lines = std::iter::once(&reply.first).chain(&reply.others);
        let lines: String = lines
            .map(|one| format!("Deleted {}\n", name(one)))
            .collect();
        format!("{lines}'memory undo' restores them\n")
    })
}
