//! How does English name a day? Tomorrow, next Monday, the end of the month.
//!
//! Dates with the name of a month are in `dates`.

use jiff::civil::Weekday;

use super::words::{part, weekday};
use super::{dates, words};
use crate::time::calendar::{Day, MonthDay, Which};
use crate::time::clock::Part;
use crate::time::cursor::{Cursor, Word};
use crate::time::digits;
use crate::time::reading::{DayReading, Stands};

/// Reads a day, and a part of it that is named right behind: "tomorrow morning".
pub(in crate::time) fn day(cursor: &mut Cursor) -> Option<DayReading> {
    let mut reading = if cursor.at_digit() {
        dates::day_then_month(cursor)
    } else {
        day_in_words(cursor)
    }?;
    if reading.part.is_none()
        && let Some(part) = cursor.then(|cursor| part(cursor.word()?.as_str()))
    {
        reading.part = Some(part);
        reading.stands = Stands::Alone;
    }
    Some(reading)
}

fn day_in_words(cursor: &mut Cursor) -> Option<DayReading> {
    let word = cursor.word()?;
    match word.as_str() {
        "today" => Some(DayReading::sure(Day::TODAY)),
        "tomorrow" | "tmr" | "tmrw" => Some(DayReading::sure(Day::in_days(1))),
        "yesterday" => Some(DayReading::sure(Day::in_days(-1))),
        "tonight" => Some(DayReading::in_part(Day::TODAY, Part::Night)),
        "day" => around_the_day(cursor),
        "the" => cursor.then(with_article),
        "next" => cursor.then(next),
        "this" => cursor.then(this),
        "last" | "past" => cursor.then(last),
        "coming" => cursor.then(|cursor| coming(cursor.word()?)),
        "end" => cursor.then(|cursor| of_period(cursor, MonthDay::Last)),
        "start" | "beginning" => cursor.then(|cursor| of_period(cursor, MonthDay::FIRST)),
        _ => bare_weekday(cursor, word).or_else(|| dates::month_then_day(cursor, word)),
    }
}

/// Reads the rest of "day after tomorrow" and "day before yesterday".
fn around_the_day(cursor: &mut Cursor) -> Option<DayReading> {
    if cursor
        .then(|cursor| cursor.eat_words(&["after", "tomorrow"]))
        .is_some()
    {
        return Some(DayReading::sure(Day::in_days(2)));
    }
    cursor.then(|cursor| cursor.eat_words(&["before", "yesterday"]))?;
    Some(DayReading::sure(Day::in_days(-2)))
}

fn with_article(cursor: &mut Cursor) -> Option<DayReading> {
    if cursor.at_digit() {
        return dates::ordinal_day(cursor);
    }
    cursor
        .attempt(|cursor| match cursor.word()?.as_str() {
            "day" => around_the_day(cursor),
            "weekend" => Some(DayReading::led(Day::Weekend {
                week: Which::Coming,
            })),
            "end" => cursor.then(|cursor| of_period(cursor, MonthDay::Last)),
            "start" | "beginning" => cursor.then(|cursor| of_period(cursor, MonthDay::FIRST)),
            "last" => cursor.then(last),
            "coming" => cursor.then(|cursor| coming(cursor.word()?)),
            _ => None,
        })
        .or_else(|| dates::ordinal_day(cursor))
}

fn next(cursor: &mut Cursor) -> Option<DayReading> {
    let word = cursor.word()?;
    let day = match word.as_str() {
        "week" => {
            let weekday = cursor.then(weekday_of_week).unwrap_or(Weekday::Monday);
            Day::OfWeek { weeks: 1, weekday }
        }
        "weekend" => Day::Weekend {
            week: Which::After(1),
        },
        "month" => {
            let day = cursor
                .then(dates::day_of_month)
                .map_or(MonthDay::FIRST, MonthDay::Number);
            Day::OfMonth {
                month: Which::After(1),
                day,
            }
        }
        "year" => Day::OfYear {
            year: Which::After(1),
            month: 1,
            day: MonthDay::FIRST,
        },
        name => Day::OfWeek {
            weeks: 1,
            weekday: weekday(name)?.0,
        },
    };
    Some(DayReading::sure(day))
}

/// Reads the day in "next week on Monday".
fn weekday_of_week(cursor: &mut Cursor) -> Option<Weekday> {
    super::lead(cursor);
    Some(weekday(cursor.word()?.as_str())?.0)
}

fn this(cursor: &mut Cursor) -> Option<DayReading> {
    let word = cursor.word()?;
    match word.as_str() {
        "coming" => cursor.then(|cursor| coming(cursor.word()?)),
        "past" => cursor.then(last),
        "weekend" => Some(DayReading::sure(Day::Weekend {
            week: Which::Coming,
        })),
        name => match part(name) {
            Some(part) => Some(DayReading::in_part(Day::TODAY, part)),
            None => {
                let (weekday, _) = weekday(name)?;
                Some(DayReading::sure(Day::OfWeek { weeks: 0, weekday }))
            }
        },
    }
}

