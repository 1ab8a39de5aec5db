//! Notes to read by address, and the values that complete one. Reading a note here counts as an access.

use std::fmt::Write as _;

use memory_core::{Content, Resource, Timestamp, instant, visible};

use crate::card::Card;
use crate::store::Store;
use crate::{Category, NoteError, limits};

const RECENT: &str = "memory://recent";
const NOTE: &str = "memory://note/";
const MARKDOWN: &str = "text/markdown";

pub(crate) fn all() -> Vec<Resource> {
    let resource = |uri: &str, name: &str, description: String| Resource {
        uri: uri.to_owned(),
        name: name.to_owned(),
        description,
        mime_type: MARKDOWN,
    };
    vec![
        resource(
            RECENT,
            "recent",
            format!("The {} notes that changed last", limits::RECENT),
        ),
        resource(
            &format!("{NOTE}{{id}}"),
            "note",
            "A note as it is kept, by its id".to_owned(),
        ),
    ]
}

pub(crate) fn read(store: &Store, uri: &str, now: Timestamp) -> Result<Option<Content>, NoteError> {
    let text = match uri.strip_prefix(NOTE) {
        Some(id) => note(store, id)?,
        None if uri == RECENT => recent(store, now)?,
        None => return Ok(None),
    };
    Ok(Some(Content {
        mime_type: MARKDOWN,
        text,
    }))
}

/// Values for `id` and `category`.
pub(crate) fn complete(store: &Store, place: &str, prefix: &str) -> Vec<String> {
    let lower = prefix.to_ascii_lowercase();
    match place {
        "category" => {
            let sorted = Category::ALL.iter().map(|category| category.as_str());
            sorted
                .filter(|name| name.starts_with(&lower))
                .map(str::to_owned)
                .collect()
        }
        "id" => {
            let Ok(shelf) = store.look() else {
                return Vec::new();
            };
            let matching = shelf
                .cards()
                .filter(|card| card.id.as_str().starts_with(&lower));
            newest(matching)
                .iter()
                .map(|card| card.id.to_string())
                .collect()
        }
        _ => Vec::new(),
    }
}

fn note(store: &Store, id: &str) -> Result<String, NoteError> {
    let shelf = store.look()?;
    let gone = || NoteError::NoNote { id: id.to_owned() };
    let (id, bytes) = match shelf.find(id) {
        Ok(entry) => {
            let (note, file) = store.read_latest(entry)?.ok_or_else(gone)?;
            (note.id, file.bytes)
        }
        Err(NoteError::NoNote { .. }) => {
            let archived = store.find_archived(id)?.ok_or_else(gone)?;
            (archived.note.id, archived.bytes)
        }
        Err(error) => return Err(error),
    };
    store.record_access([id.as_str()]);
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn recent(store: &Store, now: Timestamp) -> Result<String, NoteError> {
    let shelf = store.look()?;
    let mut text = String::from("# Recent memories\n\n");
    let current = shelf.cards().filter(|card| !card.is_expired(now));
    for card in newest(current).into_iter().take(limits::RECENT) {
        let (id, category, when) = (card.id.short(), card.category(), instant(card.updated_at));
        let _ = writeln!(
            text,
            "- {id} [{category}] {} ({when})",
            visible(&card.title)
        );
    }
    Ok(text)
}

fn newest<'c>(cards: impl Iterator<Item = &'c Card>) -> Vec<&'c Card> {
    let mut cards: Vec<&Card> = cards.collect();
    cards.sort_by_key(|card| (std::cmp::Reverse(card.updated_at), &card.id));
    cards
}
