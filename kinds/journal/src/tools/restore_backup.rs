//! `restore_backup`: puts a copy back in the place of its file, of which a copy is made first.

use std::collections::BTreeSet;

use memory_core::{Call, Change, Done};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::document::{address, document};
use crate::repair::has_records;
use crate::store::{BACKUPS, Store};
use crate::{JournalError, Record, Type, limits};

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    pub name: String,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Reply {
    pub restored: String,
    pub file: String,
    pub records: usize,
    /// The copy of what was there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub backup: Option<String>,
}

pub fn run(store: &Store, call: &Call<'_>, params: Params) -> Result<Done<Reply>, JournalError> {
    let none = || JournalError::NoBackup {
        name: params.name.clone(),
    };
    let of = |kind: &Type| {
        params
            .name
            .strip_prefix(kind.file())
            .is_some_and(|rest| rest.starts_with(".backup."))
    };
    let kind = Type::ALL.into_iter().find(of).ok_or_else(none)?;
    if params.name.contains('/') {
        return Err(none());
    }
    let folder = store.root.join(BACKUPS);
    store
        .files
        .stamp(&folder.join(&params.name))?
        .ok_or_else(none)?;
    let held = store.hold(call.now)?;
    // Read first: making room for the new copy may take this one away.
    let seen = store
        .files
        .read(&folder.join(&params.name), limits::READ_BYTES)?
        .ok_or_else(none)?;
    if !seen.bytes.trim_ascii().is_empty() && !has_records(&seen.bytes) {
        let path = format!("{BACKUPS}/{}", params.name);
        return Err(JournalError::Damaged {
            path,
            problem: "it has no record that can be read".to_owned(),
        });
    }
    let before = store.load(kind.file())?;
    let copy = store.back_up(kind.file(), call.now)?;
    let at = store.root.join(kind.file());
    held.commit(held.draft(&at, &seen.bytes)?, None, None)?;
    store.renew_index(None, call.now)?;
    let after = store.load(kind.file())?;
    let records: Vec<&Record> = after.records().map(|(_, record)| record).collect();
    let ids: BTreeSet<&str> = records.iter().map(|record| record.id.as_str()).collect();
    let gone = before
        .records()
        .filter(|(_, record)| !ids.contains(record.id.as_str()));
    let mut changes: Vec<Change> = gone
        .map(|(_, record)| Change::gone(address(&record.id)))
        .collect();
    changes.extend(
        records
            .iter()
            .filter(|r| !r.archived)
            .map(|record| Change::kept(document(record))),
    );
    let reply = Reply {
        restored: params.name.clone(),
        file: kind.file().to_owned(),
        records: records.len(),
        backup: copy.map(|copy| copy.name().to_string_lossy().into_owned()),
    };
    Ok(Done::changed(reply, changes))
}
