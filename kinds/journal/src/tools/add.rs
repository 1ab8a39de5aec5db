//! `store_memory`: adds a record at the end of its file.

use memory_core::{Actor, Call, Change, Done, Json};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::fields::{TaskFields, check_secrets};
use super::shown_with;
use crate::document::document;
use crate::record::{Category, Content, Extra, Matter, Tags};
use crate::store::Store;
use crate::{Importance, JournalError, Record, RecordId, Statistics, Status, Type, limits};

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    /// core: facts that stay; learning: insights; task: work done, in progress or blocked
    #[serde(rename = "type")]
    pub kind: Type,
    /// What to remember, 1 to 5000 characters
    pub content: String,
    /// Category, up to 50 characters
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// Up to 10 tags of up to 30 characters each
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Default: medium
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub importance: Option<Importance>,
    /// For tasks
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<Status>,
    /// Outcome of a completed task
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<String>,
    /// What blocks a blocked task
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blockers: Option<Vec<String>>,
    #[serde(default)]
    #[schemars(skip)]
    pub allow_secret: bool,
}

pub fn run(store: &Store, call: &Call<'_>, params: Params) -> Result<Done<Json>, JournalError> {
    let kind = params.kind;
    let task = TaskFields {
        status: params.status,
        outcome: params.outcome,
        blockers: params.blockers,
    };
    let texts = [params.content.as_str()]
        .into_iter()
        .chain(params.category.as_deref());
    check_secrets(
        texts
            .chain(params.tags.iter().map(String::as_str))
            .chain(task.texts()),
        params.allow_secret,
    )?;
    let id = store.files.new_id();
    let record = Record {
        id: RecordId::parse(&id)
            .ok_or_else(|| JournalError::bad(format!("'{id}' is not a valid id")))?,
        matter: matter(kind, task, call)?,
        content: Content::parse(&params.content)?,
        category: params
            .category
            .as_deref()
            .map(Category::parse)
            .transpose()?,
        created_at: call.now,
        updated_at: call.now,
        accessed_at: call.now,
        access_count: 0,
        tags: Tags::parse(&params.tags)?,
        importance: params.importance.unwrap_or(Importance::Medium),
        archived: false,
        extra: Extra::new(),
    };
    let statistics = store.add(&record, call.now)?;
    let (warnings, archived) = make_room(store, call, kind, &statistics);
    let mut changes = vec![Change::kept(document(&record))];
    changes.extend(
        archived
            .iter()
            .map(|record| Change::gone(crate::document::address(&record.id))),
    );
    Ok(Done::changed(shown_with(&record, &warnings)?, changes))
}

fn matter(kind: Type, task: TaskFields, call: &Call<'_>) -> Result<Matter, JournalError> {
    match kind {
        Type::Task => Ok(Matter::Task(task.apply(None, call.now)?)),
        _ if !task.is_empty() => Err(only_tasks(kind)),
        Type::Core => Ok(Matter::Core),
        Type::Learning => Ok(Matter::Learning),
    }
}

pub(super) fn only_tasks(kind: Type) -> JournalError {
    JournalError::BadArgument {
        problem: format!("A record of type {kind} has no status, outcome or blockers"),
        hint: Some("Only tasks have them".to_owned()),
    }
}

/// The limits of a type's file: how many records, and how many bytes.
fn limits_of(kind: Type) -> (usize, u64) {
    match kind {
        Type::Core => (limits::CORE_COUNT, limits::CORE_BYTES),
        Type::Learning => (limits::LEARNING_COUNT, limits::LEARNING_BYTES),
        Type::Task => (limits::TASK_COUNT, limits::TASK_BYTES),
    }
}

/// Sees to a file that has reached its limit: archives what is due, and tells what is left to do.
///
/// The record is kept already; nothing of this can fail the call.
fn make_room(
    store: &Store,
    call: &Call<'_>,
    kind: Type,
    statistics: &Statistics,
) -> (Vec<String>, Vec<Record>) {
    let (most, most_bytes) = limits_of(kind);
    let bytes = || {
        store
            .files
            .stamp(&store.root.join(kind.file()))
            .ok()
            .flatten()
            .map_or(0, |stamp| stamp.size)
    };
    let is_reached = |count: usize| match kind {
        Type::Core => count >= most,
        _ => count > most || bytes() > most_bytes,
    };
    let count = statistics.by_type.of(kind);
    if !is_reached(count) {
        return (Vec::new(), Vec::new());
    }
    let archived = match kind {
        Type::Core => Vec::new(),
        _ => store
            .archive_due(&[kind], Actor::Daemon, call.now)
            .unwrap_or_default(),
    };
    let left = count.saturating_sub(archived.len());
    let mut warnings = Vec::new();
    if is_reached(left) {
        let (hard, such) = (
            kind == Type::Core,
            store.candidates(kind, &store.look()).join(", "),
        );
        let limit = if hard { "limit" } else { "soft limit" };
        warnings.push(format!(
            "{} has {left} memories in {} bytes; the {limit} is {most} in {most_bytes}. The least used: {such}",
            kind.file(),
            bytes()
        ));
    }
    (warnings, archived)
}
