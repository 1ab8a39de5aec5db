//! `conversation delete`: forgets a whole conversation.

use memory_conversations::tools::delete::{Params, Reply};
use memory_core::{Result, printable};

use super::{PlaceArgs, answer, ask};
use crate::shell::{Shell, Status};

/// Delete a conversation
///
/// Its files are moved to deleted/; 'memory undo' restores them.
///
/// Example: memory conversation delete work
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The conversation
    conversation: String,
    #[command(flatten)]
    place: PlaceArgs,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let params = Params {
        conversation: args.conversation,
    };
    let reply: Reply = ask(shell, &args.place, "conversation_delete", &params)?;
    answer(shell, &reply, |reply| {
        let conversation = printable(&reply.conversation_id);
        format!(
            "Deleted '{conversation}' with {} entries; 'memory undo' reverts it\n",
            reply.deleted
        )
    })
}
