//! What a process that stays knows of the files of conversations, so that a chat looks at none but its own.
//!
//! The folders are watched. Whatever happens to a file is told by the watch, by whomever it was done, this
//! process included: there is one way in which a change gets here. Where folders can't be watched nothing is
//! kept, and everything is looked at each time, as a command does.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use memory_core::Timestamp;
use memory_files::{News, Sighting, Spot, Stamp, Watch};

use crate::Shelf;
use crate::filing::{Filed, Place, has_shape_of_time, is_entry, parse_source, source_name};
use crate::store::{ENTRIES, Store};

/// From so many changed files on, everything is looked at anew.
const MANY: usize = 200;
/// So many changes are told one by one to whoever has not asked for long.
const MANY_NEWS: usize = 2_000;
/// Folders between a conversation's own and its shelves.
const BETWEEN: [&str; 2] = ["turns", "summaries"];
/// What a plan that waits to be carried out is called.
const PLAN: &str = ".plan.json";

/// The last look; none before the first one, or when folders can't be watched.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    stays: AtomicBool,
    known: Mutex<Option<Known>>,
}

#[derive(Debug)]
struct Known {
    watch: Watch,
    /// What each watched folder is, by its number.
    watched: Vec<Watched>,
    rooms: Rooms,
}

/// The files of all conversations.
#[derive(Debug, Default)]
pub(crate) struct Rooms {
    /// By the folders of their conversations.
    pub(crate) rooms: BTreeMap<String, Room>,
    /// The files that something has happened to since this was last taken, by their paths below the root; none
    /// when everything may be another.
    news: Option<Vec<String>>,
}

impl Rooms {
    /// Takes the files that something has happened to since this was last done; none when that can't be told.
    pub(crate) fn take_news(&mut self) -> Option<Vec<String>> {
        self.news.replace(vec![])
    }

    /// Returns the stamp of a file by its path below the root.
    pub(crate) fn stamp(&self, source: &str) -> Option<Stamp> {
        let (folder, place) = parse_source(source)?;
        self.rooms
            .get(folder)?
            .files(place.shelf)
            .get(&place.file)
            .copied()
    }

    fn hear(&mut self, folder: &str, shelf: Shelf, file: &str, stamp: Option<Stamp>) {
        match &mut self.news {
            Some(news) if news.len() < MANY_NEWS => news.push(source_name(folder, shelf, file)),
            _ => self.news = None,
        }
        self.rooms
            .entry(folder.to_owned())
            .or_default()
            .hear(shelf, file.to_owned(), stamp);
    }

    fn insert(&mut self, folder: &str, room: Room) {
        self.news = None;
        self.rooms.insert(folder.to_owned(), room);
    }
}

#[derive(Debug)]
enum Watched {
    /// The one that has a folder for each conversation.
    Entries,
    /// A conversation's own, or one between that and its shelves.
    Room(String),
    Shelf(String, Shelf),
}

/// The files of one conversation.
#[derive(Debug, Default)]
pub(crate) struct Room {
    shelves: [BTreeMap<String, Stamp>; Shelf::ALL.len()],
    /// Those of them whose names do not begin as times do.
    untimed: BTreeSet<(Shelf, String)>,
    /// Those that were read, as long as they are what they were.
    read: [BTreeMap<String, Arc<Filed>>; Shelf::ALL.len()],
    /// When entries were made, of those that had to tell.
    made: [BTreeMap<String, Timestamp>; Shelf::ALL.len()],
}

impl Room {
    /// The files of a shelf, in the order of their names.
    pub(crate) fn files(&self, shelf: Shelf) -> &BTreeMap<String, Stamp> {
        &self.shelves[shelf as usize]
    }

    /// The names that tell no time, or one from `since` on, in their order but for the former.
    pub(crate) fn names_since<'r>(
        &'r self,
        shelf: Shelf,
        since: &str,
    ) -> impl Iterator<Item = &'r str> {
        let range = (Bound::Included(since), Bound::Unbounded);
        let timed = self
            .files(shelf)
            .range::<str, _>(range)
            .map(|(name, _)| name.as_str());
        let untimed = self
            .untimed
            .iter()
            .filter(move |(of, _)| *of == shelf)
            .map(|(_, name)| name.as_str());
        untimed.chain(timed.filter(|name| has_shape_of_time(name)))
    }

    /// Returns a file that was read, if nothing has happened to it since.
    pub(crate) fn read(&self, shelf: Shelf, file: &str) -> Option<Arc<Filed>> {
        self.read[shelf as usize].get(file).cloned()
    }

    /// Keeps a file that was read with this stamp.
    pub(crate) fn keep(&mut self, stamp: Stamp, filed: &Arc<Filed>) {
        let place = &filed.place;
        // It may have changed since it was read.
        if self.files(place.shelf).get(&place.file) == Some(&stamp) {
            self.read[place.shelf as usize].insert(place.file.clone(), filed.clone());
        }
    }

    /// Forgets what was read of a shelf before this file.
    pub(crate) fn forget_before(&mut self, shelf: Shelf, file: &str) {
        let later = self.read[shelf as usize].split_off(file);
        self.read[shelf as usize] = later;
    }

    /// Returns when an entry was made, if it has told and nothing has happened to it since.
    pub(crate) fn made(&self, shelf: Shelf, file: &str) -> Option<Timestamp> {
        self.made[shelf as usize].get(file).copied()
    }

    /// Keeps when an entry was made.
    pub(crate) fn keep_made(&mut self, place: &Place, at: Timestamp) {
        if self.files(place.shelf).contains_key(&place.file) {
            self.made[place.shelf as usize].insert(place.file.clone(), at);
        }
    }

    fn hear(&mut self, shelf: Shelf, file: String, stamp: Option<Stamp>) {
        self.read[shelf as usize].remove(&file);
        self.made[shelf as usize].remove(&file);
        match stamp {
            Some(stamp) => self.add(shelf, file, stamp),
            None => {
                self.shelves[shelf as usize].remove(&file);
                self.untimed.remove(&(shelf, file));
            }
        }
    }

    fn add(&mut self, shelf: Shelf, file: String, stamp: Stamp) {
        if !has_shape_of_time(&file) {
            self.untimed.insert((shelf, file.clone()));
        }
        self.shelves[shelf as usize].insert(file, stamp);
    }
}

