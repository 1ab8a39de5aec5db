//! A store in a folder of this machine.
//!
//! # Commit
//!
//! 1. Temporary files with the new contents are written and synced, in the folder of the history.
//! 2. The record is appended to the history. It is synced if the change replaces or removes a text or touches more than
//!    one file: this is the commit point of such a change. The commit point of any other change is the rename.
//! 3. Files are renamed, appended to and removed.
//! 4. Their folders are synced.
//! 5. The checkpoint moves to the end of the history. It is not synced.
//!
//! A change with [`Durable::Log`](crate::Durable::Log) syncs nothing but its record: its files are synced by the next
//! writer, and the checkpoint moves then.
//!
//! [`Storage::begin`] completes what lies behind the checkpoint.

mod checkpoint;
mod commit;
mod counters;
mod forget;
mod machine;
mod recovery;

pub use counters::Counts;
pub use forget::ExpiryOf;
pub use machine::Machine;

use std::sync::Arc;
use std::time::Duration;

use memory_core::{Ids, Timestamp};
use memory_files::{Access, Disk, DiskError, FileLock, Files, ItemKind, Spot};

use crate::change_set::FileVersion;
use crate::record::{Line, parse};
use crate::{
    ChangeSet, Committed, Object, Read, Storage, StorageError, StorePath, StoredRecord, Transaction,
};
use checkpoint::Checkpoint;

/// The folder of the history, below the root of a store.
pub const HISTORY: &str = ".memory-history";
const LOCK: &str = "lock";
const TEMPORARY: &str = ".tmp";
const LOG: &str = ".jsonl";
/// Largest file of the history that is read.
const LOG_BYTES: u64 = 4 << 30;
/// Largest checkpoint that is read.
const CHECKPOINT_BYTES: u64 = 1 << 10;
const IGNORE: &str = ".gitignore";
const IGNORE_ALL: &[u8] = b"*\n";

/// A store in a folder.
#[derive(Debug, Clone)]
pub struct LocalStorage {
    disk: Arc<dyn Disk>,
    files: Files,
    ids: Ids,
    root: Spot,
    history: Spot,
    access: Access,
    /// The id of this machine, which begins the names of the history files that it writes.
    machine: Machine,
    /// Whether a version control system must not see the history.
    is_ignored: bool,
}

impl LocalStorage {
    /// Returns the store of a folder, whose files are private to the user.
    pub fn new(files: &Files, root: Spot, machine: Machine) -> Self {
        LocalStorage {
            disk: files.disk(),
            ids: files.ids().clone(),
            files: files.clone(),
            history: root.join(HISTORY),
            root,
            access: Access::Private,
            machine,
            is_ignored: false,
        }
    }

    /// Returns the same store with another id of this machine.
    #[must_use]
    pub fn on_machine(self, machine: Machine) -> Self {
        LocalStorage { machine, ..self }
    }

    /// Returns the same store for files that others may read: 0644 and 0755 under the umask. The history stays private.
    #[must_use]
    pub fn shared(self) -> Self {
        LocalStorage {
            access: Access::Shared,
            ..self
        }
    }

    /// Returns the same store for a folder that may be below version control: the history is left out of it.
    #[must_use]
    pub fn ignored(self) -> Self {
        LocalStorage {
            is_ignored: true,
            ..self
        }
    }

    fn at(&self, path: &StorePath) -> Spot {
        path.below(&self.root)
    }

    /// Creates the folder of the history.
    fn ensure_history(&self) -> Result<(), DiskError> {
        if self.disk.stamp(&self.history)?.is_some() {
            return Ok(());
        }
        self.ensure_folder(&self.root, self.access)?;
        self.ensure_folder(&self.history, Access::Private)
    }

    /// Creates a folder and those above it, each durable before the next.
    fn ensure_folder(&self, folder: &Spot, access: Access) -> Result<(), DiskError> {
        if self.disk.stamp(folder)?.is_some() {
            return Ok(());
        }
        let Some(parent) = folder.parent() else {
            return Ok(());
        };
        self.ensure_folder(&parent, access)?;
        if self.disk.make_folder(folder, access)? {
            self.disk.sync_folder(&parent)?;
        }
        Ok(())
    }

