//! `read`: shows one note, and counts that it was read.

use memory_core::{Call, Done};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::NoteError;
use crate::change::Recall;
use crate::store::Store;
use crate::view::NoteView;

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    /// Id, or at least its first 4 characters
    pub id: String,
}

pub fn run(store: &Store, call: &Call<'_>, params: Params) -> Result<Done<NoteView>, NoteError> {
    match count(store, call, &params) {
        // Whoever may not write here may still read: then nobody counts.
        Err(NoteError::Disk(_)) => {
            let shelf = store.look()?;
            let gone = || NoteError::NoNote { id: params.id.clone() };
            let (note, _) = store.read_latest(shelf.find(&params.id)?)?.ok_or_else(gone)?;
            Ok(Done::read(NoteView::of(&note)))
        }
        ended => ended,
    }
}

fn count(store: &Store, call: &Call<'_>, params: &Params) -> Result<Done<NoteView>, NoteError> {
    let (mut work, id) = store.work_on(&params.id, call.now)?;
    work.edit(&id, |note| note.access_count = note.access_count.saturating_add(1))?;
    let view = NoteView::of(&work.note(&id)?);
    Ok(Done::changed(view, work.commit(Recall::Nothing)?))
}
