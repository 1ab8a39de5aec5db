//! The words of a document as a segment keeps them: everything that is no number.

use memory_core::{Document, Expiry, Thread};

use crate::bytes::{put_number, put_text, take_number, take_text};

/// The label by which a segment marks a document that is archived when it expires, and not removed.
///
/// Only the index sees it: kinds use [`Expiry`].
pub(crate) const ARCHIVED_AT_EXPIRY: &str = "expiry:archived";

/// Returns the labels that a segment stores for a document: its own, and the mark of an archived expiry.
pub(crate) fn stored_labels(document: &Document) -> impl Iterator<Item = &str> {
    let mark = matches!(document.expiry, Some(Expiry::Archived(_))).then_some(ARCHIVED_AT_EXPIRY);
    document.labels.iter().map(String::as_str).chain(mark)
}

/// A document's texts, read where they lie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record<'a> {
    /// Its id within its kind.
    pub id: &'a str,
    pub title: &'a str,
    pub source: &'a str,
    /// The name of the thread it stands in.
    pub thread: Option<&'a str>,
    pub labels: Vec<&'a str>,
    /// Whether the document is archived when it expires, and not removed.
    pub is_archived_at_expiry: bool,
    pub text: &'a str,
}

impl<'a> Record<'a> {
    /// Appends the record of a document.
    pub(crate) fn write(document: &Document, bytes: &mut Vec<u8>) {
        put_text(bytes, &document.address.id);
        put_text(bytes, &document.title);
        put_text(bytes, &document.source);
        match &document.thread {
            Some(Thread { name, .. }) => {
                bytes.push(1);
                put_text(bytes, name);
            }
            None => bytes.push(0),
        }
        put_number(bytes, stored_labels(document).count() as u64);
        stored_labels(document).for_each(|label| put_text(bytes, label));
        put_text(bytes, &document.text);
    }

    /// Reads a record; none when it is none.
    pub(crate) fn read(mut bytes: &'a [u8]) -> Option<Self> {
        let id = take_text(&mut bytes)?;
        let title = take_text(&mut bytes)?;
        let source = take_text(&mut bytes)?;
        let thread = match take_number(&mut bytes)? {
            0 => None,
            _ => Some(take_text(&mut bytes)?),
        };
        let count = take_number(&mut bytes)?;
        let mut labels = (0..count)
            .map(|_| take_text(&mut bytes))
            .collect::<Option<Vec<_>>>()?;
        let stored = labels.len();
        labels.retain(|label| *label != ARCHIVED_AT_EXPIRY);
        let is_archived_at_expiry = labels.len() < stored;
        let text = take_text(&mut bytes)?;
        Some(Record {
            id,
            title,
            source,
            thread,
            labels,
            is_archived_at_expiry,
            text,
        })
    }
}
