//! What was taken away, stored so that it can be brought back.
//!
//! One step is one folder below `.trash`: `step.json` tells what was done, and the other files are
//! what it took away. The folder appears whole, before anything is removed. A step stays until it is undone or the
//! user empties the trash: no clock decides over it.

use std::ffi::OsStr;
use std::io::ErrorKind;
use std::time::Duration;

use jiff::Timestamp;
use memory_core::{Actor, Clock, Flaw, Step, Survey};

use crate::draft::ABANDONED;
use crate::{DiskError, FileLock, Files, Item, ItemKind, Spot};

const FOLDER: &str = ".trash";
const MANIFEST: &str = "step.json";
const LOCK: &str = ".lock";
/// How often a folder is emptied again before it is left to the next sweep.
const EMPTYINGS: usize = 10;
const MANIFEST_BYTES: u64 = 64 * 1024;

/// The trash of one store.
#[derive(Debug)]
pub struct Trash<'a> {
    files: &'a Files,
    folder: Spot,
}

/// A file as it was when it was taken away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saved {
    pub name: String,
    pub bytes: Vec<u8>,
}

/// A step that is ours to take back, as long as this lives.
#[derive(Debug)]
pub struct Claim {
    _lock: FileLock,
}

/// A step in the trash of a store, on its way there.
#[derive(Debug)]
pub struct Discarded<'a> {
    pub kind: &'a str,
    pub what: String,
    /// Who makes the step.
    pub by: Actor,
    pub saved: Vec<Saved>,
}

impl<'a> Trash<'a> {
    /// Returns the trash of the store at `root`.
    pub fn of(files: &'a Files, root: &Spot) -> Self {
        Trash {
            files,
            folder: root.join(FOLDER),
        }
    }

    /// Returns the trash that is kept in this folder, for a store that is one file among others'.
    pub fn at(files: &'a Files, folder: Spot) -> Self {
        Trash { files, folder }
    }

    /// Keeps what is about to be taken away. Durable when it returns.
    pub fn put(&self, discarded: Discarded<'_>, now: Timestamp) -> Result<Step, DiskError> {
        let id = self.next_id(now)?;
        let step = Step {
            id,
            kind: discarded.kind.to_owned(),
            what: discarded.what,
            at: now,
            by: discarded.by,
            is_foreign: false,
            written: 0,
            arrived: 0,
        };
        let unfinished = self.folder.join(format!(".{}.tmp", step.id));
        self.files.ensure_folder(&unfinished)?;
        let written = self.write(&unfinished, &step, &discarded.saved);
        if written.is_err() {
            let _ = self.empty(&unfinished);
            let _ = self.drop_step(&step);
        }
        written?;
        // Housekeeping: if it fails, what we came for is done all the same.
        let _ = self.sweep();
        Ok(step)
    }

    fn write(&self, unfinished: &Spot, step: &Step, saved: &[Saved]) -> Result<(), DiskError> {
        let files: Vec<(Spot, &[u8])> = saved
            .iter()
            .map(|saved| (unfinished.join(&saved.name), saved.bytes.as_slice()))
            .collect();
        self.files.disk.create_all(&files, self.files.access)?;
        let manifest = serde_json::to_vec_pretty(step).unwrap_or_default();
        self.files
            .disk
            .create(&unfinished.join(MANIFEST), &manifest, self.files.access)?;
        self.files.disk.sync_folder(unfinished)?;
        self.files
            .disk
            .rename(unfinished, &self.folder.join(&step.id))?;
        self.files.disk.sync_folder(&self.folder)
    }

    /// Returns an id that sorts after all there are, those of the same second included.
    fn next_id(&self, now: Timestamp) -> Result<String, DiskError> {
        let second = now.strftime("%Y%m%dT%H%M%SZ").to_string();
        let number = |item: &Item| {
            let rest = item
                .name
                .to_str()?
                .strip_prefix(&second)?
                .strip_prefix('-')?;
            rest.split('-').next()?.parse::<u32>().ok()
        };
        let last = self
            .files
            .list(&self.folder)?
            .iter()
            .filter_map(number)
            .max();
        Ok(format!(
            "{second}-{:06}-{}",
            last.map_or(1, |n| n + 1),
            self.files.ids.short()
        ))
    }

