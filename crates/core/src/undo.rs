//! Steps that can be taken back.

use serde::{Deserialize, Serialize};

use crate::Timestamp;

/// One change that took something away and can be taken back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// Unique, and sorts by time.
    pub id: String,
    pub kind: String,
    /// What was done, for people: `delete bank 'session' (project)`.
    pub what: String,
    pub at: Timestamp,
    /// When it was written, finer than seconds: the order of steps that different stores keep.
    #[serde(skip)]
    pub written: i128,
}

impl Step {
    /// Sorts steps newest first.
    pub fn newest_first(a: &Step, b: &Step) -> std::cmp::Ordering {
        (b.written, &b.id).cmp(&(a.written, &a.id))
    }
}
