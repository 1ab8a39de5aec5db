//! `journal archive`: moves what has rested long enough to the archive.

use memory_core::{Result, printable};
use memory_journal::tools::archive::{Params, Reply};

use super::{answer, ask, count, short};
use crate::shell::{Shell, Status};

/// Archive learnings and tasks that are no longer used
///
/// Learnings are archived 90 days after their last access, tasks 30 days after completion; core memories
/// and open tasks are never archived. 'memory serve' runs this periodically.
///
/// Example: memory journal archive --dry-run
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Show what would be archived, without archiving it
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let reply: Reply = ask(
        shell,
        "archive",
        &Params {
            dry_run: args.dry_run,
        },
    )?;
    answer(shell, &reply, |reply| {
        let line = |moved: &memory_journal::tools::archive::Moved| {
            format!(
                "{}  {} ({})\n",
                short(&moved.id),
                printable(&moved.title),
                moved.reason
            )
        };
        let lines: String = reply.archived.iter().map(line).collect();
        let records = count(reply.archived.len(), "record");
        match (reply.archived.is_empty(), reply.dry_run) {
            (true, _) => "No records are due for archiving\n".to_owned(),
            (false, true) => format!("{lines}Would archive {records}\n"),
            (false, false) => format!("{lines}Archived {records}; 'memory undo' restores them\n"),
        }
    })
}
