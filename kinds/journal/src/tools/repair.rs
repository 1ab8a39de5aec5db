//! `repair`: looks for damage in every file, and mends it.

use memory_core::{Call, Change, Done, Rehearsal};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::repair::{Finding, Health, examine};
use crate::store::Store;
use crate::{JournalError, document};

#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    #[serde(default)]
    pub check_only: bool,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Reply {
    /// Whether every file is sound now.
    pub healthy: bool,
    pub files: Vec<Finding>,
}

pub fn run(store: &Store, call: &Call<'_>, params: Params) -> Result<Done<Reply>, JournalError> {
    let files = examine(store, call.now, Rehearsal::dry_if(params.check_only))?;
    let is_sound = |found: &Finding| matches!(found.status, Health::Ok | Health::Repaired);
    let changes = if files.iter().any(|found| found.status == Health::Repaired) {
        document::all(store)
            .good
            .into_iter()
            .map(Change::kept)
            .collect()
    } else {
        Vec::new()
    };
    Ok(Done::changed(
        Reply {
            healthy: files.iter().all(is_sound),
            files,
        },
        changes,
    ))
}
