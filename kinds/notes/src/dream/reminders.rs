//! Level 3: the times that notes speak of become reminders, each once.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use memory_core::{Span, Timestamp, instant, parse_instant};
use memory_steps::count;
use memory_text::time::{Moment, find_moments};

use crate::card::Card;
use crate::change::Work;
use crate::deed::{Action, Deed};
use crate::links::link;
use crate::shelf::Shelf;
use crate::store::Store;
use crate::{Category, ContentHash, Note, NoteError, Reminder, Standing, limits};

/// Who writes what dreams write.
pub(crate) const DREAMER: &str = "dream";
/// A time that passed longer ago is history: nobody wants to be reminded of a whole old diary.
const LATE: Span = Span::seconds(7 * 86_400);
/// Longest text of a reminder, in characters.
const TEXT_CHARS: usize = 200;
/// How much stands before the time, in characters, if its sentence is too long to be shown.
const LEAD_CHARS: usize = 100;

/// The times that contents speak of, read before the notes are locked.
#[derive(Debug, Default)]
pub(super) struct Times(HashMap<(ContentHash, Timestamp), Vec<Moment>>);

impl Times {
    /// Reads the times of every note that may lead to reminders.
    pub(super) fn read(store: &Store, shelf: &Shelf) -> Result<Self, NoteError> {
        let mut times = HashMap::new();
        for entry in shelf
            .entries
            .iter()
            .filter(|entry| entry.found.as_ref().is_ok_and(is_source))
        {
            // A file that was removed or damaged since is left to the look under the lock.
            let Ok(Some((note, _))) = store.read_entry(entry) else {
                continue;
            };
            let moments = find_moments(&note.content, note.created_at, &store.settings.zone);
            times.insert((note.content_hash(), note.created_at), moments);
        }
        Ok(Times(times))
    }

    fn of_card(&self, card: &Card) -> Option<&[Moment]> {
        self.0
            .get(&(card.content_hash, card.created_at))
            .map(Vec::as_slice)
    }
}

pub(super) fn make(work: &mut Work<'_>, times: &Times) -> Result<Vec<Deed>, NoteError> {
    // Only a note that the dream changed, or that was written since, has to be read here.
    let may_have_times = |card: &Card| {
        times
            .of_card(card)
            .is_none_or(|moments| !moments.is_empty())
    };
    let sources: Vec<Card> = work
        .cards()
        .into_iter()
        .filter(|card| is_source(card) && may_have_times(card))
        .cloned()
        .collect();
    let mut deeds = Vec::new();
    for card in sources {
        let note = work.note(&card.id)?;
        let moments = match times.of_card(&card) {
            Some(moments) if note.content_hash() == card.content_hash => moments.to_vec(),
            _ => find_moments(&note.content, note.created_at, &work.store().settings.zone),
        };
        for moment in new_moments(&note, moments, work.now) {
            deeds.push(remind(work, &note, &card, &moment)?);
        }
    }
    Ok(deeds)
}

/// Says whether a note may lead to reminders: it is none itself, and no dream wrote it.
fn is_source(card: &Card) -> bool {
    card.category() != Category::Reminders && card.reminder().is_none() && !is_dreamt(card)
}

/// Returns the times that no reminder was made of, at most as many as there is room for, in the text's order. Of
/// sentences that say the same of the same time, the first one counts.
fn new_moments(note: &Note, mut moments: Vec<Moment>, now: Timestamp) -> Vec<Moment> {
    let oldest = LATE.before(now);
    // The words alone tell: when they mean depends on the zone, and on the oldest note merged into this.
    let known: Vec<(&str, &str)> = note
        .reminded
        .iter()
        .filter_map(|mark| mark.split_once(' '))
        .collect();
    let known_words: HashSet<&str> = known.iter().map(|(_, words)| *words).collect();
    moments.retain(|moment| moment.at >= oldest && !known_words.contains(phrase(note, moment)));
    let is_open = |at: &str| parse_instant(at).is_some_and(|at| at >= oldest);
    let open = known.iter().filter(|(at, _)| is_open(at)).count();
    let room = limits::REMINDERS.saturating_sub(open);
    moments.sort_by_key(|moment| moment.at);
    let mut seen = HashSet::new();
    moments.retain(|moment| {
        seen.len() < room && seen.insert((moment.at, sentence(&note.content, moment.place.clone())))
    });
    moments.sort_by_key(|moment| moment.place.start);
    moments
}

fn phrase<'n>(note: &'n Note, moment: &Moment) -> &'n str {
    note.content[moment.place.clone()].trim()
}

/// What marks a time of a note as known: when it is, and the words for it.
fn key(note: &Note, moment: &Moment) -> String {
    format!("{} {}", instant(moment.at), phrase(note, moment))
}