impl Kept {
    /// Hears that this process stays.
    pub(crate) fn stay(&self) {
        self.stays.store(true, Ordering::Relaxed);
    }
}

impl Store {
    /// Looks at the files of a conversation as they are now; none when they are not kept.
    ///
    /// `look` must ask nothing else of what is kept.
    pub(crate) fn kept_room<T>(
        &self,
        folder: &str,
        look: impl FnOnce(&mut Room) -> T,
    ) -> Option<T> {
        self.kept(|rooms| match rooms.rooms.get_mut(folder) {
            Some(room) => look(room),
            None => look(&mut Room::default()),
        })
    }

    /// Looks at the files of all conversations; none when they are not kept.
    pub(crate) fn kept<T>(&self, look: impl FnOnce(&mut Rooms) -> T) -> Option<T> {
        if !self.kept.stays.load(Ordering::Relaxed) {
            return None;
        }
        let mut known = self
            .kept
            .known
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if known
            .as_mut()
            .and_then(|last| last.catch_up(self))
            .is_none()
        {
            *known = Known::anew(self);
        }
        known.as_mut().map(|known| look(&mut known.rooms))
    }
}

impl Known {
    fn anew(store: &Store) -> Option<Self> {
        // Watched first: what happens during the look is told to the next one.
        let watch = store.files.watch(&[store.root.join(ENTRIES).path()])?;
        let mut known = Known {
            watch,
            watched: vec![Watched::Entries],
            rooms: Rooms::default(),
        };
        for folder in store.list_folders().ok()? {
            known.add_room(store, &folder)?;
        }
        Some(known)
    }

    /// Learns what has happened since the last look; none when that can't be told.
    fn catch_up(&mut self, store: &Store) -> Option<()> {
        let News::Files(files) = self.watch.news() else {
            return None;
        };
        if files.len() > MANY {
            return None;
        }
        for (number, name) in files {
            let Some(name) = name.to_str() else { continue };
            match self.watched.get(number)? {
                Watched::Entries if name.starts_with('.') => {}
                Watched::Entries if self.rooms.rooms.contains_key(name) => return None,
                Watched::Entries => self.add_room(store, name)?,
                Watched::Room(folder) if name == PLAN => store.settle(folder),
                Watched::Room(folder) if is_part(name) => {
                    let folder = folder.clone();
                    self.add_room(store, &folder)?;
                }
                Watched::Shelf(folder, shelf) if is_entry(name.as_ref()) => {
                    let at = store.room(folder).join(shelf.path()).join(name);
                    let stamp = store.files.stamp(&at).ok()?;
                    self.rooms.hear(folder, *shelf, name, stamp);
                }
                Watched::Room(_) | Watched::Shelf(..) => {}
            }
        }
        Some(())
    }

    /// Watches the folders of a conversation and looks at them; none when that can't be done.
    fn add_room(&mut self, store: &Store, folder: &str) -> Option<()> {
        let room = store.room(folder);
        self.add(store, &room, Watched::Room(folder.to_owned()))?;
        for between in BETWEEN {
            self.add(store, &room.join(between), Watched::Room(folder.to_owned()))?;
        }
        store.settle(folder);
        let mut found = Room::default();
        for shelf in Shelf::ALL {
            let at = room.join(shelf.path());
            self.add(store, &at, Watched::Shelf(folder.to_owned(), shelf))?;
            for Sighting { name, stamp } in store.scan(folder, shelf).ok()? {
                name.into_string()
                    .into_iter()
                    .for_each(|name| found.add(shelf, name, stamp));
            }
        }
        self.rooms.insert(folder, found);
        Some(())
    }

    /// Watches a folder if it is there; none when it is and can't be watched.
    fn add(&mut self, store: &Store, at: &Spot, what: Watched) -> Option<()> {
        if store.files.stamp(at).ok()?.is_none() {
            return Some(());
        }
        let number = self.watch.add(&at.path())?;
        match self.watched.get_mut(number) {
            Some(known) => *known = what,
            None => self.watched.push(what),
        }
        Some(())
    }
}

/// Says whether a name is that of a folder that entries are below.
fn is_part(name: &str) -> bool {
    Shelf::ALL
        .iter()
        .any(|shelf| shelf.path().split('/').any(|part| part == name))
}
