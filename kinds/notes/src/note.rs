//! One thing to remember: its content, and what is known of it.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

use memory_core::{Span, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{Category, NoteId, NoteScope, format};

/// A note, as the front matter of its file describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    pub id: NoteId,
    pub content: String,
    pub standing: Standing,
    pub scope: NoteScope,
    /// In the order they were given, without duplicates.
    pub tags: Vec<String>,
    /// Who wrote it: claude, logseq, …
    pub source: String,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub access_count: u64,
    /// Related notes. A note that is linked links back.
    pub links: Vec<NoteId>,
    /// What a hand has put among the links and is no id: kept as it is.
    pub other_links: Vec<String>,
    pub version: u64,
    /// When it is due, if it is a reminder.
    pub reminder: Option<Reminder>,
    /// The times it speaks of that were made reminders of, so that none is made twice.
    pub reminded: Vec<String>,
    /// The foreign file that it was taken from.
    pub origin: Option<Origin>,
    /// Front matter that we do not know, as it was written.
    pub unknown: String,
}

/// When to remind, and what has come of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Reminder {
    pub due_at: Timestamp,
    /// Set once it was pushed, which happens once.
    pub notified_at: Option<Timestamp>,
    pub acknowledged_at: Option<Timestamp>,
}

impl Reminder {
    /// A reminder that nobody has heard of yet.
    pub fn due(due_at: Timestamp) -> Self {
        Reminder {
            due_at,
            notified_at: None,
            acknowledged_at: None,
        }
    }

    /// Says whether it waits to be acknowledged.
    pub fn is_pending(&self) -> bool {
        self.notified_at.is_some() && self.acknowledged_at.is_none()
    }
}

/// Where an ingested note came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    pub path: String,
    /// Hash of what was taken from there, to see whether the file has changed since.
    pub hash: String,
}

/// How far a note has come, and what follows from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Standing {
    /// Newly written: it waits to be sorted, and expires if nobody cares.
    Inbox { expires_at: Option<Timestamp> },
    /// Sorted into a category, to stay.
    Organized { category: Category },
}

/// The two phases of specification 001.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    Inbox,
    Organized,
}

impl Phase {
    /// Returns the word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Phase::Inbox => "inbox",
            Phase::Organized => "organized",
        }
    }
}

impl Standing {
    /// Returns where a new note stands: in its category, or in the inbox for a while.
    pub fn of_new(category: Option<Category>, inbox_ttl: Span, now: Timestamp) -> Self {
        match category {
            None | Some(Category::Inbox) => Standing::Inbox {
                expires_at: Some(inbox_ttl.after(now)),
            },
            Some(category) => Standing::Organized { category },
        }
    }

    pub fn phase(self) -> Phase {
        match self {
            Standing::Inbox { .. } => Phase::Inbox,
            Standing::Organized { .. } => Phase::Organized,
        }
    }

    pub fn category(self) -> Category {
        match self {
            Standing::Inbox { .. } => Category::Inbox,
            Standing::Organized { category } => category,
        }
    }

    pub fn expires_at(self) -> Option<Timestamp> {
        match self {
            Standing::Inbox { expires_at } => expires_at,
            Standing::Organized { .. } => None,
        }
    }
}

impl Note {
    /// Returns a new note that nobody has read or linked yet.
    pub fn new(id: NoteId, content: String, standing: Standing, now: Timestamp) -> Self {
        Note {
            id,
            content,
            standing,
            scope: NoteScope::Global,
            tags: vec![],
            source: String::new(),
            created_at: now,
            updated_at: now,
            access_count: 0,
            links: vec![],
            other_links: vec![],
            version: 1,
            reminder: None,
            reminded: vec![],
            origin: None,
            unknown: String::new(),
        }
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

    /// Says that the note is different now.
    pub fn touch(&mut self, now: Timestamp) {
        self.updated_at = now;
        self.version += 1;
    }

    /// Links to another note; says whether it did not before.
    pub fn add_link(&mut self, to: &NoteId) -> bool {
        let is_new = *to != self.id && !self.links.contains(to);
        if is_new {
            self.links.push(to.clone());
        }
        is_new
    }

    /// Takes a link away; says whether there was one.
    pub fn drop_link(&mut self, to: &NoteId) -> bool {
        let before = self.links.len();
        self.links.retain(|link| link != to);
        self.links.len() < before
    }

    /// Returns what tells this content from any other.
    pub fn content_hash(&self) -> ContentHash {
        ContentHash::of(&self.content)
    }

    /// Returns the note's title: the one in its front matter, else its first line that is not blank, without heading
    /// marks.
    pub fn title(&self) -> Cow<'_, str> {
        format::title(&self.unknown).map_or_else(|| Cow::Borrowed(self.first_line()), Cow::Owned)
    }

