//! All notes as the disk has them at one moment: their cards, their texts, and what can't be read.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use memory_core::{Code, Flaw};
use memory_files::{DiskError, Files, Spot, Stamp};

use crate::card::Card;
use crate::catalog::{Filed, HEADER, Header};
use crate::filing::told;
use crate::listing::Listed;
use crate::places::{self, Places};
use crate::{Category, ContentHash, NoteError, NoteId, SHORTEST_PREFIX};

/// Where the texts of the saved catalogue are, which most callers never need.
#[derive(Debug, Clone)]
pub(crate) struct SavedTexts {
    pub(crate) files: Files,
    pub(crate) at: Spot,
    pub(crate) header: Header,
    pub(crate) stamp: Stamp,
}

impl SavedTexts {
    fn read(&self) -> Option<String> {
        let from = (HEADER + self.header.entries) as u64;
        let seen = self
            .files
            .read_part(&self.at, from, self.header.texts)
            .ok()??;
        // Someone may have put another catalogue in its place: then the offsets mean nothing.
        (seen.stamp == self.stamp)
            .then(|| self.header.read_texts(seen.bytes))
            .flatten()
    }
}

/// What was found when the store was looked at.
#[derive(Debug, Clone)]
pub struct Shelf {
    /// In no order.
    pub(crate) entries: Vec<Filed>,
    pub(crate) flaws: Vec<Flaw>,
    /// Why a folder could not be looked into this time.
    folder_failure: Option<(Code, String)>,
    /// Folders in which a crash, or someone who is at it now, has left drafts.
    pub(crate) littered: Vec<Category>,
    saved: Option<SavedTexts>,
    /// The texts of the catalogue, once someone has asked for them.
    fetched: OnceLock<String>,
    /// Whether two files have one id, as far as they say.
    has_twins: bool,
    /// Where files are among the entries, once someone has asked for one.
    places: OnceLock<Places>,
    /// The catalogue that was written of all entries after they were read.
    catalogued: Option<Stamp>,
}

impl Shelf {
    pub(crate) fn new(saved: Option<SavedTexts>) -> Self {
        Shelf {
            entries: Vec::new(),
            flaws: Vec::new(),
            folder_failure: None,
            littered: Vec::new(),
            saved,
            fetched: OnceLock::new(),
            has_twins: false,
            places: OnceLock::new(),
            catalogued: None,
        }
    }

    /// Remembers that a folder could not be looked into.
    pub(crate) fn folder_failed(&mut self, error: &DiskError) {
        if error.is_io() && self.folder_failure.is_none() {
            self.folder_failure = Some((error.code(), told(error)));
        }
    }

    /// Fails if an I/O error has hidden a note or a folder: what is not seen here may exist.
    pub(crate) fn require_complete(&self) -> Result<(), NoteError> {
        let of_file = self
            .entries
            .iter()
            .find_map(|entry| Some((entry.failure?, entry.found.clone().err()?)));
        match self.folder_failure.clone().or(of_file) {
            Some((code, problem)) => Err(NoteError::Unread { problem, code }),
            None => Ok(()),
        }
    }

    /// Remembers that a catalogue has all entries as they are now.
    pub(crate) fn is_catalogued(&mut self, catalog: Option<Stamp>) {
        self.catalogued = catalog;
    }

    /// Returns what the notes say that a catalogue does not know, by their numbers; none when the
    /// catalogue is another one than this shelf knows of.
    pub(crate) fn beside(&self, catalog: Stamp) -> Option<Vec<u64>> {
        if self.catalogued == Some(catalog) {
            return Some(Vec::new());
        }
        let is_known = self
            .saved
            .as_ref()
            .is_some_and(|saved| saved.stamp == catalog);
        let fresh = self.entries.iter().filter(|entry| entry.fresh.is_some());
        is_known.then(|| fresh.filter_map(Filed::content).collect())
    }

