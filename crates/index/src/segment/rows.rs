//! Which sources a segment speaks of, and how each is found by its key.
//!
//! ```text
//! a row: key 16, state 8, place 8, first document 4, documents 4, first removal 4, removals 4 (3 bits of them flags)
//! ```
//!
//! Rows stand in the order of their keys. Keys are hashes and so spread evenly: a directory says for
//! the first bits of a key where its rows begin, and a look-up reads about four of them.

use std::ops::Range;

use memory_steps::count;

use crate::bytes::{Part, u32_at, u64_at};

const SIZE: usize = 48;
const FRESH: u32 = 1 << 31;
const GONE: u32 = 1 << 30;
const ADDS: u32 = 1 << 29;
const COUNT: u32 = ADDS - 1;
/// So many rows share an entry of the directory, on average.
const SHARED: usize = 4;

/// What a segment says of one source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Row {
    /// The hash of kind, place and name.
    pub(crate) key: u128,
    /// The state that the source was read in.
    pub(crate) state: u64,
    /// The hash of kind and place.
    pub(crate) place: u64,
    /// It had just been changed when it was read, and is read again.
    pub(crate) is_fresh: bool,
    /// There is no such source any more.
    pub(crate) is_gone: bool,
    /// It adds to what older segments say of the source; otherwise it takes the place of all that.
    pub(crate) adds: bool,
    pub(crate) documents: Range<u32>,
    /// Documents of older segments that are no more, by the hashes of their addresses.
    pub(crate) removals: Range<u32>,
}

/// The rows of a segment.
#[derive(Debug)]
pub(crate) struct Rows {
    rows: Part,
    directory: Part,
    shift: u32,
    count: usize,
    /// How many documents the segment has: no row may speak of others.
    documents: u32,
}

impl Rows {
    /// Opens the rows of a segment that has so many documents.
    pub(crate) fn open(rows: Part, directory: Part, documents: usize) -> Option<Self> {
        let count = rows.len() / SIZE;
        let shift = shift_for(count);
        let documents = u32::try_from(documents).ok()?;
        let is_whole = directory.len() == directory_length(shift) * 4;
        is_whole.then_some(Rows {
            rows,
            directory,
            shift,
            count,
            documents,
        })
    }

    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Returns a row by its place.
    pub(crate) fn get(&self, n: usize) -> Option<Row> {
        let bytes = self.rows.get(n * SIZE..(n + 1) * SIZE)?;
        let (first, count) = (u32_at(bytes, 32)?, u32_at(bytes, 36)?);
        let (first_removal, removals) = (u32_at(bytes, 40)?, u32_at(bytes, 44)?);
        Some(Row {
            key: self.key(n)?,
            state: u64_at(bytes, 16)?,
            place: u64_at(bytes, 24)?,
            is_fresh: removals & FRESH != 0,
            is_gone: removals & GONE != 0,
            adds: removals & ADDS != 0,
            documents: first..first.checked_add(count)?.min(self.documents),
            removals: first_removal..first_removal.checked_add(removals & COUNT)?,
        })
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Row> + '_ {
        (0..self.count).map_while(|n| self.get(n))
    }

    /// Returns the place of the row with a key.
    pub(crate) fn find(&self, key: u128) -> Option<usize> {
        let prefix = (key >> 64 >> self.shift.min(63)) as usize;
        let prefix = if self.shift >= 64 { 0 } else { prefix };
        let begin = self.directory.u32(prefix)? as usize;
        // A directory that was tampered with may point beyond the rows.
        let end = (self.directory.u32(prefix + 1)? as usize).min(self.count);
        (begin..end).find(|n| {
            count(1);
            self.key(*n) == Some(key)
        })
    }

    /// Returns the hash of kind and place alone.
    pub(crate) fn place(&self, n: usize) -> Option<u64> {
        u64_at(&self.rows, n * SIZE + 24)
    }

    fn key(&self, n: usize) -> Option<u128> {
        Some(u128::from_le_bytes(
            *self.rows.get(n * SIZE..)?.first_chunk()?,
        ))
    }
}