    /// Takes a step for oneself, so that no one else takes it back too; none when someone has it.
    pub fn claim(&self, step: &Step) -> Result<Option<Claim>, DiskError> {
        let folder = self.folder.join(&step.id);
        if self.files.stamp(&folder.join(MANIFEST))?.is_none() {
            return Ok(None);
        }
        let lock = match self
            .files
            .disk
            .lock(&folder.join(LOCK), self.files.access, Duration::ZERO)
        {
            Err(DiskError::Io { source, .. }) if source.kind() == ErrorKind::NotFound => {
                return Ok(None);
            }
            lock => lock?,
        };
        // Whoever had it before us may have finished meanwhile.
        let is_there = self.files.stamp(&folder.join(MANIFEST))?.is_some();
        Ok(match lock {
            Some(lock) if is_there => Some(Claim { _lock: lock }),
            _ => None,
        })
    }

    /// Lists the undo steps, newest first, and those that can't be read.
    pub fn steps(&self) -> Result<Survey<Step>, DiskError> {
        let mut survey = Survey::default();
        for item in self.files.list(&self.folder)?.into_iter().rev() {
            let name = item.name.to_string_lossy().into_owned();
            if item.kind != ItemKind::Folder || name.starts_with('.') {
                continue;
            }
            let manifest = self.folder.join(&name).join(MANIFEST);
            let place = format!("{FOLDER}/{name}");
            match self.read_step(&name) {
                Ok(Some(step)) => survey.good.push(step),
                // Without its manifest it is no step any more: someone is dropping it.
                Ok(None) if self.files.stamp(&manifest)?.is_none() => {}
                Ok(None) => survey
                    .flaws
                    .push(Flaw::new(place, "The undo step cannot be read")),
                Err(error) => survey.flaws.push(Flaw::of(place, &error.into())),
            }
        }
        survey.good.sort_by(Step::newest_first);
        Ok(survey)
    }

    fn read_step(&self, name: &str) -> Result<Option<Step>, DiskError> {
        let manifest = self.folder.join(name).join(MANIFEST);
        let Some(seen) = self.files.read(&manifest, MANIFEST_BYTES)? else {
            return Ok(None);
        };
        let step: Option<Step> = serde_json::from_slice(&seen.bytes).ok();
        let arrived = self.files.status_changed(&manifest)?.unwrap_or_default();
        let times = |step| Step {
            written: seen.stamp.modified,
            arrived,
            ..step
        };
        Ok(step.filter(|step| step.id == name).map(times))
    }

    /// Returns what a step took away.
    pub fn saved(&self, step: &Step, most: u64) -> Result<Vec<Saved>, DiskError> {
        let folder = self.folder.join(&step.id);
        let mut saved = Vec::new();
        for item in self.files.list(&folder)? {
            let name = item.name.to_string_lossy().into_owned();
            if name == MANIFEST || name == LOCK || item.kind != ItemKind::File {
                continue;
            }
            if let Some(seen) = self.files.read(&folder.join(&item.name), most)? {
                saved.push(Saved {
                    name,
                    bytes: seen.bytes,
                });
            }
        }
        Ok(saved)
    }

    /// Returns one file that a step took away; none when it has no such file.
    pub fn saved_file(
        &self,
        step: &Step,
        name: &str,
        most: u64,
    ) -> Result<Option<Vec<u8>>, DiskError> {
        let seen = self
            .files
            .read(&self.folder.join(&step.id).join(name), most)?;
        Ok(seen.map(|seen| seen.bytes))
    }

    /// Drops a step for good, once it was undone or the user empties the trash.
    pub fn drop_step(&self, step: &Step) -> Result<(), DiskError> {
        self.empty(&self.folder.join(&step.id))
    }

    /// Removes the steps that a crash has left unfinished.
    pub fn sweep(&self) -> Result<(), DiskError> {
        let now = Clock::system().moment().as_nanosecond();
        for item in self.files.list(&self.folder)? {
            let unfinished = self.folder.join(&item.name);
            if item.kind == ItemKind::Folder
                && is_unfinished(&item.name)
                && self
                    .files
                    .stamp(&unfinished)?
                    .is_some_and(|seen| seen.modified + ABANDONED < now)
            {
                self.empty(&unfinished)?;
            }
        }
        Ok(())
    }

