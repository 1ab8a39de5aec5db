//! `resolve-links`: makes links of the names in all contents.

use memory_core::Result;
use memory_notes::tools::UpkeepParams;
use memory_notes::tools::resolve_links::Reply;

use super::upkeep::{told, unresolved};
use super::{answer, ask};
use crate::shell::{Shell, Status};

/// Turn the [[names]] in notes into links
///
/// A name is a title, an alias, a file name or the beginning of an id. Names that match no note are
/// listed and left unchanged.
///
/// Example: memory resolve-links --dry-run
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Show what would change, without changing anything
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let reply: Reply = ask(
        shell,
        "resolve_links",
        &UpkeepParams {
            dry_run: args.dry_run,
        },
    )?;
    answer(shell, &reply, |reply| {
        told(&reply.deeds, reply.dry_run) + &unresolved(&reply.unresolved)
    })
}
