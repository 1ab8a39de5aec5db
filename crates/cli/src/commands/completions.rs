//! `completions`: a script that completes our commands in a shell.

use clap::builder::PossibleValuesParser;
use memory_core::{Code, Error, Result};

use crate::completion;
use crate::shell::{Shell, Status};

/// Print a completion script for a shell
///
/// Completes commands and flags, and from the stores ids of notes with their titles, categories, banks, keys,
/// conversations and settings.
///
/// Examples:
///   memory completions bash > ~/.local/share/bash-completion/completions/memory
///   memory completions zsh > "${fpath[1]}/_memory"
///   memory completions fish > ~/.config/fish/completions/memory.fish
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The shell
    #[arg(value_parser = PossibleValuesParser::new(completion::shells()))]
    shell: String,
}

pub(crate) fn run(args: &Args, program: &str, shell: &Shell) -> Result<Status> {
    let script = completion::script(&args.shell, program);
    let failed = || {
        Error::new(
            Code::IoError,
            format!("The script for {} could not be written", args.shell),
        )
    };
    shell.print(&script.ok_or_else(failed)?)
}
