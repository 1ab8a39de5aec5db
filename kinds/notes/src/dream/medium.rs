//! Level 2: notes of one scope and phase that say the same in nearly the same words become one.

use std::collections::BTreeMap;

use memory_text::similar::{Likeness, near_duplicates};

use crate::change::Work;
use crate::deed::Deed;
use crate::tasks::consolidate::merge_with_deeds;
use crate::{Category, NoteError, NoteId, NoteScope, Phase};

pub(super) fn merge_alike(work: &mut Work<'_>) -> Result<Vec<Deed>, NoteError> {
    let mut rooms: BTreeMap<(NoteScope, Phase), Vec<NoteId>> = BTreeMap::new();
    let is_free = |card: &&&crate::card::Card| {
        card.category() != Category::Reminders && !super::reminders::is_dreamt(card)
    };
    for card in work.cards().iter().filter(is_free) {
        rooms
            .entry((card.scope.clone(), card.phase()))
            .or_default()
            .push(card.id.clone());
    }
    let mut deeds = Vec::new();
    for ids in rooms.into_values() {
        let notes = work.notes(&ids)?;
        let texts: Vec<&str> = notes.iter().map(|note| note.content.as_str()).collect();
        for group in groups(&near_duplicates(&texts), notes.len()) {
            let alike: Vec<NoteId> = group.members.iter().map(|n| notes[*n].id.clone()).collect();
            let why = format!(
                "the same in nearly the same words ({:.0} %)",
                group.score * 100.0
            );
            deeds.extend(merge_with_deeds(work, &alike, &why)?);
        }
    }
    Ok(deeds)
}

/// Notes that are alike, by their numbers, and how alike the least alike pair is.
struct Group {
    members: Vec<usize>,
    score: f32,
}

/// Joins pairs into groups in which every note is alike to the first.
///
/// Likeness does not pass on from one to the next: a chain of small differences could end far away.
fn groups(pairs: &[Likeness], count: usize) -> Vec<Group> {
    let mut alike: Vec<Vec<(usize, f32)>> = vec![Vec::new(); count];
    for pair in pairs {
        alike[pair.first].push((pair.second, pair.score));
        alike[pair.second].push((pair.first, pair.score));
    }
    let mut taken = vec![false; count];
    let mut groups = Vec::new();
    for first in 0..count {
        let others: Vec<&(usize, f32)> = alike[first]
            .iter()
            .filter(|(other, _)| !taken[*other])
            .collect();
        if taken[first] || others.is_empty() {
            continue;
        }
        let score = others.iter().map(|(_, score)| *score).fold(1.0, f32::min);
        let members: Vec<usize> = std::iter::once(first)
            .chain(others.iter().map(|(other, _)| *other))
            .collect();
        members.iter().for_each(|n| taken[*n] = true);
        groups.push(Group { members, score });
    }
    groups
}
