//! `journal backups`: the copies that were made before changes.

use memory_core::Result;
use memory_journal::tools::backups::{Backup, Params, Reply};

use super::{answer, ask};
use crate::render::size::size;
use crate::render::table::table;
use crate::shell::{Shell, Status};

/// List the backups made before changes, newest first
///
/// The five most recent backups of each file are kept.
///
/// Example: memory journal backups
#[derive(Debug, clap::Args)]
pub(crate) struct Args {}

pub(crate) fn run(_: Args, shell: &Shell) -> Result<Status> {
    let reply: Reply = ask(shell, "backups", &Params {})?;
    answer(shell, &reply, |reply| {
        if reply.backups.is_empty() {
            return "There are no backups yet; updates and deletions create them\n".to_owned();
        }
        let row = |backup: &Backup| vec![backup.name.clone(), size(backup.size)];
        table(
            &["BACKUP", "SIZE"],
            &reply.backups.iter().map(row).collect::<Vec<_>>(),
        )
    })
}
