//! The catalogue: what the files said when they were last read, so that they need not be again.
//!
//! Derived, and never trusted over a file: an entry counts only while its file has the stamp that
//! it was read with. This file knows its bytes; whoever compares it with the disk is `store.rs`.
//!
//! ```text
//! 0   magic, with the version of this layout      16 bytes
//! 16  length of the entries, little-endian         8 bytes
//! 24  length of the texts                          8 bytes
//! 32  length of the contents                       8 bytes
//! 40  xxh3 of the entries                          8 bytes
//! 48  xxh3 of the texts                            8 bytes
//! 56  xxh3 of the contents                         8 bytes
//! 64  the entries (postcard), the texts, and the contents: a number for each, in order, by which it
//!     is told whether a note with a content may be there without reading the entries
//! ```

use std::ops::Range;

use memory_core::Code;
use memory_files::{DiskError, Stamp};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::card::Card;
use crate::filing::told;
use crate::{Category, NoteId, places};

const MAGIC: &[u8; 16] = b"memory notes v3\n";
/// Bytes before the entries.
pub(crate) const HEADER: usize = 64;

/// One file of a category's folder.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Filed {
    /// The folder that it lies in, whatever its head says.
    pub(crate) folder: Category,
    pub(crate) file: String,
    pub(crate) stamp: Stamp,
    /// What it says, or why it can't be read.
    pub(crate) found: Result<Card, String>,
    /// Where its content stands among the texts, folded for searching.
    pub(crate) text: Range<usize>,
    /// Its content, folded for searching, if the file was read just now.
    #[serde(skip)]
    pub(crate) fresh: Option<Box<str>>,
    /// The code of the failure because of which it could not be read this time, whatever it says.
    #[serde(skip)]
    pub(crate) failure: Option<Code>,
    /// What it says itself, if another file has its id.
    #[serde(skip)]
    pub(crate) twin: Option<Box<Card>>,
}

impl Filed {
    /// Returns a file that was read just now, with its content folded.
    pub(crate) fn read(
        folder: Category,
        file: String,
        stamp: Stamp,
        found: Result<Card, String>,
        text: String,
    ) -> Self {
        let fresh = Some(text.into());
        Filed {
            folder,
            file,
            stamp,
            found,
            text: 0..0,
            fresh,
            failure: None,
            twin: None,
        }
    }

    /// Returns a file that could not be read this time.
    pub(crate) fn unread(folder: Category, file: String, stamp: Stamp, error: &DiskError) -> Self {
        let failure = error.is_io().then(|| error.code());
        Filed {
            failure,
            ..Filed::read(folder, file, stamp, Err(told(error)), String::new())
        }
    }

    /// The id of its note; none when it can't be read.
    pub(crate) fn id(&self) -> Option<&NoteId> {
        self.found.as_ref().ok().map(|card| &card.id)
    }

    /// The number of what its note says; none when it can't be read.
    pub(crate) fn content(&self) -> Option<u64> {
        self.found
            .as_ref()
            .ok()
            .map(|card| places::by_content(&card.content_hash))
    }

    /// Its path below the root.
    pub(crate) fn path(&self) -> String {
        path_of(self.folder, &self.file)
    }

    /// Its path without its ending: what gives an id to a file that tells none.
    pub(crate) fn name(&self) -> String {
        path_of(self.folder, &self.file[..self.file.len() - 3])
    }
}

/// Returns the path of a category's file below the root of the notes.
pub(crate) fn path_of(folder: Category, file: &str) -> String {
    format!("categories/{folder}/{file}")
}

/// Returns the category and the name of a file by its path below the root of the notes.
pub(crate) fn place_of(path: &str) -> Option<(Category, &str)> {
    let (folder, file) = path.strip_prefix("categories/")?.split_once('/')?;
    Some((folder.parse().ok()?, file))
}

/// What the first bytes of a catalogue say of the rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) entries: usize,
    pub(crate) texts: usize,
    contents: usize,
    entries_sum: u64,
    texts_sum: u64,
    contents_sum: u64,
}

impl Header {
    /// Reads the first bytes; none when they are not a catalogue's of this version.
    pub(crate) fn parse(bytes: &[u8]) -> Option<Self> {
        let rest = bytes.get(..HEADER)?.strip_prefix(MAGIC)?;
        let number = |n: usize| {
            Some(u64::from_le_bytes(
                rest.get(n * 8..n * 8 + 8)?.try_into().ok()?,
            ))
        };
        Some(Header {
            entries: usize::try_from(number(0)?).ok()?,
            texts: usize::try_from(number(1)?).ok()?,
            contents: usize::try_from(number(2)?).ok()?,
            entries_sum: number(3)?,
            texts_sum: number(4)?,
            contents_sum: number(5)?,
        })
    }

