//! The end of a change: from edits in memory to files that are there, all of them or none.

use std::collections::{BTreeSet, HashSet};

use memory_core::Change;
use memory_files::{Batch, Held, Seen, Stamp};

use crate::card::Card;
use crate::catalog::{Filed, place_of};
use crate::change::{Edit, Recall, Work};
use crate::document::{address, document};
use crate::filing::filed;
use crate::shelf::Shelf;
use crate::{NoteError, NoteId, limits, listing, page, places, recent, undo};

/// So many changed files are worth a new catalogue at once, so that the next look need not read them.
const MANY: usize = 200;

impl Work<'_> {
    /// Makes all edits durable, or none of them; returns what is different now.
    ///
    /// # Invariants
    ///
    /// - Whatever breaks, all notes are as before or all are as edited.
    /// - What is taken away or replaced is in the trash before it goes, if it can be taken back.
    /// - A rehearsal changes nothing.
    pub fn commit(mut self, recall: Recall<'_>) -> Result<Vec<Change>, NoteError> {
        self.drop_links_to_the_removed()?;
        let changes = self.changes();
        let Some(held) = self.held.take() else {
            return Ok(changes);
        };
        if self.edits.is_empty() {
            page::mend(self.store, &held, &self.listed())?;
            return Ok(changes);
        }
        self.before
            .take_if(|before| !before.is_still_so(self.store));
        self.make_folders()?;
        let mut batch = self.batch();
        // Readers know by the index that several files have changed: see `Store::revision`.
        let is_several = batch.len() > 1 && page::can_be_index(self.store);
        if is_several {
            batch.write(page::INDEX, listing::index(&self.listed()));
        }
        let pages = if !is_several && (self.store.puts_pages_off() || self.keeps_pages_true()) {
            page::Pages::none(&held)
        } else {
            page::draft(self.store, &held, &self.listed(), !is_several)?
        };
        let step = match recall {
            Recall::Step(what, by) => {
                Some(undo::keep(self.store, (what, by), &self.edits, self.now)?)
            }
            Recall::Nothing => None,
        };
        let applied = if batch.is_empty() {
            Ok(vec![])
        } else {
            held.apply(&self.store.root, &batch)
        };
        if let (Err(_), Some(step)) = (&applied, &step) {
            // What did not happen can't be taken back, but what fails may have happened all the same.
            if self.is_untouched().unwrap_or(false) {
                let _ = self.store.trash().drop_step(step);
            }
        }
        let stamps = applied?;
        pages.settle()?;
        self.leave_word(&held, &batch, &stamps);
        if self.is_worth_another_look() {
            page::mend(self.store, &held, &self.store.survey().listed())?;
        }
        drop(held);
        Ok(changes)
    }

    /// Tells those who come next what they need not look for, or read.
    fn leave_word(&self, held: &Held<'_>, batch: &Batch, stamps: &[Stamp]) {
        let is_catalogued = self.edits.len() > MANY;
        let shelf = is_catalogued.then(|| {
            let mut shelf = self.shelf_after(batch, stamps);
            shelf.is_catalogued(self.store.save_catalog(&shelf));
            shelf
        });
        if self.before.is_some() {
            let nexts = self.edits.values().filter_map(|edit| edit.after.as_ref());
            let added = nexts.map(|next| places::by_content(&next.card.content_hash));
            let added = (!is_catalogued).then_some(added).into_iter().flatten();
            recent::keep(
                self.store,
                held,
                shelf.as_ref().unwrap_or(self.shelf()),
                added,
            );
        }
    }

    /// Says whether the pages are true and list all notes after the edits as they did before them.
    fn keeps_pages_true(&self) -> bool {
        self.is_listed_as_before() && self.are_pages_true()
    }

    fn is_listed_as_before(&self) -> bool {
        self.edits
            .iter()
            .all(|(id, edit)| match (self.shelf().entry(id), &edit.after) {
                (Some(Filed { found: Ok(old), .. }), Some(next)) => {
                    let is_in_its_place = edit
                        .before
                        .as_ref()
                        .is_some_and(|before| before.path == next.path);
                    is_in_its_place && listing::are_listed_alike(old, &next.card)
                }
                _ => false,
            })
    }

    /// Files that others have written are worth reading again: they may tell their time of creation by
    /// that of the file.
    fn is_worth_another_look(&self) -> bool {
        let mut nexts = self.edits.values().filter_map(|edit| edit.after.as_ref());
        nexts.any(|next| next.bytes.is_some())
    }

    /// Returns what a look would find now, from what was found before and what was written since.
    fn shelf_after(&self, batch: &Batch, stamps: &[Stamp]) -> Shelf {
        let mut shelf = self.shelf().clone();
        let befores = self.edits.values().filter_map(|edit| edit.before.as_ref());
        let gone: HashSet<&str> = befores.map(|before| before.path.as_str()).collect();
        shelf
            .entries
            .retain(|entry| !gone.contains(entry.path().as_str()));
        for ((path, bytes), stamp) in batch.writes().iter().zip(stamps) {
            let Some((folder, file)) = place_of(path) else {
                continue;
            };
            let seen = Seen {
                bytes: bytes.clone(),
                stamp: *stamp,
            };
            shelf.entries.push(filed(folder, file.to_owned(), &seen));
        }
        shelf
    }

    /// Says whether all files are as they were before the edits, and will stay so.
    fn is_untouched(&self) -> Result<bool, NoteError> {
        let (files, root) = (&self.store.files, &self.store.root);
        if files.has_plan(root)? {
            return Ok(false);
        }
        for edit in self.edits.values() {
            let path = edit.before.as_ref().map(|before| &before.path);
            let path = path.or(edit.after.as_ref().map(|next| &next.path));
            let Some(path) = path else { continue };
            let seen = files.read(&root.join(path), limits::FILE_BYTES)?;
            if seen.map(|seen| seen.bytes).as_ref()
                != edit.before.as_ref().map(|before| &before.bytes)
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn batch(&self) -> Batch {
        let mut batch = Batch::default();
        for edit in self.edits.values() {
            let after = edit.after.as_ref();
            if let Some(next) = after {
                batch.write(&next.path, next.render());
            }
            if let Some(before) = edit
                .before
                .as_ref()
                .filter(|old| after.is_none_or(|new| new.path != old.path))
            {
                batch.remove(&before.path);
            }
            if let (Some(path), Some(before)) = (&edit.archived, &edit.before) {
                batch.write(path, before.bytes.clone());
            }
        }
        self.unarchived.iter().for_each(|path| batch.remove(path));
        batch
    }

    fn make_folders(&self) -> Result<(), NoteError> {
        let afters = self.edits.values().filter_map(|edit| edit.after.as_ref());
        let archived = self
            .edits
            .values()
            .filter_map(|edit| edit.archived.as_deref());
        let paths = afters.map(|next| next.path.as_str()).chain(archived);
        let folders: BTreeSet<&str> = paths
            .filter_map(|path| Some(path.rsplit_once('/')?.0))
            .collect();
        for folder in folders {
            let has_notes =
                |entry: &Filed| folder.strip_prefix("categories/") == Some(entry.folder.as_str());
            let is_in_use = self.shelf().entries.iter().any(has_notes);
            let folder = self.store.root.join(folder);
            let is_first = !is_in_use && self.store.files.scan(&folder)?.is_empty();
            self.store.files.ensure_folder(&folder)?;
            if is_first {
                self.store.files.settle_folders(&folder)?;
            }
        }
        Ok(())
    }

    fn drop_links_to_the_removed(&mut self) -> Result<(), NoteError> {
        let removed: HashSet<NoteId> = self
            .edits
            .iter()
            .filter(|(_, edit)| edit.after.is_none())
            .map(|(id, _)| id.clone())
            .collect();
        if removed.is_empty() {
            return Ok(());
        }
        let links_there = |card: &&&Card| card.links.iter().any(|link| removed.contains(link));
        let neighbours: Vec<NoteId> = self
            .cards()
            .iter()
            .filter(links_there)
            .map(|card| card.id.clone())
            .collect();
        for id in neighbours {
            self.edit_if_there(&id, |note| {
                note.links.retain(|link| !removed.contains(link))
            })?;
        }
        Ok(())
    }

    fn changes(&self) -> Vec<Change> {
        let change = |(id, edit): (&NoteId, &Edit)| match &edit.after {
            Some(next) => Change::kept(document(&next.note)),
            None => Change::gone(address(id)),
        };
        self.edits.iter().map(change).collect()
    }
}
