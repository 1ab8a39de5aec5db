//! The little that we need from a file system, so that a test can stand in for it.
//!
//! Each method is one step of a protocol: what happens when the machine dies between two of them
//! is exactly what tests of crashes have to try.

use std::any::Any;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::time::Duration;

use crate::{DiskError, Spot};

/// A file system, step by step.
pub trait Disk: fmt::Debug + Send + Sync {
    /// Reads a file whole; none when it is not there.
    fn read(&self, at: &Spot, most: u64) -> Result<Option<Seen>, DiskError>;

    /// Reads up to `length` bytes from an offset; none when the file is not there.
    fn read_part(&self, at: &Spot, from: u64, length: usize) -> Result<Option<Seen>, DiskError>;

    /// Returns the stamp of a file or folder; none when it is not there.
    fn stamp(&self, at: &Spot) -> Result<Option<Stamp>, DiskError>;

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
    fn create_unsynced(&self, at: &Spot, bytes: &[u8], access: Access) -> Result<(), DiskError>;

    /// Makes new files with their bytes and syncs them all; an error when one is there.
    fn create_all(&self, files: &[(Spot, &[u8])], access: Access) -> Result<(), DiskError>;

    /// Adds bytes to the end of a file in one write and syncs them; true when the file is new.
    fn append(&self, at: &Spot, bytes: &[u8], access: Access) -> Result<bool, DiskError>;

    /// Puts a file or folder in the place of another, at once.
    fn rename(&self, from: &Spot, to: &Spot) -> Result<(), DiskError>;

    /// Removes a file, or a folder that is empty. It is no failure when it is not there.
    fn remove(&self, at: &Spot) -> Result<(), DiskError>;

    /// Makes the names in a folder durable.
    fn sync_folder(&self, folder: &Spot) -> Result<(), DiskError>;

    /// Takes the advisory lock of a lock file; none when others held it for all of `patience`.
    fn lock(&self, at: &Spot, access: Access, patience: Duration) -> Result<Option<FileLock>, DiskError>;
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Stamp {
    pub inode: u64,
    pub size: u64,
    /// Modification time in nanoseconds.
    pub modified: i128,
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
        FileLock { _held: Box::new(held) }
    }
}

impl fmt::Debug for FileLock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("FileLock")
    }
}
