//! A disk that fails or dies at a chosen step, for proving what a crash leaves behind.

use std::ffi::OsStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::disk::{Access, Disk, FileLock, Item, Seen, Sighting, Stamp};
use crate::{DiskError, Mapping, Spot};

/// How the disk breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Breakage {
    /// One step fails, and those after it work: a passing fault.
    Fails,
    /// One step fails halfway, and nothing works after it: the process is dead.
    Dies,
    /// One look at the disk fails, and all others work: a passing read error.
    FailsReading,
    /// One file is deleted by someone else just before it is read.
    Deletes,
}

/// Another disk, until its step `at` breaks. Steps that change the disk count, or those that read it if reading fails.
#[derive(Debug)]
pub struct Brittle {
    disk: Arc<dyn Disk>,
    breakage: Breakage,
    at: usize,
    taken: AtomicUsize,
    was_restarted: bool,
}

impl Brittle {
    /// Returns a disk whose step `at` breaks, counting from 0.
    pub fn new(disk: Arc<dyn Disk>, breakage: Breakage, at: usize) -> Self {
        Brittle {
            disk,
            breakage,
            at,
            taken: AtomicUsize::new(0),
            was_restarted: false,
        }
    }

    /// Returns a disk of a system that was started anew, as after a power cut.
    pub fn after_restart(disk: Arc<dyn Disk>) -> Self {
        Brittle {
            was_restarted: true,
            ..Brittle::new(disk, Breakage::Fails, usize::MAX)
        }
    }

    /// Returns how many steps were taken.
    pub fn taken(&self) -> usize {
        self.taken.load(Ordering::SeqCst)
    }

    /// Says whether the step that breaks was ever reached.
    pub fn has_broken(&self) -> bool {
        self.taken.load(Ordering::SeqCst) > self.at
    }

    fn step(&self, at: &Spot) -> Result<(), DiskError> {
        match self.breakage {
            Breakage::FailsReading | Breakage::Deletes => Ok(()),
            Breakage::Fails | Breakage::Dies => self.count(at),
        }
    }

    fn count(&self, at: &Spot) -> Result<(), DiskError> {
        let n = self.taken.fetch_add(1, Ordering::SeqCst);
        let broken = match self.breakage {
            Breakage::Fails | Breakage::FailsReading | Breakage::Deletes => n == self.at,
            Breakage::Dies => n >= self.at,
        };
        if broken { Err(broken_at(at)) } else { Ok(()) }
    }

    fn is_dead(&self) -> bool {
        self.breakage == Breakage::Dies && self.has_broken()
    }

    /// A write that breaks by death has reached the disk in part.
    fn half_of<'b, T>(&self, parts: &'b [T]) -> Option<&'b [T]> {
        let is_next = self.taken.load(Ordering::SeqCst) == self.at;
        (self.breakage == Breakage::Dies && is_next).then(|| &parts[..parts.len() / 2])
    }

    /// Deletes a file if it is the one that someone deletes before it is read.
    fn delete(&self, at: &Spot) -> Result<(), DiskError> {
        if self.breakage == Breakage::Deletes && self.count(at).is_err() {
            self.disk.remove(at)
        } else {
            Ok(())
        }
    }

    fn look(&self, at: &Spot) -> Result<(), DiskError> {
        match self.breakage {
            Breakage::FailsReading => self.count(at),
            _ if self.is_dead() => Err(broken_at(at)),
            _ => Ok(()),
        }
    }
}

fn broken_at(at: &Spot) -> DiskError {
    let source = std::io::Error::other("the disk broke");
    DiskError::Io {
        doing: "reach",
        path: at.path(),
        source,
    }
}

impl Disk for Brittle {
    fn read(&self, at: &Spot, most: u64) -> Result<Option<Seen>, DiskError> {
        self.look(at)?;
        self.delete(at)?;
        self.disk.read(at, most)
    }

    fn read_part(&self, at: &Spot, from: u64, length: usize) -> Result<Option<Seen>, DiskError> {
        self.look(at)?;
        self.disk.read_part(at, from, length)
    }

    fn map(&self, at: &Spot) -> Result<Option<Mapping>, DiskError> {
        self.look(at)?;
        self.disk.map(at)
    }

    fn stamp(&self, at: &Spot) -> Result<Option<Stamp>, DiskError> {
        self.look(at)?;
        self.disk.stamp(at)
    }

    fn list(&self, folder: &Spot) -> Result<Vec<Item>, DiskError> {
        self.look(folder)?;
        self.disk.list(folder)
    }

    fn scan(&self, folder: &Spot) -> Result<Vec<Sighting>, DiskError> {
        self.look(folder)?;
        self.disk.scan(folder)
    }

    fn read_each(
        &self,
        folder: &Spot,
        names: &[&OsStr],
        most: u64,
        each: &mut dyn FnMut(usize, Result<Option<Seen>, DiskError>),
    ) {
        self.disk.read_each(folder, names, most, &mut |n, seen| {
            let at = folder.join(names[n]);
            each(n, self.look(&at).and_then(|()| self.delete(&at)).and(seen));
        });
    }

