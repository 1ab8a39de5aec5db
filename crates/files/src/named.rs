//! Files that the user names: read and written as any program would, links and all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;
use tempfile::TempDir;

use crate::{Access, DiskError, Files, Spot};

/// As many links as Linux follows.
const MOST_LINKS: usize = 40;

/// Who owns a file or folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Owner {
    pub user: u32,
    pub is_link: bool,
    pub is_folder: bool,
    /// The file system that it is on.
    pub device: u64,
}

impl Owner {
    fn of(found: &fs::Metadata) -> Self {
        Owner {
            user: found.uid(),
            is_link: found.is_symlink(),
            is_folder: found.is_dir(),
            device: found.dev(),
        }
    }
}

fn owner_in(path: &Path, found: io::Result<fs::Metadata>) -> Result<Option<Owner>, DiskError> {
    let hidden = [
        io::ErrorKind::NotFound,
        io::ErrorKind::NotADirectory,
        io::ErrorKind::PermissionDenied,
    ];
    match found {
        Ok(found) => Ok(Some(Owner::of(&found))),
        Err(error) if hidden.contains(&error.kind()) => Ok(None),
        Err(error) => Err(failed("look at", path, error)),
    }
}

impl Files {
    /// Returns who owns a file or folder, wherever links lead to it; `None` if it is not there or in a folder that may not
    /// be looked into.
    pub fn owner(&self, path: &Path) -> Result<Option<Owner>, DiskError> {
        owner_in(path, fs::metadata(path))
    }

    /// Returns the same for the link itself, if the path names one.
    pub fn owner_of_name(&self, path: &Path) -> Result<Option<Owner>, DiskError> {
        owner_in(path, fs::symlink_metadata(path))
    }

    /// Returns when the status of a file last changed (`ctime`), in nanoseconds: no program can set it. `None` if the file
    /// is not there.
    pub fn status_changed(&self, at: &Spot) -> Result<Option<i128>, DiskError> {
        let path = at.path();
        match fs::symlink_metadata(&path) {
            Ok(found) => Ok(Some(
                i128::from(found.ctime()) * 1_000_000_000 + i128::from(found.ctime_nsec()),
            )),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(failed("look at", &path, error)),
        }
    }

    /// Reads a file that the user named; none when it is not there.
    pub fn read_named(&self, path: &Path, most: u64) -> Result<Option<Vec<u8>>, DiskError> {
        let file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(failed("read", path, error)),
        };
        read_all(file, path, most).map(Some)
    }

    /// Reads a regular file wherever links lead to it; none when it is not there.
    ///
    /// For files that nobody named just now: opening a pipe in their place would wait for ever.
    pub fn read_linked(&self, path: &Path, most: u64) -> Result<Option<Vec<u8>>, DiskError> {
        let no_wait = OFlags::NONBLOCK.bits().cast_signed();
        let file = match OpenOptions::new()
            .read(true)
            .custom_flags(no_wait)
            .open(path)
        {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(failed("read", path, error)),
        };
        match file.metadata() {
            Ok(found) if found.is_file() => read_all(file, path, most).map(Some),
            Ok(_) => Err(DiskError::Unsafe {
                path: path.to_owned(),
                why: "is not a regular file",
            }),
            Err(error) => Err(failed("read", path, error)),
        }
    }

    /// Says whether nothing is at a path. What cannot be looked at is not missing.
    pub fn is_missing(&self, path: &Path) -> bool {
        let missing = [io::ErrorKind::NotFound, io::ErrorKind::NotADirectory];
        fs::metadata(path).is_err_and(|error| missing.contains(&error.kind()))
    }

    /// Returns whether a path leads to a regular file.
    pub fn is_regular(&self, path: &Path) -> bool {
        fs::metadata(path).is_ok_and(|found| found.is_file())
    }

    /// Makes a folder that the user named. Fails if something is in it.
    pub fn make_empty_folder(&self, path: &Path) -> Result<(), DiskError> {
        let made = fs::create_dir_all(path).and_then(|()| Ok(fs::read_dir(path)?.next().is_some()));
        match made {
            Ok(false) => Ok(()),
            Ok(true) => {
                let source =
                    io::Error::new(io::ErrorKind::DirectoryNotEmpty, "the folder is not empty");
                Err(failed("use", path, source))
            }
            Err(error) => Err(failed("make", path, error)),
        }
    }

    /// Makes a folder that only the user can look into, and that is removed with what is in it when the value is dropped.
    pub fn temporary_folder(&self) -> Result<TempDir, DiskError> {
        let folder = tempfile::Builder::new().prefix("memory-").tempdir();
        folder.map_err(|error| {
            failed(
                "make a temporary folder below",
                &std::env::temp_dir(),
                error,
            )
        })
    }

    /// Returns where a path leads when every link in it is followed; none when nothing is there.
    pub fn real_path(&self, path: &Path) -> Option<PathBuf> {
        fs::canonicalize(path).ok()
    }

    /// Returns where a new file of this name would be: at the end of a link that leads nowhere yet.
    pub fn link_target(&self, path: &Path) -> PathBuf {
        let mut target = path.to_owned();
        for _ in 0..MOST_LINKS {
            let Ok(next) = fs::read_link(&target) else {
                break;
            };
            target = target.parent().unwrap_or(Path::new("")).join(next);
        }
        target
    }

    /// Puts bytes into a file that the user named.
    ///
    /// A regular file, or none yet, is replaced at once and durably, with the permissions that it
    /// had; a new one is private, unless these files are shared; a pipe or a device is written to. A link
    /// leads to what it names.
    pub fn replace_named(&self, path: &Path, bytes: &[u8]) -> Result<(), DiskError> {
        let there = match fs::metadata(path) {
            Ok(found) => Some(found),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(failed("write", path, error)),
        };
        if there.as_ref().is_some_and(|found| !found.is_file()) {
            return write_into(path, bytes).map_err(|e| failed("write", path, e));
        }
        let target = if there.is_some() {
            real_path(path)?
        } else {
            self.link_target(path)
        };
        let (folder, name) = (
            target.parent().filter(|f| !f.as_os_str().is_empty()),
            target.file_name(),
        );
        let at = Spot::anchor(folder.unwrap_or(Path::new("."))).join(name.unwrap_or_default());
        // Until it has the permissions of the file before it, no one else may look into the new one.
        let access = if there.is_some() {
            Access::Private
        } else {
            self.access
        };
        let replaced = Files {
            access,
            ..self.clone()
        }
        .replace(&at, bytes);
        // The user named this file, and has never heard of its draft.
        replaced.map_err(|error| match error {
            DiskError::Io { doing, source, .. } => DiskError::Io {
                doing,
                path: path.to_owned(),
                source,
            },
            other => other,
        })?;
        match there {
            Some(before) => fs::set_permissions(&target, before.permissions())
                .map_err(|e| failed("protect", &target, e)),
            None => Ok(()),
        }
    }
}

