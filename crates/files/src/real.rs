//! The disk of this machine: each step of [`Disk`] as system calls.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStringExt;
use std::sync::Arc;
use std::time::Duration;

use rustix::fs::{AtFlags, Dir, FileType, OFlags};
use rustix::io::Errno;

use crate::costs::count_sync;
use crate::disk::{Access, Disk, FileLock, Item, ItemKind, Seen, Sighting, Stamp};
use crate::opening::{
    NEW, OpenParents, PLAIN, folder_mode, fstat, io_error, is_link, open_file, open_file_in,
    open_folder, open_for_writing, open_for_writing_in, open_parent, require_regular, settle_mode,
    stamp_of, statat,
};
use crate::{DiskError, Kernel, Mapping, Spot, SystemCalls, waiting};

/// The local file system, through its system calls.
#[derive(Debug, Clone)]
pub struct RealDisk {
    calls: Arc<dyn SystemCalls>,
}

impl Default for RealDisk {
    fn default() -> Self {
        RealDisk::over(Arc::new(Kernel))
    }
}

impl RealDisk {
    /// Returns the local file system, changed through these system calls.
    pub fn over(calls: Arc<dyn SystemCalls>) -> Self {
        RealDisk { calls }
    }

    fn rename_in(
        &self,
        parents: &mut (OpenParents, OpenParents),
        from: &Spot,
        to: &Spot,
    ) -> Result<(), DiskError> {
        let missing = |at: &Spot| io_error("rename", at, Errno::NOENT);
        let source = parents.0.parent_of(from)?.ok_or_else(|| missing(from))?;
        let target = if from.parent() == to.parent() {
            source
        } else {
            parents.1.parent_of(to)?.ok_or_else(|| missing(to))?
        };
        self.calls
            .rename((source, from.name()), (target, to.name()))
            .map_err(|e| io_error("replace", to, e))
    }

    pub(crate) fn calls(&self) -> &dyn SystemCalls {
        &*self.calls
    }

    fn write_new(&self, file: &File, bytes: &[u8], is_synced: bool) -> io::Result<Stamp> {
        self.calls.write(file, bytes)?;
        if is_synced {
            count_sync();
            self.calls.sync_all(file)?;
        }
        Ok(stamp_of(&fstat(file)?))
    }

    fn sync_data(&self, file: &File) -> io::Result<()> {
        count_sync();
        self.calls.sync_data(file)
    }

    /// Makes everything durable that was written to the file system of a file.
    #[cfg(target_os = "linux")]
    fn sync_file_system(&self, at: &Spot) -> Result<(), DiskError> {
        let Some(open) = open_parent(at)? else {
            return Err(io_error("sync", at, Errno::NOENT));
        };
        count_sync();
        self.calls
            .sync_file_system(&open)
            .map_err(|e| io_error("sync", at, e))
    }

    #[cfg(not(target_os = "linux"))]
    fn sync_file_system(&self, at: &Spot) -> Result<(), DiskError> {
        Err(io_error("sync", at, Errno::NOSYS))
    }
}

/// From so many new files on, one sync of the file system costs less than one for each.
const WORTH_ONE_SYNC: usize = 64;

impl Disk for RealDisk {
    fn read(&self, at: &Spot, most: u64) -> Result<Option<Seen>, DiskError> {
        read_whole(at, open_file(at)?, most)
    }

    fn read_part(&self, at: &Spot, from: u64, length: usize) -> Result<Option<Seen>, DiskError> {
        let Some((mut file, stamp)) = open_file(at)? else {
            return Ok(None);
        };
        let mut bytes = Vec::with_capacity(length.min(stamp.size as usize));
        file.seek(SeekFrom::Start(from))
            .map_err(|e| io_error("read", at, e))?;
        file.take(length as u64)
            .read_to_end(&mut bytes)
            .map_err(|e| io_error("read", at, e))?;
        Ok(Some(Seen { bytes, stamp }))
    }

    fn map(&self, at: &Spot) -> Result<Option<Mapping>, DiskError> {
        let Some((file, stamp)) = open_file(at)? else {
            return Ok(None);
        };
        Mapping::of(&file, stamp)
            .map(Some)
            .map_err(|e| io_error("map", at, e))
    }

    fn pin(&self, folder: &Spot) -> Result<Option<Spot>, DiskError> {
        Ok(open_folder(folder)?.map(|open| Spot::opened(folder.path(), open.into())))
    }

