//! `dream`: sorts, merges, links and reminds.

use memory_core::Result;
use memory_notes::tools::dream::{Params, Reply};

use super::upkeep::{told, unresolved};
use super::{answer, ask};
use crate::shell::{Shell, Status};

/// Organize notes: sort the inbox, merge, link, make reminders
///
/// Level 1 sorts the inbox into categories. Level 2 also merges notes with the same meaning and turns
/// [[names]] into links. Level 3 also creates reminders for the times that notes mention, and writes
/// suggestions across categories into a note.
///
/// Examples:
///   memory dream --dry-run
///   memory dream --level 3
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Level: 1, 2 or 3
    #[arg(short, long, default_value_t = 1)]
    level: u64,
    /// Show what would change and by which rule, without changing anything
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let reply: Reply = ask(
        shell,
        "dream",
        &Params {
            level: args.level,
            dry_run: args.dry_run,
        },
    )?;
    answer(shell, &reply, |reply| {
        told(&reply.deeds, reply.dry_run) + &unresolved(&reply.unresolved)
    })
}
