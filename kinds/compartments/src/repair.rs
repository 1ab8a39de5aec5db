//! Looking for damage in the file, and mending it without losing a byte.

use memory_core::{Actor, Flaw, Rehearsal, Timestamp};
use memory_storage::{ChangeSet, PATIENCE, update};

use crate::change::{By, Damage, changes_between};
use crate::format::{Contents, Slot};
use crate::store::Store;
use crate::{Compartment, CompartmentError, Entry};

/// Lists the flaws of the file; mends them if that is wanted.
pub(crate) fn repair(
    store: &Store,
    now: Timestamp,
    how: Rehearsal,
) -> Result<Vec<Flaw>, CompartmentError> {
    let flaws = inspect(store)?;
    if flaws.is_empty() || how.is_dry() {
        Ok(flaws)
    } else {
        mend(store, flaws, now)
    }
}

fn inspect(store: &Store) -> Result<Vec<Flaw>, CompartmentError> {
    match store.read() {
        Ok(contents) => Ok(Compartment::ALL
            .iter()
            .flat_map(|one| store.flaws_of(&contents, *one))
            .collect()),
        Err(error @ CompartmentError::Damaged { .. }) => {
            Ok(vec![Flaw::new(store.name(), error.to_string())])
        }
        // A permission or a busy disk is no damage.
        Err(error) => Err(error),
    }
}

/// Keeps a copy of the damaged file, and puts what could be recovered of it in its place.
fn mend(store: &Store, flaws: Vec<Flaw>, now: Timestamp) -> Result<Vec<Flaw>, CompartmentError> {
    let by = By {
        actor: Actor::Person,
        now,
        action: "repair",
    };
    let remedy = update(&store.storage, PATIENCE, |at| {
        let loaded = store.load(at)?;
        let (mut contents, damage) = store.contents(loaded.as_ref())?;
        let before = contents.clone();
        for compartment in Compartment::ALL {
            mend_entries(store, &mut contents, compartment);
        }
        let problem = damage.map_or("some entries could not be read".to_owned(), |damage| {
            damage.problem
        });
        let damage = Damage {
            problem,
            salvaged: contents.len(),
        };
        let entries = changes_between(&before, &contents, &store.path);
        let record = store.record(by, format!("repair {}", store.name()), entries);
        let bytes = store.bytes(&contents)?;
        let mut set = ChangeSet::put(store.path.clone(), loaded.as_ref(), bytes, Some(record));
        let flaw = store.keep_damaged(&mut set, loaded, &damage, now)?;
        Ok::<_, CompartmentError>((flaw.remedy, set))
    })?
    .answer;
    Ok(flaws
        .into_iter()
        .map(|flaw| Flaw {
            remedy: remedy.clone(),
            ..flaw
        })
        .collect())
}

/// Mends entries that have a content; the others are in the file that was put aside.
fn mend_entries(store: &Store, contents: &mut Contents, compartment: Compartment) {
    for slot in std::mem::take(contents.slots_mut(compartment)) {
        let slot = match slot.entry {
            Ok(_) => slot,
            Err(_) => match Entry::mend(&slot.text, || store.files.new_id()) {
                None => continue,
                Some(mut entry) => {
                    while contents.has_id(&entry.id) {
                        entry.id = store.files.new_id();
                    }
                    Slot::of(entry)
                }
            },
        };
        contents.slots_mut(compartment).push(slot);
    }
}
