//! What was cleared, kept so that it comes back to its place.

use memory_core::{Change, Step, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::change::Edit;
use crate::document;
use crate::format::Slot;
use crate::store::Store;
use crate::{Compartment, CompartmentError, limits};

/// The file of a step that has the entries.
pub(crate) const REMOVED: &str = "removed.json";

/// An entry that was taken away, and where it stood.
#[derive(Debug, Clone)]
pub(crate) struct Removed {
    pub(crate) compartment: Compartment,
    pub(crate) place: usize,
    pub(crate) slot: Slot,
}

/// The same as it is kept, the entry's text untouched.
#[derive(Serialize, Deserialize)]
struct Kept {
    compartment: Compartment,
    place: usize,
    entry: Box<RawValue>,
}

pub(crate) fn render(removed: &[Removed]) -> Vec<u8> {
    let kept = removed.iter().filter_map(|removed| {
        let entry = RawValue::from_string(removed.slot.text.clone()).ok()?;
        Some(Kept {
            compartment: removed.compartment,
            place: removed.place,
            entry,
        })
    });
    serde_json::to_vec(&kept.collect::<Vec<_>>()).unwrap_or_default()
}

/// Takes a step back; returns what is different now, or none when someone else has the step.
///
/// Entries come back to their places. One whose id is there by now, another step or a hand having
/// brought it back, stays as it is.
pub(crate) fn undo(
    store: &Store,
    step: &Step,
    now: Timestamp,
) -> Result<Option<Vec<Change>>, CompartmentError> {
    let Some(_claim) = store.trash().claim(step)? else {
        return Ok(None);
    };
    let bytes = store
        .trash()
        .saved_file(step, REMOVED, limits::FILE_BYTES)?
        .unwrap_or_default();
    let kept: Vec<Kept> =
        serde_json::from_slice(&bytes).map_err(|error| CompartmentError::Damaged {
            file: format!("{} in the trash", step.id),
            problem: error.to_string(),
        })?;
    let changed = store.change(now, |contents| {
        let mut changes = Vec::new();
        for kept in kept {
            let slot = Slot::read(kept.entry.get());
            let Ok(entry) = &slot.entry else { continue };
            if contents.has_id(&entry.id) {
                continue;
            }
            changes.push(document::change(store, kept.compartment, entry));
            let slots = contents.slots_mut(kept.compartment);
            slots.insert(kept.place.min(slots.len()), slot);
        }
        Ok(Edit::Write(changes))
    })?;
    store.trash().drop_step(step)?;
    Ok(Some(changed.answer))
}
