//! `tag`: adds tags to a note, or removes them.

use memory_core::{Result, printable};
use memory_notes::tools::tag::{Params, Reply};

use super::{answer, ask, short};
use crate::shell::{Shell, Status};

/// Add tags to a note, or remove them
///
/// Examples:
///   memory tag 7f8d9e00 --add ui,urgent
///   memory tag 7f8d9e00 --remove urgent
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The note's id, or its first characters (at least 4)
    id: String,
    /// Tags to add
    #[arg(value_name = "TAG")]
    tags: Vec<String>,
    /// Tags to add
    #[arg(long, value_delimiter = ',', value_name = "TAG,…")]
    add: Vec<String>,
    /// Tags to remove
    #[arg(long, value_delimiter = ',', value_name = "TAG,…")]
    remove: Vec<String>,
    /// Add tags even if one looks like a credential
    #[arg(long)]
    allow_secret: bool,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let tags = args.tags.into_iter().chain(args.add).collect();
    let params = Params { id: args.id, tags, remove: args.remove, allow_secret: args.allow_secret };
    let reply: Reply = ask(shell, "memory_tag", &params)?;
    answer(shell, &reply, |reply| {
        let tags: Vec<String> = reply.tags.iter().map(|tag| format!("#{}", printable(tag))).collect();
        let tags = if tags.is_empty() { "no tags".to_owned() } else { tags.join(" ") };
        let verb = if reply.changed { "now has" } else { "has" };
        format!("{} {verb} {tags}\n", short(&reply.id))
    })
}
