//! Everything a caller can ask of the journal: one file a tool.
//!
//! The first five are offered to models; the others are for the shell alone.

pub mod add;
pub mod archive;
pub mod backups;
pub mod delete;
pub mod get;
pub mod query;
pub mod repair;
pub mod restore_backup;
pub mod stats;
pub mod update;

mod fields;

use std::sync::Arc;

use memory_core::{Declared, Effect, Json, Tool, ToolSpec};

use crate::document::KIND;
use crate::format::render;
use crate::store::Store;
use crate::{JournalError, Record};

pub(crate) fn all(store: &Arc<Store>) -> Vec<Tool> {
    use Effect::{Edits, Reads, Removes};
    let offer = |name, description, effect| ToolSpec {
        toolset: KIND,
        name,
        alias: Some(name),
        description,
        effect,
    };
    let shell = |name, effect| ToolSpec {
        toolset: KIND,
        name,
        alias: None,
        description: "",
        effect,
    };
    let with = |spec| Declared {
        spec,
        store: store.clone(),
    };
    vec![
        with(offer(
            "store_memory",
            "Store a core memory, a learning or a task in the journal",
            Edits,
        ))
        .runs(add::run),
        with(offer(
            "query_memories",
            "Find records of the journal by type, tags, category, text or status",
            Reads,
        ))
        .runs(query::run),
        with(offer(
            "update_memory",
            "Change a record of the journal",
            Edits,
        ))
        .runs(update::run),
        with(offer(
            "delete_memory",
            "Archive a record of the journal, or remove it for good",
            Removes,
        ))
        .runs(delete::run),
        with(offer(
            "get_memory_stats",
            "How much the journal holds, by type",
            Reads,
        ))
        .runs(stats::run),
        with(shell("get", Reads)).runs(get::run),
        with(shell("archive", Removes)).runs(archive::run),
        with(shell("repair", Edits)).runs(repair::run),
        with(shell("backups", Reads)).runs(backups::run),
        with(shell("restore_backup", Edits)).runs(restore_backup::run),
    ]
}

/// Shows a record as callers see it: the fields of its line, each number as it was written.
fn shown(record: &Record) -> Result<Json, JournalError> {
    as_json(&render(record))
}

/// Shows a record with what its writer should know.
fn shown_with(record: &Record, warnings: &[String]) -> Result<Json, JournalError> {
    let line = render(record);
    if warnings.is_empty() {
        as_json(&line)
    } else {
        let told = serde_json::Value::from(warnings);
        as_json(&format!(
            "{},\"warnings\":{told}}}",
            line.strip_suffix('}').unwrap_or(&line)
        ))
    }
}

fn as_json(text: &str) -> Result<Json, JournalError> {
    Json::parse(text).map_err(|flaw| JournalError::Damaged {
        path: "the record".to_owned(),
        problem: flaw.to_string(),
    })
}
