//! `compartment save`: keeps an entry in a compartment.

use std::collections::BTreeMap;

use memory_compartments::limits;
use memory_compartments::tools::save::{Params, Reply};
use memory_core::{Code, Error, Result};

use super::{WhereArgs, answer, ask};
use crate::shell::{Shell, Status};

/// Save an entry to a compartment
///
/// Run memory belongs to one run and is cleared when it ends; session memory is shared by all runs; plan
/// memory holds the steps of a larger task.
///
/// Examples:
///   memory compartment save run "2 of 5 files are done" --run nightly
///   memory compartment save session "The user prefers short answers" --tags style --priority 8
///   git diff --stat | memory compartment save plan - --meta branch=main
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// run, session or plan
    compartment: String,
    /// Text to save; - reads standard input
    #[arg(required = true, value_name = "CONTENT", allow_hyphen_values = true)]
    content: String,
    /// Category of the entry
    #[arg(short, long)]
    category: Option<String>,
    /// Tags, separated by commas
    #[arg(short, long, value_delimiter = ',', value_name = "TAG,…")]
    tags: Option<Vec<String>>,
    /// Metadata as KEY=VALUE; can be repeated
    #[arg(long = "meta", value_name = "NAME=VALUE", value_parser = meta)]
    metadata: Vec<(String, String)>,
    /// Priority from 1 to 10 (default: 5)
    #[arg(short, long, allow_negative_numbers = true)]
    priority: Option<i64>,
    /// Store it even if it looks like a credential
    #[arg(long)]
    allow_secret: bool,
    #[command(flatten)]
    pub(super) place: WhereArgs,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let content = match args.content.as_str() {
        "-" => shell.read_input(limits::FILE_BYTES).map_err(not_text)?,
        _ => args.content,
    };
    let metadata: BTreeMap<String, String> = args.metadata.into_iter().collect();
    let params = Params {
        compartment: args.compartment,
        content,
        category: args.category,
        tags: args.tags,
        metadata: Some(metadata).filter(|metadata| !metadata.is_empty()),
        priority: args.priority,
        run: args.place.run,
        allow_secret: args.allow_secret,
    };
    let reply: Reply = ask(shell, "save_memory", &params)?;
    answer(shell, &reply, &reply.flaws, |reply| {
        let run = reply
            .run
            .as_ref()
            .map(|run| format!(" of run '{run}'"))
            .unwrap_or_default();
        let Reply {
            id,
            compartment,
            size,
            limit,
            ..
        } = reply;
        format!("Saved as {id} in {compartment} memory{run} ({size} of {limit} characters)\n")
    })
}

fn meta(text: &str) -> std::result::Result<(String, String), String> {
    let pair = text.split_once('=').filter(|(name, _)| !name.is_empty());
    let (name, value) = pair.ok_or("not a name and a value like file=main.rs")?;
    Ok((name.to_owned(), value.to_owned()))
}

fn not_text(error: Error) -> Error {
    match error.code {
        Code::InvalidJson => Error::new(Code::InvalidArgument, "The content is not UTF-8"),
        _ => error,
    }
}
