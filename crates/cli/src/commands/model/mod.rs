//! `memory model …`: which models there are, installing one, and using it.

mod install;
mod list;
mod r#use;

use clap::Subcommand;
use memory_core::Result;

use crate::shell::{Shell, Status};

/// Install and select the models that recall uses
///
/// Recall works without installation, by words and with a small built-in model. A larger model finds more
/// and needs some milliseconds per memory.
///
/// Examples:
///   memory model list
///   memory model install arctic-embed-s
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    List(list::Args),
    Install(install::Args),
    Use(r#use::Args),
}

pub(crate) fn run(command: Command, shell: &Shell) -> Result<Status> {
    match command {
        Command::List(args) => list::run(args, shell),
        Command::Install(args) => install::run(args, shell),
        Command::Use(args) => r#use::run(args, shell),
    }
}
