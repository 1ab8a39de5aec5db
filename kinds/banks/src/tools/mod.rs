//! Everything a caller can ask of the banks: one file a tool.
//!
//! The first seven are specification 000's MCP tools, with exactly its names and schemas; a field
//! that is skipped in a schema is one that only the shell offers. The others are for the shell
//! alone: they belong to no offered set.

pub mod delete;
pub mod export;
pub mod gc;
pub mod import;
pub mod list;
pub mod query;
pub mod read;
pub mod repair;
pub mod schema;
pub mod search;
pub mod update;
pub mod write;

use std::sync::Arc;

use memory_core::{
    Declared, Effect, Flaw, Json, JsonFlaw, MAX_DEPTH, Tool, ToolSpec, find_secret, instant,
};
use serde::{Deserialize, Serialize};

use crate::document::KIND;
use crate::scopes::Scopes;
use crate::store::Store;
use crate::{BankError, BankName, Entry, Key, limits};

/// When an entry came, changed, and goes.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Metadata {
    pub created_at: String,
    pub updated_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ttl: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<String>,
}

impl Metadata {
    fn of(entry: &Entry<'_>) -> Self {
        Metadata {
            created_at: instant(entry.created_at),
            updated_at: instant(entry.updated_at),
            ttl: entry.ttl,
            expires_at: entry.expires_at().map(instant),
        }
    }
}

pub(crate) fn all(scopes: &Arc<Scopes>) -> Vec<Tool> {
    use Effect::{Edits, Reads, Removes, Writes};
    let offer = |name, alias, description, effect| ToolSpec {
        toolset: KIND,
        name,
        alias: Some(alias),
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
        store: scopes.clone(),
    };
    vec![
        with(offer(
            "memory_read",
            "bank_read",
            "Read from a memory bank",
            Reads,
        ))
        .runs(read::run),
        with(offer(
            "memory_write",
            "bank_write",
            "Write to a memory bank",
            Writes,
        ))
        .runs(write::run),
        with(offer(
            "memory_update",
            "bank_update",
            "Update memory entry with jq filter",
            Edits,
        ))
        .runs(update::run),
        with(offer(
            "memory_delete",
            "bank_delete",
            "Delete memory entry or bank",
            Removes,
        ))
        .runs(delete::run),
        with(offer(
            "memory_list",
            "bank_list",
            "List memory banks or keys",
            Reads,
        ))
        .runs(list::run),
        with(offer(
            "memory_query",
            "bank_query",
            "Query memory with jq filter",
            Reads,
        ))
        .runs(query::run),
        with(offer(
            "memory_search",
            "bank_search",
            "Search across memory banks",
            Reads,
        ))
        .runs(search::run),
        with(shell("export", Reads)).runs(export::run),
        with(shell("import", Edits)).runs(import::run),
        with(shell("gc", Removes)).runs(gc::run),
        with(shell("repair", Edits)).runs(repair::run),
        with(shell("schema", Edits)).runs(schema::run),
    ]
}

/// Refuses a value that is too deep or too large, or a credential that nobody meant to keep.
fn check_value(key: &Key, value: &Json, allow_secret: bool) -> Result<(), BankError> {
    if value.depth() > MAX_DEPTH {
        return Err(BankError::BadValue {
            flaw: JsonFlaw::TooDeep {
                depth: value.depth(),
            },
        });
    }
    if value.size() > limits::VALUE_BYTES {
        return Err(BankError::ValueTooLarge {
            size: value.size(),
            limit: limits::VALUE_BYTES,
        });
    }
    check_secrets(key.as_str(), value, allow_secret)
}

/// Refuses a credential that nobody meant to keep, in a key or a value.
fn check_secrets(key: &str, value: &Json, allow_secret: bool) -> Result<(), BankError> {
    if allow_secret {
        return Ok(());
    }
    let in_strings = || value.strings().find_map(|text| find_secret(&text));
    // As one text, a name stands before its value.
    let secret = find_secret(key)
        .or_else(in_strings)
        .or_else(|| find_secret(value.as_str()));
    match secret {
        Some(what) => Err(BankError::Secret { what }),
        None => Ok(()),
    }
}

/// Returns the banks of the stores; a store that can't be looked into is told and hides no other.
fn banks_of<'s>(stores: &[&'s Store], flaws: &mut Vec<Flaw>) -> Vec<(&'s Store, BankName)> {
    let mut banks = Vec::new();
    for store in stores {
        match store.names() {
            Ok(names) => banks.extend(names.into_iter().map(|bank| (*store, bank))),
            Err(error) => flaws.push(Flaw::new(
                format!("banks ({})", store.scope()),
                error.to_string(),
            )),
        }
    }
    banks
}