    /// Reads the entries; none when they are damaged.
    pub(crate) fn read_entries(&self, bytes: &[u8]) -> Option<Vec<Filed>> {
        (xxh3_64(bytes) == self.entries_sum)
            .then(|| postcard::from_bytes(bytes).ok())
            .flatten()
    }

    /// Reads the texts; none when they are damaged.
    pub(crate) fn read_texts(&self, bytes: Vec<u8>) -> Option<String> {
        (xxh3_64(&bytes) == self.texts_sum)
            .then(|| String::from_utf8(bytes).ok())
            .flatten()
    }
}

/// Says whether a whole catalogue has a note of a content, by its number; none when it is damaged.
pub(crate) fn has_content(catalog: &[u8], content: u64) -> Option<bool> {
    let header = Header::parse(catalog)?;
    let begin = HEADER
        .checked_add(header.entries)?
        .checked_add(header.texts)?;
    let contents = catalog.get(begin..begin.checked_add(header.contents)?)?;
    let (numbers, rest) = contents.as_chunks::<8>();
    let is_whole = rest.is_empty() && xxh3_64(contents) == header.contents_sum;
    is_whole.then(|| {
        numbers
            .binary_search_by_key(&content, |bytes| u64::from_le_bytes(*bytes))
            .is_ok()
    })
}

/// Renders a catalogue; none when it can't be, which loses nothing.
pub(crate) fn render(entries: &[Filed], texts: &str) -> Option<Vec<u8>> {
    let mut contents: Vec<u64> = entries.iter().filter_map(Filed::content).collect();
    contents.sort_unstable();
    let contents: Vec<u8> = contents.into_iter().flat_map(u64::to_le_bytes).collect();
    let entries = postcard::to_stdvec(entries).ok()?;
    let parts = [&*entries, texts.as_bytes(), &*contents];
    let mut bytes = Vec::with_capacity(HEADER + parts.iter().map(|part| part.len()).sum::<usize>());
    bytes.extend_from_slice(MAGIC);
    parts
        .iter()
        .for_each(|part| bytes.extend_from_slice(&(part.len() as u64).to_le_bytes()));
    parts
        .iter()
        .for_each(|part| bytes.extend_from_slice(&xxh3_64(part).to_le_bytes()));
    parts.iter().for_each(|part| bytes.extend_from_slice(part));
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Note, NoteId, Reminder, Standing};

    fn entry(file: &str, text: Range<usize>) -> Filed {
        let now = memory_core::parse_instant("2026-05-07T10:00:00Z").unwrap();
        let id = NoteId::parse("one").unwrap();
        let mut note = Note::new(
            id,
            "see [[x]]".into(),
            Standing::Inbox {
                expires_at: Some(now),
            },
            now,
        );
        note.reminder = Some(Reminder::due(now));
        let stamp = Stamp {
            inode: 1,
            size: 2,
            modified: 3,
        };
        let read = Filed::read(
            Category::Inbox,
            file.into(),
            stamp,
            Ok(Card::of(&note)),
            String::new(),
        );
        Filed {
            text,
            fresh: None,
            ..read
        }
    }

    #[test]
    fn a_catalogue_comes_back_as_it_was_and_damage_is_seen() {
        let bad = Filed {
            found: Err("no note".into()),
            ..entry("b.md", 9..9)
        };
        let entries = vec![entry("a.md", 0..9), bad];
        let bytes = render(&entries, "see [[x]]").unwrap();
        let header = Header::parse(&bytes).unwrap();
        let middle = HEADER + header.entries;
        assert_eq!(
            header.read_entries(&bytes[HEADER..middle]).unwrap(),
            entries
        );
        let end = middle + header.texts;
        assert_eq!(
            header.read_texts(bytes[middle..end].to_vec()).unwrap(),
            "see [[x]]"
        );
        let content = entries[0].content().unwrap();
        assert_eq!(
            (
                has_content(&bytes, content),
                has_content(&bytes, content + 1)
            ),
            (Some(true), Some(false))
        );
        assert_eq!(has_content(&bytes[..bytes.len() - 1], content), None);
        let mut damaged = bytes.clone();
        damaged[end] ^= 1;
        assert_eq!(has_content(&damaged, content), None);
        assert!(header.read_entries(&bytes[HEADER..middle - 1]).is_none());
        assert!(header.read_texts(b"other".to_vec()).is_none());
        assert!(Header::parse(&bytes[..20]).is_none());
        assert!(Header::parse(&[0; HEADER]).is_none());
    }
}
