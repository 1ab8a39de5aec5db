//! The one way to change the file: planned, committed with its record, durable before it returns.

use std::collections::{HashMap, HashSet};

use memory_core::{Actor, Flaw, Timestamp};
use memory_files::DiskError;
use memory_storage::{
    ChangeSet, EntryChange, Object, Op, PATIENCE, Read, Record, StorePath, update,
};

use crate::document::KIND;
use crate::entry::without_count;
use crate::format::Contents;
use crate::operations::count;
use crate::salvage::salvage;
use crate::store::Store;
use crate::{Compartment, CompartmentError, limits};

/// What is to happen after an edit.
pub(crate) enum Edit<T> {
    /// Nothing changed.
    Keep(T),
    /// Write the file. The text says what was done.
    Write(T, String),
}

/// Who makes a change, when, and by which operation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct By {
    pub(crate) actor: Actor,
    pub(crate) now: Timestamp,
    pub(crate) action: &'static str,
}

/// What an edit answered, and what was found damaged on the way and kept beside the file.
#[derive(Debug)]
pub(crate) struct Changed<T> {
    pub(crate) answer: T,
    pub(crate) flaws: Vec<Flaw>,
}

/// What is wrong with a file, and how many of its entries could be recovered.
pub(crate) struct Damage {
    pub(crate) problem: String,
    pub(crate) salvaged: usize,
}

impl Store {
    /// Changes the file and makes the change durable before it returns.
    ///
    /// `edit` runs again if another process changes the file first.
    ///
    /// # Guarantees
    ///
    /// - A reader sees the file before or after the change, never in between.
    /// - If `edit` fails, nothing has changed.
    /// - A damaged file is kept as `<file>.corrupt-<time>`; its caller is told.
    /// - The texts of entries that are replaced or removed are in the history before they are gone.
    pub(crate) fn change<T>(
        &self,
        by: By,
        mut edit: impl FnMut(&mut Contents) -> Result<Edit<T>, CompartmentError>,
    ) -> Result<Changed<T>, CompartmentError> {
        let counts = self.storage.counts()?;
        let changed = update(&self.storage, PATIENCE, |at| {
            let loaded = self.load(at)?;
            let (mut contents, damage) = self.contents(loaded.as_ref())?;
            let before = contents.clone();
            let (answer, summary) = match edit(&mut contents)? {
                Edit::Write(answer, summary) => (answer, summary),
                // There is no reason to move a damaged file, but its caller must know.
                Edit::Keep(answer) => {
                    let flaws = Vec::new();
                    return match damage {
                        None => Ok((Changed { answer, flaws }, ChangeSet::default())),
                        Some(damage) => Err(self.damaged(&damage.problem)),
                    };
                }
            };
            contents.add_counts(&counts);
            let record = self.record(by, summary, changes_between(&before, &contents, &self.path));
            let bytes = self.bytes(&contents)?;
            let mut set = ChangeSet::put(self.path.clone(), loaded.as_ref(), bytes, Some(record));
            let flaw = match damage {
                Some(damage) => Some(self.keep_damaged(&mut set, loaded, &damage, by.now)?),
                None => None,
            };
            let flaws = flaw.into_iter().collect();
            Ok::<_, CompartmentError>((Changed { answer, flaws }, set))
        })?
        .answer;
        if !counts.is_merged() {
            self.storage.forget_merged(&counts);
        }
        Ok(changed)
    }

    pub(crate) fn record(&self, by: By, summary: String, entries: Vec<EntryChange>) -> Record {
        Record {
            at: by.now,
            by: by.actor,
            action: by.action.to_owned(),
            summary,
            reverts: None,
            entries,
        }
    }

    pub(crate) fn load(&self, at: &dyn Read) -> Result<Option<Object>, CompartmentError> {
        Ok(at.read(&self.path, limits::FILE_BYTES)?)
    }

