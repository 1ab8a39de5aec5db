//! The numbers of a document, each in a column of its own, so that a filter reads only what it needs.

use std::sync::OnceLock;

use memory_core::{Document, Timestamp};
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use crate::bits::Bits;
use crate::bytes::Part;

/// How many columns there are.
pub(crate) const COLUMNS: usize = 11;
/// What stands for a document that does not expire.
const NEVER: i64 = i64::MAX;

/// The numbers of a document.
#[derive(Debug, Clone, PartialEq)]
pub struct Facts {
    /// The hash of its address.
    pub(crate) address: u64,
    /// The hash of all it says: two documents with the same one are the same.
    pub(crate) content: u64,
    /// The hash of its text, which its vectors are made of.
    pub(crate) fingerprint: u64,
    /// Microseconds since 1970.
    pub(crate) created: i64,
    pub(crate) updated: i64,
    pub(crate) expires: i64,
    /// How many words its text has.
    pub length: u32,
    pub weight: f32,
    pub(crate) kind: u8,
    /// The hash of kind and thread; 0 for none.
    pub(crate) thread: u64,
    /// Its place in the thread.
    pub(crate) position: u64,
}

impl Facts {
    /// Returns the numbers of a document whose record was written already.
    pub(crate) fn of(document: &Document, kind: u8, length: u32, record: &[u8]) -> Self {
        let name = |text: &str| {
            xxh3_64_with_seed(text.as_bytes(), xxh3_64(document.address.kind.as_bytes()))
        };
        let mut facts = Facts {
            address: name(&document.address.id),
            content: 0,
            fingerprint: xxh3_64(document.text.as_bytes()),
            created: document.created_at.as_microsecond(),
            updated: document.updated_at.as_microsecond(),
            expires: document
                .expiry
                .map_or(NEVER, |expiry| expiry.at().as_microsecond()),
            length,
            weight: document.weight,
            kind,
            thread: document
                .thread
                .as_ref()
                .map_or(0, |thread| name(&thread.name).max(1)),
            position: document.thread.as_ref().map_or(0, |thread| thread.place),
        };
        facts.content = facts.sum(record);
        facts
    }

    /// Returns the hash of a record and of the numbers beside it.
    pub(crate) fn sum(&self, record: &[u8]) -> u64 {
        let mut seed = self.address;
        for number in [
            self.created.cast_unsigned(),
            self.updated.cast_unsigned(),
            self.expires.cast_unsigned(),
        ] {
            seed = seed.rotate_left(21) ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
        seed =
            seed.rotate_left(21) ^ u64::from(self.weight.to_bits()) ^ self.position.rotate_left(32);
        xxh3_64_with_seed(record, seed)
    }

    pub fn created_at(&self) -> Timestamp {
        time(self.created)
    }

    pub fn updated_at(&self) -> Timestamp {
        time(self.updated)
    }

    pub fn expires_at(&self) -> Option<Timestamp> {
        (self.expires != NEVER).then(|| time(self.expires))
    }
}

fn time(microseconds: i64) -> Timestamp {
    Timestamp::from_microsecond(microseconds).unwrap_or(Timestamp::UNIX_EPOCH)
}

/// The columns of a segment.
#[derive(Debug)]
pub(crate) struct Columns {
    parts: [Part; COLUMNS],
    count: usize,
    /// When the first of the documents expires, once someone has looked.
    first_expiry: OnceLock<i64>,
}

impl Columns {
    pub(crate) fn open(parts: [Part; COLUMNS]) -> Option<Self> {
        let count = parts[0].len() / 8;
        let is_whole = parts
            .iter()
            .zip(WIDTHS)
            .all(|(part, width)| part.len() == count * width);
        is_whole.then_some(Columns {
            parts,
            count,
            first_expiry: OnceLock::new(),
        })
    }

    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Returns the numbers of a document.
    pub(crate) fn facts(&self, n: usize) -> Option<Facts> {
        let [
            address,
            content,
            fingerprint,
            created,
            updated,
            expires,
            length,
            weight,
            kind,
            thread,
            position,
        ] = &self.parts;
        Some(Facts {
            address: address.u64(n)?,
            content: content.u64(n)?,
            fingerprint: fingerprint.u64(n)?,
            created: created.i64(n)?,
            updated: updated.i64(n)?,
            expires: expires.i64(n)?,
            length: length.u32(n)?,
            weight: f32::from_bits(weight.u32(n)?),
            kind: *kind.get(n)?,
            thread: thread.u64(n)?,
            position: position.u64(n)?,
        })
    }

