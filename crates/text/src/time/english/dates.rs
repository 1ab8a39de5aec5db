//! How does English write a date? May 7th, 7 May 2026, the 15th of next month.

use super::words::{may_follow_ordinal, month};
use crate::time::calendar::{Day, MonthDay, Which};
use crate::time::cursor::{Cursor, Word};
use crate::time::reading::DayReading;
use crate::time::{digits, numbers};

/// Reads what follows the name of a month: "7", "7th, 2026", "7-9".
pub(super) fn month_then_day(cursor: &mut Cursor, word: Word) -> Option<DayReading> {
    let month = month(word.as_str())?;
    cursor.eat(".");
    cursor.space()?;
    cursor.attempt(|cursor| {
        cursor.eat_word("the")?;
        cursor.space()
    });
    let number = day_number(cursor)?;
    cursor.attempt(end_of_stretch);
    let (day, has_year) = in_some_year(cursor, month, number.day);
    let is_sure = has_year || number.is_ordinal || !is_verb(word);
    let reading = if is_sure {
        DayReading::sure(day)
    } else {
        DayReading::led(day)
    };
    cursor.ends_cleanly().then_some(reading)
}

/// Reads "7 May", "7th of May 2026".
pub(super) fn day_then_month(cursor: &mut Cursor) -> Option<DayReading> {
    let number = day_number(cursor)?;
    let (word, day, has_year) = cursor.then(|cursor| month_behind(cursor, number.day))?;
    let is_sure = has_year || number.is_ordinal || !is_verb(word);
    let reading = if is_sure {
        DayReading::sure(day)
    } else {
        DayReading::led(day)
    };
    cursor.ends_cleanly().then_some(reading)
}

fn month_behind(cursor: &mut Cursor, day: i64) -> Option<(Word, Day, bool)> {
    cursor.attempt(|cursor| {
        cursor.eat_word("of")?;
        cursor.space()
    });
    let word = cursor.word()?;
    let (day, has_year) = in_some_year(cursor, month(word.as_str())?, day);
    Some((word, day, has_year))
}

/// Lower-case "may" and "march" are verbs, unless something else speaks for a date.
fn is_verb(word: Word) -> bool {
    !word.is_capital && matches!(word.as_str(), "may" | "march")
}

/// Reads what follows "the": "15th", "first of June", "1st of next month".
pub(super) fn ordinal_day(cursor: &mut Cursor) -> Option<DayReading> {
    let number = day_number(cursor).filter(|number| number.is_ordinal || number.is_word)?;
    if let Some((_, day, _)) = cursor.then(|cursor| month_behind(cursor, number.day)) {
        return Some(DayReading::sure(day));
    }
    let day = MonthDay::Number(number.day);
    if let Some(month) = cursor.then(month_of_ordinal) {
        return Some(DayReading::sure(Day::OfMonth { month, day }));
    }
    let stands_for_day = number.is_ordinal && !counts_something(cursor);
    stands_for_day.then_some(DayReading::led(Day::OfMonth {
        month: Which::Coming,
        day,
    }))
}

fn month_of_ordinal(cursor: &mut Cursor) -> Option<Which> {
    cursor.eat_word("of")?;
    cursor.space()?;
    if cursor.eat_words(&["next", "month"]).is_some() {
        return Some(Which::After(1));
    }
    if cursor.eat_words(&["this", "month"]).is_some() {
        return Some(Which::After(0));
    }
    matches!(cursor.word()?.as_str(), "the" | "every" | "each").then_some(())?;
    cursor
        .then(|cursor| cursor.eat_word("month"))
        .map(|()| Which::Coming)
}

/// Whether a noun follows, so that "the 5th" is not a day: "the 5th floor".
fn counts_something(cursor: &Cursor) -> bool {
    let mut ahead = *cursor;
    if ahead.space().is_none() || !ahead.peek().is_some_and(|next| next.is_ascii_alphabetic()) {
        return false;
    }
    !ahead
        .letters()
        .is_some_and(|word| may_follow_ordinal(word.as_str()))
}

/// Reads the day in "next month on the 5th".
pub(super) fn day_of_month(cursor: &mut Cursor) -> Option<i64> {
    cursor.eat_words(&["on", "the"])?;
    cursor.space()?;
    Some(day_number(cursor).filter(|number| number.is_ordinal)?.day)
}

struct DayNumber {
    day: i64,
    /// It was written with "th" and the like.
    is_ordinal: bool,
    is_word: bool,
}

/// Reads "7", "7th", "seventh".
fn day_number(cursor: &mut Cursor) -> Option<DayNumber> {
    if !cursor.at_digit() {
        let day = numbers::english_ordinal(cursor.word()?.as_str())?;
        return Some(DayNumber {
            day,
            is_ordinal: false,
            is_word: true,
        });
    }
    let day = cursor.two_digits()?;
    let is_ordinal = cursor
        .attempt(|cursor| is_ordinal_ending(cursor.word()?).then_some(()))
        .is_some();
    let goes_on = cursor
        .peek()
        .is_some_and(|next| next.is_ascii_alphanumeric());
    (!goes_on).then_some(DayNumber {
        day,
        is_ordinal,
        is_word: false,
    })
}

fn is_ordinal_ending(word: Word) -> bool {
    matches!(word.as_str(), "st" | "nd" | "rd" | "th")
}

/// Reads the end of "May 7-9"; the first day counts.
fn end_of_stretch(cursor: &mut Cursor) -> Option<()> {
    cursor.eat_char(&['-', '–'])?;
    day_number(cursor).map(drop)
}

/// Reads the year, when there is one: ", 2026", "next year".
fn in_some_year(cursor: &mut Cursor, month: i64, day: i64) -> (Day, bool) {
    let day = MonthDay::Number(day);
    let named = cursor.attempt(|cursor| {
        cursor.eat(",");
        cursor.blanks();
        let year = digits::year(cursor)?;
        cursor.ends_cleanly().then_some(year)
    });
    if let Some(year) = named {
        return (Day::InYear { year, month, day }, true);
    }
    match cursor.then(|cursor| cursor.eat_words(&["next", "year"])) {
        Some(()) => (
            Day::OfYear {
                year: Which::After(1),
                month,
                day,
            },
            true,
        ),
        None => (
            Day::OfYear {
                year: Which::Coming,
                month,
                day,
            },
            false,
        ),
    }
}
