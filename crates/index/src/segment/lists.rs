//! Words and the documents that have them: a sorted dictionary, and a list for each word.
//!
//! ```text
//! an entry: end of its text 4, documents in its list 4, end of its list 8, xxh3 of its list 8
//! a list:   for each document twice the step from the one before it, plus one if it has the word once;
//!           otherwise how often it has it comes after that
//! ```

use xxhash_rust::xxh3::xxh3_64;

use crate::bytes::{Part, put_number, take_number, u32_at, u64_at};

const SIZE: usize = 24;

/// A dictionary with its lists.
#[derive(Debug)]
pub(crate) struct Lists {
    texts: Part,
    entries: Part,
    lists: Part,
    count: usize,
}

/// A list whose bytes are no longer what was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Damaged;

impl Lists {
    pub(crate) fn new([texts, entries, lists]: [Part; 3]) -> Self {
        let count = entries.len() / SIZE;
        Lists {
            texts,
            entries,
            lists,
            count,
        }
    }

    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Returns a word by its place.
    pub(crate) fn text(&self, n: usize) -> Option<&[u8]> {
        let begin = if n == 0 {
            0
        } else {
            u32_at(&self.entries, (n - 1) * SIZE)?
        };
        self.texts
            .get(begin as usize..u32_at(&self.entries, n * SIZE)? as usize)
    }

    /// Returns how many documents have a word.
    pub(crate) fn documents(&self, n: usize) -> usize {
        u32_at(&self.entries, n * SIZE + 4).unwrap_or_default() as usize
    }

    /// Returns the place of a word.
    pub(crate) fn find(&self, word: &[u8]) -> Option<usize> {
        let place = self.first_not_before(word);
        (self.text(place)? == word).then_some(place)
    }

    /// Returns the place of the first word that does not come before this one.
    pub(crate) fn first_not_before(&self, word: &[u8]) -> usize {
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = low.midpoint(high);
            if self.text(middle).is_some_and(|there| there < word) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        low
    }

    /// Returns the list of a word by its place, once its bytes were seen to be whole.
    pub(crate) fn list(&self, n: usize) -> Result<List<'_>, Damaged> {
        let read = || {
            let begin = if n == 0 {
                0
            } else {
                u64_at(&self.entries, (n - 1) * SIZE + 8)?
            };
            let end = u64_at(&self.entries, n * SIZE + 8)?;
            let bytes = self
                .lists
                .get(usize::try_from(begin).ok()?..usize::try_from(end).ok()?)?;
            let is_whole = xxh3_64(bytes) == u64_at(&self.entries, n * SIZE + 16)?;
            is_whole.then_some(List { bytes, next: 0 })
        };
        read().ok_or(Damaged)
    }
}

/// The documents that have a word, in their order, with how often they have it.
#[derive(Debug, Clone)]
pub(crate) struct List<'a> {
    bytes: &'a [u8],
    next: u32,
}

impl Iterator for List<'_> {
    type Item = (u32, u32);

    fn next(&mut self) -> Option<Self::Item> {
        let code = take_number(&mut self.bytes)?;
        let times = if code & 1 == 1 {
            1
        } else {
            take_number(&mut self.bytes)? as u32
        };
        let document = self.next.wrapping_add((code >> 1) as u32);
        self.next = document.wrapping_add(1);
        Some((document, times))
    }
}

/// Writes a dictionary word by word, in their order.
#[derive(Debug, Default)]
pub(crate) struct ListWriter {
    pub(crate) texts: Vec<u8>,
    pub(crate) entries: Vec<u8>,
    pub(crate) lists: Vec<u8>,
}

impl ListWriter {
    /// Adds the next word with its documents, which are in their order, too.
    pub(crate) fn add(&mut self, word: &[u8], documents: &[(u32, u32)]) {
        let begin = self.lists.len();
        let mut next = 0;
        for (document, times) in documents {
            let once = u64::from(*times == 1);
            put_number(&mut self.lists, u64::from(document - next) << 1 | once);
            if once == 0 {
                put_number(&mut self.lists, u64::from(*times));
            }
            next = document + 1;
        }
        self.texts.extend_from_slice(word);
        self.entries
            .extend_from_slice(&(self.texts.len() as u32).to_le_bytes());
        self.entries
            .extend_from_slice(&(documents.len() as u32).to_le_bytes());
        self.entries
            .extend_from_slice(&(self.lists.len() as u64).to_le_bytes());
        self.entries
            .extend_from_slice(&xxh3_64(&self.lists[begin..]).to_le_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::Bytes;

    fn read(writer: ListWriter, break_at: Option<usize>) -> Lists {
        let mut lists = writer.lists;
        if let Some(at) = break_at {
            lists[at] ^= 4;
        }
        Lists::new([writer.texts, writer.entries, lists].map(|bytes| {
            let bytes = Bytes::from(bytes);
            Part::of(&bytes, 0..bytes.len()).unwrap()
        }))
    }

    fn written() -> ListWriter {
        let mut writer = ListWriter::default();
        writer.add(b"apple", &[(0, 1), (1, 3), (70_000, 1)]);
        writer.add(b"pear", &[(5, 200)]);
        writer.add("梨".as_bytes(), &[]);
        writer
    }

    #[test]
    fn words_are_found_with_their_documents() {
        let lists = read(written(), None);
        let list = |word: &str| {
            lists
                .find(word.as_bytes())
                .map(|n| lists.list(n).unwrap().collect::<Vec<_>>())
        };
        assert_eq!(list("apple"), Some(vec![(0, 1), (1, 3), (70_000, 1)]));
        assert_eq!(list("pear"), Some(vec![(5, 200)]));
        assert_eq!(list("梨"), Some(vec![]));
        assert_eq!((list("a"), list("fig"), list("zoo")), (None, None, None));
        assert_eq!(
            (lists.count(), lists.text(1)),
            (3, Some(b"pear".as_slice()))
        );
        assert_eq!([0, 1, 2].map(|n| lists.documents(n)), [3, 1, 0]);
    }

    #[test]
    fn a_damaged_list_is_told_and_hides_no_other() {
        let lists = read(written(), Some(0));
        assert_eq!(lists.list(0).unwrap_err(), Damaged);
        assert_eq!(lists.list(1).unwrap().next(), Some((5, 200)));
    }
}
