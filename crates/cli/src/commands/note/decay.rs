//! `decay`: removes sorted notes that are old and were never read.

use memory_core::Result;
use memory_notes::tools::{Upkeep, UpkeepParams};

use super::upkeep::told;
use super::{answer, ask};
use crate::shell::{Shell, Status};

/// Remove organized notes that are old and that nobody has read
///
/// How old is daemon.decay_threshold's to say (default: 30 days). They stay in the trash for 30
/// more days.
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
