//! Decay: sorted notes that are old and were never used go to the archive.
//!
//! A reminder stays until it was delivered and acknowledged, an ingested note while its source exists. What a dream
//! suggests stays as well: the next dream replaces it.

use memory_core::instant;

use crate::card::Card;
use crate::change::Work;
use crate::deed::{Action, Deed};
use crate::dream::is_dreamt;
use crate::{NoteError, Phase};

pub(crate) fn run(work: &mut Work<'_>) -> Result<Vec<Deed>, NoteError> {
    let after = work.store().settings.decay_after;
    let oldest = after.before(work.now);
    let accesses = work.store().accesses()?;
    let is_unused = |card: &&&Card| {
        card.phase() == Phase::Organized
            && card.access_count == 0
            && accesses.of(&card.id) == 0
            && card.updated_at < oldest
            && card
                .reminder()
                .is_none_or(|reminder| reminder.acknowledged_at.is_some())
            && card
                .origin
                .as_ref()
                .is_none_or(|origin| work.store().is_source_gone(origin))
            && (!is_dreamt(card) || card.reminder().is_some())
    };
    let why = |card: &Card| {
        format!(
            "never used, unchanged since {} (limit {after})",
            instant(card.updated_at)
        )
    };
    let deeds: Vec<Deed> = work
        .cards()
        .iter()
        .filter(is_unused)
        .map(|card| Deed::new(Action::Decay, card, why(card)))
        .collect();
    deeds.iter().try_for_each(|deed| work.archive(&deed.id))?;
    Ok(deeds)
}
