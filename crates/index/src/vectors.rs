//! The vectors of a segment's documents by one model: eight bits a number, compared one by one.
//!
//! A file of its own beside the segment, in the same envelope:
//!
//! ```text
//! section 0   number of dimensions 4, then the id of the model
//! section 1   for each document the scale of its numbers, 4 bytes; 0 where there is no vector yet,
//!             -0 where the model can't read the text
//! section 2   for each document its numbers, one byte each
//! ```
//!
//! Vectors are opened for a model and a segment and for no other, so none of two models ever meet.

use std::sync::atomic::{AtomicBool, Ordering};

use memory_models::dots;
use xxhash_rust::xxh3::xxh3_64;

use crate::bits::Bits;
use crate::bytes::{Bytes, Part, u32_at};
use crate::sections;

const MAGIC: &[u8; 16] = b"memory vectors \n";
const VERSION: u32 = 1;
/// What the largest number of a vector becomes. Those of questions are finer: there is only one.
const LARGEST: f32 = 127.0;
const LARGEST_OF_QUESTION: f32 = 2047.0;

/// The vectors of a segment.
#[derive(Debug)]
pub(crate) struct Vectors {
    pub(crate) bytes: Bytes,
    dimensions: usize,
    scales: Part,
    codes: Part,
    /// Whether no document waits for its vector.
    is_complete: bool,
    /// Whether they still have to be written to the disk.
    is_loose: AtomicBool,
}

/// The vector of a document as it is kept.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Kept<'a> {
    /// Scale and numbers.
    Vector(f32, &'a [u8]),
    /// The model can't read the text: there will be none.
    Unreadable,
    /// There is none yet.
    Missing,
}

impl Vectors {
    /// Opens vectors; none when they are not those of `count` documents by this model, and whole.
    pub(crate) fn open(model: &str, dimensions: usize, count: usize, bytes: Bytes) -> Option<Self> {
        let [head, scales, codes] = sections::open::<3>(MAGIC, VERSION, &bytes, |_| true)?;
        let is_meant =
            u32_at(&head, 0)? as usize == dimensions && head.get(4..)? == model.as_bytes();
        let is_whole = scales.len() == count * 4 && codes.len() == count * dimensions;
        let is_complete = scales
            .as_chunks::<4>()
            .0
            .iter()
            .all(|scale| *scale != [0; 4]);
        let is_loose = AtomicBool::new(false);
        (is_meant && is_whole && dimensions > 0).then_some(Vectors {
            bytes,
            dimensions,
            scales,
            codes,
            is_complete,
            is_loose,
        })
    }

    /// Returns the vector of a document: scale and numbers.
    pub(crate) fn get(&self, n: usize) -> Option<(f32, &[u8])> {
        let scale = f32::from_bits(self.scales.u32(n)?);
        let codes = self
            .codes
            .get(n * self.dimensions..(n + 1) * self.dimensions)?;
        (scale != 0.0).then_some((scale, codes))
    }

    /// Returns the vector of a document, or why there is none.
    pub(crate) fn kept(&self, n: usize) -> Kept<'_> {
        match self.get(n) {
            Some((scale, codes)) => Kept::Vector(scale, codes),
            None if self.is_missing(n) => Kept::Missing,
            None => Kept::Unreadable,
        }
    }

    /// Says whether a document still waits for its vector.
    pub(crate) fn is_missing(&self, n: usize) -> bool {
        self.scales.u32(n).is_none_or(|bits| bits == 0)
    }

    /// Says whether no document waits for its vector.
    pub(crate) fn is_complete(&self) -> bool {
        self.is_complete
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

    /// Writes for each of some documents that has a vector the cosine of it and a question's.
    pub(crate) fn cosines(&self, question: &QuestionVector, documents: &Bits, cosines: &mut [f32]) {
        if question.codes.len() != self.dimensions {
            return;
        }
        // Bits, numbers and scales in step, sixty-four documents at a time.
        let scales = self.scales.as_chunks::<4>().0.chunks(64);
        let blocks = self
            .codes
            .chunks(64 * self.dimensions)
            .zip(scales)
            .zip(cosines.chunks_mut(64));
        let mut sums = Vec::with_capacity(64);
        for (((codes, scales), cosines), meant) in blocks
            .zip(documents.words())
            .filter(|(_, meant)| **meant != 0)
        {
            dots(codes, &question.codes, &mut sums);
            for (n, ((sum, scale), cosine)) in sums.iter().zip(scales).zip(cosines).enumerate() {
                let scale = f32::from_le_bytes(*scale);
                if scale != 0.0 && meant >> n & 1 == 1 {
                    *cosine = *sum as f32 * scale * question.scale;
                }
            }
        }
    }
}

/// Returns the name of the file for a segment and a model.
pub(crate) fn file_name(segment: &str, model: &str) -> String {
    format!("{segment}.{:016x}.vectors", xxh3_64(model.as_bytes()))
}

/// The vector of a question, ready to be compared.
#[derive(Debug, Clone)]
pub(crate) struct QuestionVector {
    scale: f32,
    codes: Vec<i16>,
}

