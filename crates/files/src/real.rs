//! The disk of this machine: each step of [`Disk`] as system calls.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::FileExt;
use std::time::Duration;

#[cfg(target_os = "linux")]
use rustix::fs::RenameFlags;
use rustix::fs::{self, AtFlags, Dir, FileType, OFlags};
use rustix::io::Errno;

use crate::disk::{Access, Disk, FileLock, Item, ItemKind, Seen, Sighting, Stamp};
use crate::opening::{
    NEW, OpenParents, PLAIN, folder_mode, io_error, is_link, open_file, open_file_in, open_folder,
    open_for_writing, open_for_writing_in, open_parent, require_regular, settle_mode, stamp_of,
};
use crate::{DiskError, Mapping, Spot, waiting};

/// The file system, through the system calls.
#[derive(Debug, Default)]
pub struct RealDisk;

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

    fn stamp(&self, at: &Spot) -> Result<Option<Stamp>, DiskError> {
        let Some(folder) = open_parent(at)? else {
            return Ok(None);
        };
        match fs::statat(&folder, at.name(), AtFlags::SYMLINK_NOFOLLOW) {
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
        let look = |name: &&str| match fs::statat(&open, *name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => Ok(Some(stamp_of(&stat))),
            Err(Errno::NOENT) => Ok(None),
            Err(errno) => Err(io_error("look at", &folder.join(name), errno)),
        };
        names.iter().map(look).collect()
    }

    fn list(&self, folder: &Spot) -> Result<Vec<Item>, DiskError> {
        let Some(open) = open_folder(folder)? else {
            return Ok(Vec::new());
        };
        let mut items = Vec::new();
        for entry in Dir::new(open).map_err(|e| io_error("list", folder, e))? {
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

    fn scan(&self, folder: &Spot) -> Result<Vec<Sighting>, DiskError> {
        let Some(open) = open_folder(folder)? else {
            return Ok(Vec::new());
        };
        let mut found = Vec::new();
        for item in self
            .list(folder)?
            .into_iter()
            .filter(|item| item.kind != ItemKind::Folder)
        {
            match fs::statat(&open, &item.name, AtFlags::SYMLINK_NOFOLLOW) {
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
        match fs::mkdirat(&parent, at.name(), mode) {
            Ok(()) => {
                let made = open_folder(at)?.ok_or_else(|| io_error("make", at, Errno::NOENT))?;
                settle_mode(&made, mode, access).map_err(|e| io_error("protect", at, e))?;
                Ok(true)
            }
            Err(Errno::EXIST) => Ok(false),
            Err(errno) => Err(io_error("make", at, errno)),
        }
    }

    fn create(&self, at: &Spot, bytes: &[u8], access: Access) -> Result<Stamp, DiskError> {
        let file = open_for_writing(at, NEW, access)?;
        write_new(file, bytes, true).map_err(|e| io_error("write", at, e))
    }

    fn create_unsynced(&self, at: &Spot, bytes: &[u8], access: Access) -> Result<Stamp, DiskError> {
        let file = open_for_writing(at, NEW, access)?;
        write_new(file, bytes, false).map_err(|e| io_error("write", at, e))
    }

    fn create_all(&self, files: &[(Spot, &[u8])], access: Access) -> Result<Vec<Stamp>, DiskError> {
        let syncs_each = files.len() < WORTH_ONE_SYNC || !cfg!(target_os = "linux");
        let mut open = OpenParents::default();
        let mut stamps = Vec::with_capacity(files.len());
        for (at, bytes) in files {
            let folder = open
                .parent_of(at)?
                .ok_or_else(|| io_error("write", at, Errno::NOENT))?;
            let file = open_for_writing_in(folder, at, NEW, access)?;
            stamps.push(write_new(file, bytes, syncs_each).map_err(|e| io_error("write", at, e))?);
        }
        match files.first() {
            Some((at, _)) if !syncs_each => sync_file_system(at).map(|()| stamps),
            _ => Ok(stamps),
        }
    }

    fn append(&self, at: &Spot, bytes: &[u8], access: Access) -> Result<bool, DiskError> {
        let flags = OFlags::CREATE | OFlags::APPEND | OFlags::WRONLY | PLAIN;
        let mut file = open_for_writing(at, flags, access)?;
        let stat = fs::fstat(&file).map_err(|e| io_error("look at", at, e))?;
        require_regular(at, &stat)?;
        let is_new = stat.st_size == 0;
        let write = |file: &mut File| {
            file.write_all(bytes)?;
            file.sync_data()
        };
        write(&mut file).map_err(|error| {
            // What was refused must not be found later, least of all its half.
            let _ = file.set_len(stamp_of(&stat).size);
            io_error("append to", at, error)
        })?;
        Ok(is_new)
    }

    fn append_unsynced(&self, at: &Spot, bytes: &[u8], access: Access) -> Result<Stamp, DiskError> {
        let flags = OFlags::CREATE | OFlags::APPEND | OFlags::WRONLY | PLAIN;
        let mut file = open_for_writing(at, flags, access)?;
        require_regular(
            at,
            &fs::fstat(&file).map_err(|e| io_error("look at", at, e))?,
        )?;
        file.write_all(bytes)
            .map_err(|e| io_error("append to", at, e))?;
        let stat = fs::fstat(&file).map_err(|e| io_error("look at", at, e))?;
        Ok(stamp_of(&stat))
    }

    fn overwrite(&self, at: &Spot, parts: &[(u64, &[u8])]) -> Result<(), DiskError> {
        let folder = open_parent(at)?.ok_or_else(|| io_error("write", at, Errno::NOENT))?;
        // The access of a file that is there is its own.
        let file = open_for_writing_in(&folder, at, OFlags::WRONLY | PLAIN, Access::Shared)?;
        let stat = fs::fstat(&file).map_err(|e| io_error("look at", at, e))?;
        require_regular(at, &stat)?;
        let write = || {
            parts
                .iter()
                .try_for_each(|(from, bytes)| file.write_all_at(bytes, *from))?;
            file.sync_data()
        };
        write().map_err(|error| io_error("write", at, error))
    }

    fn cut(&self, at: &Spot, length: u64) -> Result<(), DiskError> {
        let folder = open_parent(at)?.ok_or_else(|| io_error("cut", at, Errno::NOENT))?;
        let file = open_for_writing_in(&folder, at, OFlags::WRONLY | PLAIN, Access::Shared)?;
        require_regular(
            at,
            &fs::fstat(&file).map_err(|e| io_error("look at", at, e))?,
        )?;
        file.set_len(length)
            .and_then(|()| file.sync_data())
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
        let exchange = || {
            fs::renameat_with(
                &folder,
                from.name(),
                &folder,
                to.name(),
                RenameFlags::EXCHANGE,
            )
        };
        if from.parent() != to.parent() {
            return self.rename(from, to);
        }
        if exchange().is_err() {
            let renamed = fs::renameat(&folder, from.name(), &folder, to.name());
            return renamed.map_err(|errno| io_error("replace", to, errno));
        }
        let removed = fs::unlinkat(&folder, from.name(), AtFlags::empty());
        removed.map_err(|errno| {
            // What was there is no file: it stays.
            let _ = exchange();
            io_error("replace", to, errno)
        })
    }

    fn rename_each(&self, pairs: &[(Spot, Spot)]) -> Vec<Result<(), DiskError>> {
        let (mut sources, mut targets) = (OpenParents::default(), OpenParents::default());
        let missing = |at: &Spot| io_error("rename", at, Errno::NOENT);
        let mut rename = |from: &Spot, to: &Spot| {
            let source = sources.parent_of(from)?.ok_or_else(|| missing(from))?;
            let target = if from.parent() == to.parent() {
                source
            } else {
                targets.parent_of(to)?.ok_or_else(|| missing(to))?
            };
            fs::renameat(source, from.name(), target, to.name())
                .map_err(|e| io_error("replace", to, e))
        };
        pairs.iter().map(|(from, to)| rename(from, to)).collect()
    }

    fn remove(&self, at: &Spot) -> Result<(), DiskError> {
        let Some(folder) = open_parent(at)? else {
            return Ok(());
        };
        let unlink = |flags| fs::unlinkat(&folder, at.name(), flags);
        match unlink(AtFlags::empty()) {
            Ok(()) | Err(Errno::NOENT) => Ok(()),
            // Linux says ISDIR, POSIX says PERM.
            Err(Errno::ISDIR | Errno::PERM) => {
                unlink(AtFlags::REMOVEDIR).map_err(|e| io_error("remove", at, e))
            }
            Err(errno) => Err(io_error("remove", at, errno)),
        }
    }

    fn sync_folder(&self, folder: &Spot) -> Result<(), DiskError> {
        let Some(open) = open_folder(folder)? else {
            return Ok(());
        };
        fs::fsync(&open).map_err(|e| io_error("sync", folder, e))
    }

    fn lock(
        &self,
        at: &Spot,
        access: Access,
        patience: Duration,
    ) -> Result<Option<FileLock>, DiskError> {
        waiting::lock(at, access, patience)
    }
}

/// Makes all that was written to the file system of a file durable, in one go.
#[cfg(target_os = "linux")]
fn sync_file_system(at: &Spot) -> Result<(), DiskError> {
    let Some(open) = open_parent(at)? else {
        return Err(io_error("sync", at, Errno::NOENT));
    };
    fs::syncfs(&open).map_err(|e| io_error("sync", at, e))
}

#[cfg(not(target_os = "linux"))]
fn sync_file_system(at: &Spot) -> Result<(), DiskError> {
    Err(io_error("sync", at, Errno::NOSYS))
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

fn write_new(mut file: File, bytes: &[u8], is_synced: bool) -> io::Result<Stamp> {
    file.write_all(bytes)?;
    if is_synced {
        file.sync_all()?;
    }
    Ok(stamp_of(&fs::fstat(&file)?))
}

/// Some file systems do not tell the type with the name; then it is looked up.
fn kind_of(told: FileType, folder: &Spot, name: &std::ffi::OsStr) -> ItemKind {
    let kind = match told {
        FileType::Unknown => open_folder(folder)
            .ok()
            .flatten()
            .and_then(|open| fs::statat(&open, name, AtFlags::SYMLINK_NOFOLLOW).ok())
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
