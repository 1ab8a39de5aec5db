//! Texts of entries put back into the file, for undo.

use memory_core::{Actor, Change, Flaw, Step, Survey, Timestamp, Undone};
use memory_files::Spot;
use memory_history::{Planned, Put};
use memory_storage::{ChangeSet, EntryChange, PATIENCE, Read, Storage, TextVersion};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::change::{By, address, changes_between};
use crate::document::{self, KIND};
use crate::entry::without_count;
use crate::format::{Contents, Slot};
use crate::store::Store;
use crate::{Compartment, CompartmentError, limits};

/// The file of a step in the trash of an earlier version.
const REMOVED: &str = "removed.json";

/// An entry in that file.
#[derive(Deserialize)]
struct Kept {
    compartment: Compartment,
    place: usize,
    entry: Box<RawValue>,
}

/// Returns the steps that can be undone.
pub(crate) fn steps(store: &Store) -> Survey<Step> {
    let mut survey = Survey::default();
    if let Err(error) = import_trash(store) {
        survey.flaws.push(Flaw::of(store.name(), &error.into()));
    }
    match memory_history::steps(&store.storage, KIND) {
        Ok(steps) => survey.good = steps,
        Err(error) => survey.flaws.push(Flaw::of(store.name(), &error.into())),
    }
    survey
}

/// Returns the steps that undid others.
pub(crate) fn undos(store: &Store) -> Survey<Step> {
    match memory_history::undos(&store.storage, KIND) {
        Ok(good) => Survey {
            good,
            flaws: Vec::new(),
        },
        Err(error) => Survey::failed(store.name(), &error.into()),
    }
}

/// Takes a step back; `None` if there is no such step, or it was undone already.
pub(crate) fn undo(
    store: &Store,
    step: &Step,
    by: Actor,
    now: Timestamp,
) -> Result<Option<Undone>, CompartmentError> {
    let undone = memory_history::undo(&store.storage, &step.id, by, now, |at, puts| {
        put(store, at, puts)
    })?;
    Ok(undone.map(|planned| Undone {
        changes: planned
            .entries
            .iter()
            .filter_map(|entry| change_of(store, entry))
            .collect(),
        conflicts: planned.conflicts,
    }))
}

/// Plans that entries have the given texts. An entry of another version than expected stays as it is.
pub(crate) fn put(store: &Store, at: &dyn Read, puts: &[Put]) -> Result<Planned, CompartmentError> {
    let loaded = store.load(at)?;
    let mut contents = match &loaded {
        Some(object) => store.parse(&object.bytes)?,
        None => Contents::default(),
    };
    let before = contents.clone();
    let mut conflicts = Vec::new();
    for put in puts {
        if !put_one(&mut contents, put) {
            conflicts.push(put.address.clone());
        }
    }
    let entries = changes_between(&before, &contents, &store.path);
    let bytes = store.bytes(&contents)?;
    Ok(Planned {
        set: ChangeSet::put(store.path.clone(), loaded.as_ref(), bytes, None),
        entries,
        conflicts,
    })
}

/// Puts the text of an entry; returns `false` if the entry has another version than expected.
fn put_one(contents: &mut Contents, put: &Put) -> bool {
    let Some((compartment, id)) = parse_address(&put.address) else {
        return false;
    };
    let is_other = |slot: &Slot| slot.entry.as_ref().is_ok_and(|entry| entry.id == id);
    let known = contents.slots(compartment).iter().position(is_other);
    let slots = contents.slots_mut(compartment);
    let version = known.map(|n| TextVersion::of(&without_count(&slots[n].text)));
    if version != put.expected {
        return false;
    }
    match (&put.text, known) {
        (None, Some(n)) => drop(slots.remove(n)),
        (None, None) => {}
        (Some(text), Some(n)) => {
            let count = slots[n]
                .entry
                .as_ref()
                .map_or(0, |entry| entry.access_count);
            slots[n] = Slot::read(text);
            slots[n].add_count(count);
        }
        (Some(text), None) => {
            let position = put.position.unwrap_or(usize::MAX).min(slots.len());
            slots.insert(position, Slot::read(text));
        }
    }
    true
}

fn parse_address(address: &str) -> Option<(Compartment, &str)> {
    let (compartment, id) = address
        .strip_prefix(KIND)?
        .strip_prefix(':')?
        .split_once('/')?;
    Some((Compartment::parse(compartment).ok()?, id))
}

fn change_of(store: &Store, entry: &EntryChange) -> Option<Change> {
    let (compartment, id) = parse_address(&entry.address)?;
    let Some(text) = &entry.text else {
        return Some(Change::gone(memory_core::Address::new(
            KIND,
            format!("{compartment}/{id}"),
        )));
    };
    let slot = Slot::read(text);
    Some(document::change(
        store,
        compartment,
        slot.entry.as_ref().ok()?,
    ))
}

/// Records the steps of the trash that an earlier version has written, once. A step that another machine may have made
/// stays where it is.
fn import_trash(store: &Store) -> Result<(), CompartmentError> {
    let trash = store.trash();
    let mut steps = trash.steps()?.good;
    steps.retain(Step::was_made_here);
    for step in steps.iter().rev() {
        let Some(_claim) = trash.claim(step)? else {
            continue;
        };
        let Some(bytes) = trash.saved_file(step, REMOVED, limits::FILE_BYTES)? else {
            continue;
        };
        let kept: Vec<Kept> =
            serde_json::from_slice(&bytes).map_err(|error| CompartmentError::Damaged {
                file: format!("{} in the trash", step.id),
                problem: error.to_string(),
            })?;
        let removed = kept.iter().filter_map(|kept| {
            let slot = Slot::read(kept.entry.get());
            let address = address(kept.compartment, &slot.entry.as_ref().ok()?.id);
            let text = without_count(&slot.text);
            let change = EntryChange::new(address, store.path.clone(), Some(text), None);
            Some(change.at_position(kept.place))
        });
        let by = By {
            actor: Actor::Person,
            now: step.at,
            action: "clear",
        };
        let record = store.record(by, step.what.clone(), removed.collect());
        let set = ChangeSet {
            record: Some(record),
            ..ChangeSet::default()
        };
        store.storage.begin(PATIENCE)?.commit(set)?;
        trash.drop_step(step)?;
    }
    if steps.is_empty() {
        return Ok(());
    }
    // It stays if there are steps of others.
    let folder: Spot = store.trash_folder();
    let _ = store.files.remove_derived(&folder);
    Ok(())
}
