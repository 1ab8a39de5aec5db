//! What is known of the notes without a look at them: what the last one who changed them has left.
//!
//! A command that adds a note to a hundred thousand has no time to look at them. It has to know which
//! contents there are, and whether the pages told the truth. Both are so as long as folders, pages and
//! catalogue have the stamps that they had then: whatever comes to a folder, goes from it or is replaced
//! changes its stamp. What a hand writes into a file in its place does not; then a second note of that
//! content may be added, and whoever looks sees both.
//!
//! Derived: `.index/notes.recent` has a magic, an xxh3 and a [`Recent`] in postcard.

use memory_files::{Held, Stamp};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::limits::MANY_NOTES;
use crate::shelf::Shelf;
use crate::store::Store;
use crate::{ContentHash, catalog, page, places};

const MAGIC: &[u8; 16] = b"memory recent 1\n";
pub(crate) const NAME: &str = "notes.recent";
const MOST_BYTES: u64 = 16 << 20;

/// The notes as the last change has left them.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Recent {
    catalog: Stamp,
    folders: Vec<Option<Stamp>>,
    pages: Vec<Option<Stamp>>,
    notes: usize,
    /// What the notes say that the catalogue does not know, by their numbers.
    contents: Vec<u64>,
}

impl Recent {
    /// Returns what is known and still so.
    pub(crate) fn read(store: &Store) -> Option<Self> {
        let seen = store.files.read(&store.derived(NAME), MOST_BYTES).ok()??;
        let (sum, body) = seen.bytes.strip_prefix(MAGIC)?.split_first_chunk::<8>()?;
        let recent: Recent = if xxh3_64(body) == u64::from_le_bytes(*sum) {
            postcard::from_bytes(body).ok()?
        } else {
            return None;
        };
        let is_so = store.folder_stamps()? == recent.folders && page::stamps(store) == recent.pages;
        is_so.then_some(recent)
    }

    /// Says whether no note has a content; none when that can't be told without a look.
    pub(crate) fn lacks(&self, store: &Store, content: ContentHash) -> Option<bool> {
        let number = places::by_content(&content);
        let catalog = store.files.map(&store.catalog()).ok()??;
        let is_same =
            catalog.stamp() == self.catalog && self.contents.len() < Store::stale(self.notes);
        let is_known = is_same
            .then(|| catalog::has_content(&catalog, number))
            .flatten()?;
        if catalog.is_broken() {
            return None;
        }
        Some(!is_known && !self.contents.contains(&number))
    }

    /// Remembers that a note was added, and what folders and pages are like after it.
    pub(crate) fn add(mut self, store: &Store, content: ContentHash) {
        let Some(folders) = store.folder_stamps() else {
            return;
        };
        (self.folders, self.pages) = (folders, page::stamps(store));
        self.notes += 1;
        self.contents.push(places::by_content(&content));
        self.write(store);
    }

    fn write(&self, store: &Store) {
        let Ok(body) = postcard::to_stdvec(self) else {
            return;
        };
        let bytes = [MAGIC.as_slice(), &xxh3_64(&body).to_le_bytes(), &body].concat();
        let _ = store.files.replace_derived(&store.derived(NAME), &bytes);
    }
}

/// The folders before a look. If they are the same after it, what it saw is all there is.
#[derive(Debug, PartialEq)]
pub(crate) struct Before(Vec<Option<Stamp>>);

impl Before {
    pub(crate) fn of(store: &Store) -> Option<Self> {
        store.folder_stamps().map(Before)
    }

    pub(crate) fn is_still_so(&self, store: &Store) -> bool {
        Before::of(store).as_ref() == Some(self)
    }
}

/// Remembers what a look has seen, and what was `added` since, for those who come next. The pages tell
/// the truth of it, and nobody has changed the folders meanwhile.
pub(crate) fn keep(store: &Store, _: &Held<'_>, shelf: &Shelf, added: impl Iterator<Item = u64>) {
    let notes = shelf.entries.len();
    if notes < MANY_NOTES || !shelf.flaws.is_empty() || shelf.require_complete().is_err() {
        return;
    }
    let (Some(folders), Ok(Some(catalog))) =
        (store.folder_stamps(), store.files.stamp(&store.catalog()))
    else {
        return;
    };
    if let Some(beside) = shelf.beside(catalog) {
        let contents = beside.into_iter().chain(added).collect();
        Recent {
            catalog,
            folders,
            pages: page::stamps(store),
            notes,
            contents,
        }
        .write(store);
    }
}