    /// Puts files in the places of those of the same path, or takes these away.
    ///
    /// Costs a look at all entries for each: for many, look at everything anew.
    pub(crate) fn replace(&mut self, changed: Vec<(Category, String, Option<Filed>)>) {
        self.catalogued = None;
        let mut needs_settling = self.has_twins;
        for (folder, file, now) in changed {
            let place = self.place_of_file(folder, &file);
            let same_id = now
                .as_ref()
                .and_then(Filed::id)
                .and_then(|id| self.place_of_note(id));
            needs_settling |= same_id.is_some() && same_id != place;
            match (place, now) {
                (Some(place), Some(now)) => self.put(place, now),
                (Some(place), None) => {
                    self.places = OnceLock::new();
                    self.entries.swap_remove(place);
                }
                (None, Some(now)) => self.push(now),
                (None, None) => {}
            }
        }
        if needs_settling {
            self.unsettle();
            self.settle();
        }
    }

    fn put(&mut self, place: usize, entry: Filed) {
        let reading = |entry: &Filed| {
            entry
                .found
                .as_ref()
                .ok()
                .map(|card| (card.id.clone(), card.content_hash))
        };
        if reading(&self.entries[place]) != reading(&entry) {
            self.places = OnceLock::new();
        }
        self.entries[place] = entry;
    }

    fn push(&mut self, entry: Filed) {
        if let Some(places) = self.places.get_mut() {
            places.add(&entry, self.entries.len());
        }
        self.entries.push(entry);
    }

    /// Lets every file say again what it says itself.
    fn unsettle(&mut self) {
        self.has_twins = false;
        for entry in &mut self.entries {
            if let Some(card) = entry.twin.take() {
                entry.found = Ok(*card);
            }
        }
    }

    /// Sees to it that no two notes have one id: the file that is named by it keeps it.
    ///
    /// A file that tells no id gets one from its place, which a note may have that has moved away
    /// from there: then the file gets another one.
    pub(crate) fn settle(&mut self) {
        let twins = self.twins_and_owners();
        if twins.is_empty() {
            return;
        }
        self.has_twins = true;
        self.places = OnceLock::new();
        let mut taken: HashSet<NoteId> = self.cards().map(|card| card.id.clone()).collect();
        for (twin, owner) in twins {
            if is_named_by_place(&self.entries[twin]) {
                let name = self.entries[twin].name();
                let mut others = (2..).map(|n: u64| NoteId::of_name(&format!("{name}\n{n}")));
                if let Some(id) = others.find(|id| !taken.contains(id)) {
                    taken.insert(id.clone());
                    self.rename(twin, id);
                    continue;
                }
            }
            let problem = format!("it has the same id as {}", self.entries[owner].path());
            if let Ok(card) = std::mem::replace(&mut self.entries[twin].found, Err(problem)) {
                self.entries[twin].twin = Some(Box::new(card));
            }
        }
    }

    fn rename(&mut self, n: usize, id: NoteId) {
        let entry = &mut self.entries[n];
        if let Ok(card) = &mut entry.found {
            entry.twin = Some(Box::new(card.clone()));
            card.id = id;
        }
    }

    /// Returns the files whose id another one has, each with that other one.
    fn twins_and_owners(&self) -> Vec<(usize, usize)> {
        let mut owners: HashMap<&str, usize> = HashMap::with_capacity(self.entries.len());
        let mut twins = Vec::new();
        for (n, entry) in self.entries.iter().enumerate() {
            let Ok(card) = &entry.found else { continue };
            let Some(owner) = owners.get(card.id.as_str()).copied() else {
                owners.insert(card.id.as_str(), n);
                continue;
            };
            let is_named_by_id = entry.file.strip_suffix(".md") == Some(card.id.as_str());
            let takes_over = is_named_by_id || is_named_by_place(&self.entries[owner]);
            if takes_over {
                owners.insert(card.id.as_str(), n);
            }
            twins.push(if takes_over { (owner, n) } else { (n, owner) });
        }
        twins
    }

