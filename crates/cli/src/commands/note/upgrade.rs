//! `upgrade`: sorts a note of the inbox into a category.

use memory_core::Result;
use memory_notes::tools::upgrade::{Params, Reply};

use super::{answer, ask, short};
use crate::shell::{Shell, Status};

/// Move a note from the inbox to a category
///
/// Without --category, the category is chosen by the words of the note.
///
/// Example: memory upgrade 7f8d9e00
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The note's id, or its first characters (at least 4)
    id: String,
    /// Category to move it to
    #[arg(short, long)]
    category: Option<String>,
    /// Show what would change, without changing anything
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let params = Params {
        id: args.id,
        category: args.category,
        dry_run: args.dry_run,
    };
    let reply: Reply = ask(shell, "upgrade", &params)?;
    reply.warning.iter().for_each(|warning| shell.warn(warning));
    answer(shell, &reply, |reply| {
        let verb = if reply.dry_run { "would be" } else { "is now" };
        format!(
            "{} {verb} in {} ({})\n",
            short(&reply.id),
            reply.category,
            reply.why
        )
    })
}
