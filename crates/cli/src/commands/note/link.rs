//! `link`: links two notes to each other.

use memory_core::Result;
use memory_notes::tools::link::{Params, Reply};

use super::{answer, ask, short};
use crate::shell::{Shell, Status};

/// Link two notes to each other
///
/// Example: memory link 7f8d9e00 550e8400
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// One note's id, or its first characters
    source: String,
    /// The other note's id, or its first characters
    target: String,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    tie(args.source, args.target, false, shell)
}

/// Makes the link, or takes it away.
pub(super) fn tie(source: String, target: String, remove: bool, shell: &Shell) -> Result<Status> {
    let reply: Reply = ask(
        shell,
        "link",
        &Params {
            source,
            target,
            remove,
        },
    )?;
    answer(shell, &reply, |reply| {
        let are = match (remove, reply.changed) {
            (false, true) => "are linked",
            (false, false) => "were already linked",
            (true, true) => "are no longer linked",
            (true, false) => "were not linked",
        };
        format!(
            "{} and {} {are}\n",
            short(&reply.source),
            short(&reply.target)
        )
    })
}