    /// Every note that can be read.
    pub fn cards(&self) -> impl Iterator<Item = &Card> {
        self.entries
            .iter()
            .filter_map(|entry| entry.found.as_ref().ok())
    }

    /// Every note that can be read, as pages list it.
    pub(crate) fn listed(&self) -> Vec<Listed<'_>> {
        self.entries.iter().filter_map(Listed::there).collect()
    }

    /// Returns the file of the note that has an id.
    pub(crate) fn entry(&self, id: &NoteId) -> Option<&Filed> {
        self.place_of_note(id).map(|place| &self.entries[place])
    }

    /// Returns a file by its name.
    pub(crate) fn file(&self, folder: Category, file: &str) -> Option<&Filed> {
        self.place_of_file(folder, file)
            .map(|place| &self.entries[place])
    }

    /// Every note that can be read and has this content.
    pub(crate) fn with_content(&self, hash: ContentHash) -> impl Iterator<Item = &Card> {
        let candidates = self.places().candidates(places::by_content(&hash));
        let cards = candidates.filter_map(|place| self.entries[place].found.as_ref().ok());
        cards.filter(move |card| card.content_hash == hash)
    }

    fn place_of_note(&self, id: &NoteId) -> Option<usize> {
        let is_it = |place: &usize| self.entries[*place].id() == Some(id);
        self.places().candidates(places::by_id(id)).find(is_it)
    }

    fn place_of_file(&self, folder: Category, file: &str) -> Option<usize> {
        let is_it = |place: &usize| {
            let entry = &self.entries[*place];
            entry.folder == folder && entry.file == file
        };
        self.places()
            .candidates(places::by_path(folder, file))
            .find(is_it)
    }

    fn places(&self) -> &Places {
        self.places.get_or_init(|| Places::of(&self.entries))
    }

    /// What could not be read, and why.
    pub fn flaws(&self) -> Vec<Flaw> {
        let bad = self.entries.iter().filter_map(|entry| {
            let problem = entry.found.as_ref().err()?;
            Some(Flaw::new(
                entry.path(),
                format!("The file is damaged: {problem}"),
            ))
        });
        self.flaws.iter().cloned().chain(bad).collect()
    }

    /// Finds the one note whose id is `text` or begins with it.
    pub(crate) fn find(&self, text: &str) -> Result<&Filed, NoteError> {
        let text = text.trim();
        let with = |wanted: &dyn Fn(&str) -> bool| -> Vec<(&Filed, &NoteId)> {
            let all = self
                .entries
                .iter()
                .filter_map(|entry| Some((entry, &entry.found.as_ref().ok()?.id)));
            all.filter(|(_, id)| wanted(id.as_str())).collect()
        };
        if let Some((entry, _)) = with(&|id| id == text).first() {
            return Ok(entry);
        }
        let none = || NoteError::NoNote {
            id: text.to_owned(),
        };
        if text.len() < SHORTEST_PREFIX {
            return Err(NoteError::BadArgument {
                problem: format!(
                    "'{text}' is too short for an id; give at least {SHORTEST_PREFIX} characters"
                ),
                hint: Some("'memory list' shows the ids".into()),
            });
        }
        let lower = text.to_ascii_lowercase();
        match with(&|id| id.to_ascii_lowercase().starts_with(&lower)).as_slice() {
            [] => {
                self.require_complete()?;
                Err(self.damaged(&lower).unwrap_or_else(none))
            }
            [(entry, _)] => Ok(entry),
            several => {
                let ids = several.iter().map(|(_, id)| (*id).clone()).collect();
                Err(NoteError::Ambiguous {
                    prefix: text.to_owned(),
                    ids,
                })
            }
        }
    }

    /// Tells of the file that is named by an id and can't be read.
    fn damaged(&self, lower: &str) -> Option<NoteError> {
        let bad = |entry: &&Filed| {
            entry.found.is_err() && entry.file.to_ascii_lowercase().starts_with(lower)
        };
        let entry = self.entries.iter().find(bad)?;
        let problem = entry.found.as_ref().err()?.clone();
        Some(NoteError::Damaged {
            path: entry.path(),
            problem,
        })
    }

    /// Hands over each note that can be read with its text, folded for searching.
    ///
    /// None when the catalogue was replaced meanwhile; whoever asks looks again.
    pub(crate) fn with_texts<'s>(
        &'s self,
        each: &mut dyn FnMut(&'s Filed, &'s Card, &str),
    ) -> Option<()> {
        let saved = self.saved_texts()?;
        for entry in &self.entries {
            let Ok(card) = &entry.found else { continue };
            let text = match &entry.fresh {
                Some(text) => &**text,
                None => saved.get(entry.text.clone())?,
            };
            each(entry, card, text);
        }
        Some(())
    }

    /// Reads the texts of the catalogue once for all; false when they can't be had.
    pub(crate) fn fetch_texts(&self) -> bool {
        if let Some(Cow::Owned(texts)) = self.saved_texts() {
            let _ = self.fetched.set(texts);
        }
        self.fetched.get().is_some() || self.saved_texts().is_some()
    }

    fn saved_texts(&self) -> Option<Cow<'_, str>> {
        match (self.fetched.get(), &self.saved) {
            (Some(texts), _) => Some(Cow::Borrowed(texts)),
            (None, Some(saved)) if self.entries.iter().any(|entry| entry.fresh.is_none()) => {
                saved.read().map(Cow::Owned)
            }
            _ => Some(Cow::Borrowed("")),
        }
    }

    /// Returns all entries with all texts in a row, as the next catalogue will have them.
    pub(crate) fn collected(&self) -> Option<(Vec<Filed>, String)> {
        let saved = self.saved_texts()?;
        let mut texts = String::with_capacity(saved.len());
        let mut entries = Vec::with_capacity(self.entries.len());
        // A survey goes by names.
        let readable = self.entries.iter().filter(|entry| entry.failure.is_none());
        let mut order: Vec<&Filed> = readable.collect();
        order.sort_by_key(|entry| (entry.folder, &entry.file));
        for entry in order {
            let begin = texts.len();
            texts.push_str(match &entry.fresh {
                Some(text) => text,
                None => saved.get(entry.text.clone())?,
            });
            // Whether an id is taken depends on the other files, which may be others next time.
            let found = entry
                .twin
                .as_ref()
                .map_or_else(|| entry.found.clone(), |card| Ok((**card).clone()));
            let (file, text) = (entry.file.clone(), begin..texts.len());
            entries.push(Filed {
                text,
                fresh: None,
                ..Filed::read(entry.folder, file, entry.stamp, found, String::new())
            });
        }
        Some((entries, texts))
    }
}

/// Says whether a file has the id that its place gives to one that tells none.
fn is_named_by_place(entry: &Filed) -> bool {
    entry
        .found
        .as_ref()
        .is_ok_and(|card| card.id == NoteId::of_name(&entry.name()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_catalogue_is_in_the_order_of_names_whichever_files_were_read_again() {
        let mut shelf = Shelf::new(None);
        for file in ["b.md", "a.md", "c.md"] {
            let stamp = Stamp {
                inode: 0,
                size: 0,
                modified: 0,
            };
            let found = Err("no note".to_owned());
            shelf.entries.push(Filed::read(
                Category::Inbox,
                file.into(),
                stamp,
                found,
                file.to_owned(),
            ));
        }
        let (entries, texts) = shelf.collected().unwrap();
        let found: Vec<_> = entries
            .iter()
            .map(|entry| (entry.file.as_str(), &texts[entry.text.clone()]))
            .collect();
        assert_eq!(
            found,
            [("a.md", "a.md"), ("b.md", "b.md"), ("c.md", "c.md")]
        );
    }
}
