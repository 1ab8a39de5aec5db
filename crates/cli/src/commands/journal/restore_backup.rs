//! `journal restore-backup`: puts a copy back in the place of its file.

use memory_core::Result;
use memory_journal::tools::restore_backup::{Params, Reply};

use super::{answer, ask, count};
use crate::shell::{Shell, Status};

/// Restore a file from a backup
///
/// The current file is backed up first.
///
/// Example: memory journal restore-backup core_memories.jsonl.backup.20260101_100000_000
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The backup's name, as 'memory journal backups' lists it
    name: String,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let reply: Reply = ask(shell, "restore_backup", &Params { name: args.name })?;
    answer(shell, &reply, |reply| {
        let records = count(reply.records, "record");
        let copy = reply
            .backup
            .iter()
            .map(|copy| format!("; the previous file is {copy}"));
        format!(
            "{} has {records} again{}\n",
            reply.file,
            copy.collect::<String>()
        )
    })
}
