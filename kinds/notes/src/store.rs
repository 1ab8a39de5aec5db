//! Where the notes are kept, and how they are read. Changing them is `change.rs`'s.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, OnceLock};

use jiff::tz::TimeZone;
use memory_core::{PutOff, Span};
use memory_files::{Files, Held, Spot, Stamp, Trash};

use crate::catalog::{Filed, path_of};
use crate::filing::read_note;
use crate::kept::Kept;
use crate::recent::Before;
use crate::shelf::Shelf;
use crate::{Category, Note, NoteError, NoteId, accesses, limits, page, recent};

pub(crate) const CATEGORIES: &str = "categories";
const LOCK: &str = ".notes.lock";
pub(crate) const INDEX: &str = ".index";
const CATALOG: &str = "notes.catalog";
/// How often a look that a change has disturbed is tried again.
const LOOKS: usize = 5;

/// What the configuration says about notes.
#[derive(Debug, Clone)]
pub struct Settings {
    pub inbox_ttl: Span,
    pub decay_after: Span,
    pub upgrade_reads: u64,
    /// The time zone that time phrases are meant in.
    pub zone: TimeZone,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            inbox_ttl: limits::INBOX_TTL,
            decay_after: limits::DECAY_AFTER,
            upgrade_reads: limits::UPGRADE_READS,
            zone: TimeZone::UTC,
        }
    }
}

/// The notes below one root.
#[derive(Debug, Clone)]
pub struct Store {
    pub(crate) files: Files,
    pub(crate) root: Spot,
    pub(crate) settings: Settings,
    /// What is known from call to call, in a process that stays.
    pub(crate) kept: Arc<OnceLock<Kept>>,
    pages: Arc<PutOff>,
    /// Set once a process that stays has removed what crashes before its time have left.
    is_swept: Arc<OnceLock<()>>,
    /// Set once a process that stays has begun to look aside.
    is_looking: Arc<OnceLock<()>>,
    pub(crate) last_accesses: Arc<accesses::LastRead>,
}

/// A file of a note, as it was read.
#[derive(Debug, Clone)]
pub(crate) struct OnDisk {
    pub(crate) path: String,
    pub(crate) bytes: Vec<u8>,
}

impl Store {
    /// Returns the store at `root`.
    pub fn new(files: Files, root: Spot, settings: Settings) -> Self {
        Store {
            files,
            root,
            settings,
            kept: Arc::default(),
            pages: Arc::default(),
            is_swept: Arc::default(),
            is_looking: Arc::default(),
            last_accesses: Arc::default(),
        }
    }

    /// Keeps what is known of the notes from call to call, for a process that stays.
    ///
    /// Whatever others do to the files is seen by the next call all the same.
    pub fn stay(&self) {
        self.kept.get_or_init(Kept::default);
        self.pages.stay();
    }

    pub(crate) fn stays(&self) -> bool {
        self.kept.get().is_some()
    }

    /// Says whether this process stays and knows the notes from a look.
    pub(crate) fn has_looked(&self) -> bool {
        self.kept.get().is_some_and(Kept::has_looked)
    }

    /// Looks on another thread, once, if this process stays: whoever asks next finds the notes known.
    pub(crate) fn look_aside(&self) {
        if self.stays() && self.is_looking.set(()).is_ok() {
            let store = self.clone();
            // If no thread can be had, the next one who has to look does.
            let _ = std::thread::Builder::new()
                .name("look".to_owned())
                .spawn(move || store.peek());
        }
    }

    /// Writes the pages that a change has left to this moment.
    pub fn settle(&self) {
        if self.pages.take() {
            let _ = self.peek().map(|shelf| self.mend_pages(shelf));
        }
    }

    /// Puts the pages off, if this process stays: all notes are sorted for them, and no one waits for them.
    /// False if they have to be written now.
    pub(crate) fn puts_pages_off(&self) -> bool {
        self.pages.put_off()
    }

