//! The next state of a file, written and synced beside it and not yet in its place.

use std::ffi::OsStr;

use memory_core::Clock;

use crate::{DiskError, Files, Item, ItemKind, Spot, Stamp};

/// What is still unfinished after so many nanoseconds was left by a crash.
pub(crate) const ABANDONED: i128 = 600 * 1_000_000_000;

/// How many names are tried for a draft before giving up.
const NAMES: usize = 16;
/// How much of a file's name its draft has, in characters of up to four bytes.
const NAME_CHARS: usize = 50;

/// A temporary file that becomes the file when it settles, and nothing when it is dropped.
#[derive(Debug)]
pub struct Draft<'a> {
    files: &'a Files,
    target: Spot,
    temporary: Option<Spot>,
    stamp: Stamp,
    /// It can be made again: nothing waits for the disk.
    is_derived: bool,
}

impl<'a> Draft<'a> {
    pub(crate) fn write(files: &'a Files, target: &Spot, bytes: &[u8]) -> Result<Self, DiskError> {
        Draft::make(files, target, |temporary| {
            files.disk.create(temporary, bytes, files.access)
        })
    }

    /// Writes a draft that is not synced, of a file that can be made again.
    pub(crate) fn write_unsynced(
        files: &'a Files,
        target: &Spot,
        bytes: &[u8],
    ) -> Result<Self, DiskError> {
        let create = |temporary: &Spot| files.disk.create_unsynced(temporary, bytes, files.access);
        let mut draft = Draft::make(files, target, create)?;
        draft.is_derived = true;
        Ok(draft)
    }

    fn make(
        files: &'a Files,
        target: &Spot,
        create: impl Fn(&Spot) -> Result<Stamp, DiskError>,
    ) -> Result<Self, DiskError> {
        for attempt in 1.. {
            let temporary = beside(target, &files.ids.short());
            match create(&temporary) {
                Ok(stamp) => {
                    let (target, temporary) = (target.clone(), Some(temporary));
                    return Ok(Draft {
                        files,
                        target,
                        temporary,
                        stamp,
                        is_derived: false,
                    });
                }
                Err(DiskError::Io { source, .. })
                    if source.kind() == std::io::ErrorKind::AlreadyExists && attempt < NAMES => {}
                Err(error) => {
                    let _ = files.disk.remove(&temporary);
                    return Err(error);
                }
            }
        }
        unreachable!("the loop ends by returning")
    }

    /// Returns the stamp that the file will have once the draft has settled.
    pub fn stamp(&self) -> Stamp {
        self.stamp
    }

    /// Puts the draft in the file's place; returns the folder, which is still to be synced.
    pub(crate) fn settle(mut self) -> Result<Spot, DiskError> {
        if let Some(temporary) = &self.temporary {
            if self.is_derived {
                self.files.disk.rename_derived(temporary, &self.target)?
            } else {
                self.files.disk.rename(temporary, &self.target)?
            }
        }
        self.temporary = None;
        Ok(self.target.parent().unwrap_or_else(|| self.target.clone()))
    }

    /// Returns the path of a draft beside a file of a store.
    pub(crate) fn path_beside(path: &str, id: &str) -> String {
        let (folder, name) = path
            .rsplit_once('/')
            .map_or(("", path), |(folder, name)| (folder, name));
        let slash = if folder.is_empty() { "" } else { "/" };
        // Names have a longest length, and the file's own may have it already.
        let begin: String = name.chars().take(NAME_CHARS).collect();
        format!("{folder}{slash}.{begin}.tmp-{id}")
    }

    /// Says whether a name is a draft's, whatever it is a draft of.
    pub(crate) fn is_draft(name: &OsStr) -> bool {
        name.to_str()
            .is_some_and(|name| name.starts_with('.') && name.contains(".tmp-"))
    }

    pub(crate) fn is_draft_of(target: &Spot, name: &OsStr) -> bool {
        let (Some(name), Some(target)) = (name.to_str(), target.name().to_str()) else {
            return false;
        };
        name.strip_prefix('.')
            .and_then(|rest| rest.strip_prefix(target))
            .is_some_and(|rest| rest.starts_with(".tmp-"))
    }
}

fn beside(target: &Spot, id: &str) -> Spot {
    let name = format!(".{}.tmp-{id}", target.name().to_string_lossy());
    target
        .parent()
        .map_or_else(|| target.join(&name), |folder| folder.join(&name))
}

impl Drop for Draft<'_> {
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary {
            let _ = self.files.disk.remove(temporary);
        }
    }
}

impl Files {
    /// Returns the drafts in a folder that a crash has left, of files whose names begin so.
    pub fn abandoned_drafts(&self, folder: &Spot, name: &str) -> Vec<Spot> {
        let now = Clock::system().moment().as_nanosecond();
        let is_draft = |item: &Item| {
            let begins = item.name.to_str().and_then(|item| item.strip_prefix('.'));
            item.kind == ItemKind::File
                && Draft::is_draft(&item.name)
                && begins.is_some_and(|item| item.starts_with(name))
        };
        let items = self.list(folder).unwrap_or_default();
        let drafts = items
            .iter()
            .filter(|item| is_draft(item))
            .map(|item| folder.join(&item.name));
        let is_old = |at: &Spot| {
            self.stamp(at)
                .is_ok_and(|seen| seen.is_some_and(|seen| seen.modified + ABANDONED < now))
        };
        drafts.filter(is_old).collect()
    }

    /// Puts bytes that can be made again in the place of a file, at once and without any sync.
    ///
    /// After a power cut they may be anything: whoever reads them must be able to tell.
    pub fn replace_derived(&self, at: &Spot, bytes: &[u8]) -> Result<(), DiskError> {
        Draft::write_unsynced(self, at, bytes)?.settle().map(drop)
    }

    /// Puts bytes in the place of a file that no one else changes, durably.
    ///
    /// For files that others change too, hold their lock and use its draft.
    pub fn replace(&self, at: &Spot, bytes: &[u8]) -> Result<(), DiskError> {
        let folder = Draft::write(self, at, bytes)?.settle()?;
        self.disk.sync_folder(&folder)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use memory_core::Ids;

    use super::*;
    use crate::RealDisk;

    #[test]
    fn what_can_be_made_again_takes_the_place_of_a_file_and_of_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let files = Files::new(Arc::new(RealDisk::default()), Ids::random());
        let root = Spot::anchor(dir.path());
        for text in ["1", "22"] {
            files
                .replace_derived(&root.join("a"), text.as_bytes())
                .unwrap();
            assert_eq!(std::fs::read_to_string(dir.path().join("a")).unwrap(), text);
        }
        std::fs::create_dir_all(dir.path().join("folder/below")).unwrap();
        assert!(files.replace_derived(&root.join("folder"), b"3").is_err());
        assert!(dir.path().join("folder/below").is_dir(), "it stays");
        assert_eq!(
            std::fs::read_dir(dir.path()).unwrap().count(),
            2,
            "no draft is left"
        );
    }
}
