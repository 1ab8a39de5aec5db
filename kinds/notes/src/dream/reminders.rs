//! Level 3: the times that notes speak of become reminders, each once.

use memory_core::{Span, Timestamp, instant};
use memory_text::time::{Moment, find_moments};

use crate::card::Card;
use crate::change::Work;
use crate::deed::{Action, Deed};
use crate::links::link;
use crate::{Category, Note, NoteError, Reminder, Standing};

/// Who writes what dreams write.
pub(crate) const DREAMER: &str = "dream";
/// A time that passed longer ago is history: nobody wants to be reminded of a whole old diary.
const LATE: Span = Span::seconds(7 * 86_400);
/// Longest text of a reminder, in characters.
const TEXT_CHARS: usize = 200;

pub(super) fn make(work: &mut Work<'_>) -> Result<Vec<Deed>, NoteError> {
    let sources: Vec<Card> = work
        .cards()
        .iter()
        .filter(|card| card.category() != Category::Reminders && card.reminder().is_none())
        .filter(|card| &*card.source != DREAMER)
        .map(|card| (*card).clone())
        .collect();
    let mut deeds = Vec::new();
    for card in sources {
        let note = work.note(&card.id)?;
        for moment in new_moments(&note, work.now, &work.store().settings.zone) {
            deeds.push(remind(work, &note, &card, &moment)?);
        }
    }
    Ok(deeds)
}

fn new_moments(note: &Note, now: Timestamp, zone: &jiff::tz::TimeZone) -> Vec<Moment> {
    let oldest = LATE.before(now);
    let mut moments = find_moments(&note.content, note.created_at, zone);
    // The words alone tell: when they mean depends on the zone, and on the oldest note merged into this.
    let is_known = |moment: &Moment| {
        let words = phrase(note, moment);
        note.reminded.iter().any(|mark| mark.split_once(' ').is_some_and(|(_, known)| known == words))
    };
    moments.retain(|moment| moment.at >= oldest && !is_known(moment));
    moments
}

fn phrase<'n>(note: &'n Note, moment: &Moment) -> &'n str {
    note.content[moment.place.clone()].trim()
}

/// What marks a time of a note as known: when it is, and the words for it.
fn key(note: &Note, moment: &Moment) -> String {
    format!("{} {}", instant(moment.at), phrase(note, moment))
}

fn remind(work: &mut Work<'_>, note: &Note, card: &Card, moment: &Moment) -> Result<Deed, NoteError> {
    let id = work.new_id();
    let text = sentence(&note.content, moment.place.clone());
    let standing = Standing::Organized { category: Category::Reminders };
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
    find_moments(content, now, zone).first().map(|moment| Reminder::due(moment.at))
}

/// Returns the sentence that a phrase stands in.
fn sentence(content: &str, place: std::ops::Range<usize>) -> String {
    let ends = |c: char| matches!(c, '\n' | '。' | '！' | '？' | ';' | '；');
    // A stop ends a sentence only before white space: 9.30 and e.g. do not.
    let stop = |text: &str| {
        let spaced = [". ", "! ", "? "].iter().filter_map(|mark| text.find(mark)).min();
        spaced.into_iter().chain(text.find(ends)).min()
    };
    let mut begin = 0;
    while let Some(at) = stop(&content[begin..place.start]) {
        let mark = content[begin + at..].chars().next().map_or(1, char::len_utf8);
        begin += at + mark;
    }
    let end = stop(&content[place.end..]).map_or(content.len(), |at| place.end + at);
    let text = content[begin..end].trim().trim_start_matches(['-', '*', '#', '>', ' ']);
    let shown: String = text.chars().take(TEXT_CHARS).collect();
    if shown.is_empty() { content[place].to_owned() } else { shown }
}

/// Says whether a dream has written a note.
pub(super) fn is_dreamt(card: &Card) -> bool {
    &*card.source == DREAMER
}

#[cfg(test)]
mod tests {
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
        check("# Plan\n- ship it by Friday\n- rest", "by Friday", "ship it by Friday");
        check("先写测试。明天下午三点开会！别忘了", "明天下午三点", "明天下午三点开会");
        check("tomorrow", "tomorrow", "tomorrow");
    }
}
