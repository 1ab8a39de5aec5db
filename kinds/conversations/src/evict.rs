//! Making room: the oldest facts and turns of a conversation that has too many (section 4.5).

use memory_core::{Change, Timestamp};

use crate::filing::Place;
use crate::store::Store;
use crate::{ConversationError, Shelf};

/// Summaries are exempt.
const EVICTED: [Shelf; 3] = [Shelf::Facts, Shelf::User, Shelf::Assistant];

/// Moves what is too much to `deleted/`, the oldest first; returns what went.
pub(crate) fn evict(store: &Store, folder: &str) -> Result<Vec<Change>, ConversationError> {
    // Counted without reading: most of the time there is room.
    let mut count = 0;
    for shelf in EVICTED {
        count += store.count(folder, shelf)?;
    }
    if count <= store.settings.max_entries {
        return Ok(vec![]);
    }
    let mut work = store.work_in(folder.to_owned())?;
    let mut entries: Vec<(Timestamp, Place)> = Vec::new();
    for shelf in EVICTED {
        entries.extend(store.times(folder, shelf)?);
    }
    entries.sort_by(|(a, one), (b, other)| (a, &one.file).cmp(&(b, &other.file)));
    let surplus = entries.len().saturating_sub(store.settings.max_entries);
    for (_, place) in &entries[..surplus] {
        if let Some(filed) = store.read(folder, place)? {
            work.bury(&filed, None);
        }
    }
    work.commit()
}
