//! Where a memory is, said in a way that every surface can show and every kind can resolve.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The name of one memory: its kind, and its id within the kind.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Address {
    pub kind: String,
    pub id: String,
}

impl Address {
    /// Returns the address of `id` within `kind`.
    pub fn new(kind: &str, id: impl Into<String>) -> Self {
        Address {
            kind: kind.to_owned(),
            id: id.into(),
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.kind, self.id)
    }
}
