//! `conversation delete`: forgets a whole conversation.

use memory_conversations::tools::delete::{Params, Reply};
use memory_core::{Result, printable};

use super::{PlaceArgs, answer, ask};
use crate::shell::{Shell, Status};

/// Forget a whole conversation
///
/// Its files go to deleted/; 'memory undo' brings them back.
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
    let params = Params { conversation: args.conversation };
    let reply: Reply = ask(shell, &args.place, "conversation_delete", &params)?;
    answer(shell, &reply, |reply| {
        let conversation = printable(&reply.conversation_id);
        format!("Deleted '{conversation}' with {} entries; 'memory undo' takes it back\n", reply.deleted)
    })
}
