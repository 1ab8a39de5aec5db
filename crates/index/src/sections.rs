//! The envelope of our files: who wrote it, which parts it has, and whether they are whole.
//!
//! ```text
//! 0        magic                                   16 bytes
//! 16       version, number of sections              4 + 4
//! 24       for each section: offset, length, xxh3   8 + 8 + 8
//! 24 + 24n xxh3 of all bytes before                 8
//! …        the sections, each at a multiple of 8
//! ```
//!
//! All numbers are little-endian. A file of another version, a file that was cut and a file in which
//! a bit has changed are the same to us: there is none, and it is made again.

use xxhash_rust::xxh3::xxh3_64;

use crate::bytes::{Bytes, Part, u32_at, u64_at};

const FIXED: usize = 24;
const ENTRY: usize = 24;

/// Returns a file with these sections.
pub(crate) fn write(magic: &[u8; 16], version: u32, sections: &[&[u8]]) -> Vec<u8> {
    let mut at = (FIXED + ENTRY * sections.len() + 8).next_multiple_of(8);
    let size = sections
        .iter()
        .fold(at, |at, section| (at + section.len()).next_multiple_of(8));
    let mut bytes = Vec::with_capacity(size);
    bytes.extend_from_slice(magic);
    bytes.extend_from_slice(&version.to_le_bytes());
    bytes.extend_from_slice(&(sections.len() as u32).to_le_bytes());
    for section in sections {
        for number in [at as u64, section.len() as u64, xxh3_64(section)] {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        at = (at + section.len()).next_multiple_of(8);
    }
    bytes.extend_from_slice(&xxh3_64(&bytes).to_le_bytes());
    for section in sections {
        bytes.resize(bytes.len().next_multiple_of(8), 0);
        bytes.extend_from_slice(section);
    }
    bytes
}

/// Returns the `N` sections of a file; none when it is not such a file, or not whole.
///
/// `is_checked` says which sections are read whole to see whether they are. Whoever leaves one out
/// checks what it takes from there.
pub(crate) fn open<const N: usize>(
    magic: &[u8; 16],
    version: u32,
    bytes: &Bytes,
    is_checked: impl Fn(usize) -> bool,
) -> Option<[Part; N]> {
    let head = bytes.get(..FIXED + ENTRY * N)?;
    let is_ours =
        head.starts_with(magic) && u32_at(head, 16)? == version && u32_at(head, 20)? == N as u32;
    if !is_ours || u64_at(bytes, head.len())? != xxh3_64(head) {
        return None;
    }
    let mut parts = Vec::with_capacity(N);
    for n in 0..N {
        let number = |m: usize| u64_at(head, FIXED + ENTRY * n + 8 * m);
        let begin = usize::try_from(number(0)?).ok()?;
        let end = begin.checked_add(usize::try_from(number(1)?).ok()?)?;
        let part = Part::of(bytes, begin..end)?;
        if is_checked(n) && xxh3_64(&part) != number(2)? {
            return None;
        }
        parts.push(part);
    }
    parts.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAGIC: &[u8; 16] = b"memory test v1 \n";

    fn read(bytes: Vec<u8>) -> Option<[Vec<u8>; 3]> {
        open::<3>(MAGIC, 7, &bytes.into(), |_| true).map(|parts| parts.map(|part| part.to_vec()))
    }

    #[test]
    fn sections_come_back_and_any_damage_is_seen() {
        let sections: [&[u8]; 3] = [b"one", b"", b"three sections"];
        let bytes = write(MAGIC, 7, &sections);
        assert_eq!(read(bytes.clone()).unwrap(), sections.map(<[u8]>::to_vec));
        for cut in 0..bytes.len() {
            assert!(read(bytes[..cut].to_vec()).is_none(), "cut at {cut}");
        }
        let is_padding = |at: usize| (107..112).contains(&at);
        for at in (0..bytes.len()).filter(|at| !is_padding(*at)) {
            let mut other = bytes.clone();
            other[at] ^= 1;
            assert!(read(other).is_none(), "another byte at {at}");
        }
        assert!(open::<3>(MAGIC, 8, &bytes.clone().into(), |_| true).is_none());
        assert!(open::<2>(MAGIC, 7, &bytes.into(), |_| true).is_none());
    }
}
