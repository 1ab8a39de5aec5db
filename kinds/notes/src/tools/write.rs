//! `write`: keeps something to remember.

use memory_core::{Call, Change, Done, find_secret};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::archive::renew;
use crate::change::{Recall, Work};
use crate::document::document;
use crate::dream::due_of;
use crate::store::Store;
use crate::tools::{check_tag_count, checked_tags};
use crate::{Category, Note, NoteError, NoteId, NoteScope, Phase, Standing, limits};

#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    /// Markdown
    pub content: String,
    /// Default: the inbox
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// global (default) or agent:NAME
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    /// Your name, such as claude
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Create a second note even if one with the same content exists.
    #[serde(default)]
    #[schemars(skip)]
    pub new: bool,
    #[serde(default)]
    #[schemars(skip)]
    pub allow_secret: bool,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Reply {
    pub id: String,
    pub phase: Phase,
    pub category: Category,
    pub path: String,
    /// False when the same content was there already.
    pub created: bool,
    /// When it will remind, if it is a reminder with a time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due_at: Option<String>,
    /// What the caller should know.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warning: Option<String>,
}

/// Returns what to say of a reminder that has no time.
pub(crate) fn timeless_warning(note: &Note) -> Option<String> {
    let is_timeless = note.standing.category() == Category::Reminders && note.reminder.is_none();
    is_timeless
        .then(|| "No time was recognized: the reminder is saved, but will never be due".to_owned())
}

pub fn run(store: &Store, call: &Call<'_>, params: Params) -> Result<Done<Reply>, NoteError> {
    let mut note = new_note(store, call, &params)?;
    let held = store.hold()?;
    if let Some(path) = store.add_unlooked(&held, &note, params.new)? {
        let changes = vec![Change::kept(document(&note))];
        return Ok(Done::changed(reply(store, &note, &path, true), changes));
    }
    let mut work = store.work_with(held, call.now)?;
    note.id = work.new_id();
    let twin = if params.new {
        None
    } else {
        find_twin(&work, &note)
    };
    let created = twin.is_none();
    let tags_before = twin
        .as_ref()
        .and_then(|id| work.card(id))
        .map_or(0, |card| card.tags.len());
    let id = match twin {
        Some(id) => {
            join(&mut work, &id, &note)?;
            id
        }
        None => {
            let id = note.id.clone();
            work.add(note);
            id
        }
    };
    let kept = work.note(&id)?;
    check_tag_count(kept.tags.len(), tags_before)?;
    let reply = reply(store, &kept, &work.path(&id), created);
    let changes: Vec<Change> = work.commit(Recall::Nothing)?;
    Ok(Done::changed(reply, changes))
}

fn reply(store: &Store, note: &Note, path: &str, created: bool) -> Reply {
    Reply {
        id: note.id.to_string(),
        phase: note.standing.phase(),
        category: note.standing.category(),
        path: store.root.join(path).path().display().to_string(),
        created,
        due_at: note
            .reminder
            .map(|reminder| memory_core::instant(reminder.due_at)),
        warning: timeless_warning(note),
    }
}

/// Checks the parameters and makes a note of them.
fn new_note(store: &Store, call: &Call<'_>, params: &Params) -> Result<Note, NoteError> {
    let category = params
        .category
        .as_deref()
        .map(str::parse::<Category>)
        .transpose()?;
    let content = params.content.trim_end_matches(['\n', '\r']);
    check_content(content)?;
    let standing = Standing::of_new(category, store.settings.inbox_ttl, call.now);
    let mut note = Note::new(store.new_id(), content.to_owned(), standing, call.now);
    note.tags = checked_tags(&params.tags)?;
    check_tag_count(note.tags.len(), 0)?;
    note.scope = params
        .scope
        .as_deref()
        .map(str::parse)
        .transpose()?
        .unwrap_or(NoteScope::Global);
    note.source = checked_source(params.source.as_deref())?;
    check_secrets(&note, params.allow_secret)?;
    if category == Some(Category::Reminders) {
        note.reminder = due_of(content, call.now, &store.settings.zone);
    }
    Ok(note)
}

/// Refuses content that is nothing or too large.
fn check_content(content: &str) -> Result<(), NoteError> {
    if content.trim().is_empty() {
        return Err(NoteError::bad("A note needs content"));
    }
    if content.len() > limits::CONTENT_BYTES {
        let (size, limit) = (content.len(), limits::CONTENT_BYTES);
        return Err(NoteError::TooLarge {
            what: "The content",
            unit: "bytes",
            size,
            limit,
        });
    }
    Ok(())
}

/// Refuses a note with a credential that nobody meant to keep.
pub(crate) fn check_secrets(note: &Note, allow_secret: bool) -> Result<(), NoteError> {
    let scope = note.scope.to_string();
    let texts = [note.content.as_str(), note.source.as_str(), scope.as_str()];
    match texts
        .into_iter()
        .chain(note.tags.iter().map(String::as_str))
        .find_map(find_secret)
    {
        Some(what) if !allow_secret => Err(NoteError::Secret { what }),
        _ => Ok(()),
    }
}

pub(crate) fn checked_source(source: Option<&str>) -> Result<String, NoteError> {
    let source = source.unwrap_or_default().trim();
    let is_one_line = !source.contains(char::is_control);
    if is_one_line && source.chars().count() <= limits::SOURCE_CHARS {
        Ok(source.to_owned())
    } else {
        Err(NoteError::bad(format!(
            "A source is a name of at most {} characters on one line",
            limits::SOURCE_CHARS
        )))
    }
}

/// Finds a note of the same content in the same scope. A reminder and its source are two things.
fn find_twin(work: &Work<'_>, note: &Note) -> Option<NoteId> {
    let hash = note.content_hash();
    let is_reminder = |category| category == Category::Reminders;
    let mut twins = work.shelf().with_content(hash).filter(|card| {
        card.scope == note.scope
            && is_reminder(card.category()) == is_reminder(note.standing.category())
    });
    twins.next().map(|card| card.id.clone())
}

/// Gives a note that is there already what the new one would have had: tags, and a category.
fn join(work: &mut Work<'_>, id: &NoteId, new: &Note) -> Result<(), NoteError> {
    let now = work.now;
    work.edit(id, |note| {
        let has_new_tags = note.add_tags(&new.tags);
        let is_sorted_now =
            note.standing.phase() == Phase::Inbox && new.standing.phase() == Phase::Organized;
        if is_sorted_now {
            note.standing = new.standing;
            note.reminder = note.reminder.or(new.reminder);
        }
        if has_new_tags || is_sorted_now {
            note.touch(now);
        }
    })?;
    // One that has expired counts as archived: writing it again makes it current.
    renew(work, id)
}
