//! Records to read by address. Reading here counts as no access.

use memory_core::{Code, Content, Error, Json, Resource, Result};
use serde_json::value::RawValue;

use crate::filter::Sort;
use crate::format::render;
use crate::store::Store;
use crate::{Record, Status, Type, limits};

const JSON: &str = "application/json";

/// What a model is told of the journal.
pub(crate) const GUIDE: &str = "\
The journal keeps typed records: core (facts and preferences that stay), learning (insights, archived after 90 days \
without access) and task (what was done, is in progress or is blocked). Store what a later session should know, one \
fact a record, with tags; update a task when its status changes instead of storing a second one.";

/// An address, its name, what it shows, and how many of them.
type Shown = (&'static str, &'static str, &'static str);

const RESOURCES: [Shown; 5] = [
    (
        "memory://recent",
        "recent records",
        "The records of the journal that changed last",
    ),
    (
        "memory://core",
        "core memories",
        "Facts and preferences that stay",
    ),
    (
        "memory://learnings",
        "learnings",
        "What was learned, the latest first",
    ),
    (
        "memory://tasks/active",
        "active tasks",
        "Tasks that are in progress or blocked",
    ),
    (
        "memory://tasks/completed",
        "completed tasks",
        "Tasks that are done, the latest first",
    ),
];

pub(crate) fn all() -> Vec<Resource> {
    let resource = |(uri, name, description): &Shown| Resource {
        uri: (*uri).to_owned(),
        name: (*name).to_owned(),
        description: (*description).to_owned(),
        mime_type: JSON,
    };
    RESOURCES.iter().map(resource).collect()
}

pub(crate) fn read(store: &Store, uri: &str) -> Result<Option<Content>> {
    let (most, is_shown): (usize, fn(&Record) -> bool) = match uri {
        "memory://recent" => (limits::RECENT, |_| true),
        "memory://core" => (limits::CORE_COUNT, |record| record.kind() == Type::Core),
        "memory://learnings" => (limits::RESOURCE_RECORDS, |record| {
            record.kind() == Type::Learning
        }),
        "memory://tasks/active" => (limits::RESOURCE_RECORDS, |record| {
            record.kind() == Type::Task && !is_completed(record)
        }),
        "memory://tasks/completed" => (limits::RESOURCE_RECORDS, is_completed),
        _ => return Ok(None),
    };
    let live = store.look();
    let mut records: Vec<&Record> = live.records().filter(|record| is_shown(record)).collect();
    Sort::UpdatedAt.order(&mut records);
    let shown = records
        .iter()
        .take(most)
        .filter_map(|record| RawValue::from_string(render(record)).ok());
    let listed = Listed {
        records: shown.collect(),
        total: records.len(),
    };
    let unwritable =
        |flaw| Error::new(Code::IoError, "The records could not be written").because(flaw);
    let text = Json::of(&listed).map_err(unwritable)?.pretty();
    Ok(Some(Content {
        mime_type: JSON,
        text,
    }))
}

fn is_completed(record: &Record) -> bool {
    record.progress().map(|progress| progress.status()) == Some(Status::Completed)
}

/// What a resource shows.
#[derive(serde::Serialize)]
struct Listed {
    records: Vec<Box<RawValue>>,
    total: usize,
}
