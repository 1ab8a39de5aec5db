//! The face that a memory shows to search.

use crate::{Address, Timestamp};

/// A memory as search sees it: where it is, what it says, and what else is known of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    pub address: Address,
    /// A short name for lists.
    pub title: String,
    /// What is searched.
    pub text: String,
    /// What to filter by, as `name:value`: `tag:rust`, `category:lessons`, `scope:agent:claude`.
    pub labels: Vec<String>,
    /// Where the memory came from, in the kind's own words: `claude`, `project`, a file's path.
    pub source: String,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// When it stops being current, and what becomes of it then.
    pub expiry: Option<Expiry>,
    /// What it stands in, if memories of its kind follow each other.
    pub thread: Option<Thread>,
    /// How much it matters beside others that match as well, 1.0 being ordinary.
    pub weight: f32,
}

/// When a memory stops being current, and what becomes of it then, whether or not maintenance has run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expiry {
    /// From then on it is absent.
    Removed(Timestamp),
    /// From then on it is archived: recall returns it only if it answers better than every current memory.
    Archived(Timestamp),
}

impl Expiry {
    /// Returns the time from which it is no longer current.
    pub fn at(self) -> Timestamp {
        match self {
            Expiry::Removed(at) | Expiry::Archived(at) => at,
        }
    }
}

/// Returns the label of a tag.
pub fn tag_label(tag: &str) -> String {
    format!("{TAG}{tag}")
}

/// Returns the tags among labels.
pub fn tags_of(labels: &[String]) -> impl Iterator<Item = &str> {
    labels.iter().filter_map(|label| label.strip_prefix(TAG))
}

const TAG: &str = "tag:";

/// The label of a memory that maintenance wrote for people from other memories, such as a suggestion or a reminder
/// made from a note. It is not evidence: a question leaves it out unless it includes derived memories.
pub const DERIVED: &str = "derived:true";

/// Where a memory stands among those it follows and those that follow it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Thread {
    /// The same for all that belong together, and for no others of the kind.
    pub name: String,
    /// Its place: those before it have smaller numbers. Numbers may be left out.
    pub place: u64,
}
