//! The pieces of a segment's documents by one model, for comparing late: a file of its own beside the vectors.
//!
//! ```text
//! section 0   numbers in a piece 4, then the id of the model
//! section 1   for each document the end of its pieces 8, their xxh3 8; 0 where there are none yet
//! section 2   the pieces, one byte a number
//! ```
//!
//! The third section is large and a question needs little of it, so it is checked document by document as it is
//! read. What is damaged is missing, and made again.

use std::sync::atomic::{AtomicBool, Ordering};

use memory_models::TokenVectors;
use xxhash_rust::xxh3::xxh3_64;

use crate::bytes::{Bytes, Part, u32_at};
use crate::sections;

const MAGIC: &[u8; 16] = b"memory pieces  \n";
const VERSION: u32 = 1;
const LARGE: usize = 2;

/// The pieces of a segment's documents.
#[derive(Debug)]
pub(crate) struct Pieces {
    pub(crate) bytes: Bytes,
    dimensions: usize,
    entries: Part,
    values: Part,
    /// Whether there are pieces of every document, or it is known that there are none.
    is_complete: bool,
    is_damaged: AtomicBool,
    /// Whether they still have to be written to the disk.
    is_loose: AtomicBool,
}

impl Pieces {
    /// Opens pieces; none when they are not those of `count` documents by this model.
    pub(crate) fn open(model: &str, count: usize, bytes: Bytes) -> Option<Self> {
        let [head, entries, values] = sections::open::<3>(MAGIC, VERSION, &bytes, |n| n != LARGE)?;
        let dimensions = u32_at(&head, 0)? as usize;
        let is_meant = head.get(4..)? == model.as_bytes() && entries.len() == count * 16;
        let (is_damaged, is_loose) = (AtomicBool::new(false), AtomicBool::new(false));
        let is_complete = entries.as_chunks::<16>().0.iter().all(has_pieces);
        is_meant.then_some(Pieces {
            bytes,
            dimensions,
            entries,
            values,
            is_complete,
            is_damaged,
            is_loose,
        })
    }

    /// Returns the pieces of a document as they are kept; none when there are none yet, or not whole.
    pub(crate) fn get(&self, n: usize) -> Option<&[u8]> {
        let sum = self.entries.u64(2 * n + 1).filter(|sum| *sum != 0)?;
        let read = || {
            let begin = if n == 0 {
                0
            } else {
                self.entries.u64(2 * n - 2)?
            };
            let range =
                usize::try_from(begin).ok()?..usize::try_from(self.entries.u64(2 * n)?).ok()?;
            self.values
                .get(range)
                .filter(|values| xxh3_64(values) == sum)
        };
        let values = read();
        if values.is_none() {
            self.is_damaged.store(true, Ordering::Relaxed);
        }
        values
    }

    /// Returns the pieces of a document, ready to be compared.
    pub(crate) fn vectors(&self, n: usize) -> Option<TokenVectors> {
        let values = self
            .get(n)?
            .iter()
            .map(|value| value.cast_signed())
            .collect();
        Some(TokenVectors {
            dimensions: self.dimensions,
            values,
        })
    }

    /// Says whether a document still waits for its pieces.
    pub(crate) fn is_missing(&self, n: usize) -> bool {
        if self.is_damaged.load(Ordering::Relaxed) {
            self.get(n).is_none()
        } else {
            self.entries.u64(2 * n + 1).is_none_or(|sum| sum == 0)
        }
    }

    /// Says whether no document waits for its pieces.
    pub(crate) fn is_complete(&self) -> bool {
        self.is_complete && !self.is_damaged.load(Ordering::Relaxed)
    }

    /// Says that they have to be written, that they are, and asks which.
    pub(crate) fn loosen(&self) {
        self.is_loose.store(true, Ordering::Relaxed);
    }

    pub(crate) fn settle(&self) {
        self.is_loose.store(false, Ordering::Relaxed);
    }

    pub(crate) fn is_loose(&self) -> bool {
        self.is_loose.load(Ordering::Relaxed)
    }

    pub(crate) fn dimensions(&self) -> usize {
        self.dimensions
    }
}

fn has_pieces(entry: &[u8; 16]) -> bool {
    entry[8..] != [0; 8]
}

/// Returns the name of the file for a segment and a model.
pub(crate) fn file_name(segment: &str, model: &str) -> String {
    format!("{segment}.{:016x}.pieces", xxh3_64(model.as_bytes()))
}

/// Writes pieces document by document.
#[derive(Debug, Default)]
pub(crate) struct PieceWriter {
    /// That of the first pieces that came.
    dimensions: usize,
    entries: Vec<u8>,
    values: Vec<u8>,
}

