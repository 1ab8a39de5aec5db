//! Making one note of several that say the same (BEHAVIOUR, section 5).

use std::cmp::Reverse;

use crate::change::Work;
use crate::{Note, NoteError, NoteId, Standing};

/// Makes one note of all: the most read one, then the longest, then the oldest; returns it and
/// those that went into it.
///
/// It takes the union of their tags and links, the sum of their access counts and the oldest time
/// of creation. Whoever linked to the others links to it.
pub(crate) fn merge(work: &mut Work<'_>, ids: &[NoteId]) -> Result<(NoteId, Vec<NoteId>), NoteError> {
    let mut notes: Vec<Note> = ids.iter().map(|id| work.note(id)).collect::<Result<_, _>>()?;
    notes.sort_by_key(|note| {
        (Reverse(note.access_count), Reverse(note.content.chars().count()), note.created_at, note.id.clone())
    });
    let survivor = notes.remove(0).id;
    let gone: Vec<NoteId> = notes.iter().map(|note| note.id.clone()).collect();
    for id in &gone {
        work.remove(id)?;
    }
    let now = work.now;
    work.edit(&survivor, |kept| {
        notes.iter().for_each(|other| absorb(kept, other));
        kept.links.retain(|link| !gone.contains(link));
        kept.touch(now);
    })?;
    redirect(work, &survivor, &gone)?;
    Ok((survivor, gone))
}

fn absorb(kept: &mut Note, other: &Note) {
    kept.add_tags(&other.tags);
    other.links.iter().for_each(|link| {
        kept.add_link(link);
    });
    for mark in &other.reminded {
        if !kept.reminded.contains(mark) {
            kept.reminded.push(mark.clone());
        }
    }
    kept.access_count += other.access_count;
    kept.created_at = kept.created_at.min(other.created_at);
    if let (Standing::Inbox { expires_at: kept_until }, Standing::Inbox { expires_at: other_until }) =
        (&mut kept.standing, &other.standing)
    {
        *kept_until = kept_until.zip(*other_until).map(|(a, b)| a.max(b));
    }
    if kept.origin.is_none() {
        kept.origin.clone_from(&other.origin);
    }
}

fn redirect(work: &mut Work<'_>, survivor: &NoteId, gone: &[NoteId]) -> Result<(), NoteError> {
    let links_to_gone = |links: &[NoteId]| links.iter().any(|link| gone.contains(link));
    let neighbours: Vec<NoteId> = work
        .cards()
        .iter()
        .filter(|card| card.id != *survivor && links_to_gone(&card.links))
        .map(|card| card.id.clone())
        .collect();
    for id in neighbours {
        work.edit(&id, |note| {
            note.links.retain(|link| !gone.contains(link));
            note.add_link(survivor);
        })?;
    }
    Ok(())
}