    /// Returns what was taken away and can be brought back.
    pub fn trash(&self) -> Trash<'_> {
        Trash::of(&self.files, &self.root)
    }

    /// Returns a new id. A [`crate::Work`] knows whether a note has it, if ids follow from a seed.
    pub(crate) fn new_id(&self) -> NoteId {
        let id = self.files.new_id();
        NoteId::parse(&id).unwrap_or_else(|_| NoteId::of_name(&id))
    }

    /// Returns the folder of a category.
    pub(crate) fn folder(&self, category: Category) -> Spot {
        self.root.join(CATEGORIES).join(category.as_str())
    }

    /// Returns a number that is another one after notes came, went or were replaced.
    ///
    /// Only the folders are looked at. A file that someone edits in its place does not show in them.
    pub(crate) fn pulse(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        for stamp in self.folder_stamps().unwrap_or_default() {
            stamp
                .map(|stamp| (stamp.inode, stamp.modified))
                .hash(&mut hasher);
        }
        hasher.finish()
    }

    /// Returns the stamps of the folders, in the order of their categories; none if they can't be seen.
    pub(crate) fn folder_stamps(&self) -> Option<Vec<Option<Stamp>>> {
        let names = Category::ALL.map(|category| category.as_str());
        self.files.stamps(&self.root.join(CATEGORIES), &names).ok()
    }

    /// Takes the lock that every change needs, and finishes what a crash has left.
    pub(crate) fn hold(&self) -> Result<Held<'_>, NoteError> {
        self.files.ensure_folder(&self.root)?;
        let held = self.files.lock(&self.root.join(LOCK))?;
        self.finish_plan(&held)?;
        // Housekeeping: the counts stay in the log if it fails.
        let _ = self.close_long_log(&held);
        Ok(held)
    }

    /// Takes the lock if that waits for no one and makes nothing that was not there.
    pub(crate) fn try_hold(&self) -> Option<Held<'_>> {
        let at = self.root.join(LOCK);
        self.files.stamp(&at).ok().flatten()?;
        let held = self.files.try_lock(&at).ok().flatten()?;
        self.finish_plan(&held).ok()?;
        Some(held)
    }

    fn finish_plan(&self, held: &Held<'_>) -> Result<(), NoteError> {
        held.finish_plan(&self.root)?;
        Ok(())
    }

    /// Removes the drafts that a crash has left, in the folders where some were seen and beside the
    /// files that we derive: there once, by a process that stays. Others keep drafts at the root, too:
    /// those are theirs.
    pub(crate) fn sweep(&self, held: &Held<'_>, shelf: &Shelf) {
        shelf
            .littered
            .iter()
            .for_each(|category| held.sweep_folder(&self.folder(*category)));
        if self.stays() && self.is_swept.set(()).is_err() {
            return;
        }
        held.sweep(
            &[page::INDEX, page::PENDING, ".plan.json", accesses::TOTALS]
                .map(|name| self.root.join(name)),
        );
        held.sweep(&[self.catalog(), self.derived(recent::NAME)]);
    }

    /// Looks at all notes, without locking anyone out and without writing any page.
    ///
    /// A change that a crash has interrupted is finished first, unless someone else is at it or the
    /// notes can only be read.
    pub(crate) fn peek(&self) -> Result<Arc<Shelf>, NoteError> {
        self.at_rest(|| self.survey())
    }

    /// Looks in a way that sees each change of several files whole or not at all.
    pub(crate) fn at_rest<T>(&self, look: impl Fn() -> T) -> Result<T, NoteError> {
        if self.files.has_plan(&self.root)?
            && let Ok(Some(held)) = self.files.try_lock(&self.root.join(LOCK))
        {
            self.finish_plan(&held)?;
        }
        for _ in 0..LOOKS {
            let before = self.revision();
            let seen = look();
            if before.is_some() && before == self.revision() {
                return Ok(seen);
            }
        }
        // Someone changes several notes at once all the time, or has died at it: wait for a pause.
        let _pause = self.files.lock(&self.root.join(LOCK));
        Ok(look())
    }

    /// What is another after every change of several files; none while one is being carried out.
    ///
    /// Each such change replaces the index with the notes. A look that lies between two equal
    /// revisions has seen all of it or nothing.
    fn revision(&self) -> Option<Option<Stamp>> {
        let is_changing = self.files.has_plan(&self.root).unwrap_or(false);
        (!is_changing).then(|| {
            self.files
                .stamp(&self.root.join(page::INDEX))
                .unwrap_or(None)
        })
    }

    /// Reads one note that may have been moved since it was looked at.
    pub(crate) fn read_latest(&self, entry: &Filed) -> Result<Option<(Note, OnDisk)>, NoteError> {
        match (self.read_entry(entry)?, &entry.found) {
            (None, Ok(card)) => match self.peek()?.find(card.id.as_str()) {
                Ok(again) => self.read_entry(again),
                Err(_) => Ok(None),
            },
            (found, _) => Ok(found),
        }
    }

    /// Looks at all notes, and sees to it that the pages tell the truth of them.
    pub fn look(&self) -> Result<Arc<Shelf>, NoteError> {
        let shelf = self.peek()?;
        Ok(if self.puts_pages_off() {
            shelf
        } else {
            self.mend_pages(shelf)
        })
    }

    /// Writes the pages anew that no longer tell the truth, unless someone else is at it; returns the
    /// notes as they are then.
    fn mend_pages(&self, shelf: Arc<Shelf>) -> Arc<Shelf> {
        if shelf.require_complete().is_ok()
            && !self.are_pages_true(&shelf)
            && let Ok(Some(held)) = self.files.try_lock(&self.root.join(LOCK))
        {
            // Looked at again under the lock: what was true before it may be old by now. Whoever
            // only reads is not bothered by pages that can't be written.
            let before = Before::of(self);
            let shelf = self.survey();
            let is_mended = page::mend(self, &held, &shelf.listed()).is_ok();
            if is_mended && before.is_some_and(|before| before.is_still_so(self)) {
                recent::keep(self, &held, &shelf, std::iter::empty());
            }
            return shelf;
        }
        shelf
    }

    pub(crate) fn are_pages_true(&self, shelf: &Arc<Shelf>) -> bool {
        let check = || page::are_true(self, &shelf.listed());
        match self.kept.get() {
            Some(kept) => kept.are_pages_true(shelf, &page::stamps(self), check),
            None => check(),
        }
    }

    /// Reads what has changed since the notes were last looked at, by this process or by whoever wrote
    /// the catalogue, and takes the rest from there.
    pub(crate) fn survey(&self) -> Arc<Shelf> {
        match self.kept.get() {
            Some(kept) => kept.look(self),
            None => Arc::new(self.survey_anew()),
        }
    }

    /// Reads one note; none when its file is not there any more.
    pub(crate) fn read_entry(&self, entry: &Filed) -> Result<Option<(Note, OnDisk)>, NoteError> {
        let (folder, file) = (entry.folder, entry.file.as_str());
        let at = self.folder(folder).join(file);
        let Some(seen) = self.files.read(&at, limits::FILE_BYTES)? else {
            return Ok(None);
        };
        let path = path_of(folder, file);
        let mut note = read_note(folder, file, &seen).map_err(|problem| NoteError::Damaged {
            path: path.clone(),
            problem,
        })?;
        // A file that tells no id may have been given another one than its name would give it.
        if note.id == NoteId::of_name(&entry.name())
            && let Ok(card) = &entry.found
        {
            note.id = card.id.clone();
        }
        Ok(Some((
            note,
            OnDisk {
                path,
                bytes: seen.bytes,
            },
        )))
    }

    pub(crate) fn catalog(&self) -> Spot {
        self.derived(CATALOG)
    }

    /// Returns where a file is that is made from the notes and that only we read.
    pub(crate) fn derived(&self, name: &str) -> Spot {
        self.root.join(INDEX).join(name)
    }
}
