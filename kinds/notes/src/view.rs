//! A note as callers see it: the fields of its front matter, and its content.

use std::borrow::Cow;

use memory_core::instant;
use serde::{Deserialize, Serialize};

use crate::card::Card;
use crate::note;
use crate::{Category, Note, Phase, format};

/// A note, whole.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NoteView {
    pub id: String,
    /// The title in its front matter, such as the name of an ingested page.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub title: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub aliases: Vec<String>,
    pub content: String,
    pub content_hash: String,
    pub phase: Phase,
    pub category: Category,
    pub scope: String,
    pub tags: Vec<String>,
    pub source: String,
    pub created_at: String,
    pub updated_at: String,
    pub expires_at: Option<String>,
    pub access_count: u64,
    pub links: Vec<String>,
    pub version: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub due_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_path: Option<String>,
    /// Whether maintenance has removed it from its category, or will: its time in the inbox has ended.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub archived: bool,
    /// How well it answers, when it was searched for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<f32>,
}

impl NoteView {
    pub(crate) fn of(note: &Note) -> Self {
        let ids = note.links.iter().map(|id| id.as_str().to_owned());
        NoteView {
            id: note.id.to_string(),
            title: format::title(&note.unknown),
            aliases: format::aliases(&note.unknown),
            content: note.content.clone(),
            content_hash: note.content_hash().to_string(),
            phase: note.standing.phase(),
            category: note.standing.category(),
            scope: note.scope.to_string(),
            tags: note.tags.clone(),
            source: note.source.clone(),
            created_at: instant(note.created_at),
            updated_at: instant(note.updated_at),
            expires_at: note.expires_at().map(instant),
            access_count: note.access_count,
            links: ids.chain(note.other_links.iter().cloned()).collect(),
            version: note.version,
            due_at: note.reminder.map(|reminder| instant(reminder.due_at)),
            source_path: note.origin.as_ref().map(|origin| origin.path.clone()),
            archived: false,
            score: None,
        }
    }
}

impl NoteView {
    /// Returns what the note is shown as in prompts: its content below its title and aliases, as [`Note::text`].
    pub fn text(&self) -> Cow<'_, str> {
        note::titled(self.title.as_deref(), &self.aliases, &self.content)
    }
}

/// A note on one line of a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LineView {
    pub id: String,
    pub title: String,
    pub category: Category,
    pub scope: String,
    pub tags: Vec<String>,
    pub created_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub due_at: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub archived: bool,
}

impl LineView {
    pub(crate) fn of(card: &Card) -> Self {
        LineView {
            id: card.id.to_string(),
            title: card.title.to_string(),
            category: card.category(),
            scope: card.scope.to_string(),
            tags: card.tags.to_vec(),
            created_at: instant(card.created_at),
            due_at: card.reminder().map(|reminder| instant(reminder.due_at)),
            archived: false,
        }
    }
}
