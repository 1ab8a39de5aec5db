//! What a model is: its shape, and how it wants to be asked.
//!
//! Written when a model is installed and kept in the head of its file, so that nothing else has to
//! be read to use it.

use serde::{Deserialize, Serialize};

/// Everything about an installed model but its numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Description {
    /// Names the model and its weights.
    pub(crate) id: String,
    pub(crate) task: Task,
    pub(crate) shape: Shape,
    pub(crate) manner: Manner,
}

/// What a model is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Task {
    /// Makes vectors of texts.
    Embed,
    /// Scores a question and a text together.
    Rerank,
}

/// The sizes of a transformer.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Shape {
    pub(crate) layers: usize,
    pub(crate) hidden: usize,
    pub(crate) heads: usize,
    pub(crate) intermediate: usize,
    pub(crate) positions: usize,
    pub(crate) types: usize,
    pub(crate) vocabulary: usize,
    pub(crate) epsilon: f32,
}

/// How a model was taught to read and to answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Manner {
    pub(crate) pooling: Pooling,
    /// Put before a question.
    pub(crate) question_prefix: String,
    /// Put before a memory.
    pub(crate) document_prefix: String,
    /// `latin`, `chinese` or `any`.
    pub(crate) script: String,
    pub(crate) lower: bool,
    /// Texts are read up to so many pieces, the two at the ends included.
    pub(crate) most_pieces: usize,
    /// Whether comparing its pieces late has been found to help.
    pub(crate) late: bool,
}

/// How the vectors of pieces become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Pooling {
    /// The first one stands for all.
    First,
    Mean,
}

impl Shape {
    /// Says whether the sizes fit each other and are such as we run.
    pub(crate) fn is_sound(&self) -> bool {
        let sizes = [
            self.hidden,
            self.heads,
            self.intermediate,
            self.positions,
            self.types,
            self.vocabulary,
        ];
        let in_range = |size: &usize| (1..=1 << 20).contains(size);
        sizes.iter().all(in_range)
            && (1..=96).contains(&self.layers)
            && self.hidden.is_multiple_of(self.heads)
            && self.hidden <= 4096
            && self.intermediate <= 16384
    }
}
