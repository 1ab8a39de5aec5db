//! `clear_memory`: takes entries away, by the very filters of `get_memory`. It can be undone.

use memory_core::{Call, Change, Done, Flaw};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::part;
use crate::filter::Filter;
use crate::operations::{Outcome, count};
use crate::store::Store;
use crate::{Compartment, CompartmentError, document};

#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    #[schemars(with = "Compartment")]
    pub compartment: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// Any of these
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tags: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Reply {
    /// What was done, in a sentence.
    pub message: String,
    pub cleared: usize,
    pub ids: Vec<String>,
    /// What was damaged and put aside.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flaws: Vec<Flaw>,
}

impl Reply {
    pub(super) fn of(outcome: Outcome, whence: &str) -> Self {
        Reply {
            message: format!("Cleared {} from the {whence}", count(outcome.entries.len())),
            cleared: outcome.entries.len(),
            ids: outcome.entries.into_iter().map(|entry| entry.id).collect(),
            flaws: outcome.flaws,
        }
    }
}

pub fn run(
    store: &Store,
    call: &Call<'_>,
    params: Params,
) -> Result<Done<Reply>, CompartmentError> {
    let part = part(store, &params.compartment, params.run.as_deref())?;
    let filter = Filter::new(params.id, params.category, params.tags.unwrap_or_default())?;
    let cleared = store.clear(&part, &filter, call.by, call.now)?;
    let gone = cleared
        .entries
        .iter()
        .map(|entry| Change::gone(document::address(part.compartment, entry)));
    let changes = gone.collect();
    Ok(Done::changed(
        Reply::of(cleared, &part.to_string()),
        changes,
    ))
}
