//! Links between notes: made by hand, or from the `[[names]]` that their contents give.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::{Deserialize, Serialize};

use crate::change::Work;
use crate::deed::{Action, Deed};
use crate::names::Names;
use crate::{NoteError, NoteId};

/// A name that means no note.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unresolved {
    pub id: NoteId,
    pub title: String,
    pub name: String,
}

/// Links two notes to each other; says whether they were not before.
pub(crate) fn link(work: &mut Work<'_>, a: &NoteId, b: &NoteId) -> Result<bool, NoteError> {
    let mut is_new = false;
    work.edit(a, |note| is_new |= note.add_link(b))?;
    work.edit(b, |note| is_new |= note.add_link(a))?;
    Ok(is_new)
}

/// Takes the link between two notes away; says whether there was one.
pub(crate) fn unlink(work: &mut Work<'_>, a: &NoteId, b: &NoteId) -> Result<bool, NoteError> {
    let mut was_there = false;
    work.edit(a, |note| was_there |= note.drop_link(b))?;
    work.edit(b, |note| was_there |= note.drop_link(a))?;
    Ok(was_there)
}

/// Makes links of all wikilinks that name a note; tells those that name none.
pub(crate) fn resolve(work: &mut Work<'_>) -> Result<(Vec<Deed>, Vec<Unresolved>), NoteError> {
    let (pairs, unresolved) = find(work);
    let mut deeds = Vec::with_capacity(pairs.len());
    // Each note is edited once, however many links it gets.
    let mut added: BTreeMap<NoteId, Vec<NoteId>> = BTreeMap::new();
    for (deed, from, to) in pairs {
        added.entry(from.clone()).or_default().push(to.clone());
        added.entry(to).or_default().push(from);
        deeds.push(deed);
    }
    for (id, links) in added {
        work.edit(&id, |note| {
            links.iter().for_each(|to| {
                note.add_link(to);
            })
        })?;
    }
    Ok((deeds, unresolved))
}

type Pair = (Deed, NoteId, NoteId);

fn find(work: &Work<'_>) -> (Vec<Pair>, Vec<Unresolved>) {
    let notes = work.cards_with_files();
    let names = Names::of(notes.iter().map(|(card, file)| (*card, file.as_str())));
    let links: HashMap<&NoteId, &[NoteId]> = notes
        .iter()
        .map(|(card, _)| (&card.id, &*card.links))
        .collect();
    let has = |from: &NoteId, to: &NoteId| links.get(from).is_some_and(|links| links.contains(to));
    let (mut pairs, mut unresolved): (Vec<Pair>, Vec<Unresolved>) = (Vec::new(), Vec::new());
    let mut seen = HashSet::new();
    let mut is_first = |a: &NoteId, b: &NoteId| seen.insert((a.min(b).clone(), a.max(b).clone()));
    for (card, _) in notes.iter().filter(|(card, _)| !card.wikilinks.is_empty()) {
        for name in &card.wikilinks {
            match names.resolve(name, &card.id) {
                // A note that names itself, or one that it is linked with, needs nothing.
                Some(to) if *to == card.id || (has(&card.id, to) && has(to, &card.id)) => {}
                Some(to) if !is_first(&card.id, to) => {}
                Some(to) => {
                    let deed = Deed::new(Action::Link, card, format!("[[{name}]]")).with_other(to);
                    pairs.push((deed, card.id.clone(), to.clone()));
                }
                None => unresolved.push(Unresolved {
                    id: card.id.clone(),
                    title: card.title.to_string(),
                    name: name.clone(),
                }),
            }
        }
    }
    (pairs, unresolved)
}
