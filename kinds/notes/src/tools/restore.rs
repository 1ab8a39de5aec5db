//! `restore`: brings back one note that was removed, from the archive or from the trash.

use memory_core::{Call, Change, Done, Rehearsal, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::archive::{bring_back, renew};
use crate::change::Recall;
use crate::store::Store;
use crate::{NoteError, NoteId, undo};

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
    let (id, changes) = restore(store, params.id.trim(), call.now)?;
    store.record_access([id.as_str()]);
    let restored = changes.iter().find_map(|change| {
        change
            .document
            .as_ref()
            .filter(|document| document.address.id == id.as_str())
    });
    let title = restored
        .map(|document| document.title.clone())
        .unwrap_or_default();
    Ok(Done::changed(
        Reply {
            id: id.to_string(),
            title,
        },
        changes,
    ))
}

fn restore(store: &Store, text: &str, now: Timestamp) -> Result<(NoteId, Vec<Change>), NoteError> {
    if let Some(archived) = store.find_archived(text)? {
        let (note, changes) = bring_back(store, archived, now)?;
        return Ok((note.id, changes));
    }
    let shelf = store.look()?;
    match shelf.find(text).map(|entry| entry.found.as_ref()) {
        Ok(Ok(card)) if card.is_expired(now) => {
            let mut work = store.work(now, Rehearsal::Real)?;
            renew(&mut work, &card.id)?;
            Ok((card.id.clone(), work.commit(Recall::Nothing)?))
        }
        found => undo::restore(store, text, now).map_err(|error| match (error, found) {
            (NoteError::NotRemoved { .. }, Ok(Ok(card))) => {
                NoteError::bad(format!("Note '{}' already exists", card.id))
            }
            (error, _) => error,
        }),
    }
}
