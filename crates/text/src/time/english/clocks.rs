//! How does English tell the time of day? 3:30 pm, noon, half past three, in the morning.

use super::words::part;
use crate::time::clock::{Clock, Hands, Part};
use crate::time::cursor::Cursor;
use crate::time::reading::{ClockReading, Stands};
use crate::time::{digits, doubt, numbers};

pub(in crate::time) fn clock(cursor: &mut Cursor) -> Option<ClockReading> {
    let mut reading = if cursor.at_digit() {
        clock_in_digits(cursor)
    } else {
        clock_in_words(cursor)
    }?;
    if reading.clock.part.is_none()
        && let Some(part) = cursor.then(part_with_article)
    {
        reading.clock.part = Some(part);
        reading.stands = Stands::Alone;
    }
    if reading.stands != Stands::Bare {
        reading.clock.offset = cursor.attempt(|cursor| digits::offset(cursor, &['+']));
    }
    Some(reading)
}

fn sure(hands: Hands, part: Option<Part>) -> ClockReading {
    ClockReading {
        clock: Clock {
            part,
            ..Clock::of_hands(hands)
        },
        stands: Stands::Alone,
    }
}

fn clock_in_digits(cursor: &mut Cursor) -> Option<ClockReading> {
    cursor
        .attempt(clock_with_colon)
        .or_else(|| cursor.attempt(clock_with_point))
        .or_else(|| {
            let hour = cursor.two_digits()?;
            hour_alone(cursor, hour)
        })
}

fn clock_with_colon(cursor: &mut Cursor) -> Option<ClockReading> {
    let before = cursor.before();
    let written = cursor.rest();
    let hands = digits::hands(cursor)?;
    if let Some(half) = cursor.attempt(half_of_day) {
        return Some(sure(hands, Some(half)));
    }
    let written = written.get(..written.len() - cursor.rest().len())?;
    let stands = doubt::stands_of_hands(before, written, cursor.rest());
    Some(ClockReading {
        clock: Clock::of_hands(hands),
        stands,
    })
}

/// The British "3.30pm". Without the letters it is a price or a version.
fn clock_with_point(cursor: &mut Cursor) -> Option<ClockReading> {
    let hour = cursor.two_digits()?;
    cursor.eat(".")?;
    let (minute, _) = cursor.digits().filter(|(_, count)| *count == 2)?;
    let half = half_of_day(cursor)?;
    Some(sure(Hands::spoken(hour, minute), Some(half)))
}

/// What follows an hour without minutes: "am", "o'clock", or nothing.
fn hour_alone(cursor: &mut Cursor, hour: i64) -> Option<ClockReading> {
    let hands = Hands::spoken(hour, 0);
    if let Some(half) = cursor.attempt(half_of_day) {
        return Some(sure(hands, Some(half)));
    }
    if cursor.attempt(oclock).is_some() {
        return Some(sure(hands, None));
    }
    if hour == 12 && cursor.then(|cursor| cursor.eat_word("noon")).is_some() {
        return Some(sure(hands, Some(Part::Noon)));
    }
    (hour <= 24).then(|| ClockReading {
        clock: Clock::of_hands(hands),
        stands: Stands::Bare,
    })
}

fn oclock(cursor: &mut Cursor) -> Option<()> {
    cursor.space();
    (cursor.letters()?.as_str() == "o").then_some(())?;
    cursor.eat_char(&['\'', '’'])?;
    cursor.eat_word("clock")
}

/// Reads "am", "PM", "p.m.".
fn half_of_day(cursor: &mut Cursor) -> Option<Part> {
    cursor.blanks();
    let half = match cursor.letters()?.as_str() {
        "am" => return Some(Part::Am),
        "pm" => return Some(Part::Pm),
        "a" => Part::Am,
        "p" => Part::Pm,
        _ => return None,
    };
    cursor.eat(".")?;
    cursor.eat_char(&['m', 'M'])?;
    cursor.eat(".");
    Some(half)
}

