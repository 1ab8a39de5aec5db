//! A score for each document of a view that has one: one number a document, however many have one.

use crate::DocumentId;

/// What words or a model say of documents.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Scores {
    values: Vec<f32>,
    /// What stands for none.
    none: f32,
    count: usize,
    /// What a document scores that has all that is asked for.
    pub most: f32,
}

impl Scores {
    pub(crate) fn new(values: Vec<f32>, none: f32, most: f32) -> Self {
        let count = values.iter().filter(|value| **value != none).count();
        Scores {
            values,
            none,
            count,
            most,
        }
    }

    /// How many documents have a score.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns the score of a document.
    pub fn get(&self, id: DocumentId) -> Option<f32> {
        self.values
            .get(id.0 as usize)
            .copied()
            .filter(|value| *value != self.none)
    }

    /// Returns every document that has a score, in the order of ids.
    pub fn iter(&self) -> impl Iterator<Item = (DocumentId, f32)> + '_ {
        let all = self
            .values
            .iter()
            .enumerate()
            .filter(|(_, value)| **value != self.none);
        all.map(|(n, value)| (DocumentId(n as u32), *value))
    }

    /// Returns the sum of what is made of each score. Eight sums at once, so that none waits for the one before.
    pub(crate) fn sum(&self, each: impl Fn(f32) -> f64) -> f64 {
        let mut sums = [0.0; 8];
        let (blocks, rest) = self.values.as_chunks::<8>();
        let worth = |value: f32| if value == self.none { 0.0 } else { each(value) };
        for block in blocks {
            for n in 0..8 {
                sums[n] += worth(block[n]);
            }
        }
        sums.iter().sum::<f64>() + rest.iter().map(|value| worth(*value)).sum::<f64>()
    }

    /// What stands for none.
    pub(crate) fn none(&self) -> f32 {
        self.none
    }

    /// Returns the scores of the documents from this number on, with what stands for none where there is none.
    pub(crate) fn block<const N: usize>(&self, from: usize) -> [f32; N] {
        let mut block = [self.none; N];
        let there = self.values.get(from..).unwrap_or_default();
        let there = &there[..there.len().min(N)];
        block[..there.len()].copy_from_slice(there);
        block
    }

    /// The number after that of the last document.
    pub(crate) fn end(&self) -> u32 {
        self.values.len() as u32
    }
}
