//! `tag`: adds tags to a note, or removes them.

use memory_core::{Result, printable};
use memory_notes::tools::tag::{Params, Reply, Tagged};

use super::{answer, ask, short};
use crate::shell::{Shell, Status};

/// Add tags to notes, or remove them
///
/// With --add or --remove, all arguments are ids of notes. Otherwise the arguments after the first are tags
/// to add.
///
/// Examples:
///   memory tag 7f8d9e00 ui urgent
///   memory tag 7f8d9e00 a1b2c3d4 --add ui,urgent
///   memory tag 7f8d9e00 --remove urgent
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The note's id, or its first characters (at least 4)
    id: String,
    /// Tags to add, or with --add or --remove ids of more notes
    #[arg(value_name = "TAG|ID")]
    words: Vec<String>,
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
    let has_options = !args.add.is_empty() || !args.remove.is_empty();
    let (others, tags) = if has_options {
        (args.words, args.add)
    } else {
        (vec![], args.words)
    };
    let params = Params {
        id: args.id,
        others,
        tags,
        remove: args.remove,
        allow_secret: args.allow_secret,
    };
    let reply: Reply = ask(shell, "memory_tag", &params)?;
    answer(shell, &reply, |reply| {
        std::iter::once(&reply.first)
            .chain(&reply.others)
            .map(line)
            .collect()
    })
}

fn line(tagged: &Tagged) -> String {
    let tags: Vec<String> = tagged
        .tags
        .iter()
        .map(|tag| format!("#{}", printable(tag)))
        .collect();
    let tags = if tags.is_empty() {
        "no tags".to_owned()
    } else {
        tags.join(" ")
    };
    let verb = if tagged.changed { "now has" } else { "has" };
    format!("{} {verb} {tags}\n", short(&tagged.id))
}
