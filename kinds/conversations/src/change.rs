//! The one way to change a conversation: several files, all of them or none, under its lock.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::PoisonError;

use memory_core::{Change, Timestamp};
use memory_files::{Batch, Held, Spot};

use crate::document::{address, document};
use crate::entry::Entry;
use crate::filing::{Filed, Place, file_name};
use crate::heard::Heard;
use crate::pending::{self, Pending};
use crate::store::{DELETED, LOCK, Store};
use crate::{ConversationError, ConversationId, Shelf, format, limits};

/// A change of one conversation, while no one else changes it.
pub(crate) struct Work<'a> {
    pub(crate) store: &'a Store,
    pub(crate) folder: String,
    held: Held<'a>,
    room: Spot,
    writes: BTreeMap<String, Vec<u8>>,
    removes: BTreeSet<String>,
    changes: Vec<Change>,
    /// The time of the last entry, once it was looked for.
    last: Option<Timestamp>,
    /// What has to be done after it.
    queued: Option<Pending>,
    /// Whether turns are recorded: they are heard first, and shelved later.
    is_recording: bool,
}

impl Store {
    /// Begins a change: takes the conversation's lock and finishes what a crash has left.
    pub(crate) fn work(
        &self,
        conversation: &ConversationId,
    ) -> Result<Work<'_>, ConversationError> {
        self.work_in(conversation.folder())
    }

    pub(crate) fn work_in(&self, folder: String) -> Result<Work<'_>, ConversationError> {
        let work = self.begin(folder)?;
        self.shelve(&work.held, &work.folder, None)?;
        Ok(work)
    }

    /// Begins the last change that follows a turn.
    pub(crate) fn work_after(
        &self,
        folder: String,
        turn: Option<&Pending>,
    ) -> Result<Work<'_>, ConversationError> {
        let mut work = self.begin(folder)?;
        self.shelve(&work.held, &work.folder, turn)?;
        if let Some(turn) = turn
            && self.files.stamp(&work.room.join(turn.path()))?.is_some()
        {
            work.remove(turn.path());
        }
        Ok(work)
    }

    /// Begins to record turns, which someone waits for: those before them need not be shelved yet.
    pub(crate) fn recording(
        &self,
        conversation: &ConversationId,
    ) -> Result<Work<'_>, ConversationError> {
        self.recording_in(conversation.folder())
    }

    pub(crate) fn recording_in(&self, folder: String) -> Result<Work<'_>, ConversationError> {
        let mut work = self.begin(folder)?;
        if self.has_unplaced(&work.folder)? {
            self.shelve(&work.held, &work.folder, None)?;
        }
        work.is_recording = true;
        Ok(work)
    }

    fn begin(&self, folder: String) -> Result<Work<'_>, ConversationError> {
        let room = self.room(&folder);
        self.files.ensure_ignored_folder(&self.root)?;
        self.files.ensure_folder(&room)?;
        let held = self.files.lock(&room.join(LOCK))?;
        held.finish_plan(&room)?;
        let (writes, removes, changes, last, queued) = Default::default();
        let is_recording = false;
        Ok(Work {
            store: self,
            folder,
            held,
            room,
            writes,
            removes,
            changes,
            last,
            queued,
            is_recording,
        })
    }
}

