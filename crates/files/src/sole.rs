//! Being the only process of its kind: a lock file that names its holder, and the holder's socket.
//!
//! The lock is the system's and ends with the process, however that ends; the number in the file is
//! for people and for programs that want to send a signal.

use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt, PermissionsExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::time::Duration;

use memory_core::Timestamp;

use crate::{DiskError, FileLock, Files, Spot};

/// Someone may be looking whether there is a holder: that takes the lock for a moment.
const PATIENCE: Duration = Duration::from_millis(500);
/// A name beside the socket's that is no longer than it: the system allows about 100 bytes.
const UNFINISHED: &str = ".sock";
/// The longest path by which a socket can be reached: what the system has room for, less the end.
const ADDRESS_BYTES: usize = if cfg!(target_os = "linux") { 107 } else { 103 };

/// Holds a lock file until it is dropped, which removes the file.
#[derive(Debug)]
pub struct Sole {
    path: PathBuf,
    _lock: FileLock,
}

/// The process that holds a lock file now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holder {
    /// None in the moment between locking the file and writing it.
    pub pid: Option<u32>,
    pub since: Timestamp,
}

/// A socket that this process listens at.
#[derive(Debug)]
pub struct Listening {
    pub listener: UnixListener,
    pub place: Place,
}

/// Where a socket was put, and which file it is.
#[derive(Debug, Clone)]
pub struct Place {
    at: Spot,
    inode: Option<u64>,
}

impl Files {
    /// Becomes the holder of a lock file, which then contains this process's number; none when
    /// another process is it.
    pub fn hold_sole(&self, at: &Spot) -> Result<Option<Sole>, DiskError> {
        let Some(lock) = self.disk.lock(at, self.access, PATIENCE)? else {
            return Ok(None);
        };
        let path = at.path();
        write_in_place(&path, &format!("{}\n", std::process::id()))
            .map_err(|e| failed("write", &path, e))?;
        Ok(Some(Sole { path, _lock: lock }))
    }

    /// Returns the process that holds a lock file; none when no living process does.
    pub fn holder(&self, at: &Spot) -> Result<Option<Holder>, DiskError> {
        let Some(seen) = self.read(at, 64)? else {
            return Ok(None);
        };
        if self.disk.lock(at, self.access, Duration::ZERO)?.is_some() {
            return Ok(None);
        }
        let pid = std::str::from_utf8(&seen.bytes)
            .ok()
            .and_then(|text| text.trim().parse().ok());
        let since =
            Timestamp::from_nanosecond(seen.stamp.modified).unwrap_or(Timestamp::UNIX_EPOCH);
        let since = Timestamp::from_second(since.as_second()).unwrap_or(since);
        Ok(Some(Holder { pid, since }))
    }

    /// Listens at a socket that only the user can reach; none when another process answers there.
    ///
    /// What a dead process has left is replaced, and nothing else is. The socket appears at its place with
    /// its permissions already set. Whoever calls this holds the lock of the place.
    pub fn listen(&self, at: &Spot) -> Result<Option<Listening>, DiskError> {
        let path = at.path();
        let size = path.as_os_str().len();
        if size > ADDRESS_BYTES {
            return Err(DiskError::LongAddress {
                path,
                size,
                limit: ADDRESS_BYTES,
            });
        }
        self.stamp(at)?; // refuses a link
        if is_there(&path)? && !is_socket(&path) {
            return Err(DiskError::Taken { path });
        }
        if UnixStream::connect(&path).is_ok() {
            return Ok(None);
        }
        let unfinished = path.with_file_name(UNFINISHED);
        let bound = remove_if_there(&unfinished).and_then(|()| UnixListener::bind(&unfinished));
        let listener = bound.map_err(|e| failed("listen at", &path, e))?;
        let placed = fs::set_permissions(&unfinished, fs::Permissions::from_mode(0o600))
            .and_then(|()| fs::rename(&unfinished, &path));
        if let Err(error) = placed {
            let _ = remove_if_there(&unfinished);
            return Err(failed("listen at", &path, error));
        }
        let inode = self.stamp(at)?.map(|stamp| stamp.inode);
        Ok(Some(Listening {
            listener,
            place: Place {
                at: at.clone(),
                inode,
            },
        }))
    }

