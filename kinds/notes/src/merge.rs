//! Making one note of several: of those that say the same, and of those that begin alike (BEHAVIOUR, section 5).

use std::cmp::Reverse;

use memory_core::instant;

use crate::change::Work;
use crate::{Note, NoteError, NoteId, Standing, format};

/// How far back a joined text may begin, in characters, so that it begins with a sentence.
const SENTENCE_CHARS: usize = 80;

/// The note that stays, and those that went into it.
pub(crate) type United = (NoteId, Vec<NoteId>);

/// Makes one note of all: the most used one, then the longest, then the oldest; returns it and those that went into
/// it.
///
/// A note whose file is gone meanwhile is left out. It takes the union of their tags and links, the sum of their access counts and the oldest time
/// of creation. Notes that linked to the others link to it.
pub(crate) fn merge(work: &mut Work<'_>, ids: &[NoteId]) -> Result<Option<United>, NoteError> {
    unite(
        work,
        ids,
        |note| Reverse(note.content.chars().count()),
        |_, _| {},
    )
}

/// Does the same for notes that begin alike, where the older one precedes the longer one: what the others say beyond
/// the survivor is appended to it, each as a paragraph with its date.
pub(crate) fn join(work: &mut Work<'_>, ids: &[NoteId]) -> Result<Option<United>, NoteError> {
    let by_age = |note: &Note| note.created_at;
    unite(work, ids, by_age, |kept, other| {
        if let Some(more) = beyond(&kept.content, &other.content) {
            let day = other.created_at.strftime("%Y-%m-%d").to_string();
            kept.content = format!("{}\n\n{day}: {more}", kept.content.trim_end());
            // The date says when this was written: nobody is to be reminded of it.
            kept.reminded
                .push(format!("{} {day}", instant(other.created_at)));
        }
    })
}

fn unite<K: Ord>(
    work: &mut Work<'_>,
    ids: &[NoteId],
    precedence: impl Fn(&Note) -> K,
    combine: impl Fn(&mut Note, &Note),
) -> Result<Option<United>, NoteError> {
    let accesses = work.store().accesses()?;
    let mut notes = work.take_up(ids)?;
    notes.sort_by_key(|note| {
        let count = note.access_count.saturating_add(accesses.of(&note.id));
        (
            Reverse(count),
            precedence(note),
            note.created_at,
            note.id.clone(),
        )
    });
    if notes.len() < 2 {
        return Ok(None);
    }
    let survivor = notes.remove(0).id;
    let gone: Vec<NoteId> = notes.iter().map(|note| note.id.clone()).collect();
    for id in &gone {
        work.remove(id)?;
    }
    let now = work.now;
    work.edit(&survivor, |kept| {
        for other in &notes {
            combine(kept, other);
            absorb(kept, other);
            kept.access_count = kept.access_count.saturating_add(accesses.of(&other.id));
        }
        kept.links.retain(|link| !gone.contains(link));
        kept.touch(now);
    })?;
    redirect(work, &survivor, &gone)?;
    Ok(Some((survivor, gone)))
}

/// Returns what a text says beyond another one that begins like it, from the beginning of the sentence or of the
/// word in which they part. `None` if it says no more.
fn beyond(kept: &str, other: &str) -> Option<String> {
    let mut of_kept = kept
        .chars()
        .filter(|c| !c.is_whitespace())
        .flat_map(char::to_lowercase);
    let mut parting = other.len();
    for (at, c) in other.char_indices().filter(|(_, c)| !c.is_whitespace()) {
        if !c.to_lowercase().all(|c| of_kept.next() == Some(c)) {
            parting = at;
            break;
        }
    }
    if other[parting..].trim().is_empty() {
        return None;
    }
    let start = sentence_start(other, parting);
    let cut = if is_sentence_start(other, start) {
        ""
    } else {
        "… "
    };
    Some(format!("{cut}{}", other[start..].trim()))
}

/// Returns where the sentence or line begins that a place is in, if that is near, else the word.
fn sentence_start(text: &str, at: usize) -> usize {
    let mut word = at;
    let mut is_in_word = true;
    for (n, (place, c)) in text[..at].char_indices().rev().enumerate() {
        if is_sentence_start(text, place + c.len_utf8()) {
            return place + c.len_utf8();
        }
        is_in_word &= c.is_alphanumeric() && !memory_text::words::is_chinese(c);
        if is_in_word {
            word = place;
        }
        if n == SENTENCE_CHARS {
            return word;
        }
    }
    0
}

/// Says whether a line or a sentence ends right before a place.
fn is_sentence_start(text: &str, at: usize) -> bool {
    let before = &text[..at];
    let ends_spaced = [". ", "! ", "? ", ": ", "; "]
        .iter()
        .any(|end| before.ends_with(end));
    ends_spaced || before.is_empty() || before.ends_with(['\n', '。', '！', '？', '；'])
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
    if let (
        Standing::Inbox {
            expires_at: kept_until,
        },
        Standing::Inbox {
            expires_at: other_until,
        },
    ) = (&mut kept.standing, &other.standing)
    {
        *kept_until = kept_until.zip(*other_until).map(|(a, b)| a.max(b));
    }
    if kept.origin.is_none() {
        kept.origin.clone_from(&other.origin);
    }
    let names = format::title(&other.unknown)
        .into_iter()
        .chain(format::aliases(&other.unknown));
    kept.add_names(names);
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
        work.edit_if_there(&id, |note| {
            note.links.retain(|link| !gone.contains(link));
            note.add_link(survivor);
        })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(kept: &str, other: &str, more: Option<&str>) {
        assert_eq!(beyond(kept, other).as_deref(), more);
    }

    #[test]
    fn what_a_text_says_beyond_another_begins_with_a_sentence_or_a_word() {
        let header = "Meeting of the storage group, room 4.\n";
        let kept = format!("{header}Decision: use PostgreSQL.");
        check(
            &kept,
            &format!("{header}Decision: do not use PostgreSQL."),
            Some("do not use PostgreSQL."),
        );
        check(
            &kept,
            &format!("{header}We postponed it."),
            Some("We postponed it."),
        );
        check(&kept, &kept.to_uppercase(), None);
        check(&kept, header, None);
        let long = "word ".repeat(40);
        check(
            &format!("{long}alpha"),
            &format!("{long}alpine"),
            Some("… alpine"),
        );
        let chinese = "会".repeat(120);
        check(
            &format!("{chinese}甲"),
            &format!("{chinese}乙丙"),
            Some("… 乙丙"),
        );
    }
}
