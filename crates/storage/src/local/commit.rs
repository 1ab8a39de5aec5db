//! Committing a change to the files of a folder.

use std::collections::HashMap;

use memory_files::{Access, DiskError, Spot, Stamp};

use super::checkpoint::Checkpoint;
use super::{LocalTransaction, TEMPORARY};
use crate::change_set::{hash, state_hash};
use crate::record::FileChange;
use crate::{ChangeSet, Committed, Durable, FileVersion, Op, StorageError, StorePath};

/// The most that is read of a file to compare its contents.
pub(super) const FILE_BYTES: u64 = 4 << 30;

/// The state of files before a commit, each looked up once.
type Before = HashMap<StorePath, Option<Stamp>>;

/// The record of a commit in the history.
struct Recorded {
    step: String,
    log: String,
    /// Where it begins.
    start: u64,
}

impl LocalTransaction<'_> {
    pub(super) fn commit_set(&mut self, set: &ChangeSet) -> Result<Committed, StorageError> {
        let mut before = Before::new();
        for (path, expected) in &set.expect {
            let found = self.check(path, expected.as_ref())?;
            before.insert(path.clone(), found);
        }
        if set.is_empty() {
            return Ok(Committed {
                step: None,
                written: Vec::new(),
            });
        }
        self.ensure_folders(set)?;
        let (changes, written) = self.write_temporaries(set, &mut before)?;
        let recorded = self
            .record(set, &changes)
            .inspect_err(|_| self.discard(&changes))?;
        self.apply(set, &changes, recorded.as_ref())?;
        // Files that are not synced are synced by the next writer, which finds them behind the checkpoint.
        let is_durable = set.durable == Durable::Files;
        if is_durable && (recorded.is_some() || self.settles_folders) {
            // If it is not written, the next commit looks at this one again.
            let _ = self.write_checkpoint(&self.end());
        }
        Ok(Committed {
            step: recorded.map(|recorded| recorded.step),
            written,
        })
    }

    /// Returns the state of a file, which must be the expected one.
    fn check(
        &self,
        path: &StorePath,
        expected: Option<&FileVersion>,
    ) -> Result<Option<Stamp>, StorageError> {
        let at = self.at(path);
        let found = self.storage.disk.stamp(&at)?;
        let is_same = match (&found, expected) {
            (None, None) => true,
            (Some(found), Some(expected)) if *found == expected.stamp => match expected.contents {
                None => true,
                Some(contents) => {
                    let now = self.storage.disk.read(&at, FILE_BYTES)?;
                    now.is_some_and(|now| hash(&now.bytes) == contents)
                }
            },
            _ => false,
        };
        if is_same {
            Ok(found)
        } else {
            Err(StorageError::Conflict { path: path.clone() })
        }
    }

    /// Creates the folders of new files, durably.
    fn ensure_folders(&mut self, set: &ChangeSet) -> Result<(), DiskError> {
        let mut folders: Vec<StorePath> = Vec::new();
        for op in &set.ops {
            if let (Op::Put(path, _) | Op::Append(path, _), Some(folder)) = (op, op.path().parent())
                && !folders.contains(&folder)
            {
                debug_assert!(!path.as_str().is_empty(), "a file has a name");
                folders.push(folder);
            }
        }
        for folder in folders {
            let at = self.at(&folder);
            let is_interrupted = self.settles_folders;
            if self.storage.disk.stamp(&at)?.is_none() {
                // A process that finds the folder after a crash cannot tell whether its name is durable.
                self.write_checkpoint(&Checkpoint {
                    creates_folders: true,
                    ..self.end()
                })?;
                self.settles_folders = true;
                self.storage.ensure_folder(&at, self.storage.access)?;
            }
            if is_interrupted {
                self.sync_parents(&at)?;
            }
        }
        Ok(())
    }

    /// Makes the names of a folder and of those above it durable, up to the root of the store.
    fn sync_parents(&self, folder: &Spot) -> Result<(), DiskError> {
        let mut here = folder.clone();
        while let Some(parent) = here.parent() {
            self.storage.disk.sync_folder(&parent)?;
            if here == self.root {
                break;
            }
            here = parent;
        }
        Ok(())
    }

    /// Writes the new contents of files beside the history; returns how each file changes, and the state of each that
    /// is put.
    fn write_temporaries(
        &self,
        set: &ChangeSet,
        before: &mut Before,
    ) -> Result<(Vec<FileChange>, Vec<Stamp>), StorageError> {
        let storage = self.storage;
        let mut changes = Vec::with_capacity(set.ops.len());
        for op in &set.ops {
            let path = op.path();
            if !before.contains_key(path) {
                before.insert(path.clone(), storage.disk.stamp(&self.at(path))?);
            }
            let base = before.get(path).copied().flatten();
            let (sum, temporary, offset) = match op {
                Op::Put(_, bytes) => {
                    let temporary = format!("{}{TEMPORARY}", storage.ids.short());
                    (Some(hash(bytes)), Some(temporary), None)
                }
                Op::Append(_, bytes) => (
                    Some(hash(bytes)),
                    None,
                    Some(base.map_or(0, |base| base.size)),
                ),
                Op::Remove(_) => (None, None, None),
            };
            changes.push(FileChange {
                path: path.clone(),
                base: base.as_ref().map(state_hash),
                sum,
                temporary,
                offset,
            });
        }
        let mut files: Vec<(Spot, &[u8])> = Vec::new();
        for (op, change) in set.ops.iter().zip(&changes) {
            if let (Op::Put(_, bytes), Some(temporary)) = (op, &change.temporary) {
                files.push((self.history.join(temporary), bytes));
            }
        }
        let written = match set.durable {
            _ if files.is_empty() => Ok(Vec::new()),
            Durable::Files => storage.disk.create_all(&files, storage.access),
            Durable::Log => files
                .iter()
                .map(|(at, bytes)| storage.disk.create_unsynced(at, bytes, storage.access))
                .collect(),
        };
        let written = written.inspect_err(|_| self.discard(&changes))?;
        Ok((changes, written))
    }

    fn discard(&self, changes: &[FileChange]) {
        for temporary in changes
            .iter()
            .filter_map(|change| change.temporary.as_ref())
        {
            let _ = self.storage.disk.remove(&self.history.join(temporary));
        }
    }

    /// Appends the record of a change to the history; `None` if it has none.
    fn record(
        &mut self,
        set: &ChangeSet,
        changes: &[FileChange],
    ) -> Result<Option<Recorded>, StorageError> {
        let Some(record) = &set.record else {
            return if changes.len() == 1 && set.durable == Durable::Files {
                Ok(None)
            } else {
                Err(StorageError::Unrecorded)
            };
        };
        let storage = self.storage;
        let step = self.new_step(record.at);
        let text = record.render(&step, changes)?;
        let log = storage.log_name(record.at, self.log.as_deref());
        let at = self.history.join(&log);
        let is_new = self.log.as_ref() != Some(&log);
        let start = if is_new { 0 } else { self.log_bytes };
        // Another machine cannot complete a change of several files whose temporary files are lost.
        let names_matter = changes.len() > 1 && !set.is_restored_from_texts();
        if names_matter {
            storage.disk.sync_folder(&self.history)?;
        }
        let is_commit_point =
            set.durable == Durable::Log || changes.len() > 1 || record.replaces_text();
        let appended = if is_commit_point {
            storage
                .disk
                .append(&at, text.as_bytes(), Access::Private)
                .map(drop)
        } else {
            storage
                .disk
                .append_unsynced(&at, text.as_bytes(), Access::Private)
                .map(drop)
        };
        let appended = match appended {
            Ok(()) if is_new => storage.disk.sync_folder(&self.history),
            other => other,
        };
        if let Err(error) = appended {
            let _ = storage.disk.cut(&at, start);
            return Err(error.into());
        }
        self.log = Some(log.clone());
        self.log_bytes = start + text.len() as u64;
        Ok(Some(Recorded { step, log, start }))
    }

    /// Changes the files. If nothing has changed yet, a failure takes the record back.
    fn apply(
        &mut self,
        set: &ChangeSet,
        changes: &[FileChange],
        recorded: Option<&Recorded>,
    ) -> Result<(), StorageError> {
        let mut applied = 0;
        let Err(error) = self.change_files(set, changes, &mut applied) else {
            return Ok(());
        };
        let Some(recorded) = recorded else {
            self.discard(changes);
            return Err(error.into());
        };
        let at = self.history.join(&recorded.log);
        if applied == 0 && self.storage.disk.cut(&at, recorded.start).is_ok() {
            self.discard(changes);
            self.log_bytes = recorded.start;
            return Err(error.into());
        }
        Err(StorageError::Incomplete { source: error })
    }

    fn change_files(
        &self,
        set: &ChangeSet,
        changes: &[FileChange],
        applied: &mut usize,
    ) -> Result<(), DiskError> {
        let storage = self.storage;
        let mut folders: Vec<Spot> = Vec::new();
        let mut touch = |at: &Spot| match at.parent() {
            Some(folder) if !folders.contains(&folder) => folders.push(folder),
            _ => {}
        };
        let renames: Vec<(Spot, Spot)> = changes
            .iter()
            .filter_map(|change| {
                let temporary = self.history.join(change.temporary.as_ref()?);
                Some((temporary, self.at(&change.path)))
            })
            .collect();
        let (count, renamed) = storage.disk.rename_all(&renames);
        *applied = count;
        renamed?;
        renames.iter().for_each(|(_, target)| touch(target));
        for op in &set.ops {
            let at = self.at(op.path());
            match op {
                Op::Put(..) => continue,
                Op::Append(_, bytes) => {
                    let is_new = storage.disk.append(&at, bytes, storage.access)?;
                    if is_new {
                        touch(&at);
                    }
                }
                Op::Remove(_) => {
                    storage.disk.remove(&at)?;
                    touch(&at);
                }
            }
            *applied += 1;
        }
        match set.durable {
            Durable::Files => folders
                .iter()
                .try_for_each(|folder| storage.disk.sync_folder(folder)),
            Durable::Log => Ok(()),
        }
    }
}

impl ChangeSet {
    /// Returns whether each file that is put is one entry, whose text the record has.
    fn is_restored_from_texts(&self) -> bool {
        let Some(record) = &self.record else {
            return false;
        };
        self.ops.iter().all(|op| match op {
            Op::Put(path, bytes) => record.entries.iter().any(|entry| {
                entry.path == *path
                    && entry
                        .text
                        .as_ref()
                        .is_some_and(|text| text.as_bytes() == bytes)
            }),
            Op::Append(..) | Op::Remove(_) => true,
        })
    }
}
