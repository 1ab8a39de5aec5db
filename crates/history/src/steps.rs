//! The steps that can be undone.

use std::collections::HashSet;

use memory_core::{Step, Timestamp};
use memory_storage::{Storage, StorageError, StoredRecord};

/// Returns the steps of a store that can be undone, newest first. A step that was undone is left out, and so is its undo, which
/// [`undo`](crate::undo()) takes back by its id.
pub fn steps(storage: &dyn Storage, kind: &str) -> Result<Vec<Step>, StorageError> {
    let records = storage.records()?;
    let reverted = reverted(&records);
    let is_open = |stored: &&StoredRecord| {
        !stored.record.entries.is_empty()
            && stored.record.reverts.is_none()
            && !reverted.contains(stored.step.as_str())
    };
    Ok(records
        .iter()
        .rev()
        .filter(is_open)
        .map(|stored| step_of(stored, kind))
        .collect())
}

/// Returns the steps that a later one has undone, unless that was undone in turn. What another machine claims to have
/// undone does not count.
pub(crate) fn reverted(records: &[StoredRecord]) -> HashSet<&str> {
    let mut reverted = HashSet::new();
    for stored in records.iter().rev().filter(|stored| !stored.is_foreign) {
        if let Some(step) = &stored.record.reverts
            && !reverted.contains(stored.step.as_str())
        {
            reverted.insert(step.as_str());
        }
    }
    reverted
}

pub(crate) fn step_of(stored: &StoredRecord, kind: &str) -> Step {
    let record = &stored.record;
    Step {
        id: stored.step.clone(),
        kind: kind.to_owned(),
        what: record.summary.clone(),
        at: Timestamp::from_second(record.at.as_second()).unwrap_or(record.at),
        by: record.by,
        is_foreign: stored.is_foreign,
        written: i128::from(stored.written),
        arrived: record.at.as_nanosecond(),
    }
}
