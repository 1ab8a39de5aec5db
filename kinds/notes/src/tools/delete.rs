//! `delete`: takes a note away, and the links to it. It can be undone.

use memory_core::{Call, Done};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::change::{Recall, Work};
use crate::store::Store;
use crate::{NoteError, NoteId};

#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    /// Id, or at least its first 4 characters
    pub id: String,
    /// Further notes that go with the same step
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(skip)]
    pub others: Vec<String>,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Reply {
    #[serde(flatten)]
    pub first: Deleted,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<Deleted>,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Deleted {
    pub id: String,
    pub title: String,
    pub deleted: bool,
}

pub fn run(store: &Store, call: &Call<'_>, params: Params) -> Result<Done<Reply>, NoteError> {
    let (mut work, id) = store.work_on(&params.id, call.now)?;
    let others = work.find_others(&id, &params.others)?;
    let first = delete(&mut work, &id)?;
    let others = others
        .iter()
        .map(|id| delete(&mut work, id))
        .collect::<Result<Vec<_>, _>>()?;
    let what = match others.len() {
        0 => format!("delete note {} '{}'", id.short(), first.title),
        more => format!(
            "delete {} notes, first {} '{}'",
            more + 1,
            id.short(),
            first.title
        ),
    };
    let changes = work.commit(Recall::Step(&what, call.by))?;
    Ok(Done::changed(Reply { first, others }, changes))
}

fn delete(work: &mut Work<'_>, id: &NoteId) -> Result<Deleted, NoteError> {
    let title = work
        .card(id)
        .map(|card| card.title.to_string())
        .unwrap_or_default();
    work.remove(id)?;
    Ok(Deleted {
        id: id.to_string(),
        title,
        deleted: true,
    })
}
