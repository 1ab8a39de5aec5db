//! How alike are two candidates? By the model's vectors, or by the words they have in common.

use std::collections::BTreeMap;

use memory_text::terms;
use xxhash_rust::xxh3::xxh3_64;

use super::candidate::Candidate;
use super::numbers::SAME_WORDS;
use crate::{DocumentId, View};

/// Compares candidates of one question.
pub(crate) struct Likeness<'v> {
    view: &'v View,
    model: Option<usize>,
    /// Each candidate's different words as numbers, in their order.
    words: BTreeMap<DocumentId, Vec<u64>>,
}

impl<'v> Likeness<'v> {
    pub(crate) fn of(
        candidates: &[Candidate],
        view: &'v View,
        model: Option<usize>,
        reader: &mut terms::Reader,
    ) -> Self {
        let mut words = |id| view.record(id).map(|record| words_of(record.text, reader));
        let words = candidates
            .iter()
            .filter_map(|candidate| Some((candidate.id, words(candidate.id)?)));
        Likeness {
            view,
            model,
            words: words.collect(),
        }
    }

    /// Says whether two say the same in the same words. Closeness of meaning alone is no repetition.
    pub(crate) fn repeats(&self, a: &Candidate, b: &Candidate) -> bool {
        let count =
            |candidate: &Candidate| self.words.get(&candidate.id).map_or(0, Vec::len) as f32;
        let (a_words, b_words) = (count(a), count(b));
        // Looked at first, because it is quick: with so many more words one can't say the same as the other.
        a_words.min(b_words) >= SAME_WORDS * a_words.max(b_words)
            && self.by_words(a, b) >= SAME_WORDS
    }

    /// Returns the cosine of the two vectors, or the share of common words where there are none.
    pub(crate) fn between(&self, a: &Candidate, b: &Candidate) -> f32 {
        let vector = |candidate: &Candidate| self.view.vector(candidate.id, self.model?);
        vector(a)
            .zip(vector(b))
            .map_or_else(|| self.by_words(a, b), |(a, b)| cosine(a, b))
    }

    fn by_words(&self, a: &Candidate, b: &Candidate) -> f32 {
        let (Some(a), Some(b)) = (self.words.get(&a.id), self.words.get(&b.id)) else {
            return 0.0;
        };
        let common = a
            .iter()
            .filter(|word| b.binary_search(word).is_ok())
            .count();
        common as f32 / (a.len() + b.len() - common).max(1) as f32
    }
}

fn words_of(text: &str, reader: &mut terms::Reader) -> Vec<u64> {
    let mut words = Vec::new();
    reader.each_term(text, |term, _| words.push(xxh3_64(term.as_bytes())));
    words.sort_unstable();
    words.dedup();
    words
}

fn cosine(a: &[u8], b: &[u8]) -> f32 {
    let dot = |a: &[u8], b: &[u8]| -> f32 {
        let product = |(a, b): (&u8, &u8)| i32::from(a.cast_signed()) * i32::from(b.cast_signed());
        a.iter().zip(b).map(product).sum::<i32>() as f32
    };
    dot(a, b) / (dot(a, a) * dot(b, b)).sqrt().max(1.0)
}
