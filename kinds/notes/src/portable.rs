//! A note on one line of JSON, with all that its file has.

use memory_core::{Timestamp, instant, parse_instant};
use serde::{Deserialize, Serialize};

use crate::note::{Note, Origin, Reminder, Standing};
use crate::{Category, NoteId, NoteScope, Phase};

/// One line of an export. Only the content must be there.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Portable {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    content: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    content_hash: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    phase: Option<Phase>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    category: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    scope: Option<String>,
    #[serde(default)]
    tags: Option<Vec<String>>,
    #[serde(default)]
    source: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    created_at: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    updated_at: Option<String>,
    #[serde(default)]
    expires_at: Option<String>,
    #[serde(default)]
    access_count: Option<u64>,
    #[serde(default)]
    links: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    version: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    due_at: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    notified_at: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    acknowledged_at: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    reminded: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    source_path: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    source_hash: Option<String>,
    /// Front matter that we do not know, as it is written.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    front_matter: String,
}

impl Portable {
    pub(crate) fn of(note: &Note) -> Self {
        let ids = note.links.iter().map(|id| id.as_str().to_owned());
        let reminder = note.reminder;
        Portable {
            id: Some(note.id.to_string()),
            content: note.content.clone(),
            content_hash: Some(note.content_hash().to_string()),
            phase: Some(note.standing.phase()),
            category: Some(note.standing.category().to_string()),
            scope: Some(note.scope.to_string()),
            tags: Some(note.tags.clone()),
            source: Some(note.source.clone()),
            created_at: Some(instant(note.created_at)),
            updated_at: Some(instant(note.updated_at)),
            expires_at: note.standing.expires_at().map(instant),
            access_count: Some(note.access_count),
            links: Some(ids.chain(note.other_links.iter().cloned()).collect()),
            version: Some(note.version),
            due_at: reminder.map(|reminder| instant(reminder.due_at)),
            notified_at: reminder
                .and_then(|reminder| reminder.notified_at)
                .map(instant),
            acknowledged_at: reminder
                .and_then(|reminder| reminder.acknowledged_at)
                .map(instant),
            reminded: note.reminded.clone(),
            source_path: note.origin.as_ref().map(|origin| origin.path.clone()),
            source_hash: note.origin.as_ref().map(|origin| origin.hash.clone()),
            front_matter: note.unknown.clone(),
        }
    }

    /// Says whether the line tells which note it is.
    pub(crate) fn has_id(&self) -> bool {
        self.id.is_some()
    }

    /// Says whether the line tells when the note was written or changed.
    pub(crate) fn has_time(&self) -> bool {
        self.created_at.is_some() || self.updated_at.is_some()
    }

    /// Returns the note, or says what is wrong with the line. `new_id` is for a line without one.
    pub(crate) fn into_note(self, new_id: NoteId, now: Timestamp) -> Result<Note, String> {
        let id = self
            .id
            .as_deref()
            .map(NoteId::parse)
            .transpose()
            .map_err(|bad| bad.to_string())?;
        let category = self
            .category
            .as_deref()
            .map(str::parse::<Category>)
            .transpose();
        let category = category
            .map_err(|bad| bad.to_string())?
            .unwrap_or(Category::Inbox);
        let expires_at = time("expires_at", self.expires_at.as_deref())?;
        let standing = match category {
            Category::Inbox => Standing::Inbox { expires_at },
            category => Standing::Organized { category },
        };
        if self.content.trim().is_empty() {
            return Err("it has no content".to_owned());
        }
        let created_at = time("created_at", self.created_at.as_deref())?;
        let updated_at = time("updated_at", self.updated_at.as_deref())?;
        let mut note = Note::new(
            id.unwrap_or(new_id),
            self.content,
            standing,
            created_at.or(updated_at).unwrap_or(now),
        );
        note.updated_at = updated_at.unwrap_or(note.created_at);
        let scope = self
            .scope
            .as_deref()
            .map(str::parse::<NoteScope>)
            .transpose();
        note.scope = scope.map_err(|bad| bad.to_string())?.unwrap_or_default();
        let mut tags = self.tags.unwrap_or_default();
        tags.retain(|tag| !tag.is_empty());
        note.add_tags(&tags);
        note.source = self.source.unwrap_or_default();
        note.access_count = self.access_count.unwrap_or_default();
        for link in self.links.unwrap_or_default() {
            match NoteId::parse(&link) {
                Ok(id) => {
                    note.add_link(&id);
                }
                Err(_) if link.is_empty() || note.other_links.contains(&link) => {}
                Err(_) => note.other_links.push(link),
            }
        }
        note.version = self.version.unwrap_or(1);
        note.reminder = match time("due_at", self.due_at.as_deref())? {
            None => None,
            Some(due_at) => Some(Reminder {
                due_at,
                notified_at: time("notified_at", self.notified_at.as_deref())?,
                acknowledged_at: time("acknowledged_at", self.acknowledged_at.as_deref())?,
            }),
        };
        note.reminded = self.reminded;
        let hash = self.source_hash.unwrap_or_default();
        note.origin = self.source_path.map(|path| Origin { path, hash });
        note.unknown = self.front_matter;
        if !note.unknown.is_empty() && !note.unknown.ends_with('\n') {
            note.unknown.push('\n');
        }
        Ok(note)
    }
}

fn time(name: &str, text: Option<&str>) -> Result<Option<Timestamp>, String> {
    let Some(text) = text else { return Ok(None) };
    parse_instant(text)
        .map(Some)
        .ok_or_else(|| format!("its {name} cannot be '{text}'"))
}
