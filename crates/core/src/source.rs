//! Where a kind's documents come from, so that an index can tell what has changed without reading it.

/// A part of a store, usually a file, that documents are made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// Its name within the kind; no two have the same one.
    pub name: String,
    /// A number that is another one after the part has changed.
    pub state: u64,
    /// Whether it changed so recently that it may change again without its state showing it.
    pub is_fresh: bool,
}
