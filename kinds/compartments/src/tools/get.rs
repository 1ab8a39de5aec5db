//! `get_memory`: the entries of a compartment, by id or filters, and one access more for each.

use memory_core::{Call, Done, Flaw};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::part;
use crate::filter::Filter;
use crate::store::Store;
use crate::{Compartment, CompartmentError, Entry};

#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    #[schemars(with = "Compartment")]
    pub compartment: String,
    #[serde(skip_serializing_if = "Option::is_none")]
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
    /// The file that they are from: of the working directory, unless another one was named.
    pub file: String,
    pub entries: Vec<Entry>,
    /// Entries that can't be read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flaws: Vec<Flaw>,
}

pub fn run(store: &Store, _: &Call<'_>, params: Params) -> Result<Done<Reply>, CompartmentError> {
    let part = part(store, &params.compartment, params.run.as_deref())?;
    let filter = Filter::new(params.id, params.category, params.tags.unwrap_or_default())?;
    let found = store.get(&part, &filter)?;
    Ok(Done::read(Reply {
        file: store.path(),
        entries: found.entries,
        flaws: found.flaws,
    }))
}
