//! `get_memory_stats`: how much there is, in the words of `index.json`.

use memory_core::{Call, Done, Flaw};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::store::Store;
use crate::{JournalError, Statistics, limits};

#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {}

#[derive(Debug, Serialize, Deserialize)]
pub struct Reply {
    pub version: String,
    #[serde(flatten)]
    pub statistics: Statistics,
    /// How many different tags and categories there are.
    pub tags: usize,
    pub categories: usize,
    /// What could not be read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flaws: Vec<Flaw>,
}

pub fn run(store: &Store, call: &Call<'_>, _: Params) -> Result<Done<Reply>, JournalError> {
    let live = store.look();
    let index = store.derive_index(&live)?;
    store.settle_index(&index, call.now);
    Ok(Done::read(Reply {
        version: limits::VERSION.to_owned(),
        tags: index.tags.len(),
        categories: index.categories.len(),
        statistics: index.statistics,
        flaws: live.flaws,
    }))
}
