//! A home that no one else has and that goes away with its test.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use memory_core::{Clock, parse_instant};
use memory_files::Spot;

/// The time at which tests happen.
pub const NOW: &str = "2026-05-07T10:00:00Z";

/// Returns a clock that stands at [`NOW`].
pub fn clock() -> Clock {
    Clock::fixed(parse_instant(NOW).expect("NOW is a time"))
}

/// A temporary folder to live in.
#[derive(Debug)]
pub struct Home {
    folder: tempfile::TempDir,
}

impl Home {
    /// Makes an empty home, in memory if the system has such a place: what is tested is what we ask
    /// of a disk, and not how long it takes.
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir());
        Home {
            folder: folder.expect("a temporary folder can be made"),
        }
    }

    /// Returns where it is.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Returns where it is, for the door to the disk.
    pub fn spot(&self) -> Spot {
        Spot::anchor(self.path())
    }

    /// Returns every file below it with its bytes, for comparing before and after.
    ///
    /// Lock files are left out, as they hold nothing, and so is the history of a store, which each change adds to.
    pub fn snapshot(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut found = BTreeMap::new();
        collect(self.path(), &mut found);
        found
    }
}

#[allow(clippy::disallowed_methods)] // a test looks behind the door's back
fn collect(folder: &Path, found: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() && path.ends_with(".memory-history") {
            continue;
        } else if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_none_or(|end| end != "lock") {
            found.insert(path.clone(), std::fs::read(&path).unwrap_or_default());
        }
    }
}
