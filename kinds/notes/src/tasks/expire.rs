//! Expire: notes that nobody sorted in time leave the inbox.

use memory_core::instant;

use crate::NoteError;
use crate::change::Work;
use crate::deed::{Action, Deed};

pub(crate) fn run(work: &mut Work<'_>) -> Result<Vec<Deed>, NoteError> {
    let now = work.now;
    let deed = |card: &&crate::card::Card| {
        let expired = card.standing.expires_at().filter(|at| *at <= now)?;
        Some(Deed::new(Action::Expire, card, format!("its time in the inbox ended {}", instant(expired))))
    };
    let deeds: Vec<Deed> = work.cards().iter().filter_map(deed).collect();
    deeds.iter().try_for_each(|deed| work.remove(&deed.id))?;
    Ok(deeds)
}
