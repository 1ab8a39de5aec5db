//! `journal add`: keeps a record.

use memory_core::{Json, Result};
use memory_journal::tools::add::Params;
use memory_journal::{Importance, Type, limits};

use super::{Shown, TaskArgs, answer, ask, short, word};
use crate::shell::{Shell, Status};

/// Add a record: a core memory, a learning or a task
///
/// --blocker marks a task as blocked, --outcome as completed.
///
/// Examples:
///   memory journal add core "User prefers pytest over unittest" --category preference --tags python,testing
///   memory journal add task "Move the build" --status blocked --blocker "the review"
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// core, learning or task
    #[arg(value_name = "TYPE", value_parser = word(Type::parse))]
    kind: Type,
    /// Text of the record, up to 5000 characters; - reads standard input
    #[arg(required = true, value_name = "CONTENT")]
    content: Vec<String>,
    /// Category of the record
    #[arg(short, long)]
    category: Option<String>,
    /// Tags, separated by commas
    #[arg(short, long, value_delimiter = ',', value_name = "TAG,…")]
    tags: Vec<String>,
    /// high, medium or low (default: medium)
    #[arg(short, long, value_parser = word(Importance::parse))]
    importance: Option<Importance>,
    #[command(flatten)]
    task: TaskArgs,
    /// Store it even if it looks like a credential
    #[arg(long)]
    allow_secret: bool,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let content = content(&args.content, shell)?;
    let params = Params {
        kind: args.kind,
        content,
        category: args.category,
        tags: args.tags,
        importance: args.importance,
        status: args.task.status,
        blockers: args.task.blockers(),
        outcome: args.task.outcome,
        allow_secret: args.allow_secret,
    };
    let reply: Json = ask(shell, "store_memory", &params)?;
    let record = Shown::of(&reply)?;
    record
        .warnings
        .iter()
        .for_each(|warning| shell.warn(warning));
    answer(shell, &reply, |_| {
        format!("Stored {} as {}\n", record.kind, short(&record.id))
    })
}

/// Joins the words; a dash alone means standard input.
pub(super) fn content(words: &[String], shell: &Shell) -> Result<String> {
    match words {
        [dash] if dash == "-" => {
            let most = limits::CONTENT_CHARS as u64 * 4 + 2;
            let text = shell.read_input(most)?;
            Ok(text.strip_suffix('\n').unwrap_or(&text).to_owned())
        }
        words => Ok(words.join(" ")),
    }
}