fn read_all(file: File, path: &Path, most: u64) -> Result<Vec<u8>, DiskError> {
    let mut bytes = Vec::new();
    file.take(most + 1)
        .read_to_end(&mut bytes)
        .map_err(|e| failed("read", path, e))?;
    if bytes.len() as u64 > most {
        Err(DiskError::TooLarge {
            path: path.to_owned(),
            size: bytes.len() as u64,
            limit: most,
        })
    } else {
        Ok(bytes)
    }
}

fn real_path(path: &Path) -> Result<PathBuf, DiskError> {
    fs::canonicalize(path).map_err(|e| failed("find", path, e))
}

fn write_into(path: &Path, bytes: &[u8]) -> io::Result<()> {
    OpenOptions::new().write(true).open(path)?.write_all(bytes)
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
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::sync::Arc;

    use memory_core::Ids;

    use super::*;
    use crate::RealDisk;

    #[test]
    fn what_stands_at_the_path_stays_what_it_is() {
        let dir = tempfile::tempdir().unwrap();
        let files = Files::new(Arc::new(RealDisk::default()), Ids::random());
        let path = |name: &str| dir.path().join(name);
        let mode = |name: &str| fs::metadata(path(name)).unwrap().permissions().mode() & 0o777;
        files.replace_named(&path("new"), b"1").unwrap();
        assert_eq!(mode("new"), 0o600);
        files
            .clone()
            .shared()
            .replace_named(&path("page"), b"1")
            .unwrap();
        assert_eq!(mode("page") & 0o600, 0o600);
        fs::set_permissions(path("new"), fs::Permissions::from_mode(0o640)).unwrap();
        symlink(path("new"), path("link")).unwrap();
        files.replace_named(&path("link"), b"2").unwrap();
        assert!(fs::symlink_metadata(path("link")).unwrap().is_symlink());
        assert_eq!(fs::read(path("new")).unwrap(), b"2");
        assert_eq!(
            fs::metadata(path("new")).unwrap().permissions().mode() & 0o777,
            0o640
        );
        files.replace_named(Path::new("/dev/null"), b"3").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
        assert_eq!(files.read_named(&path("none"), 9).unwrap(), None);
    }

    #[test]
    fn a_link_that_leads_nowhere_yet_is_where_a_new_file_comes_to_be() {
        let dir = tempfile::tempdir().unwrap();
        let files = Files::new(Arc::new(RealDisk::default()), Ids::random());
        fs::create_dir(dir.path().join("dotfiles")).unwrap();
        symlink("dotfiles/a", dir.path().join("a")).unwrap();
        files.replace_named(&dir.path().join("a"), b"1").unwrap();
        assert!(
            fs::symlink_metadata(dir.path().join("a"))
                .unwrap()
                .is_symlink()
        );
        assert_eq!(fs::read(dir.path().join("dotfiles/a")).unwrap(), b"1");
        symlink("circle", dir.path().join("circle")).unwrap();
        assert!(
            files
                .replace_named(&dir.path().join("circle"), b"1")
                .is_err()
        );
    }

    #[test]
    fn nobody_waits_for_a_pipe_in_the_place_of_a_file() {
        let dir = tempfile::tempdir().unwrap();
        let files = Files::new(Arc::new(RealDisk::default()), Ids::random());
        let (pipe, link) = (dir.path().join("pipe"), dir.path().join("link"));
        let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, mode, 0).unwrap();
        assert!(matches!(
            files.read_linked(&pipe, 9),
            Err(DiskError::Unsafe { .. })
        ));
        fs::write(dir.path().join("file"), "1").unwrap();
        symlink("file", &link).unwrap();
        assert_eq!(files.read_linked(&link, 9).unwrap().unwrap(), b"1");
        assert_eq!(
            files.read_linked(&dir.path().join("none"), 9).unwrap(),
            None
        );
    }
}
