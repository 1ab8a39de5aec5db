//! `conversation summarize`: summarises conversations anew.

use memory_conversations::summary::ContentType;
use memory_conversations::tools::summarize::{Params, Reply, Summarized};
use memory_core::{Result, printable, printable_lines};

use super::{PlaceArgs, answer, ask};
use crate::shell::{Shell, Status};

/// Summarize conversations from their beginning
///
/// How deep depends on how much was said: nothing below 100 tokens, then a sentence, a paragraph,
/// chunks, a tree. The summary before it goes to deleted/.
///
/// Example: memory conversation summarize -c default
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only this conversation
    #[arg(short, long, visible_alias = "conversation-id", value_name = "CONVERSATION")]
    conversation: Option<String>,
    /// What kind of text it is
    #[arg(long = "type", value_enum, default_value = "conversation")]
    content_type: TypeArg,
    #[command(flatten)]
    place: PlaceArgs,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum TypeArg {
    Conversation,
    Journal,
    Document,
}

impl From<TypeArg> for ContentType {
    fn from(argument: TypeArg) -> ContentType {
        match argument {
            TypeArg::Conversation => ContentType::Conversation,
            TypeArg::Journal => ContentType::Journal,
            TypeArg::Document => ContentType::Document,
        }
    }
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let params = Params { conversation: args.conversation, content_type: args.content_type.into() };
    let reply: Reply = ask(shell, &args.place, "conversation_summarize", &params)?;
    answer(shell, &reply, |reply| match reply.summaries.is_empty() {
        true => "There are no conversations yet\n".to_owned(),
        false => reply.summaries.iter().map(lines).collect::<Vec<_>>().join("\n"),
    })
}

fn lines(summary: &Summarized) -> String {
    let conversation = printable(&summary.conversation_id);
    match &summary.content {
        Some(content) => {
            format!("\u{1b}[1m{conversation}\u{1b}[0m  {}\n{}\n", summary.level, printable_lines(content))
        }
        None => format!("\u{1b}[1m{conversation}\u{1b}[0m  too short for a summary\n"),
    }
}
