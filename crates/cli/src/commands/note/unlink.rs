//! `unlink`: takes the link between two notes away.

use memory_core::Result;

use super::link::tie;
use crate::shell::{Shell, Status};

/// Remove the link between two notes
///
/// Example: memory unlink 7f8d9e00 550e8400
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// One note's id, or its first characters
    source: String,
    /// The other note's id, or its first characters
    target: String,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    tie(args.source, args.target, true, shell)
}