impl PieceWriter {
    /// Adds the pieces of the next document. Those of other dimensions are none, and not asked for again.
    pub(crate) fn add(&mut self, dimensions: usize, values: &[u8]) {
        if self.values.is_empty() {
            self.dimensions = dimensions;
        }
        let values = if dimensions == self.dimensions {
            values
        } else {
            &[]
        };
        self.values.extend_from_slice(values);
        self.enter(xxh3_64(values));
    }

    pub(crate) fn add_vectors(&mut self, vectors: &TokenVectors) {
        let values: Vec<u8> = vectors
            .values
            .iter()
            .map(|value| value.cast_unsigned())
            .collect();
        self.add(vectors.dimensions, &values);
    }

    /// Adds the next document, which has none and will have none.
    pub(crate) fn add_none(&mut self) {
        self.enter(xxh3_64(&[]));
    }

    /// Adds the pieces of the next document as they were kept elsewhere.
    pub(crate) fn copy(&mut self, from: Option<&Pieces>, n: usize) {
        match from.and_then(|pieces| Some((pieces.dimensions(), pieces.get(n)?))) {
            Some((dimensions, values)) => self.add(dimensions, values),
            None => self.enter(0),
        }
    }

    fn enter(&mut self, sum: u64) {
        self.entries
            .extend_from_slice(&(self.values.len() as u64).to_le_bytes());
        self.entries.extend_from_slice(&sum.to_le_bytes());
    }

    /// Returns the pieces of so many documents as were added, to be kept when there is time; none when no
    /// document has any.
    pub(crate) fn finish(self, model: &str) -> Option<Pieces> {
        let count = self.entries.len() / 16;
        let is_any = self.entries.as_chunks::<16>().0.iter().any(has_pieces);
        let mut head = (self.dimensions as u32).to_le_bytes().to_vec();
        head.extend_from_slice(model.as_bytes());
        let bytes = || sections::write(MAGIC, VERSION, &[&head, &self.entries, &self.values]);
        is_any
            .then(|| Pieces::open(model, count, bytes().into()))
            .flatten()
            .inspect(Pieces::loosen)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[i8]) -> TokenVectors {
        TokenVectors {
            dimensions: 2,
            values: values.to_vec(),
        }
    }

    fn written() -> Pieces {
        let mut writer = PieceWriter::default();
        writer.add_vectors(&of(&[]));
        writer.add_vectors(&of(&[1, -2, 3, -4]));
        writer.copy(None, 0);
        writer.add_vectors(&of(&[127, -127]));
        writer.add_vectors(&TokenVectors {
            dimensions: 3,
            values: vec![1; 3],
        });
        writer.finish("model-a").unwrap()
    }

    #[test]
    fn pieces_come_back_and_missing_ones_are_told_from_none() {
        let pieces = written();
        assert!(!pieces.is_complete());
        let values = [0, 1, 2, 3, 4, 5].map(|n| pieces.vectors(n).map(|found| found.values));
        assert_eq!(values[..3], [Some(vec![]), Some(vec![1, -2, 3, -4]), None]);
        assert_eq!(values[3..], [Some(vec![127, -127]), Some(vec![]), None]);
        assert_eq!(
            [0, 1, 2, 4].map(|n| pieces.is_missing(n)),
            [false, false, true, false]
        );
        let mut copy = PieceWriter::default();
        [2, 3, 1].iter().for_each(|n| copy.copy(Some(&pieces), *n));
        let copy = copy.finish("model-a").unwrap();
        assert_eq!(
            (copy.vectors(0), copy.vectors(2)),
            (None, Some(of(&[1, -2, 3, -4])))
        );
    }

    #[test]
    fn pieces_of_another_model_or_segment_are_none_and_none_at_all_are_no_file() {
        let bytes = written().bytes.to_vec();
        assert!(Pieces::open("model-b", 5, bytes.clone().into()).is_none());
        assert!(Pieces::open("model-a", 4, bytes.into()).is_none());
        let mut writer = PieceWriter::default();
        writer.copy(None, 0);
        assert!(writer.finish("model-a").is_none());
        assert_ne!(file_name("x", "a"), file_name("x", "b"));
    }

    #[test]
    fn damaged_pieces_are_missing_and_others_are_not() {
        let mut bytes = written().bytes.to_vec();
        let at = bytes.len() - 6;
        bytes[at] ^= 1;
        let pieces = Pieces::open("model-a", 5, bytes.into()).unwrap();
        assert_eq!(pieces.vectors(1), None);
        assert_eq!(pieces.vectors(3), Some(of(&[127, -127])));
        assert_eq!([1, 2, 3].map(|n| pieces.is_missing(n)), [true, true, false]);
    }
}
