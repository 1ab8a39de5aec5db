//! Where files are among the entries of a shelf: by path, by the id of their note, by its content.
//!
//! Hashes lead to candidates, and whoever asks looks whether it is really one. In order, so that one
//! more finds its place without the others being hashed again.

use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::catalog::Filed;
use crate::{Category, ContentHash, NoteId};

#[derive(Debug, Clone, Default)]
pub(crate) struct Places(Vec<(u64, u32)>);

impl Places {
    pub(crate) fn of(entries: &[Filed]) -> Self {
        let places = entries
            .iter()
            .zip(0..)
            .flat_map(|(entry, n)| keys(entry).map(move |key| (key, n)));
        let mut places: Vec<(u64, u32)> = places.collect();
        places.sort_unstable();
        Places(places)
    }

    /// Adds what stands at the end of the entries.
    pub(crate) fn add(&mut self, entry: &Filed, place: usize) {
        let Ok(place) = u32::try_from(place) else {
            return;
        };
        for key in keys(entry) {
            let at = self.0.partition_point(|known| *known < (key, place));
            self.0.insert(at, (key, place));
        }
    }

    /// Returns where something with this key may stand, the first place first.
    pub(crate) fn candidates(&self, key: u64) -> impl Iterator<Item = usize> {
        let begin = self.0.partition_point(|(known, _)| *known < key);
        self.0[begin..]
            .iter()
            .take_while(move |(known, _)| *known == key)
            .map(|(_, place)| *place as usize)
    }
}

fn keys(entry: &Filed) -> impl Iterator<Item = u64> {
    let card = entry.found.as_ref().ok();
    let of_note = card.map(|card| [by_id(&card.id), by_content(&card.content_hash)]);
    std::iter::once(by_path(entry.folder, &entry.file)).chain(of_note.into_iter().flatten())
}

pub(crate) fn by_path(folder: Category, file: &str) -> u64 {
    xxh3_64_with_seed(file.as_bytes(), folder as u64)
}

pub(crate) fn by_id(id: &NoteId) -> u64 {
    xxh3_64_with_seed(id.as_str().as_bytes(), 1 << 32)
}

pub(crate) fn by_content(content: &ContentHash) -> u64 {
    xxh3_64_with_seed(content.as_bytes(), 2 << 32)
}