    pub(crate) fn address(&self, n: usize) -> u64 {
        self.parts[0].u64(n).unwrap_or_default()
    }

    pub(crate) fn content(&self, n: usize) -> u64 {
        self.parts[1].u64(n).unwrap_or_default()
    }

    pub(crate) fn fingerprint(&self, n: usize) -> u64 {
        self.parts[2].u64(n).unwrap_or_default()
    }

    /// Returns the documents made at such times.
    pub(crate) fn made(&self, is_meant: impl Fn(i64) -> bool) -> Bits {
        Bits::where_so(self.times(3), |time| is_meant(i64::from_le_bytes(*time)))
    }

    /// Returns the documents that expire at such times.
    pub(crate) fn expiring(&self, is_meant: impl Fn(i64) -> bool) -> Bits {
        Bits::where_so(self.times(5), |time| is_meant(i64::from_le_bytes(*time)))
    }

    /// Returns when the first of the documents expires.
    pub(crate) fn first_expiry(&self) -> i64 {
        let first = || {
            self.times(5)
                .iter()
                .map(|time| i64::from_le_bytes(*time))
                .min()
        };
        *self.first_expiry.get_or_init(|| first().unwrap_or(NEVER))
    }

    fn times(&self, column: usize) -> &[[u8; 8]] {
        self.parts[column].as_chunks().0
    }

    /// Returns the documents of such kinds.
    pub(crate) fn of_kind(&self, is_meant: impl Fn(u8) -> bool) -> Bits {
        Bits::where_so(&self.parts[8], |kind| is_meant(*kind))
    }

    /// Returns the lengths of all documents.
    pub(crate) fn lengths(&self) -> &[[u8; 4]] {
        self.parts[6].as_chunks().0
    }

    pub(crate) fn kind(&self, n: usize) -> u8 {
        self.parts[8].get(n).copied().unwrap_or_default()
    }

    /// Returns the thread of a document and its place there.
    pub(crate) fn standing(&self, n: usize) -> (u64, u64) {
        (
            self.parts[9].u64(n).unwrap_or_default(),
            self.parts[10].u64(n).unwrap_or_default(),
        )
    }
}

const WIDTHS: [usize; COLUMNS] = [8, 8, 8, 8, 8, 8, 4, 4, 1, 8, 8];

/// Writes columns document by document.
#[derive(Debug, Default)]
pub(crate) struct ColumnWriter {
    pub(crate) columns: [Vec<u8>; COLUMNS],
}

impl ColumnWriter {
    pub(crate) fn add(&mut self, facts: &Facts) {
        let [
            address,
            content,
            fingerprint,
            created,
            updated,
            expires,
            length,
            weight,
            kind,
            thread,
            position,
        ] = &mut self.columns;
        address.extend_from_slice(&facts.address.to_le_bytes());
        content.extend_from_slice(&facts.content.to_le_bytes());
        fingerprint.extend_from_slice(&facts.fingerprint.to_le_bytes());
        created.extend_from_slice(&facts.created.to_le_bytes());
        updated.extend_from_slice(&facts.updated.to_le_bytes());
        expires.extend_from_slice(&facts.expires.to_le_bytes());
        length.extend_from_slice(&facts.length.to_le_bytes());
        weight.extend_from_slice(&facts.weight.to_bits().to_le_bytes());
        kind.push(facts.kind);
        thread.extend_from_slice(&facts.thread.to_le_bytes());
        position.extend_from_slice(&facts.position.to_le_bytes());
    }

    pub(crate) fn count(&self) -> usize {
        self.columns[0].len() / 8
    }
}
