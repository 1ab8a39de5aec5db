//! `delete_memory`: moves a record to the archive, or takes it away for good. Both can be undone.

use memory_core::{Call, Change, Done};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::update::require_live;
use crate::document::address;
use crate::store::Store;
use crate::{JournalError, archive};

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    /// The record's id, or its first characters (at least 4)
    pub id: String,
    /// Remove it instead of archiving it
    #[serde(default)]
    pub permanent: bool,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Reply {
    pub success: bool,
    pub id: String,
    pub title: String,
    /// Whether it is in the archive now.
    pub archived: bool,
    /// The archive that it went to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
}

pub fn run(store: &Store, call: &Call<'_>, params: Params) -> Result<Done<Reply>, JournalError> {
    match require_live(store, &store.look_for_change()?.files, &params.id) {
        Ok(_) => {}
        Err(JournalError::Archived { .. }) if params.permanent => {
            return remove_archived(store, call, &params.id);
        }
        Err(error) => return Err(error),
    }
    let held = store.hold(call.now)?;
    let mut live = store.look_for_change()?;
    let place = require_live(store, &live.files, &params.id)?;
    let (id, title) = (place.record.id.clone(), place.record.title());
    let edit = if params.permanent {
        archive::removal(place)
    } else {
        archive::edit(place, call.now)
    };
    let path = edit.archived.as_ref().map(|archived| archived.path.clone());
    let verb = if params.permanent { "remove" } else { "delete" };
    store.commit(
        &held,
        &mut live.files,
        &[edit],
        (format!("{verb} record '{title}'"), call.by),
        call.now,
    )?;
    let reply = Reply {
        success: true,
        id: id.to_string(),
        title,
        archived: path.is_some(),
        path,
    };
    Ok(Done::changed(reply, vec![Change::gone(address(&id))]))
}

/// Takes a record out of the archive for good.
fn remove_archived(store: &Store, call: &Call<'_>, id: &str) -> Result<Done<Reply>, JournalError> {
    let held = store.hold(call.now)?;
    let mut archives = store.archives()?;
    let place = store
        .find(&archives, id)?
        .ok_or_else(|| JournalError::NoRecord { id: id.to_owned() })?;
    let (id, title) = (place.record.id.to_string(), place.record.title());
    let edit = archive::removal(place);
    store.commit(
        &held,
        &mut archives,
        &[edit],
        (format!("remove archived record '{title}'"), call.by),
        call.now,
    )?;
    Ok(Done::read(Reply {
        success: true,
        id,
        title,
        archived: false,
        path: None,
    }))
}