fn remind(
    work: &mut Work<'_>,
    note: &Note,
    card: &Card,
    moment: &Moment,
) -> Result<Deed, NoteError> {
    let id = work.new_id();
    let text = sentence(&note.content, moment.place.clone());
    let standing = Standing::Organized {
        category: Category::Reminders,
    };
    let mut reminder = Note::new(id.clone(), text, standing, work.now);
    reminder.scope = note.scope.clone();
    reminder.tags.clone_from(&note.tags);
    reminder.source = DREAMER.to_owned();
    reminder.reminder = Some(Reminder::due(moment.at));
    work.add(reminder);
    link(work, &id, &note.id)?;
    let mark = key(note, moment);
    let why = format!("'{}' is {}", phrase(note, moment), instant(moment.at));
    work.edit(&note.id, |source| source.reminded.push(mark))?;
    Ok(Deed::new(Action::Remind, card, why).with_other(&id))
}

/// Gives a note that is written as a reminder the time it speaks of.
pub(crate) fn due_of(content: &str, now: Timestamp, zone: &jiff::tz::TimeZone) -> Option<Reminder> {
    find_moments(content, now, zone)
        .first()
        .map(|moment| Reminder::due(moment.at))
}

/// Returns the sentence that a phrase stands in, or the part of a long one that is near the phrase.
fn sentence(content: &str, place: Range<usize>) -> String {
    let begin = begin_of_sentence(&content[..place.start]);
    let end = place.end + end_of_sentence(&content[place.end..]);
    let text = content[begin..end]
        .trim()
        .trim_start_matches(['-', '*', '#', '>', ' ']);
    let shown: String = text.chars().take(TEXT_CHARS).collect();
    if shown.is_empty() {
        content[place].to_owned()
    } else {
        shown
    }
}

/// Returns where the last sentence of a text begins; one that is too long is cut before its last words.
fn begin_of_sentence(before: &str) -> usize {
    let mut next = None;
    let mut cut = before.len();
    for (n, (at, c)) in before.char_indices().rev().take(TEXT_CHARS).enumerate() {
        count(1);
        if ends_sentence(c, next) {
            return at + c.len_utf8();
        }
        if n < LEAD_CHARS {
            cut = at;
        }
        next = Some(c);
    }
    if before.chars().rev().nth(TEXT_CHARS).is_some() {
        cut
    } else {
        0
    }
}

/// Returns how much of a text still belongs to the sentence that it goes on with.
fn end_of_sentence(after: &str) -> usize {
    let mut characters = after.char_indices().take(TEXT_CHARS).peekable();
    while let Some((at, c)) = characters.next() {
        count(1);
        if ends_sentence(c, characters.peek().map(|(_, next)| *next)) {
            return at;
        }
    }
    after
        .char_indices()
        .nth(TEXT_CHARS)
        .map_or(after.len(), |(at, _)| at)
}

/// A stop ends a sentence only before white space: 9.30 and e.g. do not.
fn ends_sentence(c: char, next: Option<char>) -> bool {
    match c {
        '\n' | '。' | '！' | '？' | ';' | '；' => true,
        '.' | '!' | '?' => next == Some(' '),
        _ => false,
    }
}

/// Says whether a dream has written a note.
pub(crate) fn is_dreamt(card: &Card) -> bool {
    &*card.source == DREAMER
}

#[cfg(test)]
mod tests {
    use memory_steps::Growth;

    use super::*;

    #[test]
    fn a_reminder_reads_as_the_sentence_with_the_time() {
        let check = |content: &str, phrase: &str, expected: &str| {
            let at = content.find(phrase).unwrap();
            assert_eq!(sentence(content, at..at + phrase.len()), expected);
        };
        check(
            "Talked to Bob. Call him tomorrow at 9.30 please. Bye.",
            "tomorrow",
            "Call him tomorrow at 9.30 please",
        );
        check(
            "# Plan\n- ship it by Friday\n- rest",
            "by Friday",
            "ship it by Friday",
        );
        check(
            "先写测试。明天下午三点开会！别忘了",
            "明天下午三点",
            "明天下午三点开会",
        );
        check("tomorrow", "tomorrow", "tomorrow");
        let long = format!("{} tomorrow{}", "a".repeat(300), " b".repeat(200));
        check(
            &long,
            "tomorrow",
            &format!("{} tomorrow{}", "a".repeat(99), " b".repeat(46))[..200],
        );
    }

    #[test]
    fn the_sentences_of_many_times_are_found_without_reading_the_text_again() {
        let text = |times: usize| "call ann on 2027-01-01 at 00:00, ".repeat(times);
        let growth = Growth::of(500, text, |text| {
            for (at, phrase) in text.match_indices("2027-01-01 at 00:00") {
                sentence(&text, at..at + phrase.len());
            }
        });
        assert!(growth.is_linear(), "{growth:?}");
    }
}
