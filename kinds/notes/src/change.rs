//! The one way to change notes: look at all of them, edit some in memory, commit all edits or none.
//!
//! A [`Work`] holds the store's lock from the look to the last sync, so that a link stands on both
//! sides, a moved note is in one place, and several stages of upkeep are one change. A rehearsal
//! does the same without the lock and commits nothing.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use memory_core::{Actor, Rehearsal, Timestamp};
use memory_files::Held;

use crate::card::Card;
use crate::catalog::{self, path_of};
use crate::listing::Listed;
use crate::recent::Before;
use crate::shelf::Shelf;
use crate::store::{OnDisk, Store};
use crate::{Note, NoteError, NoteId, archive, format, page};

/// All notes, some of them about to change.
pub struct Work<'s> {
    pub(crate) store: &'s Store,
    pub(crate) held: Option<Held<'s>>,
    pub now: Timestamp,
    shelf: Arc<Shelf>,
    /// The folders before the look, for a command; a process that stays leaves word in a pause.
    pub(crate) before: Option<Before>,
    pub(crate) edits: BTreeMap<NoteId, Edit>,
    /// The paths that edits have given to notes.
    claimed: HashMap<String, NoteId>,
    /// The archived files whose notes come back, below the root.
    pub(crate) unarchived: Vec<String>,
}

/// What becomes of one note.
pub(crate) struct Edit {
    /// Its file as it was; none when it is new.
    pub(crate) before: Option<OnDisk>,
    /// What it will be; none when it goes.
    pub(crate) after: Option<Next>,
    /// Where its file goes in the archive, below the root, if it is archived and not deleted.
    pub(crate) archived: Option<String>,
}

pub(crate) struct Next {
    pub(crate) note: Note,
    pub(crate) card: Card,
    pub(crate) path: String,
    /// Its file, byte for byte, if it is not to be written in our manner.
    pub(crate) bytes: Option<Vec<u8>>,
}

impl Next {
    pub(crate) fn render(&self) -> Vec<u8> {
        self.bytes
            .clone()
            .unwrap_or_else(|| format::render(&self.note).into_bytes())
    }
}

/// How a commit is remembered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recall<'w> {
    /// It only adds, or counts: there is nothing to take back.
    Nothing,
    /// It can be taken back by this name.
    Step(&'w str, Actor),
}

impl Store {
    /// Begins a change, or the rehearsal of one.
    pub fn work(&self, now: Timestamp, how: Rehearsal) -> Result<Work<'_>, NoteError> {
        Ok(match how {
            Rehearsal::Dry => {
                let shelf = self.peek()?;
                shelf.require_complete()?;
                Work::of(self, None, shelf, now)
            }
            Rehearsal::Real => self.work_with(self.hold()?, now)?,
        })
    }

    /// Begins a change of one note, which is looked for: what is not there waits for no one. An archived note moves back
    /// into its category first.
    pub fn work_on(&self, id: &str, now: Timestamp) -> Result<(Work<'_>, NoteId), NoteError> {
        let begun = self.work_on_current(id, now);
        if let Err(NoteError::NoNote { .. }) = begun
            && let Some(archived) = self.find_archived(id)?
        {
            archive::bring_back(self, archived, now)?;
            return self.work_on_current(id, now);
        }
        begun
    }

    fn work_on_current(&self, id: &str, now: Timestamp) -> Result<(Work<'_>, NoteId), NoteError> {
        let work = match self.try_hold() {
            Some(held) => self.work_with(held, now)?,
            None => {
                self.look()?.find(id)?;
                self.work(now, Rehearsal::Real)?
            }
        };
        match work.find(id) {
            Ok(id) => Ok((work, id)),
            Err(error) => {
                // Whoever asks in vain has looked, too: the pages tell the truth after that.
                if let Some(held) = &work.held
                    && !page::are_true(self, &work.listed())
                {
                    let _ = page::mend(self, held, &work.listed());
                }
                Err(error)
            }
        }
    }

    /// Begins a change with the lock that it needs. Fails if not all notes can be read: what a change does depends on
    /// all of them.
    pub(crate) fn work_with<'s>(
        &'s self,
        held: Held<'s>,
        now: Timestamp,
    ) -> Result<Work<'s>, NoteError> {
        let before = if self.stays() { None } else { Before::of(self) };
        let shelf = self.survey();
        shelf.require_complete()?;
        self.sweep(&held, &shelf);
        Ok(Work {
            before,
            ..Work::of(self, Some(held), shelf, now)
        })
    }
}

