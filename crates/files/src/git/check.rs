//! Whether a repository may be used: it belongs to the user, and nothing in it runs a program or leads
//! elsewhere.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Output;

use super::{FOLDER, MARKER};
use crate::DiskError;

/// Files by which a repository takes configuration or objects from elsewhere.
const ELSEWHERE: [&str; 4] = [
    "commondir",
    "config.worktree",
    "objects/info/alternates",
    "objects/info/http-alternates",
];

/// The settings that `git init` writes, with the values that it gives them.
const OF_INIT: [(&str, &[&str]); 10] = [
    ("core.repositoryformatversion", &["0", "1"]),
    ("core.filemode", BOOLEAN),
    ("core.bare", &["false"]),
    ("core.logallrefupdates", BOOLEAN),
    ("core.symlinks", BOOLEAN),
    ("core.ignorecase", BOOLEAN),
    ("core.precomposeunicode", BOOLEAN),
    ("extensions.objectformat", &["sha1", "sha256"]),
    ("extensions.refstorage", &["files", "reftable"]),
    (MARKER, &["1"]),
];
const BOOLEAN: &[&str] = &["true", "false"];
/// Below these only folders are looked into: what lies in them is named by its contents.
const OBJECTS: &str = "objects";
/// References are nested no deeper in a repository that has one branch.
const DEPTH: usize = 8;

/// What a look at the parts of a repository has found.
pub(super) struct Parts {
    pub(super) mode: u32,
    /// Lock files of Git, old and new.
    pub(super) locks: Vec<PathBuf>,
}

pub(super) struct Settings {
    pub(super) is_marked: bool,
}

pub(super) fn foreign(folder: &Path, why: impl Into<String>) -> DiskError {
    DiskError::Foreign {
        path: folder.to_owned(),
        why: why.into(),
    }
}

/// Fails unless a folder belongs to the user who runs this program.
pub(super) fn owner(folder: &Path) -> Result<(), DiskError> {
    let seen = fs::metadata(folder).map_err(|error| unreadable(folder, error))?;
    if seen.uid() == rustix::process::geteuid().as_raw() {
        Ok(())
    } else {
        Err(foreign(folder, "it belongs to another user"))
    }
}

/// Fails if a part of a repository is neither file nor folder, or takes something from elsewhere.
pub(super) fn parts(folder: &Path) -> Result<Parts, DiskError> {
    for name in ELSEWHERE {
        let part = folder.join(name);
        if fs::symlink_metadata(&part).is_ok() {
            return Err(foreign(folder, format!("it has a file {name}")));
        }
    }
    let seen = fs::symlink_metadata(folder).map_err(|error| unreadable(folder, error))?;
    let mut parts = Parts {
        mode: seen.mode(),
        locks: vec![],
    };
    look(folder, 0, &mut parts.locks)?;
    Ok(parts)
}

fn look(folder: &Path, depth: usize, locks: &mut Vec<PathBuf>) -> Result<(), DiskError> {
    if depth > DEPTH {
        return Err(foreign(folder, "its folders are nested too deep"));
    }
    let failed = |error| unreadable(folder, error);
    for item in fs::read_dir(folder).map_err(failed)? {
        let item = item.map_err(failed)?;
        let (path, kind) = (item.path(), item.file_type().map_err(failed)?);
        if kind.is_dir() {
            let is_named_by_contents = depth == 1 && folder.ends_with(OBJECTS);
            if !is_named_by_contents {
                look(&path, depth + 1, locks)?;
            }
        } else if !kind.is_file() {
            return Err(DiskError::Unsafe {
                path,
                why: "is not a regular file",
            });
        } else {
            owner(&path)?;
            if path.extension() == Some(OsStr::new("lock")) {
                locks.push(path);
            }
        }
    }
    Ok(())
}

/// Fails if a folder below the root has something named `.git`, in any case of its letters, but the root's own.
pub(super) fn no_nested(root: &Path) -> Result<(), DiskError> {
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        let failed = |error| unreadable(&folder, error);
        for item in fs::read_dir(&folder).map_err(failed)? {
            let item = item.map_err(failed)?;
            let is_git = item.file_name().eq_ignore_ascii_case(FOLDER);
            if is_git && folder != root {
                return Err(foreign(&folder, "it contains another repository"));
            }
            if !is_git && item.file_type().map_err(failed)?.is_dir() {
                folders.push(item.path());
            }
        }
    }
    Ok(())
}

/// Fails if the configuration has any setting that `git init` and this program do not write.
///
/// `git` reads the file, so that it says the same here as later; `outside` runs it without a repository.
pub(super) fn settings(
    folder: &Path,
    outside: impl FnOnce(&[&OsStr]) -> Result<Output, DiskError>,
) -> Result<Settings, DiskError> {
    let config = folder.join("config");
    let arguments: [&OsStr; 6] = [
        "config".as_ref(),
        "--file".as_ref(),
        config.as_os_str(),
        "--no-includes".as_ref(),
        "-z".as_ref(),
        "--list".as_ref(),
    ];
    let listed = outside(&arguments)?;
    if !listed.status.success() {
        return Err(foreign(folder, "its configuration cannot be read"));
    }
    let settings = String::from_utf8_lossy(&listed.stdout);
    let settings = settings
        .split_terminator('\0')
        .map(|setting| setting.split_once('\n').unwrap_or((setting, "")));
    let mut is_marked = false;
    for (name, value) in settings {
        let known = OF_INIT.iter().find(|(known, _)| *known == name);
        if !known.is_some_and(|(_, values)| values.contains(&value)) {
            return Err(foreign(folder, format!("its configuration sets {name}")));
        }
        is_marked |= name == MARKER;
    }
    Ok(Settings { is_marked })
}

fn unreadable(path: &Path, source: io::Error) -> DiskError {
    DiskError::Io {
        doing: "read",
        path: path.to_owned(),
        source,
    }
}
