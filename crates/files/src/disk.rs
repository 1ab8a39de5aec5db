//! The little that we need from a file system, so that a test can stand in for it.
//!
//! Each method is one step of a protocol: what happens when the machine dies between two of them
//! is exactly what tests of crashes have to try.

use std::any::Any;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use memory_core::Clock;
use serde::{Deserialize, Serialize};

use crate::{DiskError, Mapping, Spot, boot};

/// Two states of a file may have the same time when they lie closer together than this.
const CLOCK_STEP: i128 = 50_000_000;
const COARSE_CLOCK_STEP: i128 = 2_000_000_000;

/// A file system, step by step.
pub trait Disk: fmt::Debug + Send + Sync {
    /// Reads a file whole; none when it is not there.
    fn read(&self, at: &Spot, most: u64) -> Result<Option<Seen>, DiskError>;

    /// Reads up to `length` bytes from an offset; none when the file is not there.
    fn read_part(&self, at: &Spot, from: u64, length: usize) -> Result<Option<Seen>, DiskError>;

    /// Maps a file into memory; none when it is not there.
    fn map(&self, at: &Spot) -> Result<Option<Mapping>, DiskError>;

    /// Opens a folder for several operations on what is in it; `None` if it does not exist.
    ///
    /// They then reach the folder that was opened, even if another one takes its place.
    fn pin(&self, folder: &Spot) -> Result<Option<Spot>, DiskError> {
        Ok(self.stamp(folder)?.map(|_| folder.clone()))
    }

    /// Returns the stamp of a file or folder; none when it is not there.
    fn stamp(&self, at: &Spot) -> Result<Option<Stamp>, DiskError>;

    /// Returns the stamps of what has these names in a folder, links as they stand.
    fn stamps(&self, folder: &Spot, names: &[&str]) -> Result<Vec<Option<Stamp>>, DiskError> {
        names
            .iter()
            .map(|name| self.stamp(&folder.join(name)))
            .collect()
    }

    /// Lists a folder, in no order; nothing when it is not there.
    fn list(&self, folder: &Spot) -> Result<Vec<Item>, DiskError>;

    /// Lists what is in a folder with its stamps, in no order; folders are left out.
    ///
    /// A link or a pipe is shown as it stands: whoever reads it is told why it can't be.
    fn scan(&self, folder: &Spot) -> Result<Vec<Sighting>, DiskError>;

    /// Reads files of one folder, one after the other, and hands each over as it comes.
    ///
    /// One that can't be read hides none of the others.
    fn read_each(
        &self,
        folder: &Spot,
        names: &[&OsStr],
        most: u64,
        each: &mut dyn FnMut(usize, Result<Option<Seen>, DiskError>),
    );

    /// Makes one folder; false when it was there.
    fn make_folder(&self, at: &Spot, access: Access) -> Result<bool, DiskError>;

    /// Makes a new file with these bytes and syncs it; an error when it is there.
    fn create(&self, at: &Spot, bytes: &[u8], access: Access) -> Result<Stamp, DiskError>;

    /// Makes a new file with these bytes and does not sync it: for what can be made again.
    fn create_unsynced(&self, at: &Spot, bytes: &[u8], access: Access) -> Result<Stamp, DiskError>;

    /// Makes new files with their bytes and syncs them all; an error when one is there.
    fn create_all(&self, files: &[(Spot, &[u8])], access: Access) -> Result<Vec<Stamp>, DiskError>;

    /// Adds bytes to the end of a file in one write and syncs them; true when the file is new.
    fn append(&self, at: &Spot, bytes: &[u8], access: Access) -> Result<bool, DiskError>;

    /// Adds bytes to the end of a file in one write and syncs nothing, for what may be lost; returns the file's
    /// stamp after that.
    fn append_unsynced(&self, at: &Spot, bytes: &[u8], access: Access) -> Result<Stamp, DiskError> {
        self.append(at, bytes, access)?;
        Ok(self.stamp(at)?.unwrap_or(Stamp {
            inode: 0,
            size: 0,
            modified: 0,
        }))
    }

    /// Writes over bytes of a file that is there, each part at its offset, and syncs them.
    ///
    /// A reader or a crash may see some parts and not others: for what is derived and can be told
    /// from what is true.
    fn overwrite(&self, at: &Spot, parts: &[(u64, &[u8])]) -> Result<(), DiskError>;

    /// Writes bytes at the beginning of a file in one write, creating it if necessary, and syncs nothing.
    fn write_unsynced(&self, at: &Spot, bytes: &[u8], access: Access) -> Result<(), DiskError>;

    /// Leaves the first bytes of a file and takes out all others, durably. On a disk that can't, the file goes.
    fn cut(&self, at: &Spot, _length: u64) -> Result<(), DiskError> {
        self.remove(at)?;
        at.parent()
            .map_or(Ok(()), |folder| self.sync_folder(&folder))
    }

