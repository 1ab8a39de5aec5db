//! `get`: one record by its id, live or archived. Looking at it counts as no access.

use memory_core::{Call, Done, Json};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::shown;
use crate::JournalError;
use crate::store::Store;

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    pub id: String,
}

pub fn run(store: &Store, _: &Call<'_>, params: Params) -> Result<Done<Json>, JournalError> {
    let live = store.look();
    if let Some(place) = store.find(&live.files, &params.id)? {
        return Ok(Done::read(shown(place.record)?));
    }
    match store.find(&store.archives()?, &params.id)? {
        Some(place) => Ok(Done::read(shown(place.record)?)),
        None => Err(JournalError::NoRecord { id: params.id }),
    }
}
