//! `restore`: brings back one note that was removed, whatever removed it.

use memory_core::{Call, Done};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::store::Store;
use crate::{NoteError, undo};

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    pub id: String,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Reply {
    pub id: String,
    pub title: String,
}

pub fn run(store: &Store, call: &Call<'_>, params: Params) -> Result<Done<Reply>, NoteError> {
    let (id, changes) = undo::restore(store, params.id.trim(), call.now)?;
    let restored = changes
        .iter()
        .find_map(|change| change.document.as_ref().filter(|document| document.address.id == id.as_str()));
    let title = restored.map(|document| document.title.clone()).unwrap_or_default();
    Ok(Done::changed(Reply { id: id.to_string(), title }, changes))
}
