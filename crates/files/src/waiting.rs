//! Waiting for a lock file's lock, for so long and no longer.

use std::fs::{File, TryLockError};
use std::io;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use rustix::fs::{self, Mode, OFlags};

use crate::disk::{Access, Disk, FileLock};
use crate::opening::{PLAIN, fstat, io_error, open_for_writing, require_regular, stamp_of};
use crate::{DiskError, RealDisk, Spot};

/// How often a lock file that is replaced while we wait for it is opened again at least.
const LOCK_REOPENS: usize = 100;

/// Takes the lock of a lock file; none when others held it for all of `patience`.
pub(crate) fn lock(
    disk: &RealDisk,
    at: &Spot,
    access: Access,
    patience: Duration,
) -> Result<Option<FileLock>, DiskError> {
    let started = Instant::now();
    let flags = OFlags::CREATE | OFlags::RDWR | PLAIN;
    let mut tries = 0;
    while tries < LOCK_REOPENS || started.elapsed() < patience {
        tries += 1;
        let file = open_for_writing(disk.calls(), at, flags, access)?;
        let opened = fstat(&file).map_err(|e| io_error("look at", at, e))?;
        require_regular(at, &opened)?;
        if opened.st_mode & 0o077 != 0 {
            // It may belong to another user, who then decides.
            let _ = fs::fchmod(&file, Mode::RUSR | Mode::WUSR);
        }
        let left = patience.saturating_sub(started.elapsed());
        let Some(locked) = lock_within(file, left).map_err(|e| io_error("lock", at, e))? else {
            return Ok(None);
        };
        // Whoever held it before may have removed the file: then this lock guards nothing.
        if disk
            .stamp(at)?
            .is_some_and(|now| now.inode == stamp_of(&opened).inode)
        {
            return Ok(Some(FileLock::new(locked)));
        }
    }
    Ok(None)
}

/// Waits for a file's lock; none when the patience runs out.
///
/// The system lets those who wait take turns, but it knows no time limit: so another thread waits.
/// If it gets the lock when no one listens any more, it drops the file and with it the lock.
fn lock_within(file: File, patience: Duration) -> io::Result<Option<File>> {
    match file.try_lock() {
        Ok(()) => return Ok(Some(file)),
        Err(TryLockError::WouldBlock) if patience.is_zero() => return Ok(None),
        Err(TryLockError::WouldBlock) => {}
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Interrupted => {}
        Err(TryLockError::Error(error)) => return Err(error),
    }
    let (sender, receiver) = mpsc::channel();
    thread::Builder::new()
        .name("lock".to_owned())
        .spawn(move || {
            let _ = sender.send(lock_at_last(file));
        })?;
    receiver.recv_timeout(patience).ok().transpose()
}

fn lock_at_last(file: File) -> io::Result<File> {
    loop {
        match file.lock() {
            Ok(()) => return Ok(file),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
