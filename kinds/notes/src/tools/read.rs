//! `read`: shows one note, and counts that it was read.

use memory_core::{Call, Done, Rehearsal};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::change::Recall;
use crate::store::Store;
use crate::view::NoteView;
use crate::{NoteError, NoteId};

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    /// Id, or at least its first 4 characters
    pub id: String,
}

pub fn run(store: &Store, call: &Call<'_>, params: Params) -> Result<Done<NoteView>, NoteError> {
    let shelf = store.look()?;
    let entry = shelf.find(&params.id)?;
    let gone = || NoteError::NoNote { id: params.id.clone() };
    let (note, _) = store.read_latest(entry)?.ok_or_else(gone)?;
    // Whoever may not write here may still read: then nobody counts.
    let (access_count, changes) = match count(store, call, &note.id) {
        Ok(counted) => counted,
        Err(NoteError::Disk(_)) => (note.access_count, vec![]),
        Err(error) => return Err(error),
    };
    Ok(Done::changed(NoteView { access_count, ..NoteView::of(&note) }, changes))
}

fn count(store: &Store, call: &Call<'_>, id: &NoteId) -> Result<(u64, Vec<memory_core::Change>), NoteError> {
    let mut work = store.work(call.now, Rehearsal::Real)?;
    let mut count = 0;
    work.edit(id, |note| {
        note.access_count = note.access_count.saturating_add(1);
        count = note.access_count;
    })?;
    Ok((count, work.commit(Recall::Nothing)?))
}
