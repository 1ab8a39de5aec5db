//! `add`: keeps facts for later conversations.

use std::path::PathBuf;

use memory_conversations::tools::add::{Item, Params, Reply};
use memory_conversations::{DEFAULT, item, limits, read_memories};
use memory_core::{Code, Error, Result, printable};

use super::conversation::{PlaceArgs, ask, warn_of};
use crate::shell::{Shell, Speech, Status};

/// Add facts for later conversations
///
/// A file contains a JSON list of strings or of {"content", "conversation_id"} objects, such a list
/// under "memories", or one fact per line; list markers are removed.
///
/// Examples:
///   memory add "User lives in San Francisco" "User likes tea"
///   memory add -f facts.json -c work
///   printf -- '- likes tea\n- has a dog\n' | memory add -f -
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Facts, each a sentence that makes sense on its own
    #[arg(value_name = "TEXT")]
    texts: Vec<String>,
    /// Read facts from a file; - reads standard input
    #[arg(short, long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Conversation of the facts; facts of 'global' are visible to all conversations
    #[arg(short, long, visible_alias = "conversation-id", default_value = DEFAULT, value_name = "CONVERSATION")]
    conversation: String,
    /// Print nothing
    #[arg(short, long)]
    quiet: bool,
    /// Store them even if one looks like a credential
    #[arg(long)]
    allow_secret: bool,
    #[command(flatten)]
    place: PlaceArgs,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let mut memories: Vec<Item> = args.texts.iter().map(|text| item(text)).collect();
    memories.extend(from_file(args.file.as_deref(), shell)?);
    if memories.is_empty() {
        return Err(Error::new(Code::InvalidArgument, "No text was given")
            .hint("Pass a text, or a file with --file"));
    }
    let params = Params {
        memories,
        conversation: Some(args.conversation),
        allow_secret: args.allow_secret,
    };
    let reply: Reply = ask(shell, &args.place, "conversation_add", &params)?;
    match (args.quiet, shell.speech) {
        (true, _) => Ok(Status::DONE),
        (false, Speech::Json) => shell.show(&reply),
        (false, Speech::People) => {
            warn_of(shell, &reply.flaws);
            shell.print(&lines(&reply))
        }
    }
}

fn from_file(file: Option<&std::path::Path>, shell: &Shell) -> Result<Vec<Item>> {
    let text = match file {
        None => return Ok(vec![]),
        Some(dash) if dash.as_os_str() == "-" => shell.read_input(limits::ADDED_BYTES)?,
        Some(path) => shell.text_from(Some(path), limits::ADDED_BYTES)?,
    };
    Ok(read_memories(&text)?)
}

fn lines(reply: &Reply) -> String {
    let mut lines = String::new();
    for added in &reply.added {
        let short: String = added.id.chars().take(8).collect();
        let (conversation, content) =
            (printable(&added.conversation_id), printable(&added.content));
        lines.push_str(&format!("{short}  {conversation}  {content}\n"));
    }
    let known = match reply.known {
        0 => String::new(),
        known => format!(", {known} already known"),
    };
    format!("{lines}{} added{known}\n", reply.added.len())
}
