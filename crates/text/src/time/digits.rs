//! What do bare digits say? Dates and clock times written without a word: 2026-06-01T14:30Z, 5/7/2026, 15:30.

use jiff::tz::Offset;

use super::calendar::{Day, MonthDay};
use super::clock::{Clock, Hands};
use super::cursor::Cursor;
use super::reading::DayReading;

/// Four digits outside of this are an amount, not a year.
const YEARS: std::ops::RangeInclusive<i64> = 1900..=2199;

/// Reads 2026-05-07, 2026/5/7 or 5/7/2026.
pub(super) fn date(cursor: &mut Cursor) -> Option<DayReading> {
    let (first, count) = cursor.digits()?;
    let day = if count == 4 {
        year_first(cursor, first)
    } else {
        year_last(cursor, first)
    }?;
    let goes_on_as_stamp = cursor.peek() == Some('T');
    (goes_on_as_stamp || cursor.ends_cleanly()).then(|| DayReading::sure(day))
}

fn year_first(cursor: &mut Cursor, year: i64) -> Option<Day> {
    let separator = cursor.eat_char(&['-', '/'])?;
    let month = cursor.two_digits()?;
    cursor.eat_char(&[separator])?;
    let day = MonthDay::Number(cursor.two_digits()?);
    YEARS
        .contains(&year)
        .then_some(Day::InYear { year, month, day })
}

/// The month stands first, unless no month has that number.
fn year_last(cursor: &mut Cursor, first: i64) -> Option<Day> {
    cursor.eat("/")?;
    let second = cursor.two_digits()?;
    cursor.eat("/")?;
    let year = year(cursor)?;
    let (month, day) = if first > 12 {
        (second, first)
    } else {
        (first, second)
    };
    Some(Day::InYear {
        year,
        month,
        day: MonthDay::Number(day),
    })
}

/// Reads a year of four digits.
pub(super) fn year(cursor: &mut Cursor) -> Option<i64> {
    cursor
        .digits()
        .filter(|(year, count)| *count == 4 && YEARS.contains(year))
        .map(|(year, _)| year)
}

/// Reads the second half of 2026-06-01T14:30:00Z.
pub(super) fn clock_of_stamp(cursor: &mut Cursor) -> Option<Clock> {
    cursor.attempt(|cursor| {
        cursor.previous().filter(char::is_ascii_digit)?;
        cursor.eat("T")?;
        let hands = hands(cursor)?;
        let offset = cursor.attempt(|cursor| offset(cursor, &['+', '-']));
        cursor.ends_cleanly().then_some(Clock {
            offset,
            ..Clock::of_hands(hands)
        })
    })
}

/// Reads 9:30, 09:30 or 09:30:15, with either colon. Whether such a clock exists is not asked here.
pub(super) fn hands(cursor: &mut Cursor) -> Option<Hands> {
    let hour = cursor.two_digits()?;
    let minute = sixtieth(cursor)?;
    let second = cursor.attempt(sixtieth);
    if second.is_some() {
        cursor.attempt(fraction);
    }
    Some(Hands {
        hour,
        minute,
        second: second.unwrap_or(0),
        is_spoken: false,
    })
}

fn sixtieth(cursor: &mut Cursor) -> Option<i64> {
    cursor.eat_char(&[':', '：'])?;
    cursor
        .digits()
        .filter(|(_, count)| *count == 2)
        .map(|(value, _)| value)
}

fn fraction(cursor: &mut Cursor) -> Option<()> {
    cursor.eat(".")?;
    cursor.peek().filter(char::is_ascii_digit)?;
    while cursor
        .eat_char(&['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'])
        .is_some()
    {}
    Some(())
}

/// Reads Z, UTC, GMT, +08:00, or +0800 behind a space. What stands behind "10:00-" is more often an end than an offset, so
/// the caller says which signs there may be.
pub(super) fn offset(cursor: &mut Cursor, signs: &[char]) -> Option<Offset> {
    if cursor
        .attempt(|cursor| cursor.eat("Z").filter(|()| cursor.ends_cleanly()))
        .is_some()
    {
        return Some(Offset::UTC);
    }
    if let Some(sign) = cursor.eat_char(signs) {
        return numeric_offset(cursor, if sign == '-' { -1 } else { 1 });
    }
    cursor.blanks();
    if let Some(sign) = cursor.eat_char(&['+', '-']) {
        cursor
            .rest()
            .get(..4)
            .filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))?;
        return numeric_offset(cursor, if sign == '-' { -1 } else { 1 });
    }
    matches!(cursor.word()?.as_str(), "utc" | "gmt").then_some(Offset::UTC)
}

fn numeric_offset(cursor: &mut Cursor, sign: i64) -> Option<Offset> {
    let (hours, minutes) = match cursor.digits()? {
        (both, 4) => (both / 100, both % 100),
        (hours, 1 | 2) => (hours, cursor.attempt(sixtieth).unwrap_or(0)),
        _ => return None,
    };
    Offset::from_seconds(i32::try_from(sign * (hours * 3600 + minutes * 60)).ok()?).ok()
}
