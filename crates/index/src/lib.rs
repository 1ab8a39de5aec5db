//! The index over all memories, and recall: what is relevant to a question, wherever it lies.

pub mod tools;
