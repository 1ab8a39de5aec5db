//! `conversation forget`: forgets one fact or turn.

use memory_conversations::tools::forget::{Params, Reply};
use memory_core::{Result, printable};

use super::{PlaceArgs, answer, ask, short};
use crate::shell::{Shell, Status};

/// Delete one fact or turn
///
/// Its file is moved to deleted/; 'memory undo' restores it.
///
/// Example: memory conversation forget 7f8d9e00
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The id, or its first characters
    id: String,
    #[command(flatten)]
    place: PlaceArgs,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let reply: Reply = ask(
        shell,
        &args.place,
        "conversation_forget",
        &Params { id: args.id },
    )?;
    answer(shell, &reply, |reply| {
        format!(
            "Forgot {} '{}'\n",
            short(&reply.id),
            printable(&reply.content)
        )
    })
}
