//! `save_memory`: keeps an entry in a compartment.

use std::collections::BTreeMap;

use memory_core::{Call, Done, Flaw, find_secret};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::part;
use crate::store::Store;
use crate::{Compartment, CompartmentError, NewEntry, document};

#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    #[schemars(with = "Compartment")]
    pub compartment: String,
    pub content: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tags: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<BTreeMap<String, String>>,
    /// 1-10 (default: 5)
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    #[serde(default)]
    #[schemars(skip)]
    pub allow_secret: bool,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Reply {
    pub id: String,
    pub compartment: Compartment,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// Characters that the compartment holds now, and may hold.
    pub size: usize,
    pub limit: usize,
    /// What was damaged and put aside.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flaws: Vec<Flaw>,
}

pub fn run(
    store: &Store,
    call: &Call<'_>,
    params: Params,
) -> Result<Done<Reply>, CompartmentError> {
    let part = part(store, &params.compartment, params.run.as_deref())?;
    let new = NewEntry {
        content: params.content,
        category: params.category,
        tags: params.tags.unwrap_or_default(),
        metadata: params.metadata.unwrap_or_default(),
        priority: params.priority,
    };
    let in_run = params.run.as_deref().and_then(find_secret);
    if !params.allow_secret
        && let Some(what) = new.secret().or(in_run)
    {
        return Err(CompartmentError::Secret { what });
    }
    let saved = store.save(&part, new, call.by, call.now)?;
    let changes = saved
        .entries
        .iter()
        .map(|entry| document::change(store, part.compartment, entry))
        .collect();
    let reply = Reply {
        id: saved.entries.into_iter().map(|entry| entry.id).collect(),
        compartment: part.compartment,
        run: part.run().map(ToString::to_string),
        size: saved.size,
        limit: store.settings.max_size_per_compartment,
        flaws: saved.flaws,
    };
    Ok(Done::changed(reply, changes))
}
