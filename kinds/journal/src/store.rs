//! Where the journal is kept, and how it is read. Changing it is `change.rs`'s.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use memory_core::{Flaw, Source, Survey, Timestamp};
use memory_files::{DiskError, Files, ItemKind, Spot, Stamp, Trash};
use xxhash_rust::xxh3::Xxh3Default;

use crate::format::{self, Line};
use crate::index::{self, Index, Standing, Statistics};
use crate::salvage::amend;
use crate::{JournalError, Record, Type, limits};

pub(crate) const INDEX: &str = "index.json";
pub(crate) const LOCK: &str = ".lock";
pub(crate) const BACKUPS: &str = ".backup";
pub(crate) const ARCHIVE: &str = "archive";

impl Type {
    /// Returns the name of its file without the ending.
    pub(crate) fn stem(self) -> &'static str {
        match self {
            Type::Core => "core_memories",
            Type::Learning => "learnings",
            Type::Task => "tasks",
        }
    }

    /// Returns the name of its file.
    pub fn file(self) -> &'static str {
        match self {
            Type::Core => "core_memories.jsonl",
            Type::Learning => "learnings.jsonl",
            Type::Task => "tasks.jsonl",
        }
    }

    /// Returns the type that a file of this name keeps, an archive included.
    pub(crate) fn of_file(name: &str) -> Option<Self> {
        Type::ALL
            .into_iter()
            .find(|kind| name.starts_with(kind.stem()))
    }
}

/// A journal's folder.
#[derive(Debug, Clone)]
pub struct Store {
    pub(crate) files: Files,
    pub(crate) root: Spot,
}

/// A file as it was read: every line, with its number.
#[derive(Debug)]
pub(crate) struct Loaded {
    /// Below the root.
    pub(crate) path: String,
    pub(crate) stamp: Option<Stamp>,
    pub(crate) lines: Vec<(usize, Line)>,
    /// What stands after the last line end and is no record.
    pub(crate) unfinished: Option<Vec<u8>>,
}

impl Loaded {
    /// Returns how many bytes it has on the disk.
    pub(crate) fn bytes(&self) -> u64 {
        self.stamp.map_or(0, |stamp| stamp.size)
    }

    /// Returns the records, with their places among the lines.
    pub(crate) fn records(&self) -> impl Iterator<Item = (usize, &Record)> {
        self.lines
            .iter()
            .enumerate()
            .filter_map(|(at, (_, line))| Some((at, line.record()?)))
    }

    /// Renders the file anew. What could not be read stays in it.
    pub(crate) fn render(&self) -> Vec<u8> {
        let mut bytes = format::join(self.lines.iter().map(|(_, line)| line));
        if let Some(rest) = &self.unfinished {
            bytes.extend_from_slice(rest);
            bytes.push(b'\n');
        }
        bytes
    }

    /// Reads the lines that lack something with defaults in its place. Their bytes stay as they are.
    pub(crate) fn amend(&mut self, kind: Type) {
        let modified = self.stamp.map_or(0, |stamp| stamp.modified / 1_000_000_000);
        let seconds = i64::try_from(modified).unwrap_or_default();
        let now = Timestamp::from_second(seconds).unwrap_or(Timestamp::UNIX_EPOCH);
        for (_, line) in self
            .lines
            .iter_mut()
            .filter(|(_, line)| line.found.is_err())
        {
            if let Some(record) = amend(&line.bytes, kind, now) {
                line.found = Ok(record);
            }
        }
    }

    /// Writes every line that can be read as it was read, defaults included.
    pub(crate) fn settle(&mut self) {
        for (_, line) in &mut self.lines {
            if let Ok(record) = &line.found
                && format::parse(&line.text()).is_err()
            {
                *line = Line::of(record.clone());
            }
        }
    }

    fn flaws(&self) -> impl Iterator<Item = Flaw> {
        let told = |(n, line): &(usize, Line)| {
            let flaw = line.found.as_ref().err()?;
            Some(Flaw::new(format!("{}:{n}", self.path), flaw.to_string()))
        };
        self.lines.iter().filter_map(told)
    }
}

/// All live files at one moment, and what could not be read of them.
#[derive(Debug, Default)]
pub(crate) struct Live {
    pub(crate) files: Vec<Loaded>,
    pub(crate) flaws: Vec<Flaw>,
    /// Whether a whole file could not be read.
    pub(crate) is_partial: bool,
    /// The I/O error because of which a file could not be read.
    failure: Option<DiskError>,
}

impl Live {
    /// Returns every live record once: the first of those with the same id.
    pub(crate) fn records(&self) -> impl Iterator<Item = &Record> {
        let mut seen = HashSet::new();
        let all = self
            .files
            .iter()
            .flat_map(Loaded::records)
            .map(|(_, record)| record);
        all.filter(move |record| seen.insert(&record.id))
            .filter(|record| !record.archived)
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.files.iter().map(Loaded::bytes).sum()
    }
}

impl Store {
    /// Returns the store at `root`.
    pub fn new(files: Files, root: Spot) -> Self {
        Store { files, root }
    }

