//! What is known of a note without its content: enough to list, filter, link and choose it.

use std::collections::HashSet;

use memory_core::Timestamp;
use memory_text::wikilinks::wikilinks;
use serde::{Deserialize, Serialize};

use crate::note::{ContentHash, Note, Origin, Phase, Reminder, Standing};
use crate::{Category, NoteId, NoteScope, format, limits};

/// A note as lists see it. A process that stays holds one for every note, so it has no room to grow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Card {
    pub id: NoteId,
    pub content_hash: ContentHash,
    pub title: Box<str>,
    pub standing: Standing,
    pub scope: NoteScope,
    pub tags: Box<[String]>,
    pub source: Box<str>,
    #[serde(with = "nanoseconds")]
    pub created_at: Timestamp,
    #[serde(with = "nanoseconds")]
    pub updated_at: Timestamp,
    pub access_count: u64,
    pub links: Box<[NoteId]>,
    reminder: Option<Box<Reminder>>,
    pub origin: Option<Box<Origin>>,
    /// Whether the title is not in the content, but in the front matter.
    pub is_titled: bool,
    /// Other names by which a wikilink may mean it.
    pub aliases: Box<[String]>,
    /// The names that its wikilinks give.
    pub wikilinks: Box<[String]>,
}

impl Card {
    /// Returns the card of a note.
    pub fn of(note: &Note) -> Self {
        let mut seen = HashSet::new();
        let mut wikilinks: Vec<String> = wikilinks(&note.content)
            .into_iter()
            .map(|link| link.target)
            .collect();
        wikilinks.retain(|name| seen.insert(name.clone()));
        let title: Box<str> = note.title().chars().take(limits::TITLE_CHARS).collect();
        Card::with_reading(note, note.content_hash(), title, wikilinks.into())
    }

    /// Returns the card of a note whose content is the one that `self` was made of.
    pub(crate) fn of_same_content(&self, note: &Note) -> Self {
        let title = note.title().chars().take(limits::TITLE_CHARS).collect();
        Card::with_reading(note, self.content_hash, title, self.wikilinks.clone())
    }

    fn with_reading(
        note: &Note,
        content_hash: ContentHash,
        title: Box<str>,
        wikilinks: Box<[String]>,
    ) -> Self {
        Card {
            id: note.id.clone(),
            content_hash,
            title,
            standing: note.standing,
            scope: note.scope.clone(),
            tags: note.tags.as_slice().into(),
            source: note.source.as_str().into(),
            created_at: note.created_at,
            updated_at: note.updated_at,
            access_count: note.access_count,
            links: note.links.as_slice().into(),
            reminder: note.reminder.map(Box::new),
            origin: note.origin.clone().map(Box::new),
            is_titled: format::title(&note.unknown).is_some(),
            aliases: format::aliases(&note.unknown).into(),
            wikilinks,
        }
    }

    /// Returns the names that its content does not have: its title, if that is in the front matter, and its aliases.
    pub fn other_names(&self) -> impl Iterator<Item = &str> {
        let title = self.is_titled.then_some(&*self.title);
        title
            .into_iter()
            .chain(self.aliases.iter().map(String::as_str))
    }

    /// When it is due, if it is a reminder.
    pub fn reminder(&self) -> Option<Reminder> {
        self.reminder.as_deref().copied()
    }

    /// Returns when its time in the inbox ends: from then on it counts as archived. An ingested note stays while its
    /// source exists.
    pub fn expires_at(&self) -> Option<Timestamp> {
        if self.origin.is_none() {
            self.standing.expires_at()
        } else {
            None
        }
    }

    /// Says whether it counts as archived: its time in the inbox has ended.
    pub fn is_expired(&self, now: Timestamp) -> bool {
        self.expires_at().is_some_and(|at| at <= now)
    }

    pub fn phase(&self) -> Phase {
        self.standing.phase()
    }

    pub fn category(&self) -> Category {
        self.standing.category()
    }
}

/// Times as numbers: a catalogue has thousands of them to read.
mod nanoseconds {
    use memory_core::Timestamp;
    use serde::{Deserialize, Deserializer, Serializer, de};

    pub(super) fn serialize<S: Serializer>(at: &Timestamp, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_i128(at.as_nanosecond())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Timestamp, D::Error> {
        Timestamp::from_nanosecond(i128::deserialize(from)?).map_err(de::Error::custom)
    }
}
