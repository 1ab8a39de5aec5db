//! `conversation summarize`: summarises conversations anew.

use memory_conversations::summary::ContentType;
use memory_conversations::tools::summarize::{Params, Reply, Summarized};
use std::sync::{Arc, Mutex, PoisonError};

use memory_core::{Result, printable, printable_lines};
use memory_models::Chat;

use super::{PlaceArgs, answer, ask_with};
use crate::chat::{self, Outspoken};
use crate::shell::{Shell, Status};
use memory_serve::Upstream;

/// Rewrite the summaries of conversations
///
/// The depth depends on the length: no summary below 100 tokens, then a sentence, a paragraph, chunks,
/// a tree. The previous summary is moved to deleted/. The model is the one that 'memory proxy' uses: that
/// of llm.base_url, else of OPENAI_BASE_URL or conversations.openai_base_url. Without a model, or if it
/// fails, the most important sentences are extracted.
///
/// Examples:
///   memory conversation summarize -c default
///   memory conversation summarize --openai-base-url http://127.0.0.1:11434/v1 --model llama3.2
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Only this conversation
    #[arg(
        short,
        long,
        visible_alias = "conversation-id",
        value_name = "CONVERSATION"
    )]
    conversation: Option<String>,
    /// Type of the text
    #[arg(long = "type", value_enum, default_value = "conversation")]
    content_type: TypeArg,
    /// Endpoint of the model (default: llm.base_url, OPENAI_BASE_URL, conversations.openai_base_url)
    #[arg(long, value_name = "URL")]
    openai_base_url: Option<String>,
    /// Model that writes the summary (default: llm.model, or the endpoint's first)
    #[arg(long, value_name = "NAME")]
    model: Option<String>,
    /// Extract sentences, without a model
    #[arg(long, conflicts_with_all = ["openai_base_url", "model"])]
    no_llm: bool,
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
    let problems: Arc<Mutex<Vec<String>>> = Arc::default();
    let chat = model(&args, shell, &problems)?;
    let is_alone = chat.is_none() && !args.no_llm;
    let params = Params {
        conversation: args.conversation,
        content_type: args.content_type.into(),
    };
    let reply: Reply = ask_with(shell, &args.place, chat, "conversation_summarize", &params)?;
    for problem in problems
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .iter()
    {
        shell.warn(&format!(
            "The model failed; the summary was extracted by rules instead: {problem}"
        ));
    }
    let ended = answer(shell, &reply, |reply| {
        if reply.summaries.is_empty() {
            "There are no conversations yet\n".to_owned()
        } else {
            reply
                .summaries
                .iter()
                .map(lines)
                .collect::<Vec<_>>()
                .join("\n")
        }
    });
    if is_alone
        && reply
            .summaries
            .iter()
            .any(|summary| summary.content.is_some())
    {
        shell.tell("hint: 'memory config set llm.base_url URL' lets a model write summaries");
    }
    ended
}

/// Returns the model that is to write, with someone who notes its failures.
fn model(
    args: &Args,
    shell: &Shell,
    problems: &Arc<Mutex<Vec<String>>>,
) -> Result<Option<Arc<dyn Chat>>> {
    if args.no_llm {
        return Ok(None);
    }
    let mut config = shell.config().clone();
    config.llm.model = args.model.clone().or(config.llm.model.take());
    let chat = match &args.openai_base_url {
        Some(base) => {
            let key = shell
                .ground()
                .environment
                .openai_api_key
                .as_ref()
                .map(|key| key.reveal());
            Some(Arc::new(chat::of_upstream(&Upstream::new(base, key)?, &config)) as Arc<dyn Chat>)
        }
        None => chat::chosen(shell.ground(), &config),
    };
    let problems = problems.clone();
    let note = move |problem: &str| {
        problems
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(problem.to_owned());
    };
    Ok(chat.map(|chat| Arc::new(Outspoken::new(chat, note)) as Arc<dyn Chat>))
}

fn lines(summary: &Summarized) -> String {
    let conversation = printable(&summary.conversation_id);
    match &summary.content {
        Some(content) => {
            let by = match summary.model.as_deref() {
                Some("extractive") | None => "chosen sentences".to_owned(),
                Some(model) => format!("by {}", printable(model)),
            };
            let text = printable_lines(content);
            format!(
                "\u{1b}[1m{conversation}\u{1b}[0m  {}, {by}\n{text}\n",
                summary.level
            )
        }
        None => format!("\u{1b}[1m{conversation}\u{1b}[0m  too short for a summary\n"),
    }
}
