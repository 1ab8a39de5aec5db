//! `restore`: brings one removed note back.

use memory_core::{Result, printable};
use memory_notes::tools::restore::{Params, Reply};

use super::{answer, ask, short};
use crate::shell::{Shell, Status};

/// Bring one note back that was removed
///
/// Example: memory restore 7f8d9e00
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The note's id, or its first characters (at least 4); 'memory trash' lists them
    id: String,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let reply: Reply = ask(shell, "restore", &Params { id: args.id })?;
    answer(shell, &reply, |reply| format!("Restored {} '{}'\n", short(&reply.id), printable(&reply.title)))
}