    fn make_folder(&self, at: &Spot, access: Access) -> Result<bool, DiskError> {
        self.step(at)?;
        self.disk.make_folder(at, access)
    }

    fn create(&self, at: &Spot, bytes: &[u8], access: Access) -> Result<Stamp, DiskError> {
        if let Some(half) = self.half_of(bytes) {
            self.disk.create(at, half, access)?;
        }
        self.step(at)?;
        self.disk.create(at, bytes, access)
    }

    fn create_unsynced(&self, at: &Spot, bytes: &[u8], access: Access) -> Result<Stamp, DiskError> {
        if let Some(half) = self.half_of(bytes) {
            self.disk.create_unsynced(at, half, access)?;
        }
        self.step(at)?;
        self.disk.create_unsynced(at, bytes, access)
    }

    /// Each file is a step, so that some of them may be there when it breaks.
    fn create_all(&self, files: &[(Spot, &[u8])], access: Access) -> Result<Vec<Stamp>, DiskError> {
        files
            .iter()
            .map(|(at, bytes)| self.create(at, bytes, access))
            .collect()
    }

    fn append(&self, at: &Spot, bytes: &[u8], access: Access) -> Result<bool, DiskError> {
        if let Some(half) = self.half_of(bytes) {
            self.disk.append(at, half, access)?;
        }
        self.step(at)?;
        self.disk.append(at, bytes, access)
    }

    /// Death comes when half of the parts are there.
    fn overwrite(&self, at: &Spot, parts: &[(u64, &[u8])]) -> Result<(), DiskError> {
        if let Some(half) = self.half_of(parts) {
            self.disk.overwrite(at, half)?;
        }
        self.step(at)?;
        self.disk.overwrite(at, parts)
    }

    fn cut(&self, at: &Spot, length: u64) -> Result<(), DiskError> {
        self.step(at)?;
        self.disk.cut(at, length)
    }

    fn rename(&self, from: &Spot, to: &Spot) -> Result<(), DiskError> {
        self.step(to)?;
        self.disk.rename(from, to)
    }

    fn remove(&self, at: &Spot) -> Result<(), DiskError> {
        self.step(at)?;
        self.disk.remove(at)
    }

    fn sync_folder(&self, folder: &Spot) -> Result<(), DiskError> {
        self.step(folder)?;
        self.disk.sync_folder(folder)
    }

    fn boot_id(&self) -> Option<String> {
        if self.was_restarted {
            Some("another".to_owned())
        } else {
            self.disk.boot_id()
        }
    }

    fn lock(
        &self,
        at: &Spot,
        access: Access,
        patience: Duration,
    ) -> Result<Option<FileLock>, DiskError> {
        self.step(at)?;
        self.disk.lock(at, access, patience)
    }
}

#[cfg(test)]
mod tests {
    use memory_core::Ids;

    use super::*;
    use crate::{Files, RealDisk};

    /// Replaces a file on a disk that breaks at `step`; says whether it broke.
    fn replace_on_a_disk_that_breaks(
        dir: &std::path::Path,
        breakage: Breakage,
        step: usize,
    ) -> bool {
        let brittle = Arc::new(Brittle::new(Arc::new(RealDisk), breakage, step));
        let files = Files::new(brittle.clone(), Ids::random());
        let at = Spot::anchor(dir).join("a");
        let replaced = files
            .lock(&Spot::anchor(dir).join(".a.lock"))
            .and_then(|held| {
                held.sweep(std::slice::from_ref(&at));
                held.commit(held.draft(&at, b"new new new")?, None, None)
            });
        assert_eq!(replaced.is_err(), brittle.has_broken(), "step {step}");
        brittle.has_broken()
    }

    #[test]
    fn a_file_is_old_or_new_wherever_the_disk_breaks_and_the_next_writer_sweeps() {
        for breakage in [Breakage::Fails, Breakage::Dies] {
            for step in 0.. {
                let dir = tempfile::tempdir().unwrap();
                std::fs::write(dir.path().join("a"), "old").unwrap();
                let broke = replace_on_a_disk_that_breaks(dir.path(), breakage, step);
                let now = std::fs::read_to_string(dir.path().join("a")).unwrap();
                assert!(
                    ["old", "new new new"].contains(&now.as_str()),
                    "step {step}: {now}"
                );
                replace_on_a_disk_that_breaks(dir.path(), Breakage::Fails, usize::MAX);
                let names: Vec<_> = std::fs::read_dir(dir.path())
                    .unwrap()
                    .map(|e| e.unwrap().file_name())
                    .collect();
                assert_eq!(names.len(), 2, "{names:?}");
                if !broke {
                    assert_eq!(now, "new new new");
                    assert!(step > 3, "lock, create, rename and sync are steps");
                    break;
                }
            }
        }
    }
}
