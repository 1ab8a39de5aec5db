//! A disk on which nothing can be changed, for whoever may only look.
//!
//! Kinds keep house while they read: they finish what a crash left and write pages anew. Over this
//! disk they find every lock and every write refused, and read as well as they can.

use std::ffi::OsStr;
use std::io;
use std::time::Duration;

use crate::{
    Access, Disk, DiskError, FileLock, Item, Mapping, RealDisk, Seen, Sighting, Spot, Stamp,
};

/// The disk of this machine, to look at.
#[derive(Debug, Default)]
pub struct LookingDisk(RealDisk);

fn refused<T>(at: &Spot) -> Result<T, DiskError> {
    let source = io::Error::new(
        io::ErrorKind::ReadOnlyFilesystem,
        "nothing is changed while looking",
    );
    Err(DiskError::Io {
        doing: "change",
        path: at.path(),
        source,
    })
}

impl Disk for LookingDisk {
    fn read(&self, at: &Spot, most: u64) -> Result<Option<Seen>, DiskError> {
        self.0.read(at, most)
    }

    fn read_part(&self, at: &Spot, from: u64, length: usize) -> Result<Option<Seen>, DiskError> {
        self.0.read_part(at, from, length)
    }

    fn map(&self, at: &Spot) -> Result<Option<Mapping>, DiskError> {
        self.0.map(at)
    }

    fn stamp(&self, at: &Spot) -> Result<Option<Stamp>, DiskError> {
        self.0.stamp(at)
    }

    fn list(&self, folder: &Spot) -> Result<Vec<Item>, DiskError> {
        self.0.list(folder)
    }

    fn scan(&self, folder: &Spot) -> Result<Vec<Sighting>, DiskError> {
        self.0.scan(folder)
    }

    fn read_each(
        &self,
        folder: &Spot,
        names: &[&OsStr],
        most: u64,
        each: &mut dyn FnMut(usize, Result<Option<Seen>, DiskError>),
    ) {
        self.0.read_each(folder, names, most, each);
    }

    fn make_folder(&self, at: &Spot, _: Access) -> Result<bool, DiskError> {
        refused(at)
    }

    fn create_unsynced(&self, at: &Spot, _: &[u8], _: Access) -> Result<Stamp, DiskError> {
        refused(at)
    }

    fn create(&self, at: &Spot, _: &[u8], _: Access) -> Result<Stamp, DiskError> {
        refused(at)
    }

    fn create_all(&self, files: &[(Spot, &[u8])], _: Access) -> Result<Vec<Stamp>, DiskError> {
        files.first().map_or(Ok(vec![]), |(at, _)| refused(at))
    }

    fn append(&self, at: &Spot, _: &[u8], _: Access) -> Result<bool, DiskError> {
        refused(at)
    }

    fn overwrite(&self, at: &Spot, _: &[(u64, &[u8])]) -> Result<(), DiskError> {
        refused(at)
    }

    fn write_unsynced(&self, at: &Spot, _: &[u8], _: Access) -> Result<(), DiskError> {
        refused(at)
    }

    fn cut(&self, at: &Spot, _: u64) -> Result<(), DiskError> {
        refused(at)
    }

    fn rename(&self, from: &Spot, _: &Spot) -> Result<(), DiskError> {
        refused(from)
    }

    fn remove(&self, at: &Spot) -> Result<(), DiskError> {
        refused(at)
    }

    fn sync_folder(&self, folder: &Spot) -> Result<(), DiskError> {
        refused(folder)
    }

    /// Taking a lock would make its file: to whoever only looks, someone else has it.
    fn lock(&self, at: &Spot, _: Access, _: Duration) -> Result<Option<FileLock>, DiskError> {
        refused(at)
    }
}
