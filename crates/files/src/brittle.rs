//! A disk that fails or dies at a chosen step, for proving what a crash leaves behind.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use rustix::fs::{AtFlags, Mode, OFlags};

use crate::disk::{Access, Disk, FileLock, Item, Seen, Sighting, Stamp};
use crate::{DiskError, Kernel, Mapping, RealDisk, Spot, SystemCalls};

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

/// The local file system, until its step `at` breaks. System calls that change files are the steps, or reads if reading
/// fails.
#[derive(Debug)]
pub struct Brittle {
    disk: RealDisk,
    steps: Arc<Steps>,
}

/// Counts steps until the one that breaks.
#[derive(Debug)]
struct Steps {
    breakage: Breakage,
    at: usize,
    taken: AtomicUsize,
}

impl Brittle {
    /// Returns a disk whose step `at` breaks, counting from 0.
    pub fn new(breakage: Breakage, at: usize) -> Self {
        Brittle::over(Arc::new(Kernel), breakage, at)
    }

    /// Returns a disk that makes these system calls and whose step `at` breaks, counting from 0.
    pub fn over(calls: Arc<dyn SystemCalls>, breakage: Breakage, at: usize) -> Self {
        let steps = Arc::new(Steps {
            breakage,
            at,
            taken: AtomicUsize::new(0),
        });
        let failing = FailingCalls {
            calls,
            steps: steps.clone(),
        };
        Brittle {
            disk: RealDisk::over(Arc::new(failing)),
            steps,
        }
    }

    /// Returns how many steps were taken.
    pub fn taken(&self) -> usize {
        self.steps.taken.load(Ordering::SeqCst)
    }

    /// Returns whether the step that breaks was reached.
    pub fn has_broken(&self) -> bool {
        self.steps.has_broken()
    }

    /// Deletes a file if it is the one that someone deletes before it is read.
    fn delete(&self, at: &Spot) -> Result<(), DiskError> {
        if self.steps.breakage == Breakage::Deletes && self.steps.count().is_err() {
            self.disk.remove(at)
        } else {
            Ok(())
        }
    }

    fn look(&self, at: &Spot) -> Result<(), DiskError> {
        let looked = match self.steps.breakage {
            Breakage::FailsReading => self.steps.count(),
            _ if self.steps.is_dead() => Err(broken()),
            _ => Ok(()),
        };
        looked.map_err(|error| broken_at(at, error))
    }
}

impl Steps {
    fn has_broken(&self) -> bool {
        self.taken.load(Ordering::SeqCst) > self.at
    }

    fn is_dead(&self) -> bool {
        self.breakage == Breakage::Dies && self.has_broken()
    }

    /// Takes a step that changes files.
    fn take(&self) -> io::Result<()> {
        match self.breakage {
            Breakage::FailsReading | Breakage::Deletes => Ok(()),
            Breakage::Fails | Breakage::Dies => self.count(),
        }
    }

    fn count(&self) -> io::Result<()> {
        let n = self.taken.fetch_add(1, Ordering::SeqCst);
        let is_broken = match self.breakage {
            Breakage::Fails | Breakage::FailsReading | Breakage::Deletes => n == self.at,
            Breakage::Dies => n >= self.at,
        };
        if is_broken { Err(broken()) } else { Ok(()) }
    }

    /// Returns the part of a write that has reached the disk if the process dies during it.
    fn half_of<'b>(&self, bytes: &'b [u8]) -> Option<&'b [u8]> {
        let is_next = self.taken.load(Ordering::SeqCst) == self.at;
        (self.breakage == Breakage::Dies && is_next).then(|| &bytes[..bytes.len() / 2])
    }
}

/// System calls of which one fails, or all from one on.
#[derive(Debug)]
struct FailingCalls {
    calls: Arc<dyn SystemCalls>,
    steps: Arc<Steps>,
}

impl SystemCalls for FailingCalls {
    fn open(
        &self,
        folder: &OwnedFd,
        name: &OsStr,
        flags: OFlags,
        mode: Mode,
    ) -> io::Result<OwnedFd> {
        self.steps.take()?;
        self.calls.open(folder, name, flags, mode)
    }

    fn write(&self, file: &File, bytes: &[u8]) -> io::Result<()> {
        if let Some(half) = self.steps.half_of(bytes) {
            self.calls.write(file, half)?;
        }
        self.steps.take()?;
        self.calls.write(file, bytes)
    }

    fn write_at(&self, file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
        if let Some(half) = self.steps.half_of(bytes) {
            self.calls.write_at(file, half, offset)?;
        }
        self.steps.take()?;
        self.calls.write_at(file, bytes, offset)
    }

    fn set_len(&self, file: &File, length: u64) -> io::Result<()> {
        self.steps.take()?;
        self.calls.set_len(file, length)
    }