impl QuestionVector {
    pub(crate) fn of(vector: &[f32]) -> Self {
        let scale = scale_of(vector, LARGEST_OF_QUESTION);
        QuestionVector {
            scale,
            codes: vector.iter().map(|v| (v / scale).round() as i16).collect(),
        }
    }
}

fn scale_of(vector: &[f32], largest: f32) -> f32 {
    let most = vector.iter().fold(0.0_f32, |most, v| most.max(v.abs()));
    if most > 0.0 { most / largest } else { 1.0 }
}

/// Writes vectors document by document.
#[derive(Debug)]
pub(crate) struct VectorWriter {
    dimensions: usize,
    scales: Vec<u8>,
    codes: Vec<u8>,
}

impl VectorWriter {
    pub(crate) fn new(dimensions: usize, count: usize) -> Self {
        let (scales, codes) = (
            Vec::with_capacity(count * 4),
            Vec::with_capacity(count * dimensions),
        );
        VectorWriter {
            dimensions,
            scales,
            codes,
        }
    }

    /// Adds the vector of the next document. One of other dimensions, or without direction, is none.
    pub(crate) fn add(&mut self, vector: &[f32]) {
        let is_usable = vector.len() == self.dimensions
            && vector.iter().all(|v| v.is_finite())
            && vector.iter().any(|v| *v != 0.0);
        if !is_usable {
            return self.copy(Kept::Unreadable);
        }
        let scale = scale_of(vector, LARGEST);
        let codes: Vec<u8> = vector
            .iter()
            .map(|v| ((v / scale).round() as i8).cast_unsigned())
            .collect();
        self.copy(Kept::Vector(scale, &codes));
    }

    /// Adds the vector of the next document as it was kept elsewhere.
    pub(crate) fn copy(&mut self, kept: Kept<'_>) {
        let scale = match kept {
            Kept::Vector(scale, _) => scale,
            Kept::Unreadable => -0.0,
            Kept::Missing => 0.0,
        };
        self.scales
            .extend_from_slice(&scale.to_bits().to_le_bytes());
        let begin = self.codes.len();
        if let Kept::Vector(_, codes) = kept {
            self.codes.extend_from_slice(codes);
        }
        self.codes.resize(begin + self.dimensions, 0);
    }

    pub(crate) fn finish(self, model: &str) -> Vec<u8> {
        let mut head = (self.dimensions as u32).to_le_bytes().to_vec();
        head.extend_from_slice(model.as_bytes());
        sections::write(MAGIC, VERSION, &[&head, &self.scales, &self.codes])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written() -> Vec<u8> {
        let mut writer = VectorWriter::new(3, 4);
        writer.add(&[0.6, 0.8, 0.0]);
        writer.copy(Kept::Missing);
        writer.add(&[0.0, -1.0, 0.0]);
        writer.add(&[0.0, 0.0, 0.0]);
        writer.finish("model-a")
    }

    #[test]
    fn cosines_come_out_as_they_would_without_rounding() {
        let vectors = Vectors::open("model-a", 3, 4, written().into()).unwrap();
        let question = QuestionVector::of(&[0.0, 1.0, 0.0]);
        let mut cosines = [9.0; 4];
        vectors.cosines(&question, &Bits::all(4), &mut cosines);
        let near = |n: usize, wanted: f32| (cosines[n] - wanted).abs() < 0.005;
        assert!(near(0, 0.8) && near(2, -1.0));
        assert_eq!((cosines[1], cosines[3]), (9.0, 9.0), "there is no vector");
        let (mut some, mut cosines) = (Bits::none(4), [9.0; 4]);
        some.add(2);
        vectors.cosines(&question, &some, &mut cosines);
        assert_eq!(
            cosines.map(|cosine| cosine == 9.0),
            [true, true, false, true]
        );
        vectors.cosines(&QuestionVector::of(&[1.0]), &some, &mut [0.0; 4]);
        assert_eq!(
            [0, 1, 2, 3].map(|n| vectors.is_missing(n)),
            [false, true, false, false]
        );
        assert!(!vectors.is_complete());
    }

    #[test]
    fn vectors_of_another_model_or_segment_are_none() {
        assert!(Vectors::open("model-b", 3, 4, written().into()).is_none());
        assert!(Vectors::open("model-a", 4, 3, written().into()).is_none());
        assert!(Vectors::open("model-a", 3, 5, written().into()).is_none());
        let mut damaged = written();
        let last = damaged.len() - 1;
        damaged[last] ^= 1;
        assert!(Vectors::open("model-a", 3, 4, damaged.into()).is_none());
        assert_ne!(file_name("x", "model-a"), file_name("x", "model-b"));
    }

    #[test]
    fn a_vector_that_is_none_of_the_models_is_left_out() {
        let mut writer = VectorWriter::new(2, 2);
        writer.add(&[1.0]);
        writer.add(&[f32::NAN, 1.0]);
        let vectors = Vectors::open("m", 2, 2, writer.finish("m").into()).unwrap();
        assert_eq!([vectors.kept(0), vectors.kept(1)], [Kept::Unreadable; 2]);
        assert!(vectors.is_complete(), "none is waited for");
    }
}
