//! Holding a file's lock: the span in which no one else changes it.

use std::time::Duration;

use crate::{DiskError, Draft, FileLock, Files, Spot};

/// How long we wait for a lock before we say that someone else keeps it.
const PATIENCE: Duration = Duration::from_secs(15);

/// A lock that is held. Changes to what it guards go through it.
#[derive(Debug)]
pub struct Held<'a> {
    pub(crate) files: &'a Files,
    _lock: FileLock,
}

impl Files {
    /// Waits for the lock of a lock file.
    ///
    /// The lock belongs to the process, not to the file's existence: a crash frees it.
    pub fn lock(&self, at: &Spot) -> Result<Held<'_>, DiskError> {
        match self.disk.lock(at, self.access, PATIENCE)? {
            Some(lock) => Ok(Held { files: self, _lock: lock }),
            None => Err(DiskError::Busy { path: at.path(), waited: PATIENCE }),
        }
    }
}

impl Files {
    /// Takes a lock if no one has it; none when someone has.
    pub fn try_lock(&self, at: &Spot) -> Result<Option<Held<'_>>, DiskError> {
        let lock = self.disk.lock(at, self.access, Duration::ZERO)?;
        Ok(lock.map(|lock| Held { files: self, _lock: lock }))
    }
}

impl Held<'_> {
    /// Writes the next state of a file beside it, synced but not yet in its place.
    pub fn draft(&self, at: &Spot, bytes: &[u8]) -> Result<Draft<'_>, DiskError> {
        Draft::write(self.files, at, bytes)
    }

    /// Puts a draft in its place, removes what it supersedes, and makes all of it durable.
    ///
    /// `derived` is put in place too if it can be; nothing depends on it.
    pub fn commit(
        &self,
        draft: Draft<'_>,
        derived: Option<Draft<'_>>,
        superseded: Option<&Spot>,
    ) -> Result<(), DiskError> {
        let folder = draft.settle()?;
        if let Some(derived) = derived {
            let _ = derived.settle();
        }
        if let Some(old) = superseded {
            self.files.disk.remove(old)?;
        }
        self.files.disk.sync_folder(&folder)
    }

    /// Removes drafts of these files of one folder that a crash has left.
    ///
    /// Whoever holds the lock writes no other; a draft of something derived is no loss. This is
    /// housekeeping: if it fails, the change that we came for goes on.
    pub fn sweep(&self, files: &[Spot]) {
        let Some(folder) = files.first().and_then(Spot::parent) else { return };
        let Ok(items) = self.files.disk.list(&folder) else { return };
        for item in items.iter().filter(|item| files.iter().any(|at| Draft::is_draft_of(at, &item.name))) {
            let _ = self.files.disk.remove(&folder.join(&item.name));
        }
    }
}