    /// Puts a file or folder in the place of another, at once.
    fn rename(&self, from: &Spot, to: &Spot) -> Result<(), DiskError>;

    /// Puts a file that can be made again in the place of another, at once; nothing waits for the disk.
    fn rename_derived(&self, from: &Spot, to: &Spot) -> Result<(), DiskError> {
        self.rename(from, to)
    }

    /// Puts files in the places of others, one after the other; tells how each went.
    ///
    /// For a disk that can do many at once more cheaply.
    fn rename_each(&self, pairs: &[(Spot, Spot)]) -> Vec<Result<(), DiskError>> {
        pairs
            .iter()
            .map(|(from, to)| self.rename(from, to))
            .collect()
    }

    /// Renames files one after the other until one fails; returns how many were renamed.
    fn rename_all(&self, pairs: &[(Spot, Spot)]) -> (usize, Result<(), DiskError>) {
        for (n, (from, to)) in pairs.iter().enumerate() {
            if let Err(error) = self.rename(from, to) {
                return (n, Err(error));
            }
        }
        (pairs.len(), Ok(()))
    }

    /// Removes a file, or a folder that is empty. It is no failure when it is not there.
    fn remove(&self, at: &Spot) -> Result<(), DiskError>;

    /// Makes the names in a folder durable.
    fn sync_folder(&self, folder: &Spot) -> Result<(), DiskError>;

    /// Returns what names this run of the system: it is another after a power cut. `None` if the system does not tell.
    fn boot_id(&self) -> Option<String> {
        boot::id()
    }

    /// Takes the advisory lock of a lock file; none when others held it for all of `patience`.
    fn lock(
        &self,
        at: &Spot,
        access: Access,
        patience: Duration,
    ) -> Result<Option<FileLock>, DiskError>;
}

/// Who may see new files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Only the user: 0600 and 0700, whatever the umask.
    Private,
    /// As the umask says: 0644 and 0755 at most.
    Shared,
}

/// What tells one state of a file from another without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Stamp {
    pub inode: u64,
    pub size: u64,
    /// Modification time in nanoseconds.
    pub modified: i128,
}

impl Stamp {
    /// Returns a number that is another one for another stamp, for those who keep many.
    pub fn state(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.inode, self.size, self.modified).hash(&mut hasher);
        hasher.finish()
    }

    /// Says whether the file changed so recently that it may change again with the same stamp.
    ///
    /// Some file systems tell time in whole seconds only.
    pub fn is_fresh(&self) -> bool {
        !self.is_settled_at(Clock::system().moment().as_nanosecond())
    }

    /// Says whether the file could not have changed after a moment without another stamp; in nanoseconds.
    pub fn is_settled_at(&self, moment: i128) -> bool {
        let step = if self.modified % 1_000_000_000 == 0 {
            COARSE_CLOCK_STEP
        } else {
            CLOCK_STEP
        };
        self.modified.saturating_add(step) < moment
    }
}

/// A file as it was read.
#[derive(Debug, Clone)]
pub struct Seen {
    pub bytes: Vec<u8>,
    pub stamp: Stamp,
}

/// A file as a folder shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sighting {
    pub name: OsString,
    pub stamp: Stamp,
}

/// A name in a folder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Item {
    pub name: OsString,
    pub kind: ItemKind,
}

/// What a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ItemKind {
    File,
    Folder,
    /// A link, a socket, a device: nothing we touch.
    Other,
}

/// A lock that is held until it is dropped.
pub struct FileLock {
    _held: Box<dyn Any + Send>,
}

impl FileLock {
    /// Wraps whatever holds the lock while it lives.
    pub fn new(held: impl Any + Send) -> Self {
        FileLock {
            _held: Box::new(held),
        }
    }
}

impl fmt::Debug for FileLock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("FileLock")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stamp_is_fresh_until_the_clock_has_moved_on() {
        let now = Clock::system().moment().as_nanosecond();
        let second = Clock::system().now().as_nanosecond();
        let stamp = |modified: i128| Stamp {
            inode: 1,
            size: 2,
            modified,
        };
        let (just_now, tick) = (stamp(now | 1), CLOCK_STEP / 2);
        assert!(!just_now.is_settled_at(now + tick) && just_now.is_settled_at(now + 3 * tick));
        assert!(
            !stamp(second).is_settled_at(second + 3 * tick),
            "whole seconds may hide another change"
        );
        assert!(stamp(now + 10_000_000_001).is_fresh());
        assert!(!stamp(now - 10_000_000_001).is_fresh());
    }

    #[test]
    fn each_part_of_a_stamp_counts() {
        let states = [(1, 2, 3), (2, 2, 3), (1, 3, 3), (1, 2, 4)].map(|(inode, size, modified)| {
            Stamp {
                inode,
                size,
                modified,
            }
            .state()
        });
        assert!(states[1..].iter().all(|state| *state != states[0]));
    }
}
