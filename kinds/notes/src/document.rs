//! A note as search sees it.

use memory_core::{Address, DERIVED, Document, Expiry, Timestamp, tag_label};

use crate::dream::DREAMER;
use crate::{Note, NoteId};

pub(crate) const KIND: &str = "notes";
/// What the label of a category begins with.
pub(crate) const CATEGORY: &str = "category:";

pub(crate) fn address(id: &NoteId) -> Address {
    Address::new(KIND, id.as_str())
}

/// Returns the document of a note in the archive.
pub(crate) fn archived_document(note: &Note) -> Document {
    Document {
        expiry: Some(Expiry::Archived(Timestamp::UNIX_EPOCH)),
        ..document(note)
    }
}

pub(crate) fn document(note: &Note) -> Document {
    let mut labels: Vec<String> = note.tags.iter().map(|tag| tag_label(tag)).collect();
    labels.push(format!("{CATEGORY}{}", note.standing.category()));
    labels.push(format!("scope:{}", note.scope));
    labels.extend((note.source == DREAMER).then(|| DERIVED.to_owned()));
    Document {
        address: address(&note.id),
        title: note.title().into_owned(),
        text: note.text().into_owned(),
        labels,
        source: note.source.clone(),
        created_at: note.created_at,
        updated_at: note.updated_at,
        expiry: note.expires_at().map(Expiry::Archived),
        thread: None,
        weight: 1.0,
    }
}
