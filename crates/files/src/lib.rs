//! The only door to the disk. What we promise about safety is promised here, once.
//!
//! - A write is visible whole or not at all, and durable before anyone hears of it.
//! - No update is lost: who changes a file holds its lock from reading to the folder's fsync.
//! - Readers never lock and never see half a write. A crash blocks no one.
//! - No link is followed below a store's anchor. New files are private.
//!
//! [`Files`] is what kinds use; [`Disk`] is the little that it needs from a file system, so that a
//! test can put one in its place that fails or dies at any step ([`Brittle`]).

// This is the door.
#![allow(clippy::disallowed_methods)]

mod append;
mod aside;
mod backup;
mod batch;
mod boot;
mod brittle;
mod costs;
mod disk;
mod draft;
mod error;
mod foreign;
mod git;
mod holding;
mod lock;
mod looking;
mod mapping;
mod named;
mod opening;
mod peer;
mod real;
mod sole;
mod spot;
mod system_calls;
mod trash;
mod untrusted;
mod waiting;
mod walk;
mod watch;

pub use batch::Batch;
pub use brittle::{Breakage, Brittle};
pub use costs::Costs;
pub use disk::{Access, Disk, FileLock, Item, ItemKind, Seen, Sighting, Stamp};
pub use draft::Draft;
pub use error::DiskError;
pub use foreign::{ForeignFile, ForeignPath, ForeignTree, Wanted};
pub use holding::LockHolder;
pub use lock::{Held, Signed};
pub use looking::LookingDisk;
pub use mapping::Mapping;
pub use named::Owner;
pub use peer::peer_owner;
pub use real::RealDisk;
pub use sole::{Holder, Listening, Place, Sole};
pub use spot::Spot;
pub use system_calls::{Kernel, SystemCalls};
pub use trash::{Claim, Discarded, Saved, Trash};
pub use untrusted::UntrustedDisk;
pub use walk::Found;
pub use watch::{News, Watch};

use std::collections::HashSet;
use std::ffi::OsStr;
use std::sync::{Arc, Mutex, PoisonError};

use memory_core::Ids;

/// The file by which Git knows what to leave out, and what leaves out everything.
pub const GIT_IGNORE: &str = ".gitignore";
pub const IGNORE_ALL: &[u8] = b"*\n";

/// Returns the id of the user that this process runs as.
pub fn user_id() -> u32 {
    rustix::process::geteuid().as_raw()
}

/// A kind's way to the disk: which disk, how private, and where names for new files come from.
#[derive(Debug, Clone)]
pub struct Files {
    disk: Arc<dyn Disk>,
    ids: Ids,
    access: Access,
    /// Folders whose names are durable already, each as the one that it was.
    settled: Arc<Mutex<HashSet<(Spot, u64)>>>,
}

impl Files {
    /// Returns a way to `disk` whose new files are private to the user.
    pub fn new(disk: Arc<dyn Disk>, ids: Ids) -> Self {
        Files {
            disk,
            ids,
            access: Access::Private,
            settled: Arc::default(),
        }
    }

    /// Returns the same way for files that others may read: 0644 and 0755 under the umask.
    #[must_use]
    pub fn shared(self) -> Self {
        Files {
            access: Access::Shared,
            ..self
        }
    }

    /// Returns the same way to another disk.
    #[must_use]
    pub fn on_disk(&self, disk: Arc<dyn Disk>) -> Self {
        Files {
            disk,
            ..self.clone()
        }
    }

    /// Returns the disk.
    pub fn disk(&self) -> Arc<dyn Disk> {
        self.disk.clone()
    }

    /// Returns where names and ids for new things come from.
    pub fn ids(&self) -> &Ids {
        &self.ids
    }

    /// Returns an id that no one else has, for something new that is about to be kept.
    pub fn new_id(&self) -> String {
        self.ids.uuid()
    }

    /// Returns what names this run of the system: it is another after a power cut. `None` if the system does not tell.
    pub fn boot_id(&self) -> Option<String> {
        self.disk.boot_id()
    }

    /// Reads a file whole; none when it is not there.
    ///
    /// A file of more than `most` bytes is refused before it is read.
    pub fn read(&self, at: &Spot, most: u64) -> Result<Option<Seen>, DiskError> {
        self.disk.read(at, most)
    }