    /// Returns what the file holds; if it is damaged, what could be recovered of it.
    pub(crate) fn contents(
        &self,
        loaded: Option<&Object>,
    ) -> Result<(Contents, Option<Damage>), CompartmentError> {
        let Some(object) = loaded else {
            return Ok((Contents::default(), None));
        };
        match self.parse(&object.bytes) {
            Ok(contents) => Ok((contents, None)),
            Err(CompartmentError::Damaged { problem, .. }) => {
                let contents = salvage(&String::from_utf8_lossy(&object.bytes));
                let salvaged = contents.len();
                Ok((contents, Some(Damage { problem, salvaged })))
            }
            Err(error) => Err(error),
        }
    }

    pub(crate) fn bytes(&self, contents: &Contents) -> Result<Vec<u8>, CompartmentError> {
        let bytes = contents.render().into_bytes();
        let (size, limit) = (bytes.len() as u64, limits::FILE_BYTES);
        if size > limit {
            Err(DiskError::TooLarge {
                path: self.file.path(),
                size,
                limit,
            }
            .into())
        } else {
            Ok(bytes)
        }
    }

    /// Adds a copy of the damaged file to a change.
    pub(crate) fn keep_damaged(
        &self,
        set: &mut ChangeSet,
        loaded: Option<Object>,
        damage: &Damage,
        now: Timestamp,
    ) -> Result<Flaw, CompartmentError> {
        let copy = self.files.name_corrupt(&self.file, now)?;
        let name = copy.name().to_string_lossy().into_owned();
        let bytes = loaded.map_or_else(Vec::new, |object| object.bytes);
        set.expect.push((StorePath::new(&name)?, None));
        // It has its name before the file is replaced.
        set.ops.insert(0, Op::Put(StorePath::new(&name)?, bytes));
        let mut flaw = Flaw::new(
            self.name(),
            format!("The file was damaged: {}", damage.problem),
        );
        flaw.remedy = Some(format!(
            "The damaged file is kept as {name}; recovered {} from it",
            count(damage.salvaged)
        ));
        Ok(flaw)
    }
}

/// Returns the address of an entry in the history.
pub(crate) fn address(compartment: Compartment, id: &str) -> String {
    format!("{KIND}:{compartment}/{id}")
}

/// Returns the entries that differ, in the order of the file.
pub(crate) fn changes_between(
    before: &Contents,
    after: &Contents,
    path: &StorePath,
) -> Vec<EntryChange> {
    let mut changes = Vec::new();
    for compartment in Compartment::ALL {
        let (old, new) = (before.texts(compartment), after.texts(compartment));
        let new_texts: HashMap<&str, &str> = new.iter().map(|(_, id, text)| (*id, *text)).collect();
        let old_ids: HashSet<&str> = old.iter().map(|(_, id, _)| *id).collect();
        for (position, id, text) in &old {
            let now = new_texts.get(id).copied();
            // Most entries are the same byte for byte.
            if now == Some(*text) {
                continue;
            }
            let (text, now) = (without_count(text), now.map(without_count));
            if now.as_ref() != Some(&text) {
                let address = address(compartment, id);
                let change = EntryChange::new(address, path.clone(), Some(text), now);
                changes.push(change.at_position(*position));
            }
        }
        for (position, id, text) in new.iter().filter(|(_, id, _)| !old_ids.contains(id)) {
            let (address, text) = (address(compartment, id), without_count(text));
            let change = EntryChange::new(address, path.clone(), None, Some(text));
            changes.push(change.at_position(*position));
        }
    }
    changes
}

impl Contents {
    /// Returns the entries of a compartment that can be read: position, id and text.
    fn texts(&self, compartment: Compartment) -> Vec<(usize, &str, &str)> {
        let slots = self.slots(compartment).iter().enumerate();
        slots
            .filter_map(|(position, slot)| {
                let entry = slot.entry.as_ref().ok()?;
                Some((position, entry.id.as_str(), slot.text.as_str()))
            })
            .collect()
    }
}
