//! A note as search sees it.

use memory_core::{Address, Document, tag_label};

use crate::{Note, NoteId};

pub(crate) const KIND: &str = "notes";
/// What the label of a category begins with.
pub(crate) const CATEGORY: &str = "category:";

pub(crate) fn address(id: &NoteId) -> Address {
    Address::new(KIND, id.as_str())
}

pub(crate) fn document(note: &Note) -> Document {
    let mut labels: Vec<String> = note.tags.iter().map(|tag| tag_label(tag)).collect();
    labels.push(format!("{CATEGORY}{}", note.standing.category()));
    labels.push(format!("scope:{}", note.scope));
    Document {
        address: address(&note.id),
        title: note.title().to_owned(),
        text: note.content.clone(),
        labels,
        source: note.source.clone(),
        created_at: note.created_at,
        updated_at: note.updated_at,
        expires_at: None, // until upkeep has taken it away, it is there
        thread: None,
        weight: 1.0,
    }
}