    fn sync_all(&self, file: &File) -> io::Result<()> {
        self.steps.take()?;
        self.calls.sync_all(file)
    }

    fn sync_data(&self, file: &File) -> io::Result<()> {
        self.steps.take()?;
        self.calls.sync_data(file)
    }

    fn sync_folder(&self, folder: &OwnedFd) -> io::Result<()> {
        self.steps.take()?;
        self.calls.sync_folder(folder)
    }

    #[cfg(target_os = "linux")]
    fn sync_file_system(&self, folder: &OwnedFd) -> io::Result<()> {
        self.steps.take()?;
        self.calls.sync_file_system(folder)
    }

    fn make_folder(&self, folder: &OwnedFd, name: &OsStr, mode: Mode) -> io::Result<()> {
        self.steps.take()?;
        self.calls.make_folder(folder, name, mode)
    }

    fn rename(&self, from: (&OwnedFd, &OsStr), to: (&OwnedFd, &OsStr)) -> io::Result<()> {
        self.steps.take()?;
        self.calls.rename(from, to)
    }

    #[cfg(target_os = "linux")]
    fn exchange(&self, folder: &OwnedFd, one: &OsStr, other: &OsStr) -> io::Result<()> {
        self.steps.take()?;
        self.calls.exchange(folder, one, other)
    }

    fn unlink(&self, folder: &OwnedFd, name: &OsStr, flags: AtFlags) -> io::Result<()> {
        self.steps.take()?;
        self.calls.unlink(folder, name, flags)
    }

    fn boot_id(&self) -> Option<String> {
        self.calls.boot_id()
    }
}

fn broken() -> io::Error {
    io::Error::other("the disk broke")
}

fn broken_at(at: &Spot, source: io::Error) -> DiskError {
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

    fn pin(&self, folder: &Spot) -> Result<Option<Spot>, DiskError> {
        self.look(folder)?;
        self.disk.pin(folder)
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
        self.disk.make_folder(at, access)
    }

    fn create(&self, at: &Spot, bytes: &[u8], access: Access) -> Result<Stamp, DiskError> {
        self.disk.create(at, bytes, access)
    }

    fn create_unsynced(&self, at: &Spot, bytes: &[u8], access: Access) -> Result<Stamp, DiskError> {
        self.disk.create_unsynced(at, bytes, access)
    }

    fn create_all(&self, files: &[(Spot, &[u8])], access: Access) -> Result<Vec<Stamp>, DiskError> {
        self.disk.create_all(files, access)
    }

    fn append(&self, at: &Spot, bytes: &[u8], access: Access) -> Result<bool, DiskError> {
        self.disk.append(at, bytes, access)
    }

    fn append_unsynced(&self, at: &Spot, bytes: &[u8], access: Access) -> Result<Stamp, DiskError> {
        self.disk.append_unsynced(at, bytes, access)
    }

    fn overwrite(&self, at: &Spot, parts: &[(u64, &[u8])]) -> Result<(), DiskError> {
        self.disk.overwrite(at, parts)
    }

    fn write_unsynced(&self, at: &Spot, bytes: &[u8], access: Access) -> Result<(), DiskError> {
        self.disk.write_unsynced(at, bytes, access)
    }

    fn cut(&self, at: &Spot, length: u64) -> Result<(), DiskError> {
        self.disk.cut(at, length)
    }

    fn rename(&self, from: &Spot, to: &Spot) -> Result<(), DiskError> {
        self.disk.rename(from, to)
    }

    fn rename_derived(&self, from: &Spot, to: &Spot) -> Result<(), DiskError> {
        self.disk.rename_derived(from, to)
    }

    fn rename_each(&self, pairs: &[(Spot, Spot)]) -> Vec<Result<(), DiskError>> {
        self.disk.rename_each(pairs)
    }

    fn rename_all(&self, pairs: &[(Spot, Spot)]) -> (usize, Result<(), DiskError>) {
        self.disk.rename_all(pairs)
    }

    fn remove(&self, at: &Spot) -> Result<(), DiskError> {
        self.disk.remove(at)
    }

    fn sync_folder(&self, folder: &Spot) -> Result<(), DiskError> {
        self.disk.sync_folder(folder)
    }

    fn boot_id(&self) -> Option<String> {
        self.disk.boot_id()
    }

    fn lock(
        &self,
        at: &Spot,
        access: Access,
        patience: Duration,
    ) -> Result<Option<FileLock>, DiskError> {
        self.disk.lock(at, access, patience)
    }
}

#[cfg(test)]
mod tests {
    use memory_core::Ids;

    use super::*;
    use crate::Files;

    /// Replaces a file on a disk that breaks at `step`; says whether it broke.
    fn replace_on_a_disk_that_breaks(
        dir: &std::path::Path,
        breakage: Breakage,
        step: usize,
    ) -> bool {
        let brittle = Arc::new(Brittle::new(breakage, step));
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