fn clock_in_words(cursor: &mut Cursor) -> Option<ClockReading> {
    cursor
        .attempt(named)
        .or_else(|| cursor.attempt(closing))
        .or_else(|| cursor.attempt(around_the_hour))
        .or_else(|| cursor.attempt(bare_part))
        .or_else(|| {
            let hour = numbers::read_english(cursor).filter(|hour| (1..=12).contains(hour))?;
            hour_alone(cursor, hour)
        })
}

fn named(cursor: &mut Cursor) -> Option<ClockReading> {
    let part = match cursor.word()?.as_str() {
        "noon" | "midday" => Part::Noon,
        "midnight" => Part::Midnight,
        "eod" | "cob" => {
            return Some(ClockReading {
                clock: Clock::of_part(Part::Closing),
                stands: Stands::Alone,
            });
        }
        _ => return None,
    };
    Some(ClockReading {
        clock: Clock::of_part(part),
        stands: Stands::Led,
    })
}

/// Reads "end of day". "At the end of the day" is a figure of speech, so more is needed around it.
fn closing(cursor: &mut Cursor) -> Option<ClockReading> {
    let is_figure = before_ends_with(cursor, "at the ") || before_ends_with(cursor, "at ");
    cursor
        .eat_words(&["the", "end"])
        .or_else(|| cursor.eat_word("end"))
        .or_else(|| cursor.eat_word("close"))?;
    cursor.space()?;
    cursor.eat_word("of")?;
    cursor.then(|cursor| cursor.eat_word("the"));
    cursor.space()?;
    matches!(cursor.word()?.as_str(), "day" | "business").then_some(())?;
    let stands = if is_figure {
        Stands::Beside
    } else {
        Stands::Led
    };
    Some(ClockReading {
        clock: Clock::of_part(Part::Closing),
        stands,
    })
}

/// Reads "half past three", "a quarter to five".
fn around_the_hour(cursor: &mut Cursor) -> Option<ClockReading> {
    cursor.attempt(|cursor| {
        cursor.eat_word("a")?;
        cursor.space()
    });
    let minutes = match cursor.word()?.as_str() {
        "half" => 30,
        "quarter" => 15,
        _ => return None,
    };
    cursor.space()?;
    let is_past = match cursor.word()?.as_str() {
        "past" | "after" => true,
        "to" => false,
        _ => return None,
    };
    cursor.space()?;
    let hour = if cursor.at_digit() {
        cursor.two_digits()
    } else {
        numbers::read_english(cursor)
    }?;
    let half = cursor.attempt(half_of_day);
    let hands = match (is_past, hour) {
        (true, hour) => Hands::spoken(hour, minutes),
        (false, 1) => Hands::spoken(12, 60 - minutes),
        (false, hour) => Hands::spoken(hour - 1, 60 - minutes),
    };
    (1..=12).contains(&hour).then(|| sure(hands, half))
}

/// Reads "in the morning", which is a time beside a day, or when somebody is to be called then.
fn bare_part(cursor: &mut Cursor) -> Option<ClockReading> {
    let stands = if before_ends_with(cursor, " me ") {
        Stands::Alone
    } else {
        Stands::Beside
    };
    let part = part_with_article(cursor)?;
    Some(ClockReading {
        clock: Clock::of_part(part),
        stands,
    })
}

fn part_with_article(cursor: &mut Cursor) -> Option<Part> {
    if cursor.eat_words(&["at", "night"]).is_some() {
        return Some(Part::Night);
    }
    cursor.eat_words(&["in", "the"])?;
    cursor.space()?;
    part(cursor.word()?.as_str())
}

fn before_ends_with(cursor: &Cursor, end: &str) -> bool {
    let before = cursor.before().as_bytes();
    let start = before.len().saturating_sub(end.len());
    before
        .get(start..)
        .is_some_and(|last| last.eq_ignore_ascii_case(end.as_bytes()))
}
