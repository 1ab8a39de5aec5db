//! `list`: the notes that filters admit, newest first.

use std::cmp::Reverse;

use memory_core::{Call, Done, Flaw};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::NoteError;
use crate::catalog::Filed;
use crate::filter::{Filter, FilterParams};
use crate::store::Store;
use crate::view::{LineView, NoteView};

#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Params {
    #[serde(flatten)]
    pub filter: FilterParams,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
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

pub fn run(store: &Store, _: &Call<'_>, params: Params) -> Result<Done<Reply>, NoteError> {
    let filter = Filter::new(&params.filter, &store.settings.zone)?;
    let shelf = store.look()?;
    let mut found: Vec<&Filed> = shelf
        .entries
        .iter()
        .filter(|entry| entry.found.as_ref().is_ok_and(|card| filter.admits(card)))
        .collect();
    // Two notes of one second: the one that was written later is the newer.
    found.sort_by_key(|entry| {
        let written = Reverse(entry.stamp.modified);
        entry.found.as_ref().ok().map(|card| (Reverse(card.created_at), written, &card.id))
    });
    let total = found.len();
    found.truncate(params.limit.unwrap_or(usize::MAX));
    let mut reply = Reply { memories: vec![], total, flaws: shelf.flaws() };
    for entry in found {
        match (params.brief, &entry.found) {
            (true, Ok(card)) => reply.memories.push(Listed::Line(LineView::of(card))),
            _ => reply.memories.extend(whole(store, entry, &mut reply.flaws, None)),
        }
    }
    Ok(Done::read(reply))
}

/// Reads a note whole; one that can't be read any more is told.
pub(super) fn whole(
    store: &Store,
    entry: &Filed,
    flaws: &mut Vec<Flaw>,
    score: Option<f32>,
) -> Option<Listed> {
    match store.read_latest(entry) {
        Ok(Some((note, _))) => Some(Listed::Whole(Box::new(NoteView { score, ..NoteView::of(&note) }))),
        // Someone has just removed it.
        Ok(None) => None,
        Err(error) => {
            flaws.push(Flaw::new(entry.path(), error.to_string()));
            None
        }
    }
}