    /// Returns the name of the history file for a time. A clock that is set back does not lead to an earlier month.
    fn log_name(&self, at: Timestamp, latest: Option<&str>) -> String {
        let name = format!("{}-{}{LOG}", self.machine.id(), at.strftime("%Y-%m"));
        match latest {
            Some(latest) if *latest > *name => latest.to_owned(),
            _ => name,
        }
    }

    fn is_own_log(&self, name: &str) -> bool {
        self.machine
            .known_id()
            .and_then(|id| name.strip_prefix(id))
            .is_some_and(|rest| rest.starts_with('-') && rest.ends_with(LOG))
    }

    /// Reads the records of a history file from an offset on.
    fn lines(&self, name: &str, from: u64) -> Result<Vec<Line>, DiskError> {
        let at = self.history.join(name);
        let seen = if from == 0 {
            self.disk.read(&at, LOG_BYTES)?
        } else {
            self.disk.read_part(&at, from, usize::MAX >> 1)?
        };
        Ok(seen.map_or_else(Vec::new, |seen| parse(&seen.bytes, from)))
    }

    /// Returns whether every recorded change is complete, as far as the checkpoint says.
    fn is_complete(&self) -> Result<bool, DiskError> {
        let Some(checkpoint) = self.read_checkpoint(&self.history)? else {
            let is_ours = self.machine.known_id().is_some();
            return Ok(!is_ours || self.disk.stamp(&self.history)?.is_none());
        };
        let log = self.history.join(&checkpoint.log);
        let end = self.disk.stamp(&log)?.map_or(0, |stamp| stamp.size);
        Ok(checkpoint.offset == end && !checkpoint.creates_folders)
    }

    fn read_checkpoint(&self, history: &Spot) -> Result<Option<Checkpoint>, DiskError> {
        let Some(id) = self.machine.known_id() else {
            return Ok(None);
        };
        let at = history.join(checkpoint_name(id));
        let seen = self.disk.read(&at, CHECKPOINT_BYTES)?;
        Ok(seen.and_then(|seen| Checkpoint::parse(&seen.bytes)))
    }

    fn read_history(&self) -> Result<Vec<StoredRecord>, DiskError> {
        let mut names: Vec<String> = self
            .files
            .list(&self.history)?
            .into_iter()
            .filter(|item| item.kind == ItemKind::File)
            .filter_map(|item| Some(item.name.to_str()?.to_owned()))
            .filter(|name| name.ends_with(LOG))
            .collect();
        names.sort_by_key(|name| (!self.is_own_log(name), name.clone()));
        let mut records = Vec::new();
        for name in names {
            let is_foreign = !self.is_own_log(&name);
            let lines = self.lines(&name, 0)?;
            records.extend(lines.into_iter().map(|line| StoredRecord {
                step: line.step,
                record: line.record,
                written: line.written,
                is_foreign,
            }));
        }
        Ok(records)
    }
}

impl Read for LocalStorage {
    fn read(&self, path: &StorePath, limit: u64) -> Result<Option<Object>, StorageError> {
        let seen = self.disk.read(&self.at(path), limit)?;
        Ok(seen.map(|seen| Object {
            version: FileVersion::of(seen.stamp, &seen.bytes),
            bytes: seen.bytes,
        }))
    }

    fn stat(&self, path: &StorePath) -> Result<Option<FileVersion>, StorageError> {
        let at = self.at(path);
        match self.disk.stamp(&at)? {
            // Its contents have to be compared.
            Some(stamp) if stamp.is_fresh() => {
                Ok(self.read(path, u64::MAX >> 1)?.map(|file| file.version))
            }
            Some(stamp) => Ok(Some(FileVersion {
                stamp,
                contents: None,
            })),
            None => Ok(None),
        }
    }
}

