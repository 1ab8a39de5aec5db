//! The one way to change a conversation: several files, all of them or none, under its lock.

use std::collections::{BTreeMap, BTreeSet};

use memory_core::{Change, Timestamp};
use memory_files::{Batch, Held, Spot};

use crate::document::{address, document};
use crate::entry::Entry;
use crate::pending::Pending;
use crate::store::{DELETED, Filed, LOCK, Place, Store, file_name, time_of_name};
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
}

impl Store {
    /// Begins a change: takes the conversation's lock and finishes what a crash has left.
    pub(crate) fn work(&self, conversation: &ConversationId) -> Result<Work<'_>, ConversationError> {
        self.work_in(conversation.folder())
    }

    pub(crate) fn work_in(&self, folder: String) -> Result<Work<'_>, ConversationError> {
        let room = self.room(&folder);
        self.files.ensure_folder(&room)?;
        let held = self.files.lock(&room.join(LOCK))?;
        held.finish_plan(&room)?;
        let (writes, removes, changes) = Default::default();
        Ok(Work { store: self, folder, held, room, writes, removes, changes, last: None })
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
    pub(crate) fn next_fact_time(&mut self, said_at: Timestamp) -> Result<Timestamp, ConversationError> {
        self.next_time_on(&[Shelf::Facts], said_at)
    }

    fn next_time_on(&mut self, shelves: &[Shelf], now: Timestamp) -> Result<Timestamp, ConversationError> {
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
            let items = self.store.files.list(&self.room.join(shelf.path()))?;
            // Names sort as their times do.
            let newest = items.iter().rev().find_map(|item| time_of_name(item.name.to_str()?));
            latest = latest.max(newest);
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
                let entry = Entry { replaced_by: Some(id.to_owned()), ..filed.entry.clone() };
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
                format!("{stem}__{}.md", filed.entry.created_at.strftime("%Y-%m-%dT%H-%M-%S%.3fZ"))
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

    /// Notes that something waits to be done, durably and at once: before the turn it is about.
    ///
    /// What waits for a turn that a crash has kept from being written is passed over later.
    pub(crate) fn queue(&self, pending: &Pending) -> Result<(), ConversationError> {
        let folder = self.room.join(crate::pending::FOLDER);
        self.prepare(&folder)?;
        self.store.files.replace(&folder.join(pending.file()), &pending.render())?;
        Ok(())
    }

    pub(crate) fn is_idle(&self) -> bool {
        self.writes.is_empty() && self.removes.is_empty()
    }

    /// Makes all of it durable, or none; returns what is different now.
    pub(crate) fn commit(self) -> Result<Vec<Change>, ConversationError> {
        if self.is_idle() {
            return Ok(self.changes);
        }
        let folders: BTreeSet<&str> =
            self.writes.keys().filter_map(|path| Some(path.rsplit_once('/')?.0)).collect();
        for folder in folders {
            self.prepare(&self.room.join(folder))?;
        }
        let mut batch = Batch::default();
        self.writes.iter().for_each(|(path, bytes)| batch.write(path, bytes.as_slice()));
        let gone = self.removes.iter().filter(|path| !self.writes.contains_key(*path));
        gone.for_each(|path| batch.remove(path));
        self.held.apply(&self.room, &batch)?;
        Ok(self.changes)
    }

    /// Makes a folder that files are about to be kept in, and sweeps what a crash has left there.
    fn prepare(&self, folder: &Spot) -> Result<(), ConversationError> {
        let is_first = self.store.files.list(folder)?.is_empty();
        self.store.files.ensure_folder(folder)?;
        if is_first {
            self.store.files.settle_folders(folder)?;
        }
        self.held.sweep_folder(folder);
        Ok(())
    }
}
