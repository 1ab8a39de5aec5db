//! `list`: the notes that filters admit, newest first.

use std::cmp::Reverse;

use memory_core::{Call, Done, Flaw, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::accesses::Accesses;
use crate::card::Card;
use crate::catalog::Filed;
use crate::filter::{Filter, FilterParams};
use crate::shelf::Shelf;
use crate::store::Store;
use crate::view::{LineView, NoteView};
use crate::{Note, NoteError};

#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Params {
    #[serde(flatten)]
    pub filter: FilterParams,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
    /// The archived notes instead of the current ones.
    #[serde(default)]
    #[schemars(skip)]
    pub archived: bool,
    /// Only what a line of a list shows.
    #[serde(default)]
    #[schemars(skip)]
    pub brief: bool,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Reply {
    pub memories: Vec<Listed>,
    /// How many there are, those beyond the limit included.
    pub total: usize,
    /// How many notes maintenance has removed from their categories: recall finds those that answer better than every current note.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub archived: Option<usize>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flaws: Vec<Flaw>,
}

/// A note, whole or as a line.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Listed {
    Whole(Box<NoteView>),
    Line(LineView),
}

impl Listed {
    /// Returns the id of a note that is listed whole.
    pub(super) fn id(&self) -> Option<&str> {
        match self {
            Listed::Whole(note) => Some(&note.id),
            Listed::Line(_) => None,
        }
    }
}

pub fn run(store: &Store, call: &Call<'_>, params: Params) -> Result<Done<Reply>, NoteError> {
    let filter = Filter::new(&params.filter, &store.settings.zone, call.now)?;
    if params.archived {
        return Ok(Done::read(list_archived(
            store, &filter, &params, call.now,
        )?));
    }
    let shelf = store.look()?;
    let mut found: Vec<&Filed> = shelf
        .entries
        .iter()
        .filter(|entry| entry.found.as_ref().is_ok_and(|card| filter.admits(card)))
        .collect();
    // Two notes of one second: the one that was written later is the newer.
    found.sort_by_key(|entry| {
        let written = Reverse(entry.stamp.modified);
        entry
            .found
            .as_ref()
            .ok()
            .map(|card| (Reverse(card.created_at), written, &card.id))
    });
    let total = found.len();
    found.truncate(params.limit.unwrap_or(usize::MAX));
    let archived = Some(count_archived(store, &shelf, call.now)?);
    let mut reply = Reply {
        memories: vec![],
        total,
        archived,
        flaws: shelf.flaws(),
    };
    let accesses = store.accesses().unwrap_or_default();
    for entry in found {
        match (params.brief, &entry.found) {
            (true, Ok(card)) => reply.memories.push(Listed::Line(LineView::of(card))),
            _ => reply
                .memories
                .extend(whole(store, entry, &accesses, &mut reply.flaws, None)),
        }
    }
    Ok(Done::read(reply))
}

/// Counts the notes of the archive, and those whose time in the inbox has ended.
pub(super) fn count_archived(
    store: &Store,
    shelf: &Shelf,
    now: Timestamp,
) -> Result<usize, NoteError> {
    Ok(store.archived_files()?.len() + shelf.cards().filter(|card| card.is_expired(now)).count())
}

/// Lists the archived notes that filters admit, those that changed last first.
fn list_archived(
    store: &Store,
    filter: &Filter,
    params: &Params,
    now: Timestamp,
) -> Result<Reply, NoteError> {
    let shelf = store.look()?;
    let archived = Some(count_archived(store, &shelf, now)?);
    let mut reply = Reply {
        memories: vec![],
        total: 0,
        archived,
        flaws: shelf.flaws(),
    };
    let in_archive = store.archived_notes()?;
    reply.flaws.extend(in_archive.flaws);
    let mut notes: Vec<Note> = in_archive
        .good
        .into_iter()
        .map(|found| found.note)
        .collect();
    notes.retain(|note| filter.matches(&Card::of(note)));
    let is_meant = |entry: &&Filed| {
        entry
            .found
            .as_ref()
            .is_ok_and(|card| filter.admits_archived(card))
    };
    for entry in shelf.entries.iter().filter(is_meant) {
        notes.extend(store.read_latest(entry)?.map(|(note, _)| note));
    }
    notes.sort_by_key(|note| (Reverse(note.updated_at), note.id.clone()));
    reply.total = notes.len();
    notes.truncate(params.limit.unwrap_or(usize::MAX));
    let accesses = store.accesses().unwrap_or_default();
    let view = |note: &Note| {
        if params.brief {
            Listed::Line(LineView {
                archived: true,
                ..LineView::of(&Card::of(note))
            })
        } else {
            Listed::Whole(Box::new(NoteView {
                archived: true,
                ..accesses.view(note)
            }))
        }
    };
    reply.memories = notes.iter().map(view).collect();
    Ok(reply)
}

/// Reads a note whole; one that can't be read any more is told.
pub(super) fn whole(
    store: &Store,
    entry: &Filed,
    accesses: &Accesses,
    flaws: &mut Vec<Flaw>,
    score: Option<f32>,
) -> Option<Listed> {
    match store.read_latest(entry) {
        Ok(Some((note, _))) => Some(Listed::Whole(Box::new(NoteView {
            score,
            ..accesses.view(&note)
        }))),
        // Someone has just removed it.
        Ok(None) => None,
        Err(error) => {
            flaws.push(Flaw::new(entry.path(), error.to_string()));
            None
        }
    }
}
