//! What a word is worth in a text, by how rare it is and how often it stands there (BM25).

use crate::limits;

/// How words are weighed: BM25's two numbers. A text counts as no shorter than
/// `limits::SHORTEST`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weighing {
    /// How soon more of the same word stops counting.
    pub k1: f32,
    /// How much a long text loses to a short one.
    pub b: f32,
}

impl Default for Weighing {
    fn default() -> Self {
        Weighing { k1: 1.2, b: 0.75 }
    }
}

impl Weighing {
    /// Returns what a word of some rarity is worth where texts have an average length.
    pub(crate) fn by_length(self, rarity: f32, average: f32) -> Worth {
        let Weighing { k1, b } = self;
        Worth {
            most: rarity * (k1 + 1.0),
            fixed: k1 * (1.0 - b),
            by_length: k1 * b / average,
        }
    }
}

/// What a word is worth in a text.
pub(crate) struct Worth {
    most: f32,
    fixed: f32,
    by_length: f32,
}

impl Worth {
    pub(crate) fn of(&self, times: u32, length: u32) -> f32 {
        let (times, length) = (times as f32, length.max(limits::SHORTEST) as f32);
        self.most * times / (times + self.fixed + self.by_length * length)
    }
}

/// How much a word says that so many of all documents have.
pub(crate) fn rarity(all: usize, with: usize) -> f32 {
    let (all, with) = (all as f32, with as f32);
    (1.0 + (all - with + 0.5) / (with + 0.5)).ln()
}
