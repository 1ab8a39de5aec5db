//! The system calls that change files, so that a test can count them, make them fail or forget what was not synced.

use std::ffi::OsStr;
use std::fmt;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::FileExt;

use rustix::fs::{self, AtFlags, Mode, OFlags};
use rustix::io::retry_on_intr;

use crate::boot;

/// The system calls by which [`RealDisk`](crate::RealDisk) changes files. The default of each method is the call itself.
pub trait SystemCalls: fmt::Debug + Send + Sync {
    /// Opens a file of a folder for writing, creating it if the flags say so.
    fn open(
        &self,
        folder: &OwnedFd,
        name: &OsStr,
        flags: OFlags,
        mode: Mode,
    ) -> io::Result<OwnedFd> {
        Ok(retry_on_intr(|| fs::openat(folder, name, flags, mode))?)
    }

    /// Writes all bytes at the position of the file, which is its end if it was opened for appending.
    fn write(&self, mut file: &File, bytes: &[u8]) -> io::Result<()> {
        file.write_all(bytes)
    }

    /// Writes all bytes at an offset.
    fn write_at(&self, file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
        file.write_all_at(bytes, offset)
    }

    /// Sets the length of a file.
    fn set_len(&self, file: &File, length: u64) -> io::Result<()> {
        file.set_len(length)
    }

    /// Makes the contents and the metadata of a file durable.
    fn sync_all(&self, file: &File) -> io::Result<()> {
        file.sync_all()
    }

    /// Makes the contents of a file durable.
    fn sync_data(&self, file: &File) -> io::Result<()> {
        file.sync_data()
    }

    /// Makes the names in a folder durable.
    fn sync_folder(&self, folder: &OwnedFd) -> io::Result<()> {
        Ok(fs::fsync(folder)?)
    }

    /// Makes everything durable that was written to the file system of a folder.
    #[cfg(target_os = "linux")]
    fn sync_file_system(&self, folder: &OwnedFd) -> io::Result<()> {
        Ok(fs::syncfs(folder)?)
    }

    /// Creates a folder in a folder.
    fn make_folder(&self, folder: &OwnedFd, name: &OsStr, mode: Mode) -> io::Result<()> {
        Ok(fs::mkdirat(folder, name, mode)?)
    }

    /// Gives a file or folder another name, which replaces the file of that name.
    fn rename(&self, from: (&OwnedFd, &OsStr), to: (&OwnedFd, &OsStr)) -> io::Result<()> {
        Ok(fs::renameat(from.0, from.1, to.0, to.1)?)
    }

    /// Exchanges two names of a folder.
    #[cfg(target_os = "linux")]
    fn exchange(&self, folder: &OwnedFd, one: &OsStr, other: &OsStr) -> io::Result<()> {
        let flags = fs::RenameFlags::EXCHANGE;
        Ok(fs::renameat_with(folder, one, folder, other, flags)?)
    }

    /// Removes a file, or an empty folder if the flags say so.
    fn unlink(&self, folder: &OwnedFd, name: &OsStr, flags: AtFlags) -> io::Result<()> {
        Ok(fs::unlinkat(folder, name, flags)?)
    }

    /// Returns an id of the time since the system was started, which a power cut ends. `None` if the system has none.
    fn boot_id(&self) -> Option<String> {
        boot::id()
    }
}

/// The system calls of this machine.
#[derive(Debug, Default)]
pub struct Kernel;

impl SystemCalls for Kernel {}

#[cfg(test)]
mod tests {
    use rustix::io::Errno;

    use super::*;

    /// The kernel refuses to sync these, so that a sync that is left out is noticed.
    #[test]
    fn each_sync_reaches_the_kernel() {
        let device = File::options().write(true).open("/dev/null").unwrap();
        let invalid = |synced: io::Result<()>, errno: Errno| {
            assert_eq!(
                synced.unwrap_err().raw_os_error(),
                Some(errno.raw_os_error())
            );
        };
        invalid(Kernel.sync_all(&device), Errno::INVAL);
        invalid(Kernel.sync_data(&device), Errno::INVAL);
        #[cfg(target_os = "linux")]
        {
            let flags = OFlags::PATH | OFlags::DIRECTORY;
            let no_file = fs::open("/", flags, Mode::empty()).unwrap();
            invalid(Kernel.sync_folder(&no_file), Errno::BADF);
            invalid(Kernel.sync_file_system(&no_file), Errno::BADF);
        }
    }
}