fn coming(word: Word) -> Option<DayReading> {
    let day = match word.as_str() {
        "weekend" => Day::Weekend {
            week: Which::Coming,
        },
        name => Day::Coming {
            weekday: weekday(name)?.0,
            weeks_on: 0,
        },
    };
    Some(DayReading::sure(day))
}

/// Reads what follows "last": a day that is over, or the last day of something.
fn last(cursor: &mut Cursor) -> Option<DayReading> {
    let word = cursor.word()?;
    let day = match word.as_str() {
        "day" => return cursor.then(|cursor| of_period(cursor, MonthDay::Last)),
        "night" => return Some(DayReading::in_part(Day::in_days(-1), Part::Night)),
        "week" | "weekend" => Day::in_days(-7),
        "month" => Day::in_months(-1),
        "year" => Day::in_months(-12),
        name => Day::Coming {
            weekday: weekday(name)?.0,
            weeks_on: -1,
        },
    };
    Some(DayReading::sure(day))
}

/// Reads the period whose first or last day is meant: "of next month", "of June 2027".
fn of_period(cursor: &mut Cursor, day: MonthDay) -> Option<DayReading> {
    cursor.eat_word("of")?;
    cursor.space()?;
    let mut word = cursor.word()?;
    let ahead = match word.as_str() {
        "next" => 1,
        "the" | "this" => 0,
        _ => return named_period(cursor, word, day).map(DayReading::sure),
    };
    cursor.space()?;
    word = cursor.word()?;
    period(word.as_str(), ahead, day).map(DayReading::sure)
}

fn named_period(cursor: &mut Cursor, word: Word, day: MonthDay) -> Option<Day> {
    let Some(month) = words::month(word.as_str()) else {
        return period(word.as_str(), 0, day);
    };
    Some(match cursor.then(digits::year) {
        Some(year) => Day::InYear { year, month, day },
        None => Day::OfYear {
            year: Which::Coming,
            month,
            day,
        },
    })
}

/// The working week ends on Friday: a reminder on Sunday would come too late.
fn period(word: &str, ahead: i64, day: MonthDay) -> Option<Day> {
    let is_end = day == MonthDay::Last;
    match word {
        "week" => {
            let weekday = if is_end {
                Weekday::Friday
            } else {
                Weekday::Monday
            };
            Some(Day::OfWeek {
                weeks: ahead,
                weekday,
            })
        }
        "month" => Some(Day::OfMonth {
            month: Which::After(ahead),
            day,
        }),
        "year" => Some(Day::OfYear {
            year: Which::After(ahead),
            month: if is_end { 12 } else { 1 },
            day,
        }),
        _ => None,
    }
}

/// Reads what may follow the name of a weekday: "next week", or the end of a stretch of days.
fn bare_weekday(cursor: &mut Cursor, word: Word) -> Option<DayReading> {
    let (weekday, is_short) = weekday(word.as_str())?;
    if is_short {
        cursor.attempt(abbreviation_point);
    }
    if cursor.attempt(end_of_stretch).is_some() {
        return Some(DayReading::sure(Day::Stretch));
    }
    if let Some(weeks) = cursor.then(week_of_weekday) {
        return Some(DayReading::sure(Day::OfWeek { weeks, weekday }));
    }
    // "Sat" and "sun" are words of their own, and so is whatever is not written with a capital.
    let is_word = matches!(weekday, Weekday::Saturday | Weekday::Sunday) || !word.is_capital;
    let day = Day::Coming {
        weekday,
        weeks_on: 0,
    };
    Some(if is_short && is_word {
        DayReading::led(day)
    } else {
        DayReading::sure(day)
    })
}

/// The point of "Tue. at 5pm", but not the one that ends a sentence.
fn abbreviation_point(cursor: &mut Cursor) -> Option<()> {
    cursor.eat(".")?;
    let mut ahead = *cursor;
    ahead.blanks();
    ahead
        .peek()
        .filter(|next| next.is_ascii_lowercase() || next.is_ascii_digit())
        .map(drop)
}

fn end_of_stretch(cursor: &mut Cursor) -> Option<()> {
    cursor.blanks();
    let is_dash = cursor.eat_char(&['-', '–', '—']).is_some();
    if !is_dash {
        matches!(cursor.word()?.as_str(), "to" | "through" | "thru").then_some(())?;
    }
    cursor.blanks();
    weekday(cursor.word()?.as_str()).map(drop)
}

fn week_of_weekday(cursor: &mut Cursor) -> Option<i64> {
    cursor.attempt(|cursor| {
        cursor.eat_word("of")?;
        cursor.space()
    });
    if cursor.eat_words(&["next", "week"]).is_some() {
        return Some(1);
    }
    cursor.eat_words(&["this", "week"]).map(|()| 0)
}