impl<'s> Work<'s> {
    fn of(store: &'s Store, held: Option<Held<'s>>, shelf: Arc<Shelf>, now: Timestamp) -> Self {
        let (edits, claimed) = (BTreeMap::new(), HashMap::new());
        Work {
            store,
            held,
            now,
            shelf,
            before: None,
            edits,
            claimed,
            unarchived: Vec::new(),
        }
    }
}

impl Work<'_> {
    /// Every note as it will be, in the order of ids.
    pub fn cards(&self) -> Vec<&Card> {
        let mut cards: Vec<&Card> = self
            .shelf
            .cards()
            .filter(|card| !self.edits.contains_key(&card.id))
            .collect();
        cards.extend(
            self.edits
                .values()
                .filter_map(|edit| Some(&edit.after.as_ref()?.card)),
        );
        cards.sort_unstable_by(|a, b| a.id.cmp(&b.id));
        cards
    }

    /// Every note as it will be, with its file's name without its ending, in the order of ids.
    pub(crate) fn cards_with_files(&self) -> Vec<(&Card, String)> {
        let stem = |listed: Listed<'_>| {
            let path = listed.path();
            let name = path.rsplit('/').next().unwrap_or_default();
            name.strip_suffix(".md").unwrap_or(name).to_owned()
        };
        let mut notes: Vec<(&Card, String)> = self
            .listed()
            .into_iter()
            .map(|listed| (listed.card(), stem(listed)))
            .collect();
        notes.sort_unstable_by(|(a, _), (b, _)| a.id.cmp(&b.id));
        notes
    }

    pub(crate) fn shelf(&self) -> &Shelf {
        &self.shelf
    }

    /// The store that this changes.
    pub(crate) fn store(&self) -> &Store {
        self.store
    }

    /// Finds the one note whose id is `text` or begins with it.
    pub fn find(&self, text: &str) -> Result<NoteId, NoteError> {
        let entry = self.shelf.find(text)?;
        let card = entry.found.as_ref().map_err(|_| NoteError::NoNote {
            id: text.to_owned(),
        })?;
        Ok(card.id.clone())
    }

    /// Finds further notes, each once and without the first one.
    pub(crate) fn find_others(
        &self,
        first: &NoteId,
        others: &[String],
    ) -> Result<Vec<NoteId>, NoteError> {
        let mut found: Vec<NoteId> = Vec::with_capacity(others.len());
        for text in others {
            let id = self.find(text)?;
            if id != *first && !found.contains(&id) {
                found.push(id);
            }
        }
        Ok(found)
    }

    /// Returns a note as it will be, with its content.
    pub fn note(&mut self, id: &NoteId) -> Result<Note, NoteError> {
        Ok(self.edited(id)?.1)
    }

    /// Returns notes as they will be, without those whose files are gone since they were listed.
    pub(crate) fn notes(&mut self, ids: &[NoteId]) -> Result<Vec<Note>, NoteError> {
        let mut notes = Vec::with_capacity(ids.len());
        for id in ids {
            match self.note(id) {
                Ok(note) => notes.push(note),
                Err(NoteError::NoNote { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(notes)
    }

    /// Returns the first characters of all contents as they stand on the disk, folded.
    pub(crate) fn beginnings(
        &mut self,
        length: usize,
    ) -> Result<HashMap<NoteId, String>, NoteError> {
        let mut starts = HashMap::with_capacity(self.shelf.entries.len());
        let begin = |text: &str| text.chars().take(length).collect::<String>();
        let read = self.shelf.with_texts(&mut |_, card, text| {
            starts.insert(card.id.clone(), begin(text));
        });
        if read.is_none() {
            let ids: Vec<NoteId> = self.shelf.cards().map(|card| card.id.clone()).collect();
            for note in self.notes(&ids)? {
                let text = begin(&memory_text::words::fold(&note.content));
                starts.insert(note.id, text);
            }
        }
        Ok(starts)
    }

    /// Changes a note; what `change` leaves as it was is not written.
    pub fn edit(&mut self, id: &NoteId, change: impl FnOnce(&mut Note)) -> Result<(), NoteError> {
        let (before, old) = self.edited(id)?;
        let mut note = old.clone();
        change(&mut note);
        if note != old {
            let card = match self.card(id) {
                Some(card) if note.content == old.content => card.of_same_content(&note),
                _ => Card::of(&note),
            };
            self.keep(before, note, card);
        }
        Ok(())
    }

    /// Changes a note if its file is still there.
    pub(crate) fn edit_if_there(
        &mut self,
        id: &NoteId,
        change: impl FnOnce(&mut Note),
    ) -> Result<(), NoteError> {
        match self.edit(id, change) {
            Err(NoteError::NoNote { .. }) => Ok(()),
            edited => edited,
        }
    }

    /// Reads the notes whose files are still there, and reads none of them again before the commit.
    pub(crate) fn take_up(&mut self, ids: &[NoteId]) -> Result<Vec<Note>, NoteError> {
        let mut notes = Vec::with_capacity(ids.len());
        for id in ids {
            match self.edited(id) {
                Ok((before, note)) => {
                    let card = Card::of(&note);
                    self.keep(before, note.clone(), card);
                    notes.push(note);
                }
                Err(NoteError::NoNote { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(notes)
    }

    /// Returns the card of a note as it will be; none when it is not there, or goes.
    pub(crate) fn card(&self, id: &NoteId) -> Option<&Card> {
        match self.edits.get(id) {
            Some(edit) => edit.after.as_ref().map(|next| &next.card),
            None => self.shelf.entry(id)?.found.as_ref().ok(),
        }
    }

    /// Returns a note's path and the note as the disk has them; none when it is not there.
    pub(crate) fn on_disk(&self, id: &NoteId) -> Result<Option<(String, Note)>, NoteError> {
        let Some(entry) = self.shelf.entry(id) else {
            return Ok(None);
        };
        let found = self.store.read_entry(entry)?;
        Ok(found.map(|(note, on_disk)| (on_disk.path, note)))
    }

    /// Writes a note again as it is, to the place where it belongs.
    pub(crate) fn rewrite(&mut self, id: &NoteId) -> Result<(), NoteError> {
        let (before, note) = self.edited(id)?;
        let card = Card::of(&note);
        self.keep(before, note, card);
        Ok(())
    }

    /// Returns where a note's file will be, below the root.
    pub(crate) fn path(&self, id: &NoteId) -> String {
        let edited = self
            .edits
            .get(id)
            .and_then(|edit| edit.after.as_ref())
            .map(|next| next.path.clone());
        let there = || self.shelf.entry(id).map(|entry| entry.path());
        edited.or_else(there).unwrap_or_default()
    }

    /// Returns an id that no note has.
    pub(crate) fn new_id(&self) -> NoteId {
        let is_free = |id: &NoteId| self.shelf.entry(id).is_none() && !self.edits.contains_key(id);
        std::iter::repeat_with(|| self.store.new_id())
            .find(is_free)
            .unwrap_or_else(|| self.store.new_id())
    }

    /// Adds a note that is new.
    pub fn add(&mut self, note: Note) {
        let card = Card::of(&note);
        self.keep(None, note, card);
    }

    /// Takes a note away, and the links to it.
    pub fn remove(&mut self, id: &NoteId) -> Result<(), NoteError> {
        self.take(id, None)
    }

    /// Moves a note's file into the archive, and drops the links to it.
    pub(crate) fn archive(&mut self, id: &NoteId) -> Result<(), NoteError> {
        let (before, note) = self.edited(id)?;
        let file = before
            .as_ref()
            .and_then(|before| before.path.rsplit('/').next())
            .map(str::to_owned);
        let category = note.standing.category();
        let more = (2..).map(|n: u64| format!("{id}-{n}.md"));
        let names = file
            .into_iter()
            .chain(std::iter::once(format!("{id}.md")))
            .chain(more);
        for path in names.map(|name| archive::path_of(category, &name)) {
            let is_claimed = self
                .edits
                .values()
                .any(|edit| edit.archived.as_deref() == Some(path.as_str()));
            if !is_claimed
                && self
                    .store
                    .files
                    .stamp(&self.store.root.join(&path))?
                    .is_none()
            {
                return self.take(id, Some(path));
            }
        }
        Ok(())
    }

    /// Removes an archived file whose note comes back.
    pub(crate) fn remove_archived(&mut self, path: String) {
        self.unarchived.push(path);
    }

    /// Returns the lock that this holds; `None` for a rehearsal.
    pub(crate) fn held(&self) -> Option<&Held<'_>> {
        self.held.as_ref()
    }

    fn take(&mut self, id: &NoteId, archived: Option<String>) -> Result<(), NoteError> {
        let (before, _) = self.edited(id)?;
        let replaced = self.edits.insert(
            id.clone(),
            Edit {
                before,
                after: None,
                archived,
            },
        );
        if let Some(Edit {
            after: Some(next), ..
        }) = replaced
        {
            self.claimed.remove(&next.path);
        }
        Ok(())
    }

    fn edited(&mut self, id: &NoteId) -> Result<(Option<OnDisk>, Note), NoteError> {
        let none = || NoteError::NoNote { id: id.to_string() };
        if let Some(edit) = self.edits.get(id) {
            let next = edit.after.as_ref().ok_or_else(none)?;
            return Ok((edit.before.clone(), next.note.clone()));
        }
        let entry = self.shelf.entry(id).ok_or_else(none)?;
        let (note, on_disk) = self.store.read_entry(entry)?.ok_or_else(none)?;
        Ok((Some(on_disk), note))
    }

    fn keep(&mut self, before: Option<OnDisk>, note: Note, card: Card) {
        let path = self.path_for(before.as_ref(), &note);
        self.put(
            before,
            Next {
                card,
                path,
                note,
                bytes: None,
            },
        );
    }

    fn put(&mut self, before: Option<OnDisk>, next: Next) {
        self.claimed.insert(next.path.clone(), next.note.id.clone());
        self.edits.insert(
            next.note.id.clone(),
            Edit {
                before,
                after: Some(next),
                archived: None,
            },
        );
    }

    /// Puts a note's file back as it was, byte for byte, in its place if that is free.
    pub(crate) fn put_back(
        &mut self,
        note: Note,
        path: &str,
        bytes: Vec<u8>,
    ) -> Result<(), NoteError> {
        let before = if self.shelf.entry(&note.id).is_some() {
            self.edited(&note.id)?.0
        } else {
            None
        };
        let is_own = before.as_ref().is_some_and(|before| before.path == path);
        let path = if is_own || self.is_free(path, &note.id) {
            path.to_owned()
        } else {
            self.path_for(before.as_ref(), &note)
        };
        self.put(
            before,
            Next {
                card: Card::of(&note),
                path,
                note,
                bytes: Some(bytes),
            },
        );
        Ok(())
    }

    /// A file keeps its name wherever it goes, unless another has it there.
    fn path_for(&self, before: Option<&OnDisk>, note: &Note) -> String {
        let category = note.standing.category();
        let in_category = |name: &str| path_of(category, name);
        let given = self
            .edits
            .get(&note.id)
            .and_then(|edit| edit.after.as_ref());
        if let Some(given) = given.filter(|given| given.card.category() == category) {
            return given.path.clone();
        }
        let kept = before
            .and_then(|before| before.path.rsplit('/').next())
            .map(in_category);
        if let (Some(kept), Some(before)) = (&kept, before)
            && *kept == before.path
        {
            return kept.clone();
        }
        let own = std::iter::once(format!("{}.md", note.id));
        let more = (2..).map(|n: u64| format!("{}-{n}.md", note.id));
        let mut wanted = kept
            .into_iter()
            .chain(own.chain(more).map(|name| in_category(&name)));
        wanted
            .find(|path| self.is_free(path, &note.id))
            .unwrap_or_default()
    }

    /// Says whether no other file stands at a path, or will.
    fn is_free(&self, path: &str, id: &NoteId) -> bool {
        let is_taken = catalog::place_of(path)
            .is_some_and(|(folder, file)| self.shelf.file(folder, file).is_some());
        !is_taken && self.claimed.get(path).is_none_or(|by| by == id)
    }

    /// Says whether the pages tell the truth of the notes before the edits.
    pub(crate) fn are_pages_true(&self) -> bool {
        self.store.are_pages_true(&self.shelf)
    }

    /// Says whether anything would be different.
    pub fn is_idle(&self) -> bool {
        self.edits.is_empty()
    }

    /// Every note as it will be, as pages list it.
    pub(crate) fn listed(&self) -> Vec<Listed<'_>> {
        let mut listed = self.shelf.listed();
        listed.retain(|listed| !self.edits.contains_key(&listed.card().id));
        let nexts = self.edits.values().filter_map(|edit| edit.after.as_ref());
        listed.extend(nexts.map(|next| Listed::Next(&next.card, &next.path)));
        listed
    }
}
