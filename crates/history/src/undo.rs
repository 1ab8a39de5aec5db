//! Taking a step back.

use memory_core::{Actor, Timestamp};
use memory_storage::{
    ChangeSet, EntryChange, PATIENCE, Read, Record, Storage, StorageError, StorePath, TextVersion,
    update,
};

use crate::steps::reverted;

/// The action of a step that undoes another one.
const UNDO: &str = "undo";

/// A text that an entry must have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Put {
    pub address: String,
    pub path: StorePath,
    /// `None`: the entry must not exist.
    pub text: Option<String>,
    /// The version that is replaced. An entry of another version stays as it is.
    pub expected: Option<TextVersion>,
    /// The position among the entries of the file, where that matters.
    pub position: Option<usize>,
}

/// How texts are put into files.
#[derive(Debug, Default)]
pub struct Planned {
    /// The change, without a record.
    pub set: ChangeSet,
    /// The entries that change.
    pub entries: Vec<EntryChange>,
    /// The addresses of entries that stay as they are, because they have changed since.
    pub conflicts: Vec<String>,
}

/// Puts the texts back that entries had before a step; returns what has changed, or `None` if the step is unknown or
/// undone already.
///
/// Nothing changes if each of its entries has changed since.
pub fn undo<E: From<StorageError>>(
    storage: &dyn Storage,
    step: &str,
    by: Actor,
    now: Timestamp,
    mut put: impl FnMut(&dyn Read, &[Put]) -> Result<Planned, E>,
) -> Result<Option<Planned>, E> {
    let records = storage.records()?;
    let Some(stored) = records.iter().find(|stored| stored.step == step) else {
        return Ok(None);
    };
    if reverted(&records).contains(step) {
        return Ok(None);
    }
    let puts: Vec<Put> = stored
        .record
        .entries
        .iter()
        .map(|entry| Put {
            address: entry.address.clone(),
            path: entry.path.clone(),
            text: entry.before.clone(),
            expected: entry.version.clone(),
            position: entry.position,
        })
        .collect();
    let action = if stored.record.action == UNDO {
        "redo"
    } else {
        UNDO
    };
    let undone = update(storage, PATIENCE, |at| {
        let mut planned = put(at, &puts)?;
        let mut set = std::mem::take(&mut planned.set);
        set.record = Some(Record {
            at: now,
            by,
            action: action.to_owned(),
            summary: format!("{action}: {}", what(&stored.record.summary)),
            reverts: Some(step.to_owned()),
            entries: planned.entries.clone(),
        });
        if planned.entries.is_empty() {
            set = ChangeSet::default();
        }
        Ok::<_, E>((planned, set))
    })?
    .answer;
    // Another process may have undone the same step meanwhile.
    if undone.entries.is_empty() && reverted(&storage.records()?).contains(step) {
        return Ok(None);
    }
    Ok(Some(undone))
}

/// Returns what was done in the first place.
fn what(summary: &str) -> &str {
    let summary = summary.strip_prefix("undo: ").unwrap_or(summary);
    summary.strip_prefix("redo: ").unwrap_or(summary)
}
