//! `journal update`: changes what a record says.

use memory_core::{Json, Result};
use memory_journal::Importance;
use memory_journal::tools::update::Params;

use super::add::content;
use super::{Shown, TaskArgs, answer, ask, short, word};
use crate::shell::{Shell, Status};

/// Change a record
///
/// Fields that are not named are kept; 'memory undo' reverts the change.
///
/// Examples:
///   memory journal update 7f8d9e00 --status completed --outcome "it takes half the time"
///   memory journal update 7f8d9e00 --content "User prefers pytest" --tags python
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The record's id, or its first characters (at least 4)
    id: String,
    /// New text; - reads standard input
    #[arg(long, value_name = "TEXT")]
    content: Option<String>,
    /// Category; an empty value removes it
    #[arg(short, long)]
    category: Option<String>,
    /// New tags; an empty list removes all tags
    #[arg(short, long, value_delimiter = ',', value_name = "TAG,…", num_args = 1)]
    tags: Option<Vec<String>>,
    /// high, medium or low
    #[arg(short, long, value_parser = word(Importance::parse))]
    importance: Option<Importance>,
    #[command(flatten)]
    task: TaskArgs,
    /// Store it even if it looks like a credential
    #[arg(long)]
    allow_secret: bool,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let said = args
        .content
        .map(|text| content(&[text], shell))
        .transpose()?;
    let params = Params {
        id: args.id,
        content: said,
        category: args.category,
        tags: args
            .tags
            .map(|tags| tags.into_iter().filter(|tag| !tag.is_empty()).collect()),
        importance: args.importance,
        status: args.task.status,
        blockers: args.task.blockers(),
        outcome: args.task.outcome,
        allow_secret: args.allow_secret,
    };
    let reply: Json = ask(shell, "update_memory", &params)?;
    let record = Shown::of(&reply)?;
    answer(shell, &reply, |_| {
        format!("Updated {}; 'memory undo' reverts it\n", short(&record.id))
    })
}
