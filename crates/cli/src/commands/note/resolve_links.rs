//! `resolve-links`: makes links of the names in all contents.

use memory_core::Result;
use memory_notes::tools::UpkeepParams;
use memory_notes::tools::resolve_links::Reply;

use super::upkeep::{told, unresolved};
use super::{answer, ask};
use crate::shell::{Shell, Status};

/// Turn the [[names]] in notes into links
///
/// A name is a note's title, alias, file name or the beginning of its id. What means no note is
/// listed, and stays as it is written.
///
/// Example: memory resolve-links --dry-run
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Show what would happen
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let reply: Reply = ask(shell, "resolve_links", &UpkeepParams { dry_run: args.dry_run })?;
    answer(shell, &reply, |reply| told(&reply.deeds, reply.dry_run) + &unresolved(&reply.unresolved))
}
