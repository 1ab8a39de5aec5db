//! Consolidate: notes of one scope and phase that begin alike become one, or are linked; nothing that one of them
//! says is dropped (BEHAVIOUR, section 5).

use std::collections::{BTreeMap, HashMap};

use memory_text::similar::near_duplicates;
use memory_text::words::fold;

use crate::card::Card;
use crate::change::Work;
use crate::deed::{Action, Deed};
use crate::links::link;
use crate::merge::{join, merge};
use crate::{Category, Note, NoteError, NoteId, NoteScope, Phase, limits};

/// What notes must share to be compared.
type Group = (NoteScope, Phase, String);

pub(crate) fn run(work: &mut Work<'_>) -> Result<Vec<Deed>, NoteError> {
    let mut deeds = Vec::new();
    for ids in groups(work)?.into_values().filter(|ids| ids.len() > 1) {
        deeds.extend(consolidate(work, ids)?);
    }
    Ok(deeds)
}

/// Consolidates notes that share their beginnings.
fn consolidate(work: &mut Work<'_>, mut ids: Vec<NoteId>) -> Result<Vec<Deed>, NoteError> {
    let notes = work.notes(&ids)?;
    let mut deeds = Vec::new();
    for alike in equivalent(&notes) {
        let merged = merge_with_deeds(work, &alike, "the same text")?;
        ids.retain(|id| merged.iter().all(|deed| deed.id != *id));
        deeds.extend(merged);
    }
    let mut rest = work.notes(&ids)?;
    rest.sort_by_key(|note| {
        (
            std::cmp::Reverse(note.access_count),
            note.created_at,
            note.id.clone(),
        )
    });
    let mut rest = rest.into_iter();
    let Some(mut first) = rest.next() else {
        return Ok(deeds);
    };
    for other in rest {
        let Some(deed) = join_or_link(work, &first, &other)? else {
            continue;
        };
        if deed.action == Action::Join
            && let Some(survivor) = &deed.other
        {
            first = work.note(survivor)?;
        }
        deeds.push(deed);
    }
    Ok(deeds)
}

/// Joins two notes that begin alike, or links them if one is long or is kept in step with a foreign file. `None` if
/// they are linked already.
fn join_or_link(
    work: &mut Work<'_>,
    first: &Note,
    other: &Note,
) -> Result<Option<Deed>, NoteError> {
    let Some(card) = work.card(&other.id).cloned() else {
        return Ok(None);
    };
    let can_grow =
        |note: &Note| note.origin.is_none() && note.content.chars().count() <= limits::JOINED_CHARS;
    if can_grow(first) && can_grow(other) {
        let cards = [first, other].map(|note| work.card(&note.id).cloned());
        let Some((survivor, gone)) = join(work, &[first.id.clone(), other.id.clone()])? else {
            return Ok(None);
        };
        let why = format!(
            "the same first {} characters; its other text was appended",
            limits::SAME_PREFIX
        );
        let joined = cards
            .into_iter()
            .flatten()
            .find(|card| gone.contains(&card.id));
        return Ok(joined.map(|card| Deed::new(Action::Join, &card, why).with_other(&survivor)));
    }
    let is_new = link(work, &first.id, &other.id)?;
    let why = format!("the same first {} characters", limits::SAME_PREFIX);
    Ok(is_new.then(|| Deed::new(Action::Link, &card, why).with_other(&first.id)))
}

/// Returns groups of notes that say the same: the same words, or what [`near_duplicates`] finds.
fn equivalent(notes: &[Note]) -> Vec<Vec<NoteId>> {
    let texts: Vec<&str> = notes.iter().map(|note| note.content.as_str()).collect();
    // For each note the first one that says the same.
    let mut first_of: Vec<usize> = (0..notes.len()).collect();
    for pair in near_duplicates(&texts) {
        first_of[pair.second] = pair.first;
    }
    let mut by_words: HashMap<String, usize> = HashMap::new();
    for (n, text) in texts.iter().enumerate() {
        let first = *by_words.entry(fold(text)).or_insert(first_of[n]);
        first_of[n] = first.min(first_of[n]);
    }
    let mut groups: BTreeMap<usize, Vec<NoteId>> = BTreeMap::new();
    for (n, note) in notes.iter().enumerate() {
        groups
            .entry(first_of[first_of[n]])
            .or_default()
            .push(note.id.clone());
    }
    groups
        .into_values()
        .filter(|group| group.len() > 1)
        .collect()
}

/// Merges notes; returns a deed for each that went into another.
///
/// Two files of another program stay two notes: if one went, the next ingestion would bring it back.
pub(crate) fn merge_with_deeds(
    work: &mut Work<'_>,
    ids: &[NoteId],
    why: &str,
) -> Result<Vec<Deed>, NoteError> {
    let mut cards: Vec<Card> = work
        .cards()
        .iter()
        .filter(|card| ids.contains(&card.id))
        .map(|card| (*card).clone())
        .collect();
    let first_file = cards.iter().find_map(|card| card.origin.clone());
    cards.retain(|card| card.origin.is_none() || card.origin == first_file);
    if cards.len() < 2 {
        return Ok(vec![]);
    }
    let ids: Vec<NoteId> = cards.iter().map(|card| card.id.clone()).collect();
    let Some((survivor, gone)) = merge(work, &ids)? else {
        return Ok(vec![]);
    };
    let merged = cards.iter().filter(|card| gone.contains(&card.id));
    Ok(merged
        .map(|card| Deed::new(Action::Merge, card, why).with_other(&survivor))
        .collect())
}

/// Sorts notes by their beginnings. Reminders are never the same: each has its own time.
fn groups(work: &mut Work<'_>) -> Result<BTreeMap<Group, Vec<NoteId>>, NoteError> {
    let starts = work.beginnings(limits::SAME_PREFIX)?;
    let mut groups: BTreeMap<Group, Vec<NoteId>> = BTreeMap::new();
    for card in work
        .cards()
        .iter()
        .filter(|card| card.category() != Category::Reminders)
    {
        let Some(start) = starts.get(&card.id).filter(|start| !start.is_empty()) else {
            continue;
        };
        let group = (card.scope.clone(), card.phase(), start.clone());
        groups.entry(group).or_default().push(card.id.clone());
    }
    Ok(groups)
}