/// Returns rows and directory as bytes.
pub(crate) fn write(rows: &mut [Row]) -> (Vec<u8>, Vec<u8>) {
    rows.sort_unstable_by_key(|row| row.key);
    let mut bytes = Vec::with_capacity(rows.len() * SIZE);
    for row in rows.iter() {
        bytes.extend_from_slice(&row.key.to_le_bytes());
        bytes.extend_from_slice(&row.state.to_le_bytes());
        bytes.extend_from_slice(&row.place.to_le_bytes());
        let flags = [(row.is_fresh, FRESH), (row.is_gone, GONE), (row.adds, ADDS)];
        let flags = flags
            .iter()
            .filter(|(is_so, _)| *is_so)
            .fold(0, |all, (_, flag)| all | flag);
        for number in [
            row.documents.start,
            row.documents.len() as u32,
            row.removals.start,
            row.removals.len() as u32 | flags,
        ] {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
    }
    let shift = shift_for(rows.len());
    let mut directory = Vec::with_capacity(directory_length(shift) * 4);
    for prefix in 0..directory_length(shift) {
        let begins = |row: &Row| {
            if shift >= 64 {
                0
            } else {
                (row.key >> 64 >> shift) as usize
            }
        };
        let at = rows.partition_point(|row| begins(row) < prefix) as u32;
        directory.extend_from_slice(&at.to_le_bytes());
    }
    (bytes, directory)
}

/// How many bits of the upper half of a key are not looked at.
fn shift_for(rows: usize) -> u32 {
    64 - (rows / SHARED).next_power_of_two().trailing_zeros()
}

fn directory_length(shift: u32) -> usize {
    (1 << (64 - shift)) + 1
}

#[cfg(test)]
mod tests {
    use xxhash_rust::xxh3::xxh3_128;

    use super::*;
    use crate::bytes::Bytes;

    fn part(bytes: Vec<u8>) -> Part {
        let bytes = Bytes::from(bytes);
        Part::of(&bytes, 0..bytes.len()).unwrap()
    }

    #[test]
    fn a_directory_that_points_beyond_the_rows_is_not_followed_there() {
        let row = |n: u32| Row {
            key: xxh3_128(&n.to_le_bytes()),
            state: 0,
            place: 0,
            is_fresh: false,
            is_gone: false,
            adds: false,
            documents: 0..1,
            removals: 0..0,
        };
        let mut rows: Vec<Row> = (0..3).map(row).collect();
        let (bytes, mut directory) = write(&mut rows);
        let last = directory.len() - 4;
        directory[last..].copy_from_slice(&u32::MAX.to_le_bytes());
        let read = Rows::open(part(bytes), part(directory), 2_000).unwrap();
        let steps = memory_steps::steps_of(|| assert_eq!(read.find(row(9).key), None));
        assert!(steps <= 3, "{steps}");
        let (bytes, directory) = write(&mut [Row {
            documents: 1..u32::MAX,
            ..row(1)
        }]);
        let read = Rows::open(part(bytes), part(directory), 2).unwrap();
        assert_eq!(
            read.get(0).unwrap().documents,
            1..2,
            "a row speaks of documents that are there"
        );
    }

    #[test]
    fn every_row_is_found_by_its_key_and_no_other() {
        for count in [0_u32, 1, 3, 4, 100, 1000] {
            let row = |n: u32| Row {
                key: xxh3_128(&n.to_le_bytes()),
                state: u64::from(n),
                place: 9,
                is_fresh: n.is_multiple_of(2),
                is_gone: n.is_multiple_of(3),
                adds: n.is_multiple_of(5),
                documents: n..n + 2,
                removals: n * 2..n * 3,
            };
            let mut rows: Vec<Row> = (0..count).map(row).collect();
            let (bytes, directory) = write(&mut rows);
            let read = Rows::open(part(bytes), part(directory), 2_000).unwrap();
            assert_eq!(read.iter().collect::<Vec<_>>(), rows);
            for n in 0..count {
                let found = read.find(row(n).key).unwrap();
                assert_eq!(read.get(found), Some(row(n)));
                assert_eq!(read.place(found), Some(9));
            }
            assert_eq!(read.find(row(count).key), None);
        }
    }
}
