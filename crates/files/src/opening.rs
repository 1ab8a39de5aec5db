//! How a path is opened: folder by folder from its anchor, with `openat` and `O_NOFOLLOW`.
//!
//! So a link is seen even if it is put there between two steps, and nothing that is not a regular file
//! is ever waited for. What is new gets its mode here.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::ops::Deref;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Component;
use std::sync::Arc;

use rustix::fs::{self, AtFlags, FileType, Mode, OFlags, Stat};
use rustix::io::{Errno, retry_on_intr};

use crate::costs::{count_open, count_stat};
use crate::disk::{Access, Stamp};
use crate::{DiskError, Spot, SystemCalls};

const FOLDER: OFlags = OFlags::RDONLY
    .union(OFlags::DIRECTORY)
    .union(OFlags::CLOEXEC);
/// Without `NONBLOCK`, opening a pipe that someone put in a file's place would wait for ever.
pub(crate) const PLAIN: OFlags = OFlags::NOFOLLOW
    .union(OFlags::CLOEXEC)
    .union(OFlags::NONBLOCK);

pub(crate) const NEW: OFlags = OFlags::CREATE
    .union(OFlags::EXCL)
    .union(OFlags::WRONLY)
    .union(PLAIN);

/// A folder that is open, for this operation or for several.
#[derive(Debug)]
pub(crate) enum OpenFolder {
    Owned(OwnedFd),
    Shared(Arc<OwnedFd>),
}

impl Deref for OpenFolder {
    type Target = OwnedFd;

    fn deref(&self) -> &OwnedFd {
        match self {
            OpenFolder::Owned(open) => open,
            OpenFolder::Shared(open) => open,
        }
    }
}

impl From<OpenFolder> for Arc<OwnedFd> {
    fn from(open: OpenFolder) -> Self {
        match open {
            OpenFolder::Owned(open) => Arc::new(open),
            OpenFolder::Shared(open) => open,
        }
    }
}

/// Opens a folder, following no link below the anchor; none when it is not there.
pub(crate) fn open_folder(at: &Spot) -> Result<Option<OpenFolder>, DiskError> {
    require_inside(at)?;
    let mut here = Spot::anchor(at.anchor_path());
    let anchor = match at.open() {
        Some(open) => Some(OpenFolder::Shared(open.clone())),
        None => step(
            &here,
            |flags| fs::open(at.anchor_path(), flags, Mode::empty()),
            FOLDER,
        )?,
    };
    let Some(mut open) = anchor else {
        return Ok(None);
    };
    for name in at.inner() {
        here = here.join(name);
        let below = step(
            &here,
            |flags| fs::openat(&*open, name, flags, Mode::empty()),
            FOLDER | OFlags::NOFOLLOW,
        )?;
        let Some(below) = below else { return Ok(None) };
        open = below;
    }
    Ok(Some(open))
}

fn require_inside(at: &Spot) -> Result<(), DiskError> {
    if at
        .inner()
        .components()
        .all(|part| matches!(part, Component::Normal(_)))
    {
        Ok(())
    } else {
        Err(DiskError::Unsafe {
            path: at.path(),
            why: "leads outside of its directory",
        })
    }
}

fn step(
    at: &Spot,
    open: impl Fn(OFlags) -> rustix::io::Result<OwnedFd>,
    flags: OFlags,
) -> Result<Option<OpenFolder>, DiskError> {
    count_open();
    match retry_on_intr(|| open(flags)) {
        Ok(folder) => Ok(Some(OpenFolder::Owned(folder))),
        Err(Errno::NOENT) => Ok(None),
        // What a link answers depends on the system and on the flags.
        Err(Errno::LOOP | Errno::NOTDIR | Errno::MLINK) => Err(DiskError::Unsafe {
            path: at.path(),
            why: "is a link, or not a directory",
        }),
        Err(errno) => Err(io_error("open", at, errno)),
    }
}

pub(crate) fn open_parent(at: &Spot) -> Result<Option<OpenFolder>, DiskError> {
    require_inside(at)?;
    match at.parent() {
        Some(parent) => open_folder(&parent),
        None => open_folder(at),
    }
}

pub(crate) fn open_file(at: &Spot) -> Result<Option<(File, Stamp)>, DiskError> {
    let Some(folder) = open_parent(at)? else {
        return Ok(None);
    };
    open_file_in(&folder, at)
}