impl Storage for LocalStorage {
    fn begin(&self, wait: Duration) -> Result<Box<dyn Transaction + '_>, StorageError> {
        Ok(Box::new(self.begin_writing(wait)?))
    }

    fn publish(&self, path: &StorePath, bytes: &[u8]) {
        let _ = self.files.replace_derived(&self.at(path), bytes);
    }

    fn records(&self) -> Result<Vec<StoredRecord>, StorageError> {
        if !self.is_complete()? {
            // Where that cannot be done, such as on a read-only disk, the records are still right.
            let _ = self.begin(Duration::ZERO);
        }
        Ok(self.read_history()?)
    }
}

impl LocalStorage {
    fn begin_writing(&self, wait: Duration) -> Result<LocalTransaction<'_>, StorageError> {
        // Created before anything is looked up by it.
        self.machine.id();
        let history = match self.disk.pin(&self.history)? {
            Some(history) => history,
            None => {
                self.ensure_history()?;
                let pinned = self.disk.pin(&self.history)?;
                pinned.unwrap_or_else(|| self.history.clone())
            }
        };
        let root = self
            .disk
            .pin(&self.root)?
            .unwrap_or_else(|| self.root.clone());
        let at = history.join(LOCK);
        let lock = self.disk.lock(&at, Access::Private, wait)?;
        let Some(lock) = lock else {
            let path = at.path();
            return Err(DiskError::Busy { path, waited: wait }.into());
        };
        let mut writer = LocalTransaction {
            storage: self,
            root,
            history,
            _lock: lock,
            log: None,
            log_bytes: 0,
            settles_folders: false,
        };
        writer.recover()?;
        Ok(writer)
    }
}

/// The writer of a store: it holds the lock.
#[derive(Debug)]
struct LocalTransaction<'a> {
    storage: &'a LocalStorage,
    /// The root and the folder of the history, both open.
    root: Spot,
    history: Spot,
    _lock: FileLock,
    /// The latest history file of this machine, and its size.
    log: Option<String>,
    log_bytes: u64,
    /// Whether folders may exist whose names are not durable, because a commit was interrupted.
    settles_folders: bool,
}

impl Read for LocalTransaction<'_> {
    fn read(&self, path: &StorePath, limit: u64) -> Result<Option<Object>, StorageError> {
        self.storage.read(path, limit)
    }

    fn stat(&self, path: &StorePath) -> Result<Option<FileVersion>, StorageError> {
        self.storage.stat(path)
    }
}

impl Transaction for LocalTransaction<'_> {
    fn commit(mut self: Box<Self>, set: ChangeSet) -> Result<Committed, StorageError> {
        self.commit_set(&set)
    }
}

impl LocalTransaction<'_> {
    fn at(&self, path: &StorePath) -> Spot {
        path.below(&self.root)
    }

    fn write_checkpoint(&self, checkpoint: &Checkpoint) -> Result<(), DiskError> {
        let at = self
            .history
            .join(checkpoint_name(self.storage.machine.id()));
        self.storage
            .disk
            .write_unsynced(&at, checkpoint.render().as_bytes(), Access::Private)
    }

    /// Returns a new id of a step: milliseconds since 1970 and random digits. If ids follow from a seed, the digits are
    /// the number of the record in its file, because another process has the same ids.
    fn new_step(&self, at: Timestamp) -> String {
        let ids = &self.storage.ids;
        let digits = if ids.is_seeded() {
            let lines = self.log.as_ref().map(|log| self.storage.lines(log, 0));
            let count = lines.and_then(Result::ok).map_or(0, |lines| lines.len());
            format!("{:012x}", count + 1)
        } else {
            ids.uuid().replace('-', "")[..12].to_owned()
        };
        format!("{:012x}{digits}", at.as_millisecond().max(0))
    }

    /// Returns the checkpoint at the end of the history.
    fn end(&self) -> Checkpoint {
        Checkpoint {
            log: self.log.clone().unwrap_or_default(),
            offset: self.log_bytes,
            creates_folders: false,
        }
    }
}

fn checkpoint_name(machine: &str) -> String {
    format!("{machine}.checkpoint")
}
