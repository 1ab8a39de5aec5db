//! `decay`: archives organized notes that are old and were never used.

use memory_core::Result;
use memory_notes::tools::{Upkeep, UpkeepParams};

use super::upkeep::told;
use super::{answer, ask};
use crate::shell::{Shell, Status};

/// Archive old notes that were never used
///
/// The age is set by daemon.decay_threshold (default: 30 days). Archived notes are kept without a time
/// limit: recall finds them, and 'memory restore ID' moves one back.
///
/// Example: memory decay --dry-run
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Show what would change, without changing anything
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let reply: Upkeep = ask(
        shell,
        "decay",
        &UpkeepParams {
            dry_run: args.dry_run,
        },
    )?;
    answer(shell, &reply, |reply| told(&reply.deeds, reply.dry_run))
}
