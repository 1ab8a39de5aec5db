//! What was recalled for a prompt: pieces of memories, which a model reads beside what its user says.

use serde::{Deserialize, Serialize};

use crate::{Fenced, Ids, fence};

/// Memories that matter to a prompt, the most relevant first.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Context {
    #[serde(rename = "hits")]
    pub pieces: Vec<Piece>,
}

/// One memory, and where it comes from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Piece {
    pub kind: String,
    pub id: String,
    pub text: String,
    #[serde(default, serialize_with = "crate::serialize_score")]
    pub score: f32,
    #[serde(default)]
    pub source: String,
    #[serde(default)]
    pub created_at: String,
    /// Whether maintenance had removed it as unused.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub archived: bool,
}

impl Context {
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Returns the text for a prompt, of at most `most` characters; none when there is nothing to say.
    pub fn fenced(&self, ids: &Ids, most: usize) -> Option<String> {
        let pieces: Vec<Fenced> = self.pieces.iter().map(Piece::fenced).collect();
        fence(
            "Memories that may matter to this prompt.",
            &pieces,
            ids,
            most,
        )
    }
}

impl Piece {
    /// Returns its text below where it comes from and of what day: `notes 7f8d9e00, 2026-05-07, from claude`.
    fn fenced(&self) -> Fenced {
        let id: String = self.id.chars().take(8).collect();
        let archived = if self.archived { ", archived" } else { "" };
        Fenced::new(
            &format!("{} {id}{archived}", self.kind),
            &self.created_at,
            &self.source,
            &self.text,
        )
    }
}
