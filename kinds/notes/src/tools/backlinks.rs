//! `backlinks`: the notes that link to one, by their links or by a `[[name]]` of it.

use memory_core::{Call, Done};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::NoteError;
use crate::names::Names;
use crate::store::Store;
use crate::view::LineView;

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    /// The note's id, or its first characters (at least 4)
    pub id: String,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Reply {
    pub id: String,
    pub backlinks: Vec<LineView>,
}

pub fn run(store: &Store, _: &Call<'_>, params: Params) -> Result<Done<Reply>, NoteError> {
    let shelf = store.look()?;
    let id = match &shelf.find(&params.id)?.found {
        Ok(card) => card.id.clone(),
        Err(_) => return Err(NoteError::NoNote { id: params.id }),
    };
    let notes = shelf.entries.iter().filter_map(|entry| {
        let stem = entry.file.strip_suffix(".md").unwrap_or(&entry.file);
        Some((entry.found.as_ref().ok()?, stem))
    });
    let names = Names::of(notes);
    let links_here = |card: &&crate::card::Card| {
        card.links.contains(&id)
            || card
                .wikilinks
                .iter()
                .any(|name| names.resolve(name, &card.id) == Some(&id))
    };
    let others = shelf.cards().filter(|card| card.id != id);
    let backlinks = others.filter(links_here).map(LineView::of).collect();
    Ok(Done::read(Reply {
        id: id.to_string(),
        backlinks,
    }))
}
