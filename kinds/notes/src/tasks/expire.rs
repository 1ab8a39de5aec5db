//! Expire: notes that nobody sorted in time go from the inbox to the archive.
//!
//! An ingested note stays while its source exists.

use memory_core::{Span, Timestamp, instant};

use crate::card::Card;
use crate::change::Work;
use crate::deed::{Action, Deed};
use crate::store::Store;
use crate::{NoteError, Phase};

pub(crate) fn run(work: &mut Work<'_>) -> Result<Vec<Deed>, NoteError> {
    let (now, ttl) = (work.now, work.store().settings.inbox_ttl);
    let why = |card: &Card| reason(card, work.store(), ttl, now);
    let expired = work
        .cards()
        .into_iter()
        .filter_map(|card| Some(Deed::new(Action::Expire, card, why(card)?)));
    let deeds: Vec<Deed> = expired.collect();
    deeds.iter().try_for_each(|deed| work.archive(&deed.id))?;
    Ok(deeds)
}

/// Returns why a note leaves the inbox; `None` if it stays.
fn reason(card: &Card, store: &Store, ttl: Span, now: Timestamp) -> Option<String> {
    match &card.origin {
        _ if card.phase() != Phase::Inbox => None,
        None => {
            let expired = card.expires_at().filter(|at| *at <= now)?;
            Some(format!("expired in the inbox {}", instant(expired)))
        }
        Some(origin) => {
            let is_gone = ttl.after(card.updated_at) <= now && store.is_source_gone(origin);
            is_gone.then(|| format!("its source {} is gone", origin.path))
        }
    }
}
