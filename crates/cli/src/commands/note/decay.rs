//! `decay`: archives organized notes that are old and were never used.

use memory_core::Result;
use memory_notes::tools::{Upkeep, UpkeepParams};

use super::upkeep::told;
use super::{answer, ask};
use crate::shell::{Shell, Status};

/// Archive old notes that were never used
///
/// The setting daemon.decay_threshold says how old (default: 30 days). Archived notes stay without a time limit:
/// recall still finds them, and 'memory restore ID' brings one back.
///
/// Example: memory decay --dry-run
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Show what would happen
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let reply: Upkeep = ask(shell, "decay", &UpkeepParams { dry_run: args.dry_run })?;
    answer(shell, &reply, |reply| told(&reply.deeds, reply.dry_run))
}
