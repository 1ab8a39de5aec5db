//! Making room: the oldest facts and turns of a conversation that has too many (section 4.5).

use memory_core::Change;

use crate::store::{Filed, Store};
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
    let mut entries: Vec<Filed> =
        EVICTED.iter().flat_map(|shelf| store.entries(folder, *shelf).good).collect();
    entries.sort_by(|a, b| (a.entry.created_at, &a.entry.id).cmp(&(b.entry.created_at, &b.entry.id)));
    let surplus = entries.len().saturating_sub(store.settings.max_entries);
    for filed in &entries[..surplus] {
        work.bury(filed, None);
    }
    work.commit()
}
