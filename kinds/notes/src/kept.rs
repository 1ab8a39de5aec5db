//! What a process that stays knows of the notes from its last look, so that the next one is cheap.
//!
//! The folders are watched. A file that something has happened to is read again, by whomever it was
//! changed, this process included: there is one way in which a change gets here. Folders whose times
//! have changed though the watch told nothing of it lie on a disk that others write to from elsewhere:
//! then everything is looked at, as it is after a while anyway.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use memory_files::{News, Stamp, Watch};

use crate::catalog::Filed;
use crate::filing::{is_draft, is_note};
use crate::shelf::Shelf;
use crate::store::Store;
use crate::{Category, listing};

/// From so many changed files on, everything is looked at anew.
const MANY: usize = 200;

/// The last look; none before the first one, or when folders can't be watched.
#[derive(Debug, Default)]
pub(crate) struct Kept(Mutex<Option<Known>>);

#[derive(Debug)]
struct Known {
    watch: Watch,
    folders: Vec<Option<Stamp>>,
    shelf: Arc<Shelf>,
    /// The stamps that the pages had when they were what the shelf says.
    true_pages: Option<Vec<Option<Stamp>>>,
}

impl Kept {
    /// Returns all notes as they are now.
    pub(crate) fn look(&self, store: &Store) -> Arc<Shelf> {
        let mut known = self.lock();
        if let Some(last) = known.as_mut()
            && last.catch_up(store).is_some()
        {
            let shelf = last.shelf.clone();
            if shelf.require_complete().is_err() {
                *known = None;
            }
            return shelf;
        }
        // Watched first: what happens during the look is told to the next one.
        let folders: Vec<PathBuf> = Category::ALL
            .iter()
            .map(|category| store.folder(*category).path())
            .collect();
        let (watch, folders) = (store.files.watch(&folders), store.folder_stamps());
        let shelf = store.survey_anew();
        let is_whole = shelf.flaws.is_empty() && shelf.require_complete().is_ok();
        let shelf = Arc::new(shelf);
        *known = match watch.zip(folders) {
            Some((watch, folders)) if is_whole => Some(Known {
                watch,
                folders,
                shelf: shelf.clone(),
                true_pages: None,
            }),
            _ => None,
        };
        shelf
    }

    /// Says whether a look is known; not while someone is at it.
    pub(crate) fn has_looked(&self) -> bool {
        self.0.try_lock().is_ok_and(|known| known.is_some())
    }

    /// Forgets the last look.
    pub(crate) fn forget(&self) {
        *self.lock() = None;
    }

    /// Says whether the pages are what a shelf says; `check` is asked only if it may be otherwise.
    pub(crate) fn are_pages_true(
        &self,
        shelf: &Arc<Shelf>,
        stamps: &[Option<Stamp>],
        check: impl FnOnce() -> bool,
    ) -> bool {
        let is_same = |known: &&mut Known| Arc::ptr_eq(&known.shelf, shelf);
        if let Some(known) = self.lock().as_mut().filter(is_same)
            && known.true_pages.as_deref() == Some(stamps)
        {
            return true;
        }
        let are_true = check();
        // A page that was written a moment ago may be written again without a change of its stamp.
        if are_true
            && !stamps.iter().flatten().any(Stamp::is_fresh)
            && let Some(known) = self.lock().as_mut().filter(is_same)
        {
            known.true_pages = Some(stamps.to_vec());
        }
        are_true
    }

    fn lock(&self) -> MutexGuard<'_, Option<Known>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
    /// Learns what has happened since the last look; none when that can't be told.
    fn catch_up(&mut self, store: &Store) -> Option<()> {
        // Stamped first: what comes later is told now or next time.
        let folders = store.folder_stamps()?;
        let News::Files(files) = self.watch.news() else {
            return None;
        };
        let is_told = |n: usize| files.iter().any(|(folder, _)| *folder == n);
        let others = |n: &usize| folders[*n] != self.folders[*n] && !is_told(*n);
        if files.len() > MANY || (0..folders.len()).any(|n| others(&n)) {
            return None;
        }
        self.folders = folders;
        if !files.is_empty() {
            self.read(store, files.into_iter().collect());
        }
        Some(())
    }

    fn read(&mut self, store: &Store, files: BTreeSet<(usize, OsString)>) {
        let shelf = Arc::make_mut(&mut self.shelf);
        let mut changed = Vec::new();
        for (n, category) in Category::ALL.into_iter().enumerate() {
            let here = || {
                files
                    .iter()
                    .filter(|(folder, _)| *folder == n)
                    .map(|(_, name)| name.as_os_str())
            };
            for name in here().filter(|name| is_draft(name)) {
                note_draft(store, shelf, category, name);
            }
            let nothing = Stamp {
                inode: 0,
                size: 0,
                modified: 0,
            };
            let notes: Vec<(&OsStr, Stamp)> = here()
                .filter(|name| is_note(name))
                .map(|name| (name, nothing))
                .collect();
            if notes.is_empty() {
                continue;
            }
            for ((name, _), entry) in notes.iter().zip(store.read_files(category, &notes)) {
                let file = name.to_string_lossy().into_owned();
                if !is_listed_as_before(shelf, category, &file, entry.as_ref()) {
                    self.true_pages = None;
                }
                changed.push((category, file, entry));
            }
        }
        shelf.replace(changed);
    }
}

/// Says whether the pages that list a file as it was list it as it is now.
fn is_listed_as_before(shelf: &Shelf, folder: Category, file: &str, now: Option<&Filed>) -> bool {
    match (shelf.file(folder, file), now) {
        (
            Some(Filed {
                found: Ok(old),
                twin: None,
                ..
            }),
            Some(Filed { found: Ok(new), .. }),
        ) => listing::are_listed_alike(old, new),
        _ => false,
    }
}

/// Remembers whether a draft lies in a folder, so that whoever changes notes next removes it.
fn note_draft(store: &Store, shelf: &mut Shelf, category: Category, name: &OsStr) {
    shelf.littered.retain(|littered| *littered != category);
    if store
        .files
        .stamp(&store.folder(category).join(name))
        .is_ok_and(|there| there.is_some())
    {
        shelf.littered.push(category);
    }
}