    fn first_line(&self) -> &str {
        first_line(&self.content)
    }

    /// Returns what the note is searched by and shown as in prompts: its content, below the title and the aliases
    /// that its front matter gives and its first line does not.
    pub fn text(&self) -> Cow<'_, str> {
        titled(
            format::title(&self.unknown).as_deref(),
            &format::aliases(&self.unknown),
            &self.content,
        )
    }

    /// Adds names by which others may find the note: the first is its title if it has none, the others are aliases.
    pub(crate) fn add_names(&mut self, names: impl IntoIterator<Item = String>) {
        let first_line = self.first_line().to_owned();
        for name in names {
            let title = format::title(&self.unknown);
            let mut aliases = format::aliases(&self.unknown);
            if name == first_line || Some(&name) == title.as_ref() || aliases.contains(&name) {
                continue;
            }
            if title.is_none() && aliases.is_empty() {
                self.unknown.push_str(&format!(
                    "title: {}\n",
                    memory_text::yaml::write_scalar(&name)
                ));
            } else {
                aliases.push(name);
                self.unknown = format::with_aliases(&self.unknown, &aliases);
            }
        }
    }

    /// Adds tags that are not there yet; says whether there were any.
    pub fn add_tags(&mut self, tags: &[String]) -> bool {
        let before = self.tags.len();
        self.tags = unique(
            std::mem::take(&mut self.tags)
                .into_iter()
                .chain(tags.iter().cloned()),
        );
        self.tags.len() > before
    }
}

/// Returns a content below its title, unless its first line says it, and its other names.
pub(crate) fn titled<'c>(
    title: Option<&str>,
    aliases: &[String],
    content: &'c str,
) -> Cow<'c, str> {
    let title = title.filter(|title| *title != first_line(content));
    let aliases = aliases.join(", ");
    let heading = match (title, aliases.is_empty()) {
        (None, true) => return Cow::Borrowed(content),
        (None, false) => format!("({aliases})"),
        (Some(title), true) => title.to_owned(),
        (Some(title), false) => format!("{title} ({aliases})"),
    };
    Cow::Owned(format!("{heading}\n\n{content}"))
}

fn first_line(content: &str) -> &str {
    let first = content.lines().map(str::trim).find(|line| !line.is_empty());
    first.unwrap_or_default().trim_start_matches('#').trim()
}

/// Returns items in their order, each once and none empty.
pub(crate) fn unique(items: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut seen = HashSet::new();
    items
        .into_iter()
        .filter(|item| !item.is_empty() && seen.insert(item.clone()))
        .collect()
}

/// The SHA-256 of a content, by which two notes are known to say the same. Shown in hexadecimal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ContentHash([u8; 32]);

impl ContentHash {
    /// Returns the hash of a content.
    pub fn of(content: &str) -> Self {
        ContentHash(Sha256::digest(content.as_bytes()).into())
    }

    pub(crate) fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let halves = self.0.iter().flat_map(|byte| [byte >> 4, byte & 15]);
        let digits: String = halves
            .map(|half| char::from(DIGITS[usize::from(half)]))
            .collect();
        f.write_str(&digits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_is_the_sha_256_of_the_content() {
        let hash = ContentHash::of("abc").to_string();
        assert_eq!(
            hash,
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }

    #[test]
    fn a_note_with_a_category_stays_and_one_without_expires() {
        let now = memory_core::parse_instant("2026-05-07T10:00:00Z").unwrap();
        let week = Span::seconds(7 * 86_400);
        let inbox = Standing::of_new(None, week, now);
        assert_eq!(inbox.phase(), Phase::Inbox);
        assert_eq!(
            inbox.expires_at().unwrap().to_string(),
            "2026-05-14T10:00:00Z"
        );
        let kept = Standing::of_new(Some(Category::Lessons), week, now);
        assert_eq!(
            (kept.phase(), kept.category(), kept.expires_at()),
            (Phase::Organized, Category::Lessons, None)
        );
    }
}
