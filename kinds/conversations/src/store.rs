//! Where conversations are kept, and how they are read. Changing them is `change.rs`'s.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::hash::{Hash, Hasher};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use jiff::tz::TimeZone;
use memory_core::{Flaw, Ids, PutOff, Source, Survey};
use memory_files::{Files, ItemKind, Sighting, Spot, Stamp, Trash};
use memory_models::Chat;
use xxhash_rust::xxh3::Xxh3Default;

use crate::conversation::is_shortened;
use crate::error::Failed;
use crate::filing::{Filed, Place, is_entry, parse_source, read_entry, source_name};
use crate::heard::InPlace;
use crate::kept::Kept;
use crate::snapshot::LastHashed;
use crate::{ConversationError, ConversationId, Shelf, limits};

pub(crate) const ENTRIES: &str = "entries";
pub(crate) const DELETED: &str = "deleted";
pub(crate) const LOCK: &str = ".conversation.lock";

/// What the configuration says about conversations (section 6).
#[derive(Debug, Clone)]
pub struct Settings {
    pub top_k: usize,
    pub max_entries: usize,
    pub mmr_lambda: f32,
    pub recency_weight: f32,
    /// None where the specification's own threshold will do, which is one of a cross-encoder.
    pub score_threshold: Option<f32>,
    pub summarize: bool,
    /// Whether every change is committed to a Git repository at the root.
    pub git: bool,
    /// Whether `memory_index.json` follows edits by hand without being asked.
    pub watch: bool,
    /// The time zone that time phrases are meant in.
    pub zone: TimeZone,
    /// Whether the store is that of the working directory, whose files may be anyone's.
    pub in_project: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            top_k: limits::TOP_K,
            max_entries: limits::MAX_ENTRIES,
            mmr_lambda: limits::MMR_LAMBDA,
            recency_weight: limits::RECENCY_WEIGHT,
            score_threshold: None,
            summarize: true,
            git: false,
            watch: false,
            zone: TimeZone::UTC,
            in_project: false,
        }
    }
}

/// The conversations below one root.
#[derive(Clone)]
pub struct Store {
    pub(crate) files: Files,
    pub(crate) ids: Ids,
    pub(crate) root: Spot,
    pub(crate) settings: Settings,
    /// The model that extracts, reconciles and summarises; without it, rules do.
    pub(crate) chat: Option<Arc<dyn Chat>>,
    /// The snapshot of hashes, which grows with the entries.
    pub(crate) snapshot: Arc<PutOff>,
    pub(crate) hashed: Arc<LastHashed>,
    /// What is known of the files while this process stays.
    pub(crate) kept: Arc<Kept>,
    pub(crate) in_place: Arc<InPlace>,
    /// Folders that this process has made ready to keep files in, each as the one that it was.
    pub(crate) prepared: Arc<Mutex<HashSet<(Spot, u64)>>>,
}

impl Store {
    /// Returns the store at `root`, which works by rules alone.
    pub fn new(files: Files, ids: Ids, root: Spot, settings: Settings) -> Self {
        let (snapshot, hashed, kept, in_place, prepared) = Default::default();
        Store {
            files,
            ids,
            root,
            settings,
            chat: None,
            snapshot,
            hashed,
            kept,
            in_place,
            prepared,
        }
    }

    /// Lets a model extract, reconcile and summarise.
    #[must_use]
    pub fn with_chat(mut self, chat: Arc<dyn Chat>) -> Self {
        self.chat = Some(chat);
        self
    }

