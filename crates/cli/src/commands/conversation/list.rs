//! `conversation list`: the conversations that there are.

use memory_conversations::tools::list::{Listed, Params, Reply};
use memory_core::Result;

use super::{PlaceArgs, answer, ask, warn_of};
use crate::render::table::table;
use crate::render::time::when;
use crate::shell::{Shell, Status};

/// List conversations, most recent first
///
/// Example: memory conversation list
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    place: PlaceArgs,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let reply: Reply = ask(shell, &args.place, "conversation_list", &Params {})?;
    warn_of(shell, &reply.flaws);
    answer(shell, &reply, |reply| {
        if reply.conversations.is_empty() {
            "There are no conversations here; 'memory add' and 'memory proxy' store them in ./memory_db, or in --memory-path\n".to_owned()
        } else {
            let rows: Vec<Vec<String>> = reply
                .conversations
                .iter()
                .map(|listed| row(listed, shell))
                .collect();
            table(
                &["CONVERSATION", "FACTS", "TURNS", "SUMMARIES", "UPDATED"],
                &rows,
            )
        }
    })
}

fn row(listed: &Listed, shell: &Shell) -> Vec<String> {
    vec![
        listed.id.clone(),
        listed.facts.to_string(),
        listed.turns.to_string(),
        listed.summaries.to_string(),
        when(&listed.updated_at, &shell.zone()),
    ]
}
