//! `write`: keeps something to remember.

use std::io::IsTerminal;

use memory_core::{Code, Error, Result};
use memory_notes::limits;
use memory_notes::tools::write::{Params, Reply};

use super::{answer, ask, short};
use crate::render::time::when;
use crate::shell::{Shell, Status};

/// Who writes when nobody says: a person or a script at the shell.
const SHELL: &str = "cli";

/// Add a note
///
/// Without a category, the note is added to the inbox, which 'dream' sorts. If a note with the same
/// content exists, no second note is created: new tags are added to the existing one.
///
/// Examples:
///   memory write "user prefers dark mode" --category preferences --tags ui
///   memory write "ask Ann about the release, tomorrow at 9am" --category reminders
///   git log -1 --format=%B | memory write - --tags release --scope agent:claude
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Text of the note; without it, or with -, standard input is read
    #[arg(value_name = "CONTENT")]
    content: Vec<String>,
    /// Category of the note (default: inbox)
    #[arg(short, long)]
    category: Option<String>,
    /// Tags, separated by commas
    #[arg(short, long, value_delimiter = ',', value_name = "TAG,…")]
    tags: Vec<String>,
    /// Visibility: global, or agent:NAME for one agent
    #[arg(long)]
    scope: Option<String>,
    /// Name of the writing program (default: cli)
    #[arg(long)]
    source: Option<String>,
    /// Store it even if a note with the same content exists
    #[arg(long)]
    new: bool,
    /// Store it even if it looks like a credential
    #[arg(long)]
    allow_secret: bool,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let content = match args.content.as_slice() {
        [] if std::io::stdin().is_terminal() => {
            return Err(Error::new(Code::InvalidArgument, "No text was given")
                .hint("Pass a text, or send it to standard input"));
        }
        [] => from_input(shell)?,
        [dash] if dash == "-" => from_input(shell)?,
        words => words.join(" "),
    };
    let params = Params {
        content,
        category: args.category,
        tags: args.tags,
        scope: args.scope,
        source: Some(args.source.unwrap_or_else(|| SHELL.to_owned())),
        new: args.new,
        allow_secret: args.allow_secret,
    };
    let reply: Reply = ask(shell, "memory_write", &params)?;
    reply.warning.iter().for_each(|warning| shell.warn(warning));
    answer(shell, &reply, |reply| {
        let due = reply
            .due_at
            .as_ref()
            .map(|due| format!(", due {}", when(due, &shell.zone())));
        let verb = if reply.created {
            "Remembered as"
        } else {
            "Already remembered as"
        };
        format!(
            "{verb} {} in {}{}\n",
            short(&reply.id),
            reply.category,
            due.unwrap_or_default()
        )
    })
}

fn from_input(shell: &Shell) -> Result<String> {
    let limit = limits::CONTENT_BYTES as u64 + 2;
    shell.read_input(limit).map_err(|error| match error.code {
        Code::LimitExceeded => Error::new(
            Code::LimitExceeded,
            format!("The content has more than {} bytes", limits::CONTENT_BYTES),
        )
        .with("limit", limits::CONTENT_BYTES),
        Code::InvalidJson => Error::new(Code::InvalidArgument, "The content is not UTF-8"),
        _ => error,
    })
}
