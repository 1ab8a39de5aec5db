//! The pages that are made from the notes: `memory.md`, the index of everything, and `pending.md`.
//!
//! Both are derived. They are compared with the truth whenever the notes are looked at, and written
//! anew when they differ; deleting them loses nothing.

use memory_files::{DiskError, Draft, Held, Stamp};

use crate::listing::{Listed, index, is_pending, pending};
use crate::store::Store;
use crate::{NoteError, limits};

pub(crate) const INDEX: &str = "memory.md";
pub(crate) const PENDING: &str = "pending.md";

/// Says whether the pages on the disk are what the notes say.
pub(crate) fn are_true(store: &Store, notes: &[Listed<'_>]) -> bool {
    if notes.is_empty() && !is_there(store, INDEX) {
        return true;
    }
    is_text(store, INDEX, &index(notes)) && pending_is_true(store, notes)
}

fn pending_is_true(store: &Store, notes: &[Listed<'_>]) -> bool {
    let nothing_is_pending = !notes.iter().any(|listed| is_pending(listed.card()));
    (nothing_is_pending && !is_there(store, PENDING)) || is_text(store, PENDING, &pending(notes))
}

/// Pages that are written, and not yet in their places. Nothing waits for them to be on the disk: after
/// a power cut they are made again.
pub(crate) struct Pages<'h> {
    held: &'h Held<'h>,
    drafts: Vec<Draft<'h>>,
}

/// Writes the pages that will differ beside those that are there.
///
/// Done before notes change: a disk that is full says so while nothing has happened yet. What a
/// hand has put in a page's place is left alone, since nothing depends on pages.
///
/// The index is left out when it changes together with the notes.
pub(crate) fn draft<'h>(
    store: &Store,
    held: &'h Held<'h>,
    notes: &[Listed<'_>],
    with_index: bool,
) -> Result<Pages<'h>, NoteError> {
    let mut pages = Pages::none(held);
    if with_index {
        pages.add(store, INDEX, &index(notes))?;
    }
    if !pending_is_true(store, notes) {
        pages.add(store, PENDING, &pending(notes))?;
    }
    Ok(pages)
}

/// Writes an index beside the one that is there, which it differs from.
pub(crate) fn draft_index<'h>(
    store: &Store,
    held: &'h Held<'h>,
    text: &str,
) -> Result<Pages<'h>, NoteError> {
    let mut pages = Pages::none(held);
    pages.add(store, INDEX, text)?;
    Ok(pages)
}

/// Brings the pages up to date.
pub(crate) fn mend(store: &Store, held: &Held<'_>, notes: &[Listed<'_>]) -> Result<(), NoteError> {
    draft(store, held, notes, true)?.settle()
}

impl<'h> Pages<'h> {
    /// Pages that need not change.
    pub(crate) fn none(held: &'h Held<'h>) -> Self {
        Pages {
            held,
            drafts: vec![],
        }
    }

    fn add(&mut self, store: &Store, name: &str, text: &str) -> Result<(), NoteError> {
        if reads(store, name, text).is_ok_and(|is_true| !is_true) {
            self.drafts.push(
                self.held
                    .draft_derived(&store.root.join(name), text.as_bytes())?,
            );
        }
        Ok(())
    }

    /// Puts the pages in their places.
    pub(crate) fn settle(self) -> Result<(), NoteError> {
        for draft in self.drafts {
            self.held.settle_derived(draft)?;
        }
        Ok(())
    }
}

/// Says whether the index can be put in its place: nothing stands there, or a file.
pub(crate) fn can_be_index(store: &Store) -> bool {
    reads(store, INDEX, "").is_ok()
}

/// Returns what tells one state of the pages from another.
pub(crate) fn stamps(store: &Store) -> Vec<Option<Stamp>> {
    store
        .files
        .stamps(&store.root, &[INDEX, PENDING])
        .unwrap_or_default()
}

fn is_text(store: &Store, name: &str, text: &str) -> bool {
    reads(store, name, text).is_ok_and(|is_true| is_true)
}

fn is_there(store: &Store, name: &str) -> bool {
    store
        .files
        .stamp(&store.root.join(name))
        .is_ok_and(|there| there.is_some())
}

/// Says whether a page is this text; an error when something else is in its place. One of another
/// length need not be read.
fn reads(store: &Store, name: &str, text: &str) -> Result<bool, InTheWay> {
    let at = store.root.join(name);
    let seen = match store.files.read_part(&at, 0, 0) {
        Ok(Some(seen)) if seen.stamp.size > limits::DERIVED_BYTES => return Err(InTheWay),
        Ok(Some(seen)) if seen.stamp.size == text.len() as u64 => {
            store.files.read(&at, limits::DERIVED_BYTES)
        }
        other => other.map(|_| None),
    };
    match seen {
        Ok(seen) => Ok(seen.is_some_and(|seen| seen.bytes == text.as_bytes())),
        Err(DiskError::Unsafe { .. } | DiskError::TooLarge { .. }) => Err(InTheWay),
        Err(_) => Ok(false),
    }
}

/// What a hand has put in a page's place is no file, or too large for one of ours.
struct InTheWay;