    fn empty(&self, folder: &Spot) -> Result<(), DiskError> {
        // The manifest goes first: without it, what is left is no step that could be half taken back.
        self.files.disk.remove(&folder.join(MANIFEST))?;
        for attempt in 1.. {
            for item in self.files.list(folder)? {
                self.files.disk.remove(&folder.join(&item.name))?;
            }
            match self.files.disk.remove(folder) {
                // Someone who wants the step has just put a lock into it.
                Err(DiskError::Io { source, .. })
                    if source.kind() == ErrorKind::DirectoryNotEmpty && attempt < EMPTYINGS => {}
                removed => {
                    removed?;
                    break;
                }
            }
        }
        self.files.disk.sync_folder(&self.folder)
    }
}

/// Says whether a folder's name is that of a step which was not put in its place yet.
fn is_unfinished(name: &OsStr) -> bool {
    name.to_str()
        .is_some_and(|name| name.starts_with('.') && name.ends_with(".tmp"))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use memory_core::Ids;

    use super::*;
    use crate::RealDisk;

    fn discarded(what: &str) -> Discarded<'static> {
        let saved = vec![Saved {
            name: "a.json".into(),
            bytes: b"{}".to_vec(),
        }];
        Discarded {
            kind: "banks",
            what: what.to_owned(),
            by: Actor::Person,
            saved,
        }
    }

    #[test]
    fn steps_come_back_newest_first_and_stay_whatever_the_clock_says() {
        let dir = tempfile::tempdir().unwrap();
        let files = Files::new(Arc::new(RealDisk::default()), Ids::seeded(1));
        let trash = Trash::of(&files, &Spot::anchor(dir.path()));
        let day = |n: i64| Timestamp::from_second(n * 86_400).unwrap();
        trash.put(discarded("first"), day(100)).unwrap();
        trash.put(discarded("second"), day(100)).unwrap();
        trash.put(discarded("third"), day(120)).unwrap();
        let steps = trash.steps().unwrap().good;
        assert_eq!(
            steps.iter().map(|s| s.what.as_str()).collect::<Vec<_>>(),
            ["third", "second", "first"]
        );
        let third = steps[0].clone();
        let claim = trash.claim(&third).unwrap().unwrap();
        assert!(
            trash.claim(&third).unwrap().is_none(),
            "a step is taken back by one"
        );
        drop(claim);
        assert_eq!(trash.saved(&third, 10).unwrap(), discarded("").saved);
        trash.put(discarded("in ten years"), day(4_000)).unwrap();
        assert_eq!(
            trash.steps().unwrap().good.len(),
            4,
            "a clock that jumps ahead purges nothing"
        );
        for step in trash.steps().unwrap().good {
            trash.drop_step(&step).unwrap();
        }
        assert!(trash.claim(&third).unwrap().is_none());
        assert_eq!(
            std::fs::read_dir(dir.path().join(".trash"))
                .unwrap()
                .count(),
            0
        );
    }

    #[test]
    fn what_a_crash_has_left_unfinished_is_removed_and_what_is_under_way_is_not() {
        let dir = tempfile::tempdir().unwrap();
        let files = Files::new(Arc::new(RealDisk::default()), Ids::seeded(1));
        let trash = Trash::of(&files, &Spot::anchor(dir.path()));
        let (old, young) = (
            dir.path().join(".trash/.old.tmp"),
            dir.path().join(".trash/.young.tmp"),
        );
        for folder in [&old, &young] {
            std::fs::create_dir_all(folder).unwrap();
            std::fs::write(folder.join("a.json"), "{}").unwrap();
        }
        let hour_ago = std::time::SystemTime::UNIX_EPOCH
            + std::time::Duration::from_secs(
                u64::try_from(Clock::system().now().as_second()).unwrap() - 3_600,
            );
        std::fs::File::open(&old)
            .unwrap()
            .set_modified(hour_ago)
            .unwrap();
        trash.put(discarded("next"), Timestamp::UNIX_EPOCH).unwrap();
        assert!(!old.exists() && young.exists());
    }
}
