//! Everything a caller can ask of the notes: one file a tool.
//!
//! The first seven are specification 001's tools, with exactly its names; a field that is skipped
//! in a schema is one that only the shell offers. The others are for the shell alone: they belong
//! to no offered set.

pub mod backlinks;
pub mod consolidate;
pub mod decay;
pub mod delete;
pub mod dream;
pub mod export;
pub mod import;
pub mod ingest;
pub mod link;
pub mod list;
pub mod notify;
pub mod opening;
pub mod read;
pub mod resolve_links;
pub mod restore;
pub mod search;
pub mod smart_search;
pub mod tag;
pub mod trash;
pub mod upgrade;
pub mod write;

use std::sync::Arc;

use memory_core::{Declared, Effect, Tool, ToolSpec};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::deed::Deed;
use crate::document::KIND;
use crate::note::unique;
use crate::store::Store;
use crate::{NoteError, limits};

/// What upkeep did, or would do.
#[derive(Debug, Serialize, Deserialize)]
pub struct Upkeep {
    pub deeds: Vec<Deed>,
    pub dry_run: bool,
}

/// The parameters of upkeep that takes no others.
#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UpkeepParams {
    #[serde(default)]
    pub dry_run: bool,
}

pub(crate) fn all(store: &Arc<Store>) -> Vec<Tool> {
    use Effect::{Edits, Reads, Removes, Writes};
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
            "memory_write",
            "Remember something as a note",
            Writes,
        ))
        .runs(write::run),
        with(offer("memory_read", "Read a note by its id", Reads)).runs(read::run),
        with(offer(
            "memory_delete",
            "Delete a note; it can be restored",
            Removes,
        ))
        .runs(delete::run),
        with(offer("memory_list", "List notes, the newest first", Reads)).runs(list::run),
        with(offer(
            "memory_search",
            "Search notes by words, ranked by relevance",
            Reads,
        ))
        .runs(search::run),
        with(offer(
            "memory_tag",
            "Add tags to a note, or remove them",
            Writes,
        ))
        .runs(tag::run),
        with(offer(
            "memory_smart_search",
            "Find the notes that matter to a question",
            Reads,
        ))
        .runs(smart_search::run),
        with(shell("link", Writes)).runs(link::run),
        with(shell("resolve_links", Writes)).runs(resolve_links::run),
        with(shell("backlinks", Reads)).runs(backlinks::run),
        with(shell("upgrade", Edits)).runs(upgrade::run),
        with(shell("decay", Removes)).runs(decay::run),
        with(shell("consolidate", Removes)).runs(consolidate::run),
        with(shell("dream", Edits)).runs(dream::run),
        with(shell("notify", Edits)).runs(notify::run),
        with(shell("opening", Reads)).runs(opening::run),
        with(shell("ingest", Edits)).runs(ingest::run),
        with(shell("export", Reads)).runs(export::run),
        with(shell("import", Edits)).runs(import::run),
        with(shell("restore", Edits)).runs(restore::run),
        with(shell("trash", Removes)).runs(trash::run),
    ]
}

/// Checks tags and brings them into the form they are kept in.
fn checked_tags(tags: &[String]) -> Result<Vec<String>, NoteError> {
    let mut checked: Vec<String> = Vec::with_capacity(tags.len());
    for tag in tags
        .iter()
        .map(|tag| tag.trim().trim_start_matches('#').trim())
    {
        if tag.chars().count() > limits::TAG_CHARS {
            let size = tag.chars().count();
            return Err(NoteError::TooLarge {
                what: "A tag",
                unit: "characters",
                size,
                limit: limits::TAG_CHARS,
            });
        }
        if tag.contains(|c: char| c.is_control() || c == ',') {
            return Err(NoteError::bad(format!(
                "The tag {tag:?} is invalid: it contains a comma or a control character"
            )));
        }
        checked.push(tag.to_owned());
    }
    Ok(unique(checked))
}

/// Refuses more tags than a note may have, unless it had as many before: a hand may have put them there.
fn check_tag_count(count: usize, before: usize) -> Result<(), NoteError> {
    if count > limits::TAGS.max(before) {
        Err(NoteError::TooLarge {
            what: "The note",
            unit: "tags",
            size: count,
            limit: limits::TAGS,
        })
    } else {
        Ok(())
    }
}
