//! The steps that can be undone.

use std::collections::HashSet;

use memory_core::{Step, Timestamp};
use memory_storage::{Storage, StorageError, StoredRecord};

/// Returns the steps of a store that can be undone, newest first. A step that was undone is left out, and so is its undo:
/// see [`undos`].
pub fn steps(storage: &dyn Storage, kind: &str) -> Result<Vec<Step>, StorageError> {
    let records = storage.records()?;
    Ok(open(&records, kind, |stored| {
        stored.record.reverts.is_none()
    }))
}

/// Returns the steps of a store that undid others, newest first. Undoing such a step is a redo.
pub fn undos(storage: &dyn Storage, kind: &str) -> Result<Vec<Step>, StorageError> {
    let records = storage.records()?;
    let mut undos = HashSet::new();
    for stored in &records {
        // What undoes an undo is a redo.
        if let Some(step) = &stored.record.reverts
            && !undos.contains(step.as_str())
        {
            undos.insert(stored.step.as_str());
        }
    }
    Ok(open(&records, kind, |stored| {
        undos.contains(stored.step.as_str())
    }))
}

fn open(
    records: &[StoredRecord],
    kind: &str,
    is_wanted: impl Fn(&StoredRecord) -> bool,
) -> Vec<Step> {
    let reverted = reverted(records);
    let is_open = |stored: &&StoredRecord| {
        let is_reverted = reverted.contains(stored.step.as_str());
        !is_reverted && !stored.record.entries.is_empty() && is_wanted(stored)
    };
    records
        .iter()
        .rev()
        .filter(is_open)
        .map(|stored| step_of(stored, kind))
        .collect()
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
