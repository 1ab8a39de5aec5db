//! `archive`: moves what has rested long enough to the archive of the quarter.

use memory_core::{Call, Change, Done};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::document::address;
use crate::store::Store;
use crate::{JournalError, Record, RecordId, Type, archive};

#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    #[serde(default)]
    pub dry_run: bool,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Reply {
    pub archived: Vec<Moved>,
    pub dry_run: bool,
}

/// A record that goes to the archive, and why.
#[derive(Debug, Serialize, Deserialize)]
pub struct Moved {
    pub id: String,
    #[serde(rename = "type")]
    pub kind: Type,
    pub title: String,
    pub reason: String,
    pub path: String,
}

/// The types that are archived unasked.
const KINDS: [Type; 2] = [Type::Learning, Type::Task];

pub fn run(store: &Store, call: &Call<'_>, params: Params) -> Result<Done<Reply>, JournalError> {
    let records: Vec<Record> = if params.dry_run {
        store
            .due(&store.look_for_change()?, &KINDS, call.now)
            .iter()
            .map(|place| place.record.clone())
            .collect()
    } else {
        store.archive_due(&KINDS, call.by, call.now)?
    };
    let moved = |record: &Record| Moved {
        id: record.id.to_string(),
        kind: record.kind(),
        title: record.title(),
        reason: match record.kind() {
            Type::Learning => format!(
                "not accessed since {}",
                memory_core::instant(record.accessed_at)
            ),
            _ => "completed 30 days ago or longer".to_owned(),
        },
        path: archive::path(record.kind(), call.now),
    };
    let gone = |id: &RecordId| Change::gone(address(id));
    let changes = if params.dry_run {
        Vec::new()
    } else {
        records.iter().map(|record| gone(&record.id)).collect()
    };
    let reply = Reply {
        archived: records.iter().map(moved).collect(),
        dry_run: params.dry_run,
    };
    Ok(Done::changed(reply, changes))
}