    fn stamp(&self, at: &Spot) -> Result<Option<Stamp>, DiskError> {
        let Some(folder) = open_parent(at)? else {
            return Ok(None);
        };
        match statat(&folder, at.name()) {
            Ok(stat)
                if FileType::from_raw_mode(stat.st_mode) == FileType::Symlink
                    && !at.is_anchor() =>
            {
                Err(is_link(at))
            }
            Ok(stat) => Ok(Some(stamp_of(&stat))),
            Err(Errno::NOENT) => Ok(None),
            Err(errno) => Err(io_error("look at", at, errno)),
        }
    }

    fn stamps(&self, folder: &Spot, names: &[&str]) -> Result<Vec<Option<Stamp>>, DiskError> {
        let Some(open) = open_folder(folder)? else {
            return Ok(vec![None; names.len()]);
        };
        let look = |name: &&str| match statat(&open, OsStr::new(*name)) {
            Ok(stat) => Ok(Some(stamp_of(&stat))),
            Err(Errno::NOENT) => Ok(None),
            Err(errno) => Err(io_error("look at", &folder.join(name), errno)),
        };
        names.iter().map(look).collect()
    }

    fn list(&self, folder: &Spot) -> Result<Vec<Item>, DiskError> {
        match open_folder(folder)? {
            Some(open) => list_open(&open, folder),
            None => Ok(Vec::new()),
        }
    }

    fn scan(&self, folder: &Spot) -> Result<Vec<Sighting>, DiskError> {
        let Some(open) = open_folder(folder)? else {
            return Ok(Vec::new());
        };
        let mut found = Vec::new();
        for item in list_open(&open, folder)?
            .into_iter()
            .filter(|item| item.kind != ItemKind::Folder)
        {
            match statat(&open, &item.name) {
                Ok(stat) => found.push(Sighting {
                    name: item.name,
                    stamp: stamp_of(&stat),
                }),
                // Someone has just removed it.
                Err(Errno::NOENT) => {}
                Err(errno) => return Err(io_error("look at", &folder.join(&item.name), errno)),
            }
        }
        Ok(found)
    }

    fn read_each(
        &self,
        folder: &Spot,
        names: &[&OsStr],
        most: u64,
        each: &mut dyn FnMut(usize, Result<Option<Seen>, DiskError>),
    ) {
        let open = open_folder(folder);
        for (n, name) in names.iter().enumerate() {
            let at = folder.join(name);
            let read = match &open {
                Ok(Some(open)) => {
                    open_file_in(open, &at).and_then(|file| read_whole(&at, file, most))
                }
                Ok(None) => Ok(None),
                // Says again, for each file, why the folder can't be opened.
                Err(_) => self.read(&at, most),
            };
            each(n, read);
        }
    }

