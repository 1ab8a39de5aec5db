//! The result of looking at many records: the good ones, and the flaws of the others.

use serde::{Deserialize, Serialize};

/// What was found: one bad record never hides the good ones.
#[derive(Debug)]
pub struct Survey<T> {
    pub good: Vec<T>,
    pub flaws: Vec<Flaw>,
}

impl<T> Default for Survey<T> {
    fn default() -> Self {
        Survey { good: Vec::new(), flaws: Vec::new() }
    }
}

impl<T> Survey<T> {
    /// Adds what another survey found.
    pub fn absorb(&mut self, other: Survey<T>) {
        self.good.extend(other.good);
        self.flaws.extend(other.flaws);
    }
}

/// Something in a store that is not as it should be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flaw {
    /// The file, relative to its store, and where in it if that is known.
    pub place: String,
    /// One sentence that says what is so.
    pub problem: String,
    /// What was done about it, or would be.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub remedy: Option<String>,
}

impl Flaw {
    /// A flaw that nothing has been done about.
    pub fn new(place: impl Into<String>, problem: impl Into<String>) -> Self {
        Flaw { place: place.into(), problem: problem.into(), remedy: None }
    }
}
