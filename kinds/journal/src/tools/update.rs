//! `update_memory`: changes what a record says. What it said can be brought back.

use memory_core::{Call, Change, Done, Json};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::add::only_tasks;
use super::fields::{TaskFields, check_secrets};
use super::shown;
use crate::change::{Edit, Room};
use crate::document::document;
use crate::format::render;
use crate::record::{Category, Content, Matter, Tags};
use crate::store::{Place, Store};
use crate::{Importance, JournalError, Record, Status, Type, archive};

#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    /// The record's id, or its first characters (at least 4)
    pub id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// An empty value removes the category
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// New tags, replacing all
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tags: Option<Vec<String>>,
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

impl Params {
    fn task(&self) -> TaskFields {
        let (outcome, blockers) = (self.outcome.clone(), self.blockers.clone());
        TaskFields {
            status: self.status,
            outcome,
            blockers,
        }
    }

    fn changes_nothing(&self) -> bool {
        let is_said = [
            self.content.is_some(),
            self.category.is_some(),
            self.tags.is_some(),
        ];
        !is_said.contains(&true) && self.importance.is_none() && self.task().is_empty()
    }
}

pub fn run(store: &Store, call: &Call<'_>, params: Params) -> Result<Done<Json>, JournalError> {
    if params.changes_nothing() {
        return Err(JournalError::bad("There is nothing to change"));
    }
    let task = params.task();
    let texts = params
        .content
        .iter()
        .chain(&params.category)
        .chain(params.tags.iter().flatten());
    check_secrets(
        texts.map(String::as_str).chain(task.texts()),
        params.allow_secret,
    )?;
    // Looked at beforehand: what is not there makes neither a folder nor a lock.
    require_live(store, &store.look_for_change()?.files, &params.id)?;
    let held = store.hold(call.now)?;
    let mut live = store.look_for_change()?;
    let place = require_live(store, &live.files, &params.id)?;
    let record = updated(place.record, &params, call)?;
    let edit = Edit {
        after: Some(render(&record)),
        ..archive::removal(place)
    };
    let grows = (render(&record).len() as u64).saturating_sub(edit.before.len() as u64);
    if grows > 0 && record.kind() == Type::Core {
        store.check_room(
            Type::Core,
            Room {
                count: 0,
                bytes: place.loaded.bytes(),
            },
            grows,
        )?;
    }
    let what = format!("update record '{}'", record.title());
    store.commit(&held, &mut live.files, &[edit], (what, call.by), call.now)?;
    Ok(Done::changed(
        shown(&record)?,
        vec![Change::kept(document(&record))],
    ))
}

/// Returns the live record that is meant.
pub(super) fn require_live<'l>(
    store: &Store,
    files: &'l [crate::store::Loaded],
    id: &str,
) -> Result<Place<'l>, JournalError> {
    if let Some(place) = store
        .find(files, id)?
        .filter(|place| !place.record.archived)
    {
        return Ok(place);
    }
    match store.find(&store.archives()?, id)? {
        Some(place) => Err(JournalError::Archived {
            id: place.record.id.to_string(),
        }),
        None => Err(JournalError::NoRecord { id: id.to_owned() }),
    }
}

fn updated(before: &Record, params: &Params, call: &Call<'_>) -> Result<Record, JournalError> {
    let mut record = Record {
        updated_at: call.now,
        ..before.clone()
    };
    if let Some(content) = &params.content {
        record.content = Content::parse(content)?;
    }
    if let Some(category) = &params.category {
        record.category = Some(category)
            .filter(|c| !c.is_empty())
            .map(|c| Category::parse(c))
            .transpose()?;
    }
    if let Some(tags) = &params.tags {
        record.tags = Tags::parse(tags)?;
    }
    record.importance = params.importance.unwrap_or(before.importance);
    let task = params.task();
    if !task.is_empty() {
        record.matter = match &before.matter {
            Matter::Task(known) => Matter::Task(task.apply(known.as_ref(), call.now)?),
            _ => return Err(only_tasks(before.kind())),
        };
    }
    Ok(record)
}