impl Work<'_> {
    /// Returns the time of an entry that is made now: after all that are there, so that their order
    /// is told by their times, even within one second.
    pub(crate) fn next_time(&mut self, now: Timestamp) -> Result<Timestamp, ConversationError> {
        self.next_time_on(&[Shelf::Facts, Shelf::User, Shelf::Assistant], now)
    }

    /// Returns the time of a fact that follows from what was said then: after the facts that are there. Turns
    /// that were heard since do not make it younger.
    pub(crate) fn next_fact_time(
        &mut self,
        said_at: Timestamp,
    ) -> Result<Timestamp, ConversationError> {
        self.next_time_on(&[Shelf::Facts], said_at)
    }

    fn next_time_on(
        &mut self,
        shelves: &[Shelf],
        now: Timestamp,
    ) -> Result<Timestamp, ConversationError> {
        let last = match self.last {
            Some(last) => Some(last),
            None => self.latest(shelves)?,
        };
        let catch_up = limits::CATCH_UP.after(now);
        let at = match last.filter(|last| now <= *last && *last < catch_up) {
            Some(last) => Timestamp::from_millisecond(last.as_millisecond() + 1).unwrap_or(now),
            None => now,
        };
        self.last = Some(at);
        Ok(at)
    }

    /// Returns the time of the newest entry of these shelves by the names of files.
    fn latest(&self, shelves: &[Shelf]) -> Result<Option<Timestamp>, ConversationError> {
        let mut latest = None;
        for shelf in shelves {
            latest = latest.max(self.store.latest_time(&self.folder, *shelf)?);
        }
        Ok(latest)
    }

    /// Adds a fact or a turn in a file of its own.
    pub(crate) fn add(&mut self, shelf: Shelf, entry: &Entry) {
        let file = file_name(entry.created_at, &entry.id);
        self.put(&Place { shelf, file }, entry);
    }

    /// Puts an entry into a file, new or in the place of what is there.
    pub(crate) fn put(&mut self, place: &Place, entry: &Entry) {
        self.write(place.path(), format::render(entry));
        self.changes.push(Change::kept(document(entry)));
    }

    /// Moves an entry below `deleted/`, with what took its place.
    pub(crate) fn bury(&mut self, filed: &Filed, replaced_by: Option<&str>) -> String {
        let grave = self.grave(filed);
        let bytes = match replaced_by {
            Some(id) => {
                let entry = Entry {
                    replaced_by: Some(id.to_owned()),
                    ..filed.entry.clone()
                };
                format::render(&entry).into_bytes()
            }
            // Byte for byte, so that it can come back as it was.
            None => filed.bytes.clone(),
        };
        self.write(grave.clone(), bytes);
        self.remove(filed.place.path());
        self.changes.push(Change::gone(address(&filed.entry.id)));
        grave
    }

    /// Returns where a deleted entry goes. Summaries have the same name each time, and keep theirs
    /// with the time that they were made at.
    fn grave(&self, filed: &Filed) -> String {
        let place = &filed.place;
        let file = match place.shelf.level() {
            Some(_) => {
                let stem = place.file.trim_end_matches(".md");
                format!(
                    "{stem}__{}.md",
                    filed.entry.created_at.strftime("%Y-%m-%dT%H-%M-%S%.3fZ")
                )
            }
            None => place.file.clone(),
        };
        format!("{DELETED}/{}/{file}", place.shelf.path())
    }

    /// Writes any file of the conversation with this change.
    pub(crate) fn write(&mut self, path: String, bytes: impl Into<Vec<u8>>) {
        self.writes.insert(path, bytes.into());
    }

    /// Removes any file of the conversation with this change, unless the change writes it.
    pub(crate) fn remove(&mut self, path: String) {
        self.removes.insert(path);
    }

    /// Notes with this change that something waits to be done after it.
    pub(crate) fn queue(&mut self, pending: Pending) {
        self.queued = Some(pending);
    }

    pub(crate) fn is_idle(&self) -> bool {
        self.writes.is_empty() && self.removes.is_empty()
    }

    /// Makes all of it durable, or none; returns what is different now.
    pub(crate) fn commit(mut self) -> Result<Vec<Change>, ConversationError> {
        if self.is_idle() {
            return Ok(self.changes);
        }
        if self.is_recording && self.removes.is_empty() {
            self.hear()?
        } else {
            self.apply()?
        }
        Ok(self.changes)
    }

    /// Keeps turns that someone waits for.
    fn hear(&mut self) -> Result<(), ConversationError> {
        self.prepare_folders([pending::FOLDER].into_iter())?;
        self.prepare_folders(self.writes.keys().filter_map(|path| folder_of(path)))?;
        let writes = std::mem::take(&mut self.writes);
        // The user's turn before the assistant's: the other way round than their paths sort.
        let turns = writes.into_iter().rev();
        let turns = turns.map(|(path, bytes)| (path, String::from_utf8_lossy(&bytes).into_owned()));
        let heard = Heard {
            turns: turns.collect(),
            pending: self.queued.take(),
            boot: self.store.files.boot_id(),
        };
        self.store.hear(&self.held, &self.folder, &heard)
    }

    fn apply(&mut self) -> Result<(), ConversationError> {
        if self.is_recording {
            // What goes may be a turn that is still on the list.
            self.store.shelve(&self.held, &self.folder, None)?;
        }
        if let Some(pending) = self.queued.take() {
            self.write(pending.path(), pending.render());
        }
        self.prepare_folders(self.writes.keys().filter_map(|path| folder_of(path)))?;
        let mut batch = Batch::default();
        self.writes
            .iter()
            .for_each(|(path, bytes)| batch.write(path, bytes.as_slice()));
        let gone = self
            .removes
            .iter()
            .filter(|path| !self.writes.contains_key(*path));
        gone.for_each(|path| batch.remove(path));
        self.held.apply(&self.room, &batch)?;
        Ok(())
    }

    fn prepare_folders<'p>(
        &self,
        folders: impl Iterator<Item = &'p str>,
    ) -> Result<(), ConversationError> {
        let folders: BTreeSet<&str> = folders.collect();
        folders
            .into_iter()
            .try_for_each(|folder| self.prepare(&self.room.join(folder)))
    }

    /// Makes a folder that files are about to be kept in, and sweeps what a crash has left there; once a
    /// process, as long as it is the same folder.
    fn prepare(&self, folder: &Spot) -> Result<(), ConversationError> {
        let files = &self.store.files;
        let as_it_is = || -> Result<_, ConversationError> {
            Ok(files
                .stamp(folder)?
                .map(|stamp| (folder.clone(), stamp.inode)))
        };
        let prepared = || {
            self.store
                .prepared
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
        };
        if as_it_is()?.is_some_and(|known| prepared().contains(&known)) {
            return Ok(());
        }
        let is_first = files.list(folder)?.is_empty();
        files.ensure_folder(folder)?;
        if is_first {
            files.settle_folders(folder)?;
        }
        self.held.sweep_folder(folder);
        prepared().extend(as_it_is()?);
        Ok(())
    }
}

/// Returns the folder of a path.
fn folder_of(path: &str) -> Option<&str> {
    Some(path.rsplit_once('/')?.0)
}