    /// Reads a part of a file, together with the stamp the file had while it was read.
    pub fn read_part(
        &self,
        at: &Spot,
        from: u64,
        length: usize,
    ) -> Result<Option<Seen>, DiskError> {
        self.disk.read_part(at, from, length)
    }

    /// Maps a file into memory, to be read where it lies; none when it is not there.
    ///
    /// Only for files that are put in place whole and never written again: see [`Mapping`].
    pub fn map(&self, at: &Spot) -> Result<Option<Mapping>, DiskError> {
        self.disk.map(at)
    }

    /// Returns the stamp of a file or folder; none when it is not there.
    pub fn stamp(&self, at: &Spot) -> Result<Option<Stamp>, DiskError> {
        self.disk.stamp(at)
    }

    /// Returns the stamps of what has these names in a folder; none for what is not there.
    pub fn stamps(&self, folder: &Spot, names: &[&str]) -> Result<Vec<Option<Stamp>>, DiskError> {
        self.disk.stamps(folder, names)
    }

    /// Lists a folder in the order of names; nothing when it is not there.
    pub fn list(&self, folder: &Spot) -> Result<Vec<Item>, DiskError> {
        let mut items = self.disk.list(folder)?;
        items.sort();
        Ok(items)
    }

    /// Lists the files of a folder with their stamps, in the order of names.
    pub fn scan(&self, folder: &Spot) -> Result<Vec<Sighting>, DiskError> {
        let mut found = self.disk.scan(folder)?;
        found.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(found)
    }

    /// Reads files of one folder, one after the other, and hands each over as it comes.
    pub fn read_each(
        &self,
        folder: &Spot,
        names: &[&OsStr],
        most: u64,
        each: &mut dyn FnMut(usize, Result<Option<Seen>, DiskError>),
    ) {
        self.disk.read_each(folder, names, most, each);
    }

    /// Makes a folder and what is missing above it, each durable before the next.
    pub fn ensure_folder(&self, folder: &Spot) -> Result<(), DiskError> {
        if self.disk.stamp(folder)?.is_some() {
            return Ok(());
        }
        let Some(parent) = folder.parent() else {
            return Ok(());
        };
        self.ensure_folder(&parent)?;
        if self.disk.make_folder(folder, self.access)? {
            self.disk.sync_folder(&parent)?;
        }
        Ok(())
    }

    /// Makes a folder that Git leaves out, so that nobody publishes what is in it with a repository around it. A folder
    /// that exists stays as it is.
    pub fn ensure_ignored_folder(&self, folder: &Spot) -> Result<(), DiskError> {
        if self.disk.stamp(folder)?.is_some() {
            return Ok(());
        }
        self.ensure_folder(folder)?;
        self.replace(&folder.join(GIT_IGNORE), IGNORE_ALL)
    }

    /// Makes the names of a folder and of those above it durable, up to the anchor's.
    ///
    /// A folder that another process has just made may not be: whoever first keeps a file in it
    /// sees to that.
    pub fn settle_folders(&self, folder: &Spot) -> Result<(), DiskError> {
        let known = self
            .stamp(folder)?
            .map(|stamp| (folder.clone(), stamp.inode));
        let settled = || self.settled.lock().unwrap_or_else(PoisonError::into_inner);
        if known
            .as_ref()
            .is_some_and(|known| settled().contains(known))
        {
            return Ok(());
        }
        let mut above = folder.parent();
        while let Some(here) = above {
            self.disk.sync_folder(&here)?;
            above = if here.is_anchor() {
                None
            } else {
                here.parent()
            };
        }
        settled().extend(known);
        Ok(())
    }

    /// Makes the names in a folder durable, as they are now.
    pub fn sync_folder(&self, folder: &Spot) -> Result<(), DiskError> {
        self.disk.sync_folder(folder)
    }

    /// Removes a file that can be made again. It is no failure when it is not there.
    pub fn remove_derived(&self, at: &Spot) -> Result<(), DiskError> {
        self.disk.remove(at)
    }

    /// Removes a folder of files, and the files in it.
    pub fn remove_folder(&self, at: &Spot) -> Result<(), DiskError> {
        for item in self.list(at)? {
            self.disk.remove(&at.join(&item.name))?;
        }
        self.remove(at)
    }

    /// Removes a file durably. It is no failure when it is not there.
    pub fn remove(&self, at: &Spot) -> Result<(), DiskError> {
        self.disk.remove(at)?;
        at.parent()
            .map_or(Ok(()), |folder| self.disk.sync_folder(&folder))
    }
}