    fn make_folder(&self, at: &Spot, access: Access) -> Result<bool, DiskError> {
        let parent = open_parent(at)?.ok_or_else(|| io_error("make", at, Errno::NOENT))?;
        let mode = folder_mode(access);
        match self.calls.make_folder(&parent, at.name(), mode) {
            Ok(()) => {
                let made = open_folder(at)?.ok_or_else(|| io_error("make", at, Errno::NOENT))?;
                settle_mode(&made, mode, access).map_err(|e| io_error("protect", at, e))?;
                Ok(true)
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
            Err(error) => Err(io_error("make", at, error)),
        }
    }

    fn create(&self, at: &Spot, bytes: &[u8], access: Access) -> Result<Stamp, DiskError> {
        let file = open_for_writing(&*self.calls, at, NEW, access)?;
        self.write_new(&file, bytes, true)
            .map_err(|e| io_error("write", at, e))
    }

    fn create_unsynced(&self, at: &Spot, bytes: &[u8], access: Access) -> Result<Stamp, DiskError> {
        let file = open_for_writing(&*self.calls, at, NEW, access)?;
        self.write_new(&file, bytes, false)
            .map_err(|e| io_error("write", at, e))
    }

    fn create_all(&self, files: &[(Spot, &[u8])], access: Access) -> Result<Vec<Stamp>, DiskError> {
        let syncs_each = files.len() < WORTH_ONE_SYNC || !cfg!(target_os = "linux");
        let mut open = OpenParents::default();
        let mut stamps = Vec::with_capacity(files.len());
        for (at, bytes) in files {
            let folder = open
                .parent_of(at)?
                .ok_or_else(|| io_error("write", at, Errno::NOENT))?;
            let file = open_for_writing_in(&*self.calls, folder, at, NEW, access)?;
            stamps.push(
                self.write_new(&file, bytes, syncs_each)
                    .map_err(|e| io_error("write", at, e))?,
            );
        }
        match files.first() {
            Some((at, _)) if !syncs_each => self.sync_file_system(at).map(|()| stamps),
            _ => Ok(stamps),
        }
    }

    fn append(&self, at: &Spot, bytes: &[u8], access: Access) -> Result<bool, DiskError> {
        let flags = OFlags::CREATE | OFlags::APPEND | OFlags::WRONLY | PLAIN;
        let file = open_for_writing(&*self.calls, at, flags, access)?;
        let stat = fstat(&file).map_err(|e| io_error("look at", at, e))?;
        require_regular(at, &stat)?;
        let is_new = stat.st_size == 0;
        let written = self.calls.write(&file, bytes);
        let synced = written.and_then(|()| self.sync_data(&file));
        synced.map_err(|error| {
            // What was refused must not be found later, least of all its half.
            let _ = self.calls.set_len(&file, stamp_of(&stat).size);
            io_error("append to", at, error)
        })?;
        Ok(is_new)
    }

    fn append_unsynced(&self, at: &Spot, bytes: &[u8], access: Access) -> Result<Stamp, DiskError> {
        let flags = OFlags::CREATE | OFlags::APPEND | OFlags::WRONLY | PLAIN;
        let file = open_for_writing(&*self.calls, at, flags, access)?;
        require_regular(at, &fstat(&file).map_err(|e| io_error("look at", at, e))?)?;
        self.calls
            .write(&file, bytes)
            .map_err(|e| io_error("append to", at, e))?;
        let stat = fstat(&file).map_err(|e| io_error("look at", at, e))?;
        Ok(stamp_of(&stat))
    }

    fn overwrite(&self, at: &Spot, parts: &[(u64, &[u8])]) -> Result<(), DiskError> {
        let folder = open_parent(at)?.ok_or_else(|| io_error("write", at, Errno::NOENT))?;
        // The access of a file that is there is its own.
        let file = open_for_writing_in(
            &*self.calls,
            &folder,
            at,
            OFlags::WRONLY | PLAIN,
            Access::Shared,
        )?;
        let stat = fstat(&file).map_err(|e| io_error("look at", at, e))?;
        require_regular(at, &stat)?;
        let write = || {
            parts
                .iter()
                .try_for_each(|(from, bytes)| self.calls.write_at(&file, bytes, *from))?;
            self.sync_data(&file)
        };
        write().map_err(|error| io_error("write", at, error))
    }

    fn write_unsynced(&self, at: &Spot, bytes: &[u8], access: Access) -> Result<(), DiskError> {
        let flags = OFlags::CREATE | OFlags::WRONLY | PLAIN;
        let file = open_for_writing(&*self.calls, at, flags, access)?;
        require_regular(at, &fstat(&file).map_err(|e| io_error("look at", at, e))?)?;
        self.calls
            .write_at(&file, bytes, 0)
            .map_err(|e| io_error("write", at, e))
    }

    fn cut(&self, at: &Spot, length: u64) -> Result<(), DiskError> {
        let folder = open_parent(at)?.ok_or_else(|| io_error("cut", at, Errno::NOENT))?;
        let file = open_for_writing_in(
            &*self.calls,
            &folder,
            at,
            OFlags::WRONLY | PLAIN,
            Access::Shared,
        )?;
        require_regular(at, &fstat(&file).map_err(|e| io_error("look at", at, e))?)?;
        self.calls
            .set_len(&file, length)
            .and_then(|()| self.sync_data(&file))
            .map_err(|e| io_error("cut", at, e))
    }

    fn rename(&self, from: &Spot, to: &Spot) -> Result<(), DiskError> {
        self.rename_each(&[(from.clone(), to.clone())])
            .into_iter()
            .collect()
    }

    /// Where a file is replaced, some systems write the new one to the disk at once, and every sync of
    /// another file waits for that. Two files that change places are not hurried so.
    #[cfg(target_os = "linux")]
    fn rename_derived(&self, from: &Spot, to: &Spot) -> Result<(), DiskError> {
        let missing = |at: &Spot| io_error("rename", at, Errno::NOENT);
        let folder = open_parent(from)?.ok_or_else(|| missing(from))?;
        let exchange = || self.calls.exchange(&folder, from.name(), to.name());
        if from.parent() != to.parent() {
            return self.rename(from, to);
        }
        if exchange().is_err() {
            let renamed = self
                .calls
                .rename((&folder, from.name()), (&folder, to.name()));
            return renamed.map_err(|error| io_error("replace", to, error));
        }
        let removed = self.calls.unlink(&folder, from.name(), AtFlags::empty());
        removed.map_err(|error| {
            // What was there is no file: it stays.
            let _ = exchange();
            io_error("replace", to, error)
        })
    }

    fn rename_each(&self, pairs: &[(Spot, Spot)]) -> Vec<Result<(), DiskError>> {
        let mut parents = (OpenParents::default(), OpenParents::default());
        let rename = |(from, to): &(Spot, Spot)| self.rename_in(&mut parents, from, to);
        pairs.iter().map(rename).collect()
    }

    fn rename_all(&self, pairs: &[(Spot, Spot)]) -> (usize, Result<(), DiskError>) {
        let mut parents = (OpenParents::default(), OpenParents::default());
        for (n, (from, to)) in pairs.iter().enumerate() {
            if let Err(error) = self.rename_in(&mut parents, from, to) {
                return (n, Err(error));
            }
        }
        (pairs.len(), Ok(()))
    }

    fn remove(&self, at: &Spot) -> Result<(), DiskError> {
        let Some(folder) = open_parent(at)? else {
            return Ok(());
        };
        let unlink = |flags| self.calls.unlink(&folder, at.name(), flags);
        let Err(error) = unlink(AtFlags::empty()) else {
            return Ok(());
        };
        match Errno::from_io_error(&error) {
            Some(Errno::NOENT) => Ok(()),
            // Linux says ISDIR, POSIX says PERM.
            Some(Errno::ISDIR | Errno::PERM) => {
                unlink(AtFlags::REMOVEDIR).map_err(|e| io_error("remove", at, e))
            }
            _ => Err(io_error("remove", at, error)),
        }
    }

    fn sync_folder(&self, folder: &Spot) -> Result<(), DiskError> {
        let Some(open) = open_folder(folder)? else {
            return Ok(());
        };
        count_sync();
        self.calls
            .sync_folder(&open)
            .map_err(|e| io_error("sync", folder, e))
    }

    fn boot_id(&self) -> Option<String> {
        self.calls.boot_id()
    }

    fn lock(
        &self,
        at: &Spot,
        access: Access,
        patience: Duration,
    ) -> Result<Option<FileLock>, DiskError> {
        waiting::lock(self, at, access, patience)
    }
}

fn list_open(open: &OwnedFd, folder: &Spot) -> Result<Vec<Item>, DiskError> {
    let mut items = Vec::new();
    for entry in Dir::read_from(open).map_err(|e| io_error("list", folder, e))? {
        let entry = entry.map_err(|e| io_error("list", folder, e))?;
        let name = entry.file_name().to_bytes();
        if name != b"." && name != b".." {
            let name = OsString::from_vec(name.to_vec());
            items.push(Item {
                kind: kind_of(entry.file_type(), folder, &name),
                name,
            });
        }
    }
    Ok(items)
}

fn read_whole(
    at: &Spot,
    file: Option<(File, Stamp)>,
    most: u64,
) -> Result<Option<Seen>, DiskError> {
    let Some((file, stamp)) = file else {
        return Ok(None);
    };
    if stamp.size > most {
        return Err(DiskError::TooLarge {
            path: at.path(),
            size: stamp.size,
            limit: most,
        });
    }
    let mut bytes = Vec::with_capacity(stamp.size as usize + 1);
    file.take(most + 1)
        .read_to_end(&mut bytes)
        .map_err(|e| io_error("read", at, e))?;
    Ok(Some(Seen { bytes, stamp }))
}

/// Some file systems do not tell the type with the name; then it is looked up.
fn kind_of(told: FileType, folder: &Spot, name: &std::ffi::OsStr) -> ItemKind {
    let kind = match told {
        FileType::Unknown => open_folder(folder)
            .ok()
            .flatten()
            .and_then(|open| statat(&open, name).ok())
            .map_or(FileType::Unknown, |stat| {
                FileType::from_raw_mode(stat.st_mode)
            }),
        known => known,
    };
    match kind {
        FileType::RegularFile => ItemKind::File,
        FileType::Directory => ItemKind::Folder,
        _ => ItemKind::Other,
    }
}

#[cfg(test)]
#[path = "real_tests.rs"]
mod tests;