    pub(crate) fn trash(&self) -> Trash<'_> {
        Trash::of(&self.files, &self.root)
    }

    /// Returns the folder of a conversation by its name.
    pub(crate) fn room(&self, folder: &str) -> Spot {
        self.root.join(ENTRIES).join(folder)
    }

    /// Returns the folders of conversations, in the order of their names.
    pub(crate) fn folders(&self) -> Result<Vec<String>, ConversationError> {
        match self.kept(|rooms| rooms.rooms.keys().cloned().collect()) {
            Some(folders) => Ok(folders),
            None => self.list_folders(),
        }
    }

    pub(crate) fn list_folders(&self) -> Result<Vec<String>, ConversationError> {
        let items = self.files.list(&self.root.join(ENTRIES))?;
        let folders = items
            .into_iter()
            .filter(|item| item.kind == ItemKind::Folder);
        let names = folders.filter_map(|item| item.name.into_string().ok());
        Ok(names.filter(|name| !name.starts_with('.')).collect())
    }

    /// Returns the folders whose files become documents, and the one that new conversations come into.
    pub(crate) fn watched_folders(&self) -> Result<Vec<PathBuf>, ConversationError> {
        let mut watched = vec![self.root.join(ENTRIES).path()];
        for folder in self.folders()? {
            let room = self.room(&folder);
            watched.extend(Shelf::ALL.map(|shelf| room.join(shelf.path()).path()));
        }
        Ok(watched)
    }

    /// Returns the conversation that a folder belongs to; none when neither its name nor any entry tells.
    pub(crate) fn conversation(
        &self,
        folder: &str,
    ) -> Result<Option<ConversationId>, ConversationError> {
        if !is_shortened(folder) {
            return Ok(ConversationId::of_folder(folder));
        }
        let mut failure = None;
        for shelf in Shelf::ALL {
            let survey = self.entries(folder, shelf);
            let mut ids = survey.good.iter().map(|filed| &filed.entry.conversation);
            if let Some(id) = ids.find(|id| id.folder() == folder) {
                return Ok(Some(id.clone()));
            }
            failure = failure.or_else(|| survey.complete().err());
        }
        failure.map_or(Ok(None), |error| Err(Failed(error).into()))
    }

    /// Finishes a change of this conversation that a crash has interrupted, unless someone is at it.
    pub(crate) fn settle(&self, folder: &str) {
        let room = self.room(folder);
        let is_interrupted = matches!(self.files.has_plan(&room), Ok(true))
            || matches!(self.has_unplaced(folder), Ok(true));
        if is_interrupted && let Ok(Some(held)) = self.files.try_lock(&room.join(LOCK)) {
            let _ = held.finish_plan(&room);
            let _ = self.shelve(&held, folder, None);
        }
    }

    /// Lists the files of entries in one shelf, with their stamps, in the order of names.
    pub(crate) fn sightings(
        &self,
        folder: &str,
        shelf: Shelf,
    ) -> Result<Vec<Sighting>, ConversationError> {
        let sighting = |(name, stamp): (&String, &Stamp)| Sighting {
            name: name.into(),
            stamp: *stamp,
        };
        match self.kept_room(folder, |room| {
            room.files(shelf).iter().map(sighting).collect()
        }) {
            Some(found) => Ok(found),
            None => self.scan(folder, shelf),
        }
    }

    pub(crate) fn scan(
        &self,
        folder: &str,
        shelf: Shelf,
    ) -> Result<Vec<Sighting>, ConversationError> {
        let mut found = self.files.scan(&self.room(folder).join(shelf.path()))?;
        found.retain(|sighting| is_entry(&sighting.name));
        Ok(found)
    }

    /// Returns what has become of some files on these shelves; none when that can't be told, as of a
    /// conversation that is new.
    pub(crate) fn sources_at(
        &self,
        files: &[PathBuf],
        shelves: &[Shelf],
    ) -> Option<Vec<(String, Option<Source>)>> {
        let root = self.root.path();
        let mut found = Vec::new();
        for file in files {
            let name = file.strip_prefix(&root).ok()?.to_str()?;
            let (folder, place) = parse_source(name)?;
            if !shelves.contains(&place.shelf) || !is_entry(OsStr::new(&place.file)) {
                continue;
            }
            self.settle(folder);
            let stamp = self
                .files
                .stamp(&self.room(folder).join(place.path()))
                .ok()?;
            let source = |stamp: Stamp| Source {
                name: name.to_owned(),
                state: stamp.state(),
                is_fresh: stamp.is_fresh(),
            };
            found.push((name.to_owned(), stamp.map(source)));
        }
        Some(found)
    }

    /// Says whether a folder holds anything that is not deleted.
    pub(crate) fn has_entries(&self, folder: &str) -> Result<bool, ConversationError> {
        for shelf in Shelf::ALL {
            if !self.sightings(folder, shelf)?.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Reads all entries of one shelf for a change, the oldest first. Fails if an I/O error has hidden one.
    pub(crate) fn all_entries(
        &self,
        folder: &str,
        shelf: Shelf,
    ) -> Result<Vec<Filed>, ConversationError> {
        Ok(self.entries(folder, shelf).complete().map_err(Failed)?)
    }

    /// Reads all entries of one shelf, the oldest first, and tells of those that can't be read.
    pub(crate) fn entries(&self, folder: &str, shelf: Shelf) -> Survey<Filed> {
        let mut survey = Survey::default();
        let flaw =
            |file: &str, problem: String| Flaw::new(source_name(folder, shelf, file), problem);
        let sightings = match self.sightings(folder, shelf) {
            Ok(sightings) => sightings,
            Err(error) => {
                survey
                    .flaws
                    .push(Flaw::of(source_name(folder, shelf, ""), &error.into()));
                return survey;
            }
        };
        let names: Vec<&OsStr> = sightings
            .iter()
            .map(|sighting| sighting.name.as_os_str())
            .collect();
        let at = self.room(folder).join(shelf.path());
        self.files
            .read_each(&at, &names, limits::FILE_BYTES, &mut |n, seen| {
                let file = names[n].to_string_lossy();
                match seen {
                    Ok(Some(seen)) => match read_entry(folder, shelf, &file, seen) {
                        Ok(filed) => survey.good.push(filed),
                        Err(problem) => survey.flaws.push(flaw(&file, problem)),
                    },
                    Ok(None) => {}
                    Err(error) => {
                        let failure = error.is_io().then(|| error.code());
                        survey.flaws.push(Flaw {
                            failure,
                            ..flaw(&file, error.problem())
                        });
                    }
                }
            });
        survey.good.sort_by(|a, b| {
            (a.entry.created_at, &a.entry.id).cmp(&(b.entry.created_at, &b.entry.id))
        });
        survey
    }

    /// Reads one file of an entry; none when it is not there any more.
    pub(crate) fn read(
        &self,
        folder: &str,
        place: &Place,
    ) -> Result<Option<Filed>, ConversationError> {
        let at = self.room(folder).join(place.path());
        let Some(seen) = self.files.read(&at, limits::FILE_BYTES)? else {
            return Ok(None);
        };
        let read = read_entry(folder, place.shelf, &place.file, seen);
        read.map(Some)
            .map_err(|problem| ConversationError::Damaged {
                path: source_name(folder, place.shelf, &place.file),
                problem,
            })
    }

    /// Reads the summary of a conversation: its third level, as long as there is one.
    pub(crate) fn summary(&self, folder: &str) -> Result<Option<Filed>, ConversationError> {
        Ok(self.all_entries(folder, Shelf::L3)?.pop())
    }

    /// Finds the one entry whose id begins so, in whichever conversation it is.
    pub(crate) fn find(&self, prefix: &str) -> Result<(String, Filed), ConversationError> {
        if prefix.is_empty() {
            return Err(ConversationError::NoEntry {
                id: prefix.to_owned(),
            });
        }
        let mut found = Vec::new();
        for folder in self.folders()? {
            self.settle(&folder);
            for shelf in Shelf::ALL {
                let entries = self.all_entries(&folder, shelf)?;
                let meant = entries
                    .into_iter()
                    .filter(|filed| filed.entry.id.starts_with(prefix));
                found.extend(meant.map(|filed| (folder.clone(), filed)));
            }
        }
        if let Some(exact) = found.iter().position(|(_, filed)| filed.entry.id == prefix) {
            return Ok(found.swap_remove(exact));
        }
        match (found.pop(), found.len()) {
            (Some(only), 0) => Ok(only),
            (None, _) => Err(ConversationError::NoEntry {
                id: prefix.to_owned(),
            }),
            (Some(_), others) => Err(ConversationError::Ambiguous {
                prefix: prefix.to_owned(),
                count: others + 1,
            }),
        }
    }

    /// Returns a number that is another one after files came, went or were replaced.
    ///
    /// Only the folders are looked at. A file that someone edits in its place does not show in them.
    pub(crate) fn pulse(&self) -> u64 {
        let mut hasher = Xxh3Default::new();
        for folder in self.folders().unwrap_or_default() {
            for shelf in Shelf::ALL {
                let stamp = self
                    .files
                    .stamp(&self.room(&folder).join(shelf.path()))
                    .ok()
                    .flatten();
                (&folder, stamp.map(|stamp| (stamp.inode, stamp.modified))).hash(&mut hasher);
            }
        }
        hasher.finish()
    }
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Store")
            .field("root", &self.root)
            .field("settings", &self.settings)
            .finish()
    }
}
