//! `delete`: takes a note away, and the links to it. It can be undone.

use memory_core::{Call, Done};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::NoteError;
use crate::change::Recall;
use crate::store::Store;

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    /// Id, or at least its first 4 characters
    pub id: String,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Reply {
    pub id: String,
    pub title: String,
    pub deleted: bool,
}

pub fn run(store: &Store, call: &Call<'_>, params: Params) -> Result<Done<Reply>, NoteError> {
    let (mut work, id) = store.work_on(&params.id, call.now)?;
    let title = work.card(&id).map(|card| card.title.to_string()).unwrap_or_default();
    work.remove(&id)?;
    let what = format!("delete note {} '{}'", id.short(), title);
    let changes = work.commit(Recall::Step(&what))?;
    Ok(Done::changed(Reply { id: id.to_string(), title, deleted: true }, changes))
}
