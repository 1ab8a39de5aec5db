//! What notes say about each other: level 3 of the dream engine looks across categories.
//!
//! Suggestions for people, and nothing is done with them here. Notes go in as [`Thought`]s, lines to
//! read come out. No disk and no clock; the same thoughts give the same insights in the same order.

mod claim;
mod disagree;
mod related;
mod rivals;
#[cfg(test)]
mod tests;
mod vocabulary;

use std::fmt;

use memory_core::Timestamp;

use crate::{Category, NoteId};

/// What of a note is pondered on.
#[derive(Debug, Clone, Copy)]
pub struct Thought<'a> {
    pub id: &'a NoteId,
    pub category: Category,
    pub content: &'a str,
    pub created_at: Timestamp,
    pub links: &'a [NoteId],
}

/// Something that a person may want to know about two notes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Insight {
    /// They speak of the same things and are not linked.
    Related {
        first: NoteId,
        second: NoteId,
        /// The words they share, rarest first; never empty.
        shared: Vec<String>,
    },
    /// Two decisions do not go together.
    Conflict {
        older: NoteId,
        newer: NoteId,
        about: String,
    },
    /// A preference is not what it was.
    Changed {
        older: NoteId,
        newer: NoteId,
        about: String,
    },
}

/// Most insights of one sort, so that a person can read them.
const MOST: usize = 50;

/// Finds what notes say about each other: conflicts first, then changes, then relations.
///
/// - Reminders are left out, for they only repeat what another note says.
/// - Two notes that disagree are not also said to be related.
/// - Of each sort there are 50 at most: the newest disagreements, the strongest relations.
pub fn ponder(thoughts: &[Thought<'_>]) -> Vec<Insight> {
    let mut thoughts: Vec<Thought<'_>> = thoughts.to_vec();
    thoughts.retain(|thought| thought.category != Category::Reminders);
    // Oldest first; ids decide among equals.
    thoughts.sort_by_key(|thought| (thought.created_at, thought.id));
    let mut insights = disagree::disagreements(&thoughts);
    let related = related::related(&thoughts, &insights);
    insights.extend(related);
    insights
}

impl Insight {
    /// Returns the two notes it is about: the older first, if that is known.
    pub fn notes(&self) -> (&NoteId, &NoteId) {
        match self {
            Insight::Related { first, second, .. } => (first, second),
            Insight::Conflict { older, newer, .. } | Insight::Changed { older, newer, .. } => {
                (older, newer)
            }
        }
    }
}

impl fmt::Display for Insight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, second) = self.notes();
        let (first, second) = (first.short(), second.short());
        match self {
            Insight::Related { shared, .. } => {
                write!(
                    f,
                    "Notes {first} and {second} may belong together: both speak of {}",
                    listed(shared)
                )
            }
            Insight::Conflict { about, .. } => {
                write!(
                    f,
                    "Decisions {first} and {second} disagree about {about}; {second} is newer"
                )
            }
            Insight::Changed { about, .. } => {
                write!(
                    f,
                    "The preference about {about} changed: {first} said one thing, {second} now says another"
                )
            }
        }
    }
}

/// Returns "a", "a and b" or "a, b and c".
fn listed(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [word] => word.clone(),
        [words @ .., last] => format!("{} and {last}", words.join(", ")),
    }
}
