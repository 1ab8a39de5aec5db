//! What can be done with the entries of a part: save, get, clear, and end a run.
//!
//! Tools and the library's handle call these; each is one change of the file.

use memory_core::{Actor, Flaw, Timestamp};

use crate::change::{By, Changed, Edit, address};
use crate::filter::Filter;
use crate::format::{Contents, Slot};
use crate::store::Store;
use crate::{Compartment, CompartmentError, Entry, NewEntry, Part, RunId};

/// What was done, and what was found damaged on the way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The entries that were saved, found or cleared.
    pub entries: Vec<Entry>,
    /// Characters that the part holds now.
    pub size: usize,
    pub flaws: Vec<Flaw>,
}

impl Store {
    /// Saves a new entry, unless the part would grow past its limit.
    pub fn save(
        &self,
        part: &Part,
        new: NewEntry,
        by: Actor,
        now: Timestamp,
    ) -> Result<Outcome, CompartmentError> {
        let limit = self.settings.max_size_per_compartment;
        let entry = new.into_entry(self.files.new_id(), part.run().cloned(), now)?;
        let by = By {
            actor: by,
            now,
            action: "save",
        };
        let changed = self.change(by, |contents| {
            let mut entry = entry.clone();
            while contents.has_id(&entry.id) {
                entry.id = self.files.new_id();
            }
            let (size, more) = (size_of(contents, part), entry.size());
            if size + more > limit {
                return Err(CompartmentError::Full {
                    part: part.clone(),
                    size,
                    more,
                    limit,
                });
            }
            contents
                .slots_mut(part.compartment)
                .push(Slot::of(entry.clone()));
            let summary = format!("save '{}' in the {part}", entry.title());
            Ok(Edit::Write((vec![entry], size + more), summary))
        })?;
        Ok(outcome(changed))
    }

    /// Returns the entries that are meant, and counts that they were asked for.
    ///
    /// An entry that is asked for by its id must be there. A count that can't be kept (the disk is
    /// full, the file is another's) is no reason not to answer.
    pub fn get(&self, part: &Part, filter: &Filter) -> Result<Outcome, CompartmentError> {
        let contents = self.read()?;
        let flaws = self.flaws_of(&contents, part.compartment);
        let is_meant = |entry: &Entry| part.has(entry) && filter.matches(entry);
        let found: Vec<Entry> = contents
            .entries(part.compartment)
            .filter(|entry| is_meant(entry))
            .cloned()
            .collect();
        let size = size_of(&contents, part);
        if found.is_empty() {
            return match filter.id() {
                Some(id) => Err(CompartmentError::NoEntry {
                    part: part.clone(),
                    id: id.to_owned(),
                }),
                None => Ok(Outcome {
                    entries: found,
                    size,
                    flaws,
                }),
            };
        }
        let addresses: Vec<String> = found
            .iter()
            .map(|entry| address(part.compartment, &entry.id))
            .collect();
        self.storage
            .count_accesses(addresses.iter().map(String::as_str));
        let counts = self.storage.counts()?;
        let mut entries = found;
        for (entry, address) in entries.iter_mut().zip(&addresses) {
            entry.access_count = entry.access_count.saturating_add(counts.of(address));
        }
        Ok(Outcome {
            entries,
            size,
            flaws,
        })
    }

    /// Takes away the entries that are meant; [`Store::get`] with the same filter shows them before.
    pub fn clear(
        &self,
        part: &Part,
        filter: &Filter,
        by: Actor,
        now: Timestamp,
    ) -> Result<Outcome, CompartmentError> {
        let by = By {
            actor: by,
            now,
            action: "clear",
        };
        let changed = self.change(by, |contents| {
            let removed = take(contents, part, filter);
            let size = size_of(contents, part);
            Ok(if removed.is_empty() {
                Edit::Keep((vec![], size))
            } else {
                let what = format!("clear {} from the {part}", count(removed.len()));
                Edit::Write((removed, size), what)
            })
        })?;
        match (filter.id(), changed.answer.0.is_empty()) {
            (Some(id), true) => Err(CompartmentError::NoEntry {
                part: part.clone(),
                id: id.to_owned(),
            }),
            _ => Ok(outcome(changed)),
        }
    }

    /// Ends a run: takes away what belongs to it and to no other.
    pub fn end_run(
        &self,
        run: Option<RunId>,
        by: Actor,
        now: Timestamp,
    ) -> Result<Outcome, CompartmentError> {
        let by = By {
            actor: by,
            now,
            action: "end-run",
        };
        let parts = [Compartment::Run, Compartment::Plan].map(|one| self.part(one, run.clone()));
        let [run_memory, plan] = &parts;
        let ends_plan = self.settings.plan_scope == crate::PlanScope::Run;
        let changed = self.change(by, |contents| {
            let mut removed = take(contents, run_memory, &Filter::all());
            if ends_plan {
                removed.extend(take(contents, plan, &Filter::all()));
            }
            Ok(if removed.is_empty() {
                Edit::Keep((vec![], 0))
            } else {
                let whose = run_memory
                    .run()
                    .map_or("the run".to_owned(), |run| format!("run '{run}'"));
                let what = format!("end {whose}, {}", count(removed.len()));
                Edit::Write((removed, 0), what)
            })
        })?;
        Ok(outcome(changed))
    }

    /// Lists the entries of a compartment that can't be read.
    pub(crate) fn flaws_of(&self, contents: &Contents, compartment: Compartment) -> Vec<Flaw> {
        let slots = contents.slots(compartment).iter().enumerate();
        slots
            .filter_map(|(n, slot)| {
                let problem = slot.entry.as_ref().err()?;
                let place = format!("{} ({compartment}, entry {})", self.name(), n + 1);
                Some(Flaw::new(
                    place,
                    format!("The entry cannot be read: {problem}"),
                ))
            })
            .collect()
    }
}

/// Returns the characters of a part.
pub(crate) fn size_of(contents: &Contents, part: &Part) -> usize {
    contents
        .entries(part.compartment)
        .filter(|entry| part.has(entry))
        .map(Entry::size)
        .sum()
}

/// `1 entry`, `2 entries`.
pub(crate) fn count(entries: usize) -> String {
    match entries {
        1 => "1 entry".to_owned(),
        many => format!("{many} entries"),
    }
}

fn take(contents: &mut Contents, part: &Part, filter: &Filter) -> Vec<Entry> {
    let slots = std::mem::take(contents.slots_mut(part.compartment));
    let mut removed = Vec::new();
    for slot in slots {
        match slot.entry {
            Ok(entry) if part.has(&entry) && filter.matches(&entry) => removed.push(entry),
            _ => contents.slots_mut(part.compartment).push(slot),
        }
    }
    removed
}

fn outcome(changed: Changed<(Vec<Entry>, usize)>) -> Outcome {
    let (entries, size) = changed.answer;
    Outcome {
        entries,
        size,
        flaws: changed.flaws,
    }
}
