//! `dream`: sorts, merges, links and reminds.

use memory_core::Result;
use memory_notes::tools::dream::{Params, Reply};

use super::upkeep::{told, unresolved};
use super::{answer, ask};
use crate::shell::{Shell, Status};

/// Organize notes: sort the inbox, merge, link, make reminders
///
/// Level 1 sorts the inbox into categories. Level 2 also merges notes that say the same and makes
/// links of [[names]]. Level 3 also makes reminders of the times that notes speak of, and tells
/// what it noticed across categories in a note of its own.
///
/// Examples:
///   memory dream --dry-run
///   memory dream --level 3
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// How deep: 1, 2 or 3
    #[arg(short, long, default_value_t = 1)]
    level: u64,
    /// Show what would happen, and which rule says so
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let reply: Reply = ask(shell, "dream", &Params { level: args.level, dry_run: args.dry_run })?;
    answer(shell, &reply, |reply| told(&reply.deeds, reply.dry_run) + &unresolved(&reply.unresolved))
}
