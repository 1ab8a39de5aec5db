//! `consolidate`: runs all tasks of the daemon once.

use memory_core::Result;
use memory_notes::tools::{Upkeep, UpkeepParams};

use super::upkeep::told;
use super::{answer, ask};
use crate::shell::{Shell, Status};

/// Run the maintenance tasks once
///
/// Example: memory consolidate --dry-run
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Show what would change, without changing anything
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let reply: Upkeep = ask(
        shell,
        "consolidate",
        &UpkeepParams {
            dry_run: args.dry_run,
        },
    )?;
    answer(shell, &reply, |reply| told(&reply.deeds, reply.dry_run))
}
