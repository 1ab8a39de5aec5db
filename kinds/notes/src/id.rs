//! The id of a note, and the short forms of it that people type.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::ContentHash;

/// The id of a note.
///
/// Invariant: not empty, at most 128 characters of `[A-Za-z0-9_-]`. We make UUIDs; other programs
/// may have made other ids. It can therefore be made part of a file's name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct NoteId(String);

/// Shortest beginning of an id that may stand for it (BEHAVIOUR, section 5).
pub const SHORTEST_PREFIX: usize = 4;
/// How much of an id lists show.
const SHOWN: usize = 8;
const LONGEST: usize = 128;

/// A text that is no id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{text}' is not the id of a note")]
pub struct BadId {
    pub text: String,
}

impl NoteId {
    /// Accepts an id that is one.
    pub fn parse(text: &str) -> Result<Self, BadId> {
        NoteId::try_from(text.to_owned())
    }

    /// Returns the id of a file that does not tell one: always the same for the same name.
    pub fn of_name(name: &str) -> Self {
        let digest = ContentHash::of(name).to_string();
        let parts = [
            &digest[..8],
            &digest[8..12],
            &digest[12..16],
            &digest[16..20],
            &digest[20..32],
        ];
        NoteId(parts.join("-"))
    }

    /// Returns the whole id.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the beginning that lists show.
    pub fn short(&self) -> &str {
        &self.0[..self.0.len().min(SHOWN)]
    }
}

impl fmt::Display for NoteId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for NoteId {
    type Error = BadId;

    fn try_from(text: String) -> Result<Self, BadId> {
        let is_id = (1..=LONGEST).contains(&text.len())
            && text
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'));
        if is_id {
            Ok(NoteId(text))
        } else {
            Err(BadId { text })
        }
    }
}

impl From<NoteId> for String {
    fn from(id: NoteId) -> String {
        id.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_can_be_part_of_a_file_name() {
        assert_eq!(
            NoteId::parse("550e8400-e29b-41d4-a716-446655440000")
                .unwrap()
                .short(),
            "550e8400"
        );
        assert_eq!(NoteId::parse("my_note").unwrap().short(), "my_note");
        for text in ["", "../x", "a/b", "a.b", "é", "a b", &"a".repeat(129)] {
            assert!(NoteId::parse(text).is_err(), "{text}");
        }
    }
}
