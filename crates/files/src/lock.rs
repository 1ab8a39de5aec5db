//! Holding a file's lock: the span in which no one else changes it.

use std::ops::Deref;
use std::time::Duration;

use memory_core::{Timestamp, instant};

use crate::sole::write_in_place;
use crate::{Access, DiskError, Draft, FileLock, Files, Spot};

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
    /// The lock belongs to the process, not to the file's existence: a crash frees it. The file is the user's
    /// alone even where others may read what it guards: whoever can open it can hold the lock.
    pub fn lock(&self, at: &Spot) -> Result<Held<'_>, DiskError> {
        match self.disk.lock(at, Access::Private, PATIENCE)? {
            Some(lock) => Ok(Held {
                files: self,
                _lock: lock,
            }),
            None => Err(DiskError::Busy {
                path: at.path(),
                waited: PATIENCE,
            }),
        }
    }
}

/// A lock that is held, whose file tells by whom and since when, and is there only so long.
#[derive(Debug)]
pub struct Signed<'a> {
    held: Held<'a>,
    at: Spot,
}

impl Files {
    /// Waits for the lock of a lock file, which then tells this process's number and the time.
    ///
    /// What it tells is for people: the lock is the system's, and ends with the process. The file is
    /// removed when the lock is let go; whoever waited for it sees that, and makes a new one.
    pub fn lock_signed(&self, at: &Spot, now: Timestamp) -> Result<Signed<'_>, DiskError> {
        let held = self.lock(at)?;
        let _ = write_in_place(
            &at.path(),
            &format!("{} {}\n", std::process::id(), instant(now)),
        );
        Ok(Signed {
            held,
            at: at.clone(),
        })
    }
}

impl<'a> Deref for Signed<'a> {
    type Target = Held<'a>;

    fn deref(&self) -> &Held<'a> {
        &self.held
    }
}

impl Drop for Signed<'_> {
    fn drop(&mut self) {
        let _ = self.held.files.disk.remove(&self.at);
    }
}

impl Files {
    /// Takes a lock if no one has it; none when someone has.
    pub fn try_lock(&self, at: &Spot) -> Result<Option<Held<'_>>, DiskError> {
        let lock = self.disk.lock(at, Access::Private, Duration::ZERO)?;
        Ok(lock.map(|lock| Held {
            files: self,
            _lock: lock,
        }))
    }
}

impl Held<'_> {
    /// Writes the next state of a file beside it, synced but not yet in its place.
    pub fn draft(&self, at: &Spot, bytes: &[u8]) -> Result<Draft<'_>, DiskError> {
        Draft::write(self.files, at, bytes)
    }

    /// Writes the next state of a file that can be made again beside it, and syncs nothing.
    pub fn draft_derived(&self, at: &Spot, bytes: &[u8]) -> Result<Draft<'_>, DiskError> {
        Draft::write_unsynced(self.files, at, bytes)
    }

    /// Puts the draft of a file that can be made again in its place, and syncs nothing.
    ///
    /// After a power cut the file may be anything: whoever reads it must be able to tell.
    pub fn settle_derived(&self, draft: Draft<'_>) -> Result<(), DiskError> {
        draft.settle().map(drop)
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

    /// Renames a file whose loss would not matter; nothing is synced.
    pub fn rename_derived(&self, from: &Spot, to: &Spot) -> Result<(), DiskError> {
        self.files.disk.rename_derived(from, to)
    }

    /// Removes drafts of these files of one folder that a crash has left.
    ///
    /// Whoever holds the lock writes no other; a draft of something derived is no loss. This is
    /// housekeeping: if it fails, the change that we came for goes on.
    pub fn sweep(&self, files: &[Spot]) {
        let Some(folder) = files.first().and_then(Spot::parent) else {
            return;
        };
        let Ok(items) = self.files.disk.list(&folder) else {
            return;
        };
        for item in items
            .iter()
            .filter(|item| files.iter().any(|at| Draft::is_draft_of(at, &item.name)))
        {
            let _ = self.files.disk.remove(&folder.join(&item.name));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::thread;

    use memory_core::Ids;

    use super::*;
    use crate::RealDisk;

    #[test]
    fn a_lock_file_is_the_users_alone_even_beside_shared_files() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let files = Files::new(Arc::new(RealDisk::default()), Ids::random()).shared();
        let path = dir.path().join(".lock");
        let mode = || std::fs::metadata(&path).unwrap().permissions().mode() & 0o777;
        drop(files.lock(&Spot::anchor(dir.path()).join(".lock")).unwrap());
        assert_eq!(mode(), 0o600);
        // One of an earlier version.
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o644)).unwrap();
        drop(
            files
                .try_lock(&Spot::anchor(dir.path()).join(".lock"))
                .unwrap(),
        );
        assert_eq!(mode(), 0o600);
    }

    #[test]
    fn a_signed_lock_tells_its_holder_and_goes_with_it() {
        let dir = tempfile::tempdir().unwrap();
        let files = Files::new(Arc::new(RealDisk::default()), Ids::random());
        let at = Spot::anchor(dir.path()).join(".lock");
        // What a crash has left is no lock.
        std::fs::write(at.path(), "999999999 2020-01-01T00:00:00Z\n").unwrap();
        let held = files.lock_signed(&at, Timestamp::UNIX_EPOCH).unwrap();
        let told = std::fs::read_to_string(at.path()).unwrap();
        assert_eq!(
            told,
            format!("{} 1970-01-01T00:00:00Z\n", std::process::id())
        );
        assert!(files.try_lock(&at).unwrap().is_none());
        drop(held);
        assert!(!at.path().exists());
    }

    #[test]
    fn a_lock_whose_file_is_removed_each_time_lets_in_one_at_a_time() {
        let dir = tempfile::tempdir().unwrap();
        let files = Files::new(Arc::new(RealDisk::default()), Ids::random());
        let (at, count) = (
            Spot::anchor(dir.path()).join(".lock"),
            dir.path().join("count"),
        );
        std::fs::write(&count, "0").unwrap();
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..40 {
                        let _held = files.lock_signed(&at, Timestamp::UNIX_EPOCH).unwrap();
                        let before: u32 = std::fs::read_to_string(&count).unwrap().parse().unwrap();
                        std::fs::write(&count, (before + 1).to_string()).unwrap();
                    }
                });
            }
        });
        assert_eq!(std::fs::read_to_string(&count).unwrap(), "320");
    }
}
