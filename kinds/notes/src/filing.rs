//! What a file says: whether it is a note, and which, by its name, its stamp and its bytes.

use std::ffi::OsStr;

use memory_core::{Flaw, Timestamp};
use memory_files::{DiskError, Seen, Stamp};
use memory_text::words::fold;

use crate::card::Card;
use crate::catalog::{Filed, path_of};
use crate::format::{self, Hints};
use crate::store::CATEGORIES;
use crate::{Category, Note, NoteId};

/// Hidden files are drafts, or not ours.
pub(crate) fn is_note(name: &OsStr) -> bool {
    let is_markdown = |name: &str| {
        let (stem, ending) = name
            .split_at_checked(name.len().saturating_sub(3))
            .unwrap_or_default();
        !stem.is_empty() && ending.eq_ignore_ascii_case(".md")
    };
    name.to_str()
        .is_some_and(|name| !name.starts_with('.') && is_markdown(name))
}

pub(crate) fn is_draft(name: &OsStr) -> bool {
    name.to_str()
        .is_some_and(|name| name.starts_with('.') && name.contains(".tmp-"))
}

/// Says whether an entry still tells what its file says.
///
/// A file that was changed at the very moment it was read may have kept its stamp: such an entry is
/// not believed.
pub(crate) fn is_current(entry: &Filed, stamp: Stamp, catalog_written: i128) -> bool {
    entry.stamp == stamp && stamp.is_settled_at(catalog_written)
}

/// Returns what is known of a file after it was read.
pub(crate) fn filed(folder: Category, file: String, seen: &Seen) -> Filed {
    let read = read_note(folder, &file, seen);
    let text = read
        .as_ref()
        .map(|note| fold(&note.content))
        .unwrap_or_default();
    let found = read.as_ref().map(Card::of).map_err(Clone::clone);
    Filed::read(folder, file, seen.stamp, found, text)
}

pub(crate) fn read_note(folder: Category, file: &str, seen: &Seen) -> Result<Note, String> {
    let text = std::str::from_utf8(&seen.bytes).map_err(|_| "it is not UTF-8".to_owned())?;
    let stem = &file[..file.len() - 3];
    let seconds = i64::try_from(seen.stamp.modified / 1_000_000_000).unwrap_or_default();
    let hints = Hints {
        id: id_of_name(folder, stem),
        category: folder,
        modified: Timestamp::from_second(seconds).unwrap_or(Timestamp::UNIX_EPOCH),
    };
    format::parse(text, &hints)
}

/// A file that tells no id has the one in its name, if we gave it that name; files that people name
/// alike in several folders are different notes.
fn id_of_name(folder: Category, stem: &str) -> NoteId {
    const UUID_LENGTH: usize = 36;
    let own = NoteId::parse(stem)
        .ok()
        .filter(|id| id.as_str().len() == UUID_LENGTH);
    own.unwrap_or_else(|| NoteId::of_name(&path_of(folder, stem)))
}

/// Tells of a folder that can't be looked into; of the one that all of them stand in, only once.
pub(crate) fn folder_flaw(category: Category, error: &DiskError) -> Flaw {
    let is_above = match error {
        DiskError::Io { path, .. } | DiskError::Unsafe { path, .. } => path.ends_with(CATEGORIES),
        _ => false,
    };
    let place = if is_above {
        CATEGORIES.to_owned()
    } else {
        format!("{CATEGORIES}/{category}")
    };
    Flaw::new(place, told(error))
}

pub(crate) fn told(error: &DiskError) -> String {
    match std::error::Error::source(error) {
        Some(cause) => format!("{error}: {cause}"),
        None => error.to_string(),
    }
}
