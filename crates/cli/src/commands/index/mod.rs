//! `memory index`: what recall knows, brought up to date or made anew.

mod rebuild;
mod status;
mod sync;

use std::sync::Arc;

use clap::Subcommand;
use memory_core::{Code, Error, Result};

use crate::recollection::Recollection;
use crate::shell::{Shell, Status};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Status(status::Args),
    Sync(sync::Args),
    Rebuild(rebuild::Args),
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    match args.command {
        Command::Status(args) => status::run(args, shell),
        Command::Sync(args) => sync::run(args, shell),
        Command::Rebuild(args) => rebuild::run(args, shell),
    }
}

fn recollection(shell: &Shell) -> Result<&Arc<Recollection>> {
    shell.recollection().ok_or_else(|| {
        Error::new(
            Code::InvalidArgument,
            "The directory of the index is not known",
        )
        .hint("Set HOME or MEMORY_ROOT, or pass --root DIR")
    })
}