    /// Takes a socket away, if it is still the one that was put there.
    pub fn unlisten(&self, place: &Place) -> Result<(), DiskError> {
        let is_ours =
            place.inode.is_some() && self.stamp(&place.at)?.map(|stamp| stamp.inode) == place.inode;
        if is_ours && is_socket(&place.at.path()) {
            self.remove(&place.at)
        } else {
            Ok(())
        }
    }
}

impl Drop for Sole {
    fn drop(&mut self) {
        // Whoever waits for the lock sees that its file is gone, and makes a new one.
        let _ = fs::remove_file(&self.path);
    }
}

/// The lock is that of the file itself: one put in its place would not be locked.
pub(crate) fn write_in_place(path: &Path, text: &str) -> io::Result<()> {
    let no_link = rustix::fs::OFlags::NOFOLLOW.bits().cast_signed();
    let mut file = fs::OpenOptions::new()
        .write(true)
        .truncate(true)
        .custom_flags(no_link)
        .open(path)?;
    file.write_all(text.as_bytes())
}

fn is_there(path: &Path) -> Result<bool, DiskError> {
    match fs::symlink_metadata(path) {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(failed("look at", path, error)),
    }
}

fn is_socket(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.file_type().is_socket())
}

fn remove_if_there(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

fn failed(doing: &'static str, path: &Path, source: io::Error) -> DiskError {
    DiskError::Io {
        doing,
        path: path.to_owned(),
        source,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use memory_core::{Code, Ids};

    use super::*;
    use crate::RealDisk;

    fn place() -> (tempfile::TempDir, Files, Spot) {
        let dir = tempfile::tempdir().unwrap();
        let files = Files::new(Arc::new(RealDisk::default()), Ids::random());
        let root = Spot::anchor(dir.path());
        (dir, files, root)
    }

    #[test]
    fn one_process_holds_the_file_and_a_dead_one_does_not() {
        let (_dir, files, root) = place();
        let at = root.join(".daemon.lock");
        assert_eq!(files.holder(&at).unwrap(), None);
        let held = files.hold_sole(&at).unwrap().unwrap();
        assert_eq!(
            files.holder(&at).unwrap().unwrap().pid,
            Some(std::process::id())
        );
        assert!(files.hold_sole(&at).unwrap().is_none());
        drop(held);
        assert!(!at.path().exists());
        // What a killed process leaves: the file, and no lock.
        fs::write(at.path(), "1\n").unwrap();
        assert_eq!(files.holder(&at).unwrap(), None);
        assert!(files.hold_sole(&at).unwrap().is_some());
    }

    #[test]
    fn a_socket_is_private_and_a_dead_one_is_replaced() {
        let (_dir, files, root) = place();
        let at = root.join("memory.sock");
        let first = files.listen(&at).unwrap().unwrap();
        assert_eq!(
            fs::metadata(at.path()).unwrap().permissions().mode() & 0o777,
            0o600
        );
        assert!(
            files.listen(&at).unwrap().is_none(),
            "someone answers there"
        );
        drop(first);
        assert!(files.listen(&at).unwrap().is_some());
        UnixStream::connect(at.path()).unwrap_err();
    }

    #[test]
    fn what_is_no_socket_stays_before_and_after() {
        let (dir, files, root) = place();
        let at = root.join("memory.sock");
        fs::write(at.path(), "precious").unwrap();
        assert_eq!(files.listen(&at).unwrap_err().code(), Code::Conflict);
        fs::remove_file(at.path()).unwrap();
        let listening = files.listen(&at).unwrap().unwrap();
        fs::remove_file(at.path()).unwrap();
        fs::write(at.path(), "precious").unwrap();
        files.unlisten(&listening.place).unwrap();
        assert_eq!(fs::read_to_string(at.path()).unwrap(), "precious");
        fs::remove_file(at.path()).unwrap();
        let listening = files.listen(&at).unwrap().unwrap();
        files.unlisten(&listening.place).unwrap();
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_path_that_nobody_could_connect_to_is_refused() {
        let (_dir, files, root) = place();
        let room = ADDRESS_BYTES - root.path().as_os_str().len() - 1;
        assert!(
            files
                .listen(&root.join("s".repeat(room)))
                .unwrap()
                .is_some()
        );
        let error = files.listen(&root.join("s".repeat(room + 1))).unwrap_err();
        assert_eq!(error.code(), Code::LimitExceeded);
    }
}
