//! `read`: shows one note, and counts an access. An archived note moves back into its category.

use memory_core::{Call, Change, Done, Rehearsal};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::archive::{bring_back, renew};
use crate::change::Recall;
use crate::store::Store;
use crate::view::NoteView;
use crate::{Note, NoteError, NoteId};

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    /// Id, or at least its first 4 characters
    pub id: String,
}

pub fn run(store: &Store, call: &Call<'_>, params: Params) -> Result<Done<NoteView>, NoteError> {
    let Found {
        note,
        is_archived,
        changes,
    } = find(store, call, params.id.trim())?;
    store.record_access([note.id.as_str()]);
    let view = store.accesses().unwrap_or_default().view(&note);
    Ok(Done::changed(
        NoteView {
            archived: is_archived,
            ..view
        },
        changes,
    ))
}

struct Found {
    note: Note,
    /// It is archived still: it could not be moved back.
    is_archived: bool,
    changes: Vec<Change>,
}

fn find(store: &Store, call: &Call<'_>, text: &str) -> Result<Found, NoteError> {
    let shelf = store.look()?;
    let entry = match shelf.find(text) {
        Ok(entry) => entry,
        Err(NoteError::NoNote { .. }) => return find_archived(store, call, text),
        Err(error) => return Err(error),
    };
    let gone = || NoteError::NoNote {
        id: text.to_owned(),
    };
    let (note, _) = store.read_latest(entry)?.ok_or_else(gone)?;
    if note.expires_at().is_none_or(|at| at > call.now) {
        return Ok(Found {
            note,
            is_archived: false,
            changes: Vec::new(),
        });
    }
    // Best effort: a read does not fail because the note cannot be changed.
    match renewed(store, call, &note.id) {
        Ok((note, changes)) => Ok(Found {
            note,
            is_archived: false,
            changes,
        }),
        Err(_) => Ok(Found {
            note,
            is_archived: true,
            changes: Vec::new(),
        }),
    }
}

fn find_archived(store: &Store, call: &Call<'_>, text: &str) -> Result<Found, NoteError> {
    let none = || NoteError::NoNote {
        id: text.to_owned(),
    };
    let archived = store.find_archived(text)?.ok_or_else(none)?;
    let note = archived.note.clone();
    match bring_back(store, archived, call.now) {
        Ok((note, changes)) => Ok(Found {
            note,
            is_archived: false,
            changes,
        }),
        Err(_) => Ok(Found {
            note,
            is_archived: true,
            changes: Vec::new(),
        }),
    }
}

fn renewed(store: &Store, call: &Call<'_>, id: &NoteId) -> Result<(Note, Vec<Change>), NoteError> {
    let mut work = store.work(call.now, Rehearsal::Real)?;
    renew(&mut work, id)?;
    let note = work.note(id)?;
    Ok((note, work.commit(Recall::Nothing)?))
}
