//! `memory config …`: what the settings are, and how to change one.
//!
//! These commands read the configuration themselves, so that they can help when it is broken.

mod get;
mod list;
mod model_name;
mod path;
mod set;
mod unset;

use std::path::PathBuf;

use clap::Subcommand;
use memory_core::{Code, Error, Result};

use crate::shell::{Shell, Status};

/// Show and change settings
///
/// Your settings are in ~/.memory/config.yaml. A project can override some of them in
/// .slop-mcp/config.yaml; flags and environment variables override both.
///
/// Examples:
///   memory config list
///   memory config set notification.method file
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_long_help = crate::config::help())]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Get(get::Args),
    Set(set::Args),
    Unset(unset::Args),
    List(list::Args),
    Path(path::Args),
}

pub(crate) fn run(command: Command, shell: &Shell) -> Result<Status> {
    match command {
        Command::Get(args) => get::run(args, shell),
        Command::Set(args) => set::run(args, shell),
        Command::Unset(args) => unset::run(args, shell),
        Command::List(args) => list::run(args, shell),
        Command::Path(args) => path::run(args, shell),
    }
}

/// Returns the names of all settings.
pub(super) fn keys() -> Vec<&'static str> {
    crate::config::SETTINGS
        .iter()
        .map(|setting| setting.key)
        .collect()
}

/// Returns the user's file, which need not be there.
fn file(shell: &Shell) -> Result<PathBuf> {
    shell.ground().config_file().ok_or_else(|| {
        Error::new(
            Code::InvalidArgument,
            "The location of the configuration is not known",
        )
        .hint("Set HOME or MEMORY_ROOT, or name the file with --config FILE")
    })
}
