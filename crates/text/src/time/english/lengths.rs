//! How does English measure time from now? In two hours, a week from Friday, three days ago.

use super::words::{unit, weekday};
use crate::time::calendar::Day;
use crate::time::cursor::Cursor;
use crate::time::length::{Length, Quantity, Unit};
use crate::time::numbers;

pub(in crate::time) fn length(cursor: &mut Cursor) -> Option<Length> {
    if cursor.at_digit() {
        return amount_then_direction(cursor);
    }
    cursor
        .attempt(introduced)
        .or_else(|| cursor.attempt(amount_then_direction))
}

/// Reads "in two hours", "within the next 3 days".
fn introduced(cursor: &mut Cursor) -> Option<Length> {
    if counts_occasions(cursor.before()) {
        return None;
    }
    cursor
        .eat_word("in")
        .or_else(|| cursor.eat_word("within"))?;
    cursor.then(|cursor| cursor.eat_words(&["the", "next"]));
    cursor.then(|cursor| {
        cursor
            .eat_word("about")
            .or_else(|| cursor.eat_word("exactly"))
    });
    cursor.space()?;
    let length = amount(cursor)?;
    cursor.attempt(|cursor| {
        cursor.eat_char(&['\'', '’']);
        cursor.then(|cursor| cursor.eat_word("time"))
    });
    let is_measure = cursor
        .then(|cursor| cursor.eat_word("of").or_else(|| cursor.eat_word("or")))
        .is_some();
    (!is_measure).then_some(length)
}

/// "Twice in two weeks" and "the first time in 3 days" look back.
fn counts_occasions(before: &str) -> bool {
    let before = before.trim_end().as_bytes();
    ["once", "twice", "time", "times"].iter().any(|word| {
        let start = before.len().saturating_sub(word.len());
        before
            .get(start..)
            .is_some_and(|end| end.eq_ignore_ascii_case(word.as_bytes()))
    })
}

/// Reads "two days from now", "a week from Friday", "two days ago".
fn amount_then_direction(cursor: &mut Cursor) -> Option<Length> {
    let length = amount(cursor)?;
    cursor.space()?;
    match cursor.word()?.as_str() {
        "ago" | "earlier" => Some(length.ago()),
        "hence" => Some(length),
        "from" => cursor.then(|cursor| counted_from(cursor, length)),
        _ => None,
    }
}

fn counted_from(cursor: &mut Cursor, length: Length) -> Option<Length> {
    let start = cursor.word()?;
    match (start.as_str(), length) {
        ("now" | "today", _) => Some(length),
        ("tomorrow", Length::Day(Day::After { months, days })) => Some(Length::Day(Day::After {
            months,
            days: days + 1,
        })),
        (name, Length::Day(Day::After { months: 0, days })) if days % 7 == 0 => {
            let (weekday, _) = weekday(name)?;
            Some(Length::Day(Day::Coming {
                weekday,
                weeks_on: days / 7,
            }))
        }
        _ => None,
    }
}

/// Reads "two hours", "1.5 hours", "an hour and a half", "1 hour 30 minutes", "1h30m".
fn amount(cursor: &mut Cursor) -> Option<Length> {
    let (count, unit) = counted_unit(cursor)?;
    if cursor
        .then(|cursor| cursor.eat_words(&["and", "a", "half"]))
        .is_some()
    {
        return Some(Length::new(count.and_half(), unit));
    }
    let length = Length::new(count, unit);
    let rest = if unit == Unit::Hour {
        cursor.attempt(minutes)
    } else {
        None
    };
    match rest {
        Some(rest) => length.plus(rest),
        None => cursor.ends_cleanly().then_some(length),
    }
}

fn counted_unit(cursor: &mut Cursor) -> Option<(Quantity, Unit)> {
    let count = if cursor.at_digit() {
        decimal(cursor)
    } else {
        quantity_in_words(cursor)
    }?;
    cursor.space();
    Some((count, unit(cursor.letters()?.as_str())?))
}

fn minutes(cursor: &mut Cursor) -> Option<Length> {
    cursor.then(|cursor| cursor.eat_word("and"));
    cursor.space();
    let (minutes, _) = cursor.digits()?;
    cursor.space();
    let word = cursor.word()?;
    let is_minute = word.as_str() == "m" || unit(word.as_str()) == Some(Unit::Minute);
    is_minute.then(|| Length::new(Quantity::whole(minutes), Unit::Minute))
}

fn decimal(cursor: &mut Cursor) -> Option<Quantity> {
    let count = Quantity::whole(cursor.digits()?.0);
    let fraction = cursor.attempt(|cursor| {
        cursor.eat(".")?;
        cursor.digits()
    });
    match fraction {
        Some((digits, places)) => count.with_fraction(digits, places),
        None => Some(count),
    }
}

fn quantity_in_words(cursor: &mut Cursor) -> Option<Quantity> {
    if cursor
        .eat_words(&["half", "an"])
        .or_else(|| cursor.eat_words(&["half", "a"]))
        .is_some()
    {
        return Some(Quantity::HALF);
    }
    if cursor
        .eat_words(&["a", "couple", "of"])
        .or_else(|| cursor.eat_words(&["a", "couple"]))
        .is_some()
    {
        return Some(Quantity::whole(2));
    }
    if cursor
        .eat_word("a")
        .or_else(|| cursor.eat_word("an"))
        .is_some()
    {
        return Some(Quantity::whole(1));
    }
    let count = Quantity::whole(cursor.attempt(numbers::read_english)?);
    let has_half = cursor
        .then(|cursor| cursor.eat_words(&["and", "a", "half"]))
        .is_some();
    Some(if has_half { count.and_half() } else { count })
}