/// Opens a file in its folder, which is open already; none when it is not there.
pub(crate) fn open_file_in(
    folder: &OwnedFd,
    at: &Spot,
) -> Result<Option<(File, Stamp)>, DiskError> {
    count_open();
    let open = || fs::openat(folder, at.name(), OFlags::RDONLY | PLAIN, Mode::empty());
    let file = match retry_on_intr(open) {
        Ok(file) => file,
        Err(Errno::NOENT) => return Ok(None),
        Err(Errno::LOOP | Errno::MLINK) => return Err(is_link(at)),
        Err(Errno::NXIO) => {
            return Err(DiskError::Unsafe {
                path: at.path(),
                why: "is not a regular file",
            });
        }
        Err(errno) => return Err(io_error("open", at, errno)),
    };
    let stat = fstat(&file).map_err(|e| io_error("look at", at, e))?;
    require_regular(at, &stat)?;
    Ok(Some((File::from(file), stamp_of(&stat))))
}

pub(crate) fn open_for_writing(
    calls: &dyn SystemCalls,
    at: &Spot,
    flags: OFlags,
    access: Access,
) -> Result<File, DiskError> {
    let folder = open_parent(at)?.ok_or_else(|| io_error("write", at, Errno::NOENT))?;
    open_for_writing_in(calls, &folder, at, flags, access)
}

/// The folder of the last file that was asked for, which is mostly that of the next one, too.
#[derive(Default)]
pub(crate) struct OpenParents {
    last: Option<(Spot, OpenFolder)>,
}

impl OpenParents {
    pub(crate) fn parent_of(&mut self, at: &Spot) -> Result<Option<&OwnedFd>, DiskError> {
        require_inside(at)?;
        let Some(parent) = at.parent() else {
            return Ok(None);
        };
        if self.last.as_ref().is_none_or(|(known, _)| *known != parent) {
            self.last = open_folder(&parent)?.map(|open| (parent, open));
        }
        Ok(self.last.as_ref().map(|(_, open)| &**open))
    }
}

pub(crate) fn open_for_writing_in(
    calls: &dyn SystemCalls,
    folder: &OwnedFd,
    at: &Spot,
    flags: OFlags,
    access: Access,
) -> Result<File, DiskError> {
    let mode = file_mode(access);
    count_open();
    let error = match calls.open(folder, at.name(), flags, mode) {
        Ok(file) => {
            settle_mode(&file, mode, access).map_err(|e| io_error("protect", at, e))?;
            return Ok(File::from(file));
        }
        Err(error) => error,
    };
    match Errno::from_io_error(&error) {
        Some(Errno::LOOP | Errno::MLINK) => Err(is_link(at)),
        Some(Errno::NXIO | Errno::ISDIR) => Err(DiskError::Unsafe {
            path: at.path(),
            why: "is not a regular file",
        }),
        _ => Err(io_error("open", at, error)),
    }
}

pub(crate) fn require_regular(at: &Spot, stat: &Stat) -> Result<(), DiskError> {
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => Ok(()),
        _ => Err(DiskError::Unsafe {
            path: at.path(),
            why: "is not a regular file",
        }),
    }
}

pub(crate) fn is_link(at: &Spot) -> DiskError {
    DiskError::Unsafe {
        path: at.path(),
        why: "is a symbolic link",
    }
}

fn file_mode(access: Access) -> Mode {
    match access {
        Access::Private => Mode::RUSR | Mode::WUSR,
        Access::Shared => Mode::from_raw_mode(0o644),
    }
}

pub(crate) fn folder_mode(access: Access) -> Mode {
    match access {
        Access::Private => Mode::RWXU,
        Access::Shared => Mode::from_raw_mode(0o755),
    }
}

/// An odd umask can take from a private file what its owner needs: give it back.
pub(crate) fn settle_mode(open: &OwnedFd, mode: Mode, access: Access) -> rustix::io::Result<()> {
    let now = Mode::from_raw_mode(fstat(open)?.st_mode);
    if access == Access::Private && !now.contains(mode) {
        fs::fchmod(open, mode)
    } else {
        Ok(())
    }
}

#[allow(clippy::unnecessary_cast)] // the fields' widths differ between systems
pub(crate) fn stamp_of(stat: &Stat) -> Stamp {
    Stamp {
        inode: stat.st_ino as u64,
        size: stat.st_size as u64,
        modified: i128::from(stat.st_mtime as i64) * 1_000_000_000
            + i128::from(stat.st_mtime_nsec as i64),
    }
}

pub(crate) fn io_error(doing: &'static str, at: &Spot, source: impl Into<io::Error>) -> DiskError {
    DiskError::Io {
        doing,
        path: at.path(),
        source: source.into(),
    }
}

/// Looks up an open file.
pub(crate) fn fstat(file: impl AsFd) -> rustix::io::Result<Stat> {
    count_stat();
    fs::fstat(file)
}

/// Looks up a name in a folder.
pub(crate) fn statat(folder: &OwnedFd, name: &OsStr) -> rustix::io::Result<Stat> {
    count_stat();
    fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)
}
