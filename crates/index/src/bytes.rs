//! Bytes that are read where they lie, in memory or in a mapped file, and the numbers in them.
//!
//! Everything here answers `None` where bytes are missing: what a file says of itself is believed
//! only as far as it can be looked up.

use std::ops::{Deref, Range};
use std::sync::Arc;

use memory_files::{DiskError, Files, Mapping, Spot};

/// The bytes of a whole file, or of one that is not written yet.
#[derive(Debug, Clone)]
pub(crate) enum Bytes {
    Owned(Arc<Vec<u8>>),
    Mapped(Arc<Mapping>),
}

impl Bytes {
    pub(crate) fn map(files: &Files, at: &Spot) -> Result<Option<Self>, DiskError> {
        Ok(files
            .map(at)?
            .map(|mapping| Bytes::Mapped(Arc::new(mapping))))
    }
}

impl Bytes {
    /// Says whether the file was cut while it was read.
    pub(crate) fn is_broken(&self) -> bool {
        matches!(self, Bytes::Mapped(mapping) if mapping.is_broken())
    }
}

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Self {
        Bytes::Owned(Arc::new(bytes))
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Bytes::Owned(bytes) => bytes,
            Bytes::Mapped(mapping) => mapping,
        }
    }
}

/// A stretch of a file's bytes that keeps them alive.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    bytes: Bytes,
    range: Range<usize>,
}

impl Part {
    /// Returns a stretch of the bytes; none when they do not reach that far.
    pub(crate) fn of(bytes: &Bytes, range: Range<usize>) -> Option<Self> {
        bytes.get(range.clone())?;
        Some(Part {
            bytes: bytes.clone(),
            range,
        })
    }

    pub(crate) fn u32(&self, n: usize) -> Option<u32> {
        u32_at(self, n * 4)
    }

    pub(crate) fn u64(&self, n: usize) -> Option<u64> {
        u64_at(self, n * 8)
    }

    pub(crate) fn i64(&self, n: usize) -> Option<i64> {
        self.u64(n).map(u64::cast_signed)
    }
}

impl Deref for Part {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        // The range was looked up when the part was made, and bytes never become fewer.
        self.bytes.get(self.range.clone()).unwrap_or_default()
    }
}

pub(crate) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

pub(crate) fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*bytes.get(at..)?.first_chunk()?))
}

/// Appends a number in as many bytes as it needs, seven bits in each, the lowest first.
pub(crate) fn put_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Takes such a number from the front of the bytes.
pub(crate) fn take_number(bytes: &mut &[u8]) -> Option<u64> {
    let (&first, rest) = bytes.split_first()?;
    *bytes = rest;
    if first < 0x80 {
        return Some(u64::from(first));
    }
    let mut number = u64::from(first & 0x7f);
    for shift in (7..64).step_by(7) {
        let (&next, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(next & 0x7f) << shift;
        if next < 0x80 {
            return Some(number);
        }
    }
    None
}

/// Appends a text with its length before it.
pub(crate) fn put_text(bytes: &mut Vec<u8>, text: &str) {
    put_number(bytes, text.len() as u64);
    bytes.extend_from_slice(text.as_bytes());
}

/// Takes such a text from the front of the bytes.
pub(crate) fn take_text<'a>(bytes: &mut &'a [u8]) -> Option<&'a str> {
    let length = usize::try_from(take_number(bytes)?).ok()?;
    let (text, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    std::str::from_utf8(text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_texts_come_back_and_missing_bytes_are_told() {
        let numbers = [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX];
        let mut bytes = Vec::new();
        numbers
            .iter()
            .for_each(|number| put_number(&mut bytes, *number));
        put_text(&mut bytes, "中文");
        let mut rest = bytes.as_slice();
        assert!(
            numbers
                .iter()
                .all(|number| take_number(&mut rest) == Some(*number))
        );
        assert_eq!(take_text(&mut rest), Some("中文"));
        assert_eq!(take_number(&mut rest), None);
        assert_eq!(take_number(&mut [0xff; 11].as_slice()), None);
        assert_eq!(take_text(&mut [200, 1, b'a'].as_slice()), None);
        assert_eq!(take_text(&mut [1, 0xff].as_slice()), None);
    }
}
