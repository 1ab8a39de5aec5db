//! `completions`: a script that completes our commands in a shell.

use clap::CommandFactory;
use clap_complete::Shell as Kind;
use memory_core::Result;

use crate::shell::{Shell, Status};

/// Print a completion script for a shell
///
/// Example: memory completions bash > ~/.local/share/bash-completion/completions/memory
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The shell
    shell: Kind,
}

pub(crate) fn run<A: CommandFactory>(args: Args, shell: &Shell) -> Result<Status> {
    let mut command = A::command();
    let name = command.get_name().to_owned();
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, name, &mut script);
    shell.print(&String::from_utf8_lossy(&script))
}
