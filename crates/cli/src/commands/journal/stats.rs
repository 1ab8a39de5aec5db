//! `journal stats`: how much the journal holds.

use memory_core::Result;
use memory_journal::Type;
use memory_journal::tools::stats::{Params, Reply};

use super::{answer, ask, count, warn_of};
use crate::render::size::size;
use crate::render::table::table;
use crate::shell::{Shell, Status};

/// Show the numbers and sizes of records
///
/// Example: memory journal stats --json
#[derive(Debug, clap::Args)]
pub(crate) struct Args {}

pub(crate) fn run(_: Args, shell: &Shell) -> Result<Status> {
    let reply: Reply = ask(shell, "get_memory_stats", &Params {})?;
    warn_of(shell, &reply.flaws);
    answer(shell, &reply, |reply| {
        let statistics = &reply.statistics;
        let of = |kind: Type| match kind {
            Type::Core => statistics.by_type.core,
            Type::Learning => statistics.by_type.learning,
            Type::Task => statistics.by_type.task,
        };
        let mut rows: Vec<Vec<String>> = Type::ALL
            .iter()
            .map(|kind| vec![kind.to_string(), of(*kind).to_string()])
            .collect();
        rows.push(vec![
            "archived".to_owned(),
            statistics.archived_count.to_string(),
        ]);
        let total = count(statistics.total_memories, "record");
        let bytes = size(statistics.total_storage_bytes);
        format!(
            "{}\n{total} in {bytes}; tags: {}, categories: {}\n",
            table(&["WHAT", "COUNT"], &rows),
            reply.tags,
            reply.categories
        )
    })
}
