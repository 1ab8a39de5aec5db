//! `restore`: brings one removed note back.

use memory_core::{Result, printable};
use memory_notes::tools::restore::{Params, Reply};

use super::{answer, ask, short};
use crate::shell::{Shell, Status};

/// Restore removed or archived notes
///
/// Example: memory restore 7f8d9e00
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Ids of the notes, or their first characters (at least 4); 'memory trash' lists them
    #[arg(required = true, value_name = "ID")]
    ids: Vec<String>,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let is_one = args.ids.len() == 1;
    let mut replies: Vec<Reply> = Vec::with_capacity(args.ids.len());
    for id in args.ids {
        match ask(shell, "restore", &Params { id }) {
            Ok(reply) => replies.push(reply),
            // Those before it are back: say so.
            Err(error) if !replies.is_empty() => {
                show(shell, &replies)?;
                return Err(error);
            }
            Err(error) => return Err(error),
        }
    }
    match replies.first() {
        Some(reply) if is_one => answer(shell, reply, line),
        _ => show(shell, &replies),
    }
}

fn show(shell: &Shell, replies: &[Reply]) -> Result<Status> {
    answer(shell, &replies, |replies| {
        replies.iter().map(line).collect()
    })
}

fn line(reply: &Reply) -> String {
    format!(
        "Restored {} '{}'\n",
        short(&reply.id),
        printable(&reply.title)
    )
}
