//! Level 1: notes of the inbox are sorted by their words.

use crate::card::Card;
use crate::change::Work;
use crate::deed::{Action, Deed};
use crate::tasks::upgrade::{judge, organize};
use crate::{NoteError, Phase};

pub(super) fn sort_inbox(work: &mut Work<'_>) -> Result<Vec<Deed>, NoteError> {
    let waiting: Vec<Card> = work
        .cards()
        .iter()
        .filter(|card| card.phase() == Phase::Inbox)
        .map(|card| (*card).clone())
        .collect();
    let mut deeds = Vec::with_capacity(waiting.len());
    for card in waiting {
        let (category, why) = judge(work, &card.id)?;
        organize(work, &card.id, category)?;
        deeds.push(Deed::new(Action::Classify, &card, why).into_category(category));
    }
    Ok(deeds)
}
