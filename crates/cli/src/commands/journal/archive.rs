//! `journal archive`: moves what has rested long enough to the archive.

use memory_core::{Result, printable};
use memory_journal::tools::archive::{Params, Reply};

use super::{answer, ask, count, short};
use crate::shell::{Shell, Status};

/// Archive learnings and tasks that have rested long enough
///
/// Learnings 90 days after their last access, tasks 30 days after their completion; core memories
/// and tasks that are not completed stay. 'memory serve' does it by itself.
///
/// Example: memory journal archive --dry-run
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Show what would be archived; change nothing
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let reply: Reply = ask(shell, "archive", &Params { dry_run: args.dry_run })?;
    answer(shell, &reply, |reply| {
        let line = |moved: &memory_journal::tools::archive::Moved| {
            format!("{}  {} ({})\n", short(&moved.id), printable(&moved.title), moved.reason)
        };
        let lines: String = reply.archived.iter().map(line).collect();
        let records = count(reply.archived.len(), "record");
        match (reply.archived.is_empty(), reply.dry_run) {
            (true, _) => "Nothing has rested long enough\n".to_owned(),
            (false, true) => format!("{lines}Would archive {records}\n"),
            (false, false) => format!("{lines}Archived {records}; 'memory undo' brings them back\n"),
        }
    })
}
