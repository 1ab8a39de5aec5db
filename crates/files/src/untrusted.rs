//! A disk in the place of a store that is not trusted: reads find nothing, changes fail and say how to trust it.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::{Access, Disk, DiskError, FileLock, Item, Mapping, Seen, Sighting, Spot, Stamp};

/// Stands in for the disk of a store that is not used because of who owns it, or because it is a link.
#[derive(Debug, Clone)]
pub struct UntrustedDisk {
    path: PathBuf,
    why: &'static str,
    hint: String,
    /// Whether there is such a store. A missing one cannot be created in a directory of another user either.
    pub exists: bool,
    was_asked: Arc<AtomicBool>,
}

impl UntrustedDisk {
    /// Returns the disk of a store, with the reason why it is not used and what to do about it.
    pub fn new(path: PathBuf, why: &'static str, hint: impl Into<String>, exists: bool) -> Self {
        UntrustedDisk {
            path,
            why,
            hint: hint.into(),
            exists,
            was_asked: Arc::default(),
        }
    }

    /// Returns the error of every change.
    pub fn error(&self) -> DiskError {
        DiskError::Untrusted {
            path: self.path.clone(),
            why: self.why,
            hint: self.hint.clone(),
        }
    }

    /// Says whether anything was looked for on it.
    pub fn was_asked(&self) -> bool {
        self.was_asked.load(Ordering::Relaxed)
    }

    fn nothing<T: Default>(&self) -> Result<T, DiskError> {
        self.was_asked.store(true, Ordering::Relaxed);
        Ok(T::default())
    }

    fn refuse<T>(&self) -> Result<T, DiskError> {
        Err(self.error())
    }
}

impl Disk for UntrustedDisk {
    fn read(&self, _: &Spot, _: u64) -> Result<Option<Seen>, DiskError> {
        self.nothing()
    }

    fn read_part(&self, _: &Spot, _: u64, _: usize) -> Result<Option<Seen>, DiskError> {
        self.nothing()
    }

    fn map(&self, _: &Spot) -> Result<Option<Mapping>, DiskError> {
        self.nothing()
    }

    fn stamp(&self, _: &Spot) -> Result<Option<Stamp>, DiskError> {
        self.nothing()
    }

    fn list(&self, _: &Spot) -> Result<Vec<Item>, DiskError> {
        self.nothing()
    }

    fn scan(&self, _: &Spot) -> Result<Vec<Sighting>, DiskError> {
        self.nothing()
    }

    fn read_each(
        &self,
        _: &Spot,
        names: &[&OsStr],
        _: u64,
        each: &mut dyn FnMut(usize, Result<Option<Seen>, DiskError>),
    ) {
        (0..names.len()).for_each(|n| each(n, self.nothing()));
    }

    fn make_folder(&self, _: &Spot, _: Access) -> Result<bool, DiskError> {
        self.refuse()
    }

    fn create(&self, _: &Spot, _: &[u8], _: Access) -> Result<Stamp, DiskError> {
        self.refuse()
    }

    fn create_unsynced(&self, _: &Spot, _: &[u8], _: Access) -> Result<Stamp, DiskError> {
        self.refuse()
    }

    fn create_all(&self, _: &[(Spot, &[u8])], _: Access) -> Result<Vec<Stamp>, DiskError> {
        self.refuse()
    }

    fn append(&self, _: &Spot, _: &[u8], _: Access) -> Result<bool, DiskError> {
        self.refuse()
    }

    fn overwrite(&self, _: &Spot, _: &[(u64, &[u8])]) -> Result<(), DiskError> {
        self.refuse()
    }

    fn write_unsynced(&self, _: &Spot, _: &[u8], _: Access) -> Result<(), DiskError> {
        self.refuse()
    }

    fn rename(&self, _: &Spot, _: &Spot) -> Result<(), DiskError> {
        self.refuse()
    }

    fn remove(&self, _: &Spot) -> Result<(), DiskError> {
        self.refuse()
    }

    fn sync_folder(&self, _: &Spot) -> Result<(), DiskError> {
        self.refuse()
    }

    fn lock(&self, _: &Spot, _: Access, _: Duration) -> Result<Option<FileLock>, DiskError> {
        self.refuse()
    }
}