    pub(crate) fn trash(&self) -> Trash<'_> {
        Trash::of(&self.files, &self.root)
    }

    /// Reads a file of the journal; it is empty when it is not there.
    pub(crate) fn load(&self, path: &str) -> Result<Loaded, JournalError> {
        let seen = self.files.read(&self.root.join(path), limits::READ_BYTES)?;
        let bytes = seen
            .as_ref()
            .map(|seen| seen.bytes.as_slice())
            .unwrap_or_default();
        Ok(Loaded {
            path: path.to_owned(),
            stamp: seen.as_ref().map(|seen| seen.stamp),
            lines: format::lines(bytes),
            unfinished: format::unfinished(bytes),
        })
    }

    /// Reads all live files. A file that cannot be read is reported and hides no other.
    pub(crate) fn look(&self) -> Live {
        let is_older = matches!(self.standing(), Standing::Other);
        let mut live = Live::default();
        for kind in Type::ALL {
            match self.load(kind.file()) {
                Ok(mut loaded) => {
                    // What an older version has written is migrated by the next change.
                    if !is_older {
                        live.flaws.extend(loaded.flaws());
                    }
                    loaded.amend(kind);
                    live.files.push(loaded);
                }
                Err(error) => {
                    live.is_partial = true;
                    live.flaws.push(match error {
                        JournalError::Disk(error) => unread(kind, error, &mut live.failure),
                        other => Flaw::new(kind.file(), other.to_string()),
                    });
                }
            }
        }
        live
    }

    /// Reads all live files for a change. Fails if an I/O error has hidden one: a change depends on all of them.
    pub(crate) fn look_for_change(&self) -> Result<Live, JournalError> {
        let mut live = self.look();
        match live.failure.take() {
            Some(error) => Err(error.into()),
            None => Ok(live),
        }
    }

    /// Reads an archive file.
    fn load_archive(&self, path: &str) -> Result<Loaded, JournalError> {
        let mut loaded = self.load(path)?;
        if let Some(kind) = path.rsplit('/').next().and_then(Type::of_file) {
            loaded.amend(kind);
        }
        Ok(loaded)
    }

    pub(crate) fn read_index(&self) -> Option<(String, Stamp)> {
        let seen = self
            .files
            .read(&self.root.join(INDEX), limits::READ_BYTES)
            .ok()??;
        Some((String::from_utf8(seen.bytes).ok()?, seen.stamp))
    }

    /// Returns how the index stands by its own words; mostly its beginning tells.
    pub(crate) fn standing(&self) -> Standing {
        let part = self
            .files
            .read_part(&self.root.join(INDEX), 0, 2 * limits::INDEX_HEAD_BYTES);
        let begins = part
            .ok()
            .flatten()
            .and_then(|seen| String::from_utf8(seen.bytes).ok());
        match begins.map(|text| index::standing(&text)) {
            Some(standing) if standing != Standing::None => standing,
            _ => self
                .read_index()
                .map_or(Standing::None, |(text, _)| index::standing(&text)),
        }
    }

    /// Returns the index if it was made for the files as they are; none when it may not be true.
    ///
    /// It is when its checksum covers what it says and the sizes and times that they have.
    pub(crate) fn trusted_index(&self) -> Option<(String, Statistics)> {
        let (text, _) = self.read_index()?;
        let Standing::Ours(statistics) = index::standing(&text) else {
            return None;
        };
        let files = self.states_of_files().ok()?;
        index::is_true_of(&text, &statistics, files).then_some((text, statistics))
    }

    /// Returns a number for the sizes and times of all files, for an index that is about to be written. Where they can't
    /// be told the index is not believed later.
    pub(crate) fn file_states(&self) -> u64 {
        self.states_of_files().unwrap_or_default()
    }

    fn states_of_files(&self) -> Result<u64, DiskError> {
        let mut hasher = Xxh3Default::new();
        for kind in Type::ALL {
            let stamp = self.files.stamp(&self.root.join(kind.file()))?;
            stamp
                .map(|stamp| (stamp.size, stamp.modified))
                .hash(&mut hasher);
        }
        for (path, stamp) in self.archive_sightings()? {
            (path, stamp.size, stamp.modified).hash(&mut hasher);
        }
        Ok(hasher.finish())
    }

    /// Derives the index from the files, archives included.
    pub(crate) fn derive_index(&self, live: &Live) -> Result<Index, JournalError> {
        let archived = self.count_archived(live)?;
        Ok(Index::of(live.records(), archived, live.bytes()))
    }

    fn count_archived(&self, live: &Live) -> Result<usize, JournalError> {
        let ids: HashSet<&str> = live.records().map(|record| record.id.as_str()).collect();
        Ok(self
            .archived(live)?
            .iter()
            .filter(|record| !ids.contains(record.id.as_str()))
            .count())
    }

    /// Returns the archived records, newest last, each once and none that is live too.
    ///
    /// A record stands in both when a crash came between archiving it and taking it away, or
    /// between bringing it back and taking it out of the archive: then it is live.
    pub(crate) fn archived(&self, live: &Live) -> Result<Vec<Record>, JournalError> {
        let mut seen: HashSet<String> =
            live.records().map(|record| record.id.to_string()).collect();
        let mut found = Vec::new();
        for path in self.archive_paths()?.iter().rev() {
            let loaded = self.load_archive(path)?;
            let records: Vec<&Record> = loaded.records().map(|(_, record)| record).collect();
            found.extend(
                records
                    .into_iter()
                    .rev()
                    .filter(|record| seen.insert(record.id.to_string()))
                    .cloned(),
            );
        }
        let marked = live
            .files
            .iter()
            .flat_map(Loaded::records)
            .map(|(_, record)| record);
        found.extend(
            marked
                .filter(|record| record.archived && seen.insert(record.id.to_string()))
                .cloned(),
        );
        found.reverse();
        Ok(found)
    }

    /// Returns the paths of all archive files, the oldest first.
    pub(crate) fn archive_paths(&self) -> Result<Vec<String>, DiskError> {
        Ok(self
            .archive_sightings()?
            .into_iter()
            .map(|(path, _)| path)
            .collect())
    }

    fn archive_sightings(&self) -> Result<Vec<(String, Stamp)>, DiskError> {
        let folder = self.root.join(ARCHIVE);
        let mut found = Vec::new();
        for year in self
            .files
            .list(&folder)?
            .iter()
            .filter(|item| item.kind == ItemKind::Folder)
        {
            let year = year.name.to_string_lossy();
            for file in self.files.scan(&folder.join(year.as_ref()))? {
                let name = file.name.to_string_lossy();
                if name.ends_with(".jsonl") && Type::of_file(&name).is_some() {
                    found.push((format!("{ARCHIVE}/{year}/{name}"), file.stamp));
                }
            }
        }
        // Within a year the quarter counts, not the type that the name begins with.
        found.sort_by_key(|(path, _)| {
            let (stem, quarter) = path.rsplit_once("_Q").unwrap_or((path, ""));
            (
                stem.get(..ARCHIVE.len() + 5).unwrap_or(stem).to_owned(),
                quarter.to_owned(),
                stem.to_owned(),
            )
        });
        Ok(found)
    }

    /// Finds the one record that an id or its beginning means: its path, its place, and itself.
    pub(crate) fn find<'l>(
        &self,
        files: &'l [Loaded],
        id: &str,
    ) -> Result<Option<Place<'l>>, JournalError> {
        if id.len() < limits::ID_PREFIX {
            return Err(JournalError::BadArgument {
                problem: format!("'{id}' is too short for an id"),
                hint: Some(format!("Use at least {} characters", limits::ID_PREFIX)),
            });
        }
        let mut found: Vec<Place<'l>> = Vec::new();
        for loaded in files {
            for (at, record) in loaded
                .records()
                .filter(|(_, record)| record.id.starts_with(id))
            {
                if !found.iter().any(|place| place.record.id == record.id) {
                    found.push(Place { loaded, at, record });
                }
            }
        }
        match found.len() {
            0 | 1 => Ok(found.pop()),
            _ => Err(JournalError::Ambiguous {
                prefix: id.to_owned(),
                ids: found
                    .iter()
                    .map(|place| place.record.id.to_string())
                    .collect(),
            }),
        }
    }

    /// Reads every archive file.
    pub(crate) fn archives(&self) -> Result<Vec<Loaded>, JournalError> {
        let paths = self.archive_paths()?;
        paths
            .iter()
            .rev()
            .map(|path| self.load_archive(path))
            .collect()
    }

    /// Returns the parts that documents come from.
    pub(crate) fn sources(&self) -> Survey<Source> {
        let mut survey = Survey::default();
        for kind in Type::ALL {
            match self.files.stamp(&self.root.join(kind.file())) {
                Ok(Some(stamp)) => survey.good.push(Source {
                    name: kind.file().to_owned(),
                    state: stamp.state(),
                    is_fresh: stamp.is_fresh(),
                }),
                Ok(None) => {}
                Err(error) => survey.flaws.push(Flaw::new(kind.file(), error.problem())),
            }
        }
        survey
    }

    pub(crate) fn pulse(&self) -> u64 {
        let stamps = Type::ALL.map(|kind| {
            self.files
                .stamp(&self.root.join(kind.file()))
                .ok()
                .flatten()
        });
        let mut hasher = DefaultHasher::new();
        stamps.hash(&mut hasher);
        hasher.finish()
    }
}

/// Reports a file that could not be read, and keeps the first I/O error.
fn unread(kind: Type, error: DiskError, first: &mut Option<DiskError>) -> Flaw {
    let failure = error.is_io().then(|| error.code());
    let flaw = Flaw {
        failure,
        ..Flaw::new(kind.file(), error.problem())
    };
    if error.is_io() {
        first.get_or_insert(error);
    }
    flaw
}

/// Where a record stands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place<'l> {
    pub(crate) loaded: &'l Loaded,
    pub(crate) at: usize,
    pub(crate) record: &'l Record,
}
