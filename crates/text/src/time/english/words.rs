//! Which English words speak of time? Lists and nothing else; every word comes in lower case.

use jiff::civil::Weekday;

use crate::time::clock::Part;
use crate::time::length::Unit;
use crate::time::numbers;
use crate::time::sieve::Sieve;

/// Words that may be a phrase of their own.
const ALONE: [&str; 11] = [
    "cob",
    "eod",
    "midday",
    "midnight",
    "noon",
    "tmr",
    "tmrw",
    "today",
    "tomorrow",
    "tonight",
    "yesterday",
];

/// Words that open a phrase when the right word follows.
const OPENING: [&str; 27] = [
    "a",
    "an",
    "around",
    "at",
    "before",
    "beginning",
    "between",
    "by",
    "close",
    "coming",
    "day",
    "end",
    "from",
    "half",
    "in",
    "last",
    "next",
    "on",
    "past",
    "quarter",
    "since",
    "start",
    "the",
    "this",
    "till",
    "until",
    "within",
];

/// Words that may come second, beside those that may come first.
const SECOND: [&str; 14] = [
    "about", "after", "am", "and", "couple", "exactly", "nd", "of", "pm", "rd", "st", "th", "to",
    "weekend",
];

const WEEKDAYS: [(&str, (Weekday, bool)); 18] = [
    ("monday", (Weekday::Monday, false)),
    ("tuesday", (Weekday::Tuesday, false)),
    ("wednesday", (Weekday::Wednesday, false)),
    ("thursday", (Weekday::Thursday, false)),
    ("friday", (Weekday::Friday, false)),
    ("saturday", (Weekday::Saturday, false)),
    ("sunday", (Weekday::Sunday, false)),
    ("mon", (Weekday::Monday, true)),
    ("tue", (Weekday::Tuesday, true)),
    ("tues", (Weekday::Tuesday, true)),
    ("wed", (Weekday::Wednesday, true)),
    ("weds", (Weekday::Wednesday, true)),
    ("thu", (Weekday::Thursday, true)),
    ("thur", (Weekday::Thursday, true)),
    ("thurs", (Weekday::Thursday, true)),
    ("fri", (Weekday::Friday, true)),
    ("sat", (Weekday::Saturday, true)),
    ("sun", (Weekday::Sunday, true)),
];

const MONTHS: [(&str, i64); 24] = [
    ("january", 1),
    ("february", 2),
    ("march", 3),
    ("april", 4),
    ("may", 5),
    ("june", 6),
    ("july", 7),
    ("august", 8),
    ("september", 9),
    ("october", 10),
    ("november", 11),
    ("december", 12),
    ("jan", 1),
    ("feb", 2),
    ("mar", 3),
    ("apr", 4),
    ("jun", 6),
    ("jul", 7),
    ("aug", 8),
    ("sept", 9),
    ("sep", 9),
    ("oct", 10),
    ("nov", 11),
    ("dec", 12),
];

/// Seconds are left out: what happens in 30 seconds is measured, not planned.
const UNITS: [(&str, Unit); 19] = [
    ("minute", Unit::Minute),
    ("minutes", Unit::Minute),
    ("min", Unit::Minute),
    ("mins", Unit::Minute),
    ("hour", Unit::Hour),
    ("hours", Unit::Hour),
    ("hr", Unit::Hour),
    ("hrs", Unit::Hour),
    ("h", Unit::Hour),
    ("day", Unit::Day),
    ("days", Unit::Day),
    ("week", Unit::Week),
    ("weeks", Unit::Week),
    ("wk", Unit::Week),
    ("wks", Unit::Week),
    ("month", Unit::Month),
    ("months", Unit::Month),
    ("year", Unit::Year),
    ("years", Unit::Year),
];

const PARTS: [(&str, Part); 7] = [
    ("morning", Part::Morning),
    ("noon", Part::Noon),
    ("midday", Part::Noon),
    ("afternoon", Part::Afternoon),
    ("evening", Part::Evening),
    ("night", Part::Night),
    ("midnight", Part::Midnight),
];

/// Words that may follow "on the 15th". After any other it is the 15th of something else: a floor,
/// a try, a page.
const AFTER_ORDINAL: [&str; 34] = [
    "a", "after", "and", "around", "as", "at", "because", "before", "but", "by", "for", "from",
    "he", "i", "if", "in", "instead", "is", "it", "my", "or", "our", "please", "she", "so", "the",
    "then", "they", "this", "to", "until", "we", "with", "you",
];

static ALONE_SIEVE: Sieve = Sieve::EMPTY.and(&ALONE).and_names_of(&WEEKDAYS);

static OPENING_SIEVE: Sieve = Sieve::EMPTY
    .and(&OPENING)
    .and_names_of(&MONTHS)
    .and_names_of(&numbers::CARDINALS);

static SECOND_SIEVE: Sieve = Sieve::EMPTY
    .and(&ALONE)
    .and(&OPENING)
    .and(&SECOND)
    .and_names_of(&WEEKDAYS)
    .and_names_of(&MONTHS)
    .and_names_of(&UNITS)
    .and_names_of(&PARTS)
    .and_names_of(&numbers::CARDINALS)
    .and_names_of(&numbers::ORDINALS);

/// Whether a phrase may begin with this word, given what follows it. Asked for every word of every
/// text; most of those that are let through in error are found out by the second word.
pub(in crate::time) fn opens(word: &[u8], rest: &[u8]) -> bool {
    ALONE_SIEVE.may_hold(word) || (OPENING_SIEVE.may_hold(word) && may_go_on(rest))
}

fn may_go_on(rest: &[u8]) -> bool {
    let gap = rest
        .iter()
        .take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b'.' | b'-'))
        .count();
    let second = rest.get(gap..).unwrap_or_default();
    // "In the" and "on the" are everywhere; the word behind them decides.
    let second = second.strip_prefix(b"the ").unwrap_or(second);
    second.first().is_some_and(u8::is_ascii_digit) || is_second(second)
}

/// Whether a number may be of a phrase, given what follows it: a colon, a unit, a month.
pub(in crate::time) fn number_may_go_on(rest: &[u8]) -> bool {
    match rest {
        [b':' | b'-' | b'/' | b'.', digit, ..] if digit.is_ascii_digit() => true,
        [b' ', ..] => is_second(rest.trim_ascii_start()),
        _ => is_second(rest),
    }
}

/// Whether a word of a time phrase may stand here, or any Chinese.
fn is_second(text: &[u8]) -> bool {
    let length = text
        .iter()
        .take_while(|byte| byte.is_ascii_alphabetic())
        .count();
    match length {
        0 => text.first().is_some_and(|byte| !byte.is_ascii()),
        // The letters of "a.m." and "o'clock".
        1 => true,
        _ => SECOND_SIEVE.may_hold(text.get(..length).unwrap_or_default()),
    }
}

fn find<T: Copy>(table: &[(&str, T)], word: &str) -> Option<T> {
    table
        .iter()
        .find(|(name, _)| *name == word)
        .map(|(_, value)| *value)
}

/// The day of the week, and whether the word is a short form of it.
pub(super) fn weekday(word: &str) -> Option<(Weekday, bool)> {
    find(&WEEKDAYS, word)
}

pub(super) fn month(word: &str) -> Option<i64> {
    find(&MONTHS, word)
}

pub(super) fn unit(word: &str) -> Option<Unit> {
    find(&UNITS, word)
}

pub(super) fn part(word: &str) -> Option<Part> {
    find(&PARTS, word)
}

pub(super) fn may_follow_ordinal(word: &str) -> bool {
    AFTER_ORDINAL.contains(&word)
}
