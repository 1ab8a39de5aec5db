//! Consolidate: notes of one scope and phase that begin alike become one.

use std::collections::BTreeMap;

use crate::card::Card;
use crate::change::Work;
use crate::deed::{Action, Deed};
use crate::merge::merge;
use crate::{Category, NoteError, NoteId, NoteScope, Phase, limits};

/// What notes must share to be taken for one.
type Group = (NoteScope, Phase, String);

pub(crate) fn run(work: &mut Work<'_>) -> Result<Vec<Deed>, NoteError> {
    let mut deeds = Vec::new();
    for ids in groups(work)?.into_values().filter(|ids| ids.len() > 1) {
        let why = format!("the same first {} characters", limits::SAME_PREFIX);
        deeds.extend(merge_told(work, &ids, &why)?);
    }
    Ok(deeds)
}

/// Merges notes, and tells of each that went into another.
///
/// Two files of another program stay two notes: if one went, the next ingestion would bring it back.
pub(crate) fn merge_told(work: &mut Work<'_>, ids: &[NoteId], why: &str) -> Result<Vec<Deed>, NoteError> {
    let mut cards: Vec<Card> =
        work.cards().iter().filter(|card| ids.contains(&card.id)).map(|card| (*card).clone()).collect();
    let first_file = cards.iter().find_map(|card| card.origin.clone());
    cards.retain(|card| card.origin.is_none() || card.origin == first_file);
    if cards.len() < 2 {
        return Ok(vec![]);
    }
    let ids: Vec<NoteId> = cards.iter().map(|card| card.id.clone()).collect();
    let (survivor, gone) = merge(work, &ids)?;
    let merged = cards.iter().filter(|card| gone.contains(&card.id));
    Ok(merged.map(|card| Deed::new(Action::Merge, card, why).with_other(&survivor)).collect())
}

/// Sorts notes by their beginnings. Reminders are never the same: each has its own time.
fn groups(work: &mut Work<'_>) -> Result<BTreeMap<Group, Vec<NoteId>>, NoteError> {
    let starts = work.beginnings(limits::SAME_PREFIX)?;
    let mut groups: BTreeMap<Group, Vec<NoteId>> = BTreeMap::new();
    for card in work.cards().iter().filter(|card| card.category() != Category::Reminders) {
        let Some(start) = starts.get(&card.id).filter(|start| !start.is_empty()) else { continue };
        let group = (card.scope.clone(), card.phase(), start.clone());
        groups.entry(group).or_default().push(card.id.clone());
    }
    Ok(groups)
}
