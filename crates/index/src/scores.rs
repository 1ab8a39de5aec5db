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
        Scores { values, none, count, most }
    }

    /// How many documents have a score.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns the score of a document.
    pub fn get(&self, id: DocumentId) -> Option<f32> {
        self.values.get(id.0 as usize).copied().filter(|value| *value != self.none)
    }

    /// Returns every document that has a score, in the order of ids.
    pub fn iter(&self) -> impl Iterator<Item = (DocumentId, f32)> + '_ {
        let all = self.values.iter().enumerate().filter(|(_, value)| **value != self.none);
        all.map(|(n, value)| (DocumentId(n as u32), *value))
    }

    /// The number after that of the last document.
    pub(crate) fn end(&self) -> u32 {
        self.values.len() as u32
    }
}
