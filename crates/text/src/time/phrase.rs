//! What does a whole phrase say? Days and clocks that stand side by side become one.
//!
//! Each language knows its own days and clocks; this file alone knows how they combine, so that
//! "tomorrow 下午3点" and "5月8日 (Fri) 9am" are read as well as phrases of one language.

use super::calendar::Day;
use super::clock::{Clock, Part};
use super::cursor::Cursor;
use super::english::Lead;
use super::length::Length;
use super::reading::{ClockReading, DayReading, Stands};
use super::{chinese, digits, english};

/// A whole phrase, as far as it can be understood without knowing when it was said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phrase {
    /// So much time from now.
    Elapsed {
        seconds: i64,
    },
    OnDay {
        day: Day,
        clock: Option<Clock>,
    },
    AtClock {
        clock: Clock,
    },
    /// Told as past, whatever the day: since Monday.
    Past,
}

impl Phrase {
    pub(super) fn names_clock(&self) -> bool {
        match self {
            Phrase::Elapsed { .. } | Phrase::AtClock { .. } => true,
            Phrase::OnDay { clock, .. } => clock.is_some(),
            Phrase::Past => false,
        }
    }

    fn led_by(self, lead: Option<Lead>) -> Self {
        if lead == Some(Lead::Since) {
            Phrase::Past
        } else {
            self
        }
    }
}

/// Reads the phrase that begins at the cursor.
pub(super) fn read(cursor: &mut Cursor) -> Option<Phrase> {
    let phrase = cursor
        .attempt(length_first)
        .or_else(|| cursor.attempt(day_first))
        .or_else(|| cursor.attempt(clock_first))?;
    chinese::deadline(cursor);
    Some(phrase)
}

fn length_first(cursor: &mut Cursor) -> Option<Phrase> {
    let length = in_either(cursor, chinese::length, english::length)?;
    match length {
        Length::Seconds(seconds) => Some(Phrase::Elapsed { seconds }),
        Length::Day(day) => Some(Phrase::OnDay {
            day,
            clock: cursor.attempt(clock_beside_day),
        }),
    }
}

fn day_first(cursor: &mut Cursor) -> Option<Phrase> {
    let lead = english::lead(cursor);
    let reading = day(cursor)?;
    let reading = cursor
        .attempt(|cursor| repeated_day(cursor, reading))
        .unwrap_or(reading);
    let beside = cursor.attempt(clock_beside_day);
    if !cursor.ends_cleanly() || !reading.stands.is_believed(lead.is_some(), beside.is_some()) {
        return None;
    }
    let clock = match beside {
        Some(clock) => Some(clock.within(reading.part)),
        None => reading.part.map(Clock::of_part),
    };
    Some(
        Phrase::OnDay {
            day: reading.day,
            clock,
        }
        .led_by(lead),
    )
}

fn clock_first(cursor: &mut Cursor) -> Option<Phrase> {
    let lead = english::lead(cursor);
    let reading = clock(cursor, lead)?;
    let beside = cursor.attempt(day_beside_clock);
    if !reading.stands.is_believed(lead.is_some(), beside.is_some()) {
        return None;
    }
    let phrase = match beside {
        Some(day) => Phrase::OnDay {
            day: day.day,
            clock: Some(reading.clock.within(day.part)),
        },
        None => Phrase::AtClock {
            clock: reading.clock,
        },
    };
    Some(phrase.led_by(lead))
}

/// Reads with the grammar of the language that is written here; digits may be of either.
fn in_either<'t, T>(
    cursor: &mut Cursor<'t>,
    chinese: impl FnOnce(&mut Cursor<'t>) -> Option<T>,
    english: impl FnOnce(&mut Cursor<'t>) -> Option<T>,
) -> Option<T> {
    match cursor.peek()? {
        'a'..='z' | 'A'..='Z' => cursor.attempt(english),
        '0'..='9' | '０'..='９' => cursor.attempt(chinese).or_else(|| cursor.attempt(english)),
        _ => cursor.attempt(chinese),
    }
}

fn day(cursor: &mut Cursor) -> Option<DayReading> {
    cursor
        .attempt(digits::date)
        .or_else(|| in_either(cursor, chinese::day, english::day))
}

/// Reads a clock, and the end of the stretch when it begins one: 10:00-11:30, 2-3pm, 三点到五点.
fn clock(cursor: &mut Cursor, lead: Option<Lead>) -> Option<ClockReading> {
    let mut reading = one_clock(cursor)?;
    if let Some(end) = cursor.attempt(|cursor| end_of_stretch(cursor, lead)) {
        reading = begin_stretch(reading, end);
    }
    cursor.ends_cleanly().then_some(reading)
}

fn one_clock(cursor: &mut Cursor) -> Option<ClockReading> {
    in_either(cursor, chinese::clock, english::clock)
}

fn end_of_stretch(cursor: &mut Cursor, lead: Option<Lead>) -> Option<Clock> {
    cursor.blanks();
    if cursor
        .eat_char(&['-', '–', '—', '~', '～', '至', '到'])
        .is_none()
    {
        let joins = match cursor.word()?.as_str() {
            "to" | "until" => true,
            "and" => lead == Some(Lead::Between),
            _ => false,
        };
        joins.then_some(())?;
    }
    cursor.blanks();
    let end = one_clock(cursor).filter(|end| end.stands != Stands::Bare)?;
    cursor.ends_cleanly().then_some(end.clock)
}

/// "2-3pm" begins at 2pm, "11-1pm" does not begin at 11pm.
fn begin_stretch(reading: ClockReading, end: Clock) -> ClockReading {
    let mut clock = reading.clock;
    if let (None, Some(part @ (Part::Am | Part::Pm)), Some(first), Some(last)) =
        (clock.part, end.part, clock.hands, end.hands)
        && first.hour <= last.hour
    {
        clock.part = Some(part);
    }
    ClockReading {
        clock,
        stands: Stands::Alone,
    }
}

/// What separates a day from the clock that belongs to it.
#[derive(PartialEq, Eq)]
enum Pause {
    Space,
    Mark,
    Bracket,
    Line,
}

fn pause(cursor: &mut Cursor) -> Pause {
    cursor.blanks();
    let mark = cursor.eat_char(&[',', '，', ':', '：', '(', '（', '-', '–', '—', '的']);
    cursor.blanks();
    if cursor.eat_any(&["\r\n", "\n"]).is_some() {
        cursor.blanks();
        return Pause::Line;
    }
    match mark {
        None | Some('的') => Pause::Space,
        Some('(' | '（') => Pause::Bracket,
        Some(_) => Pause::Mark,
    }
}

/// Reads the clock that belongs to the day before it.
fn clock_beside_day(cursor: &mut Cursor) -> Option<Clock> {
    if let Some(clock) = digits::clock_of_stamp(cursor) {
        return Some(clock);
    }
    let pause = pause(cursor);
    let lead = english::lead(cursor);
    let reading = clock(cursor, lead)?;
    let is_led = lead.is_some();
    let is_believed = match pause {
        Pause::Space => reading.stands.is_believed(is_led, true),
        Pause::Mark | Pause::Bracket => reading.stands.is_believed(is_led, is_led),
        Pause::Line => is_led,
    };
    if pause == Pause::Bracket {
        cursor.eat_char(&[')', '）']);
    }
    is_believed.then_some(reading.clock)
}

/// Reads the day that belongs to the clock before it. Chinese never puts them in this order.
fn day_beside_clock(cursor: &mut Cursor) -> Option<DayReading> {
    let start = cursor.place();
    cursor.blanks();
    if cursor.place() == start {
        return None;
    }
    english::lead(cursor);
    let reading = cursor
        .attempt(digits::date)
        .or_else(|| cursor.attempt(english::day))?;
    cursor.ends_cleanly().then_some(reading)
}

/// Reads the second of two names of one day, "Friday, May 8" or 5月8日（周五）; the date counts.
fn repeated_day(cursor: &mut Cursor, first: DayReading) -> Option<DayReading> {
    cursor.blanks();
    let mark = cursor.eat_char(&[',', '，']);
    cursor.blanks();
    let bracket = cursor.eat_char(&['(', '（']);
    let second = day(cursor).filter(|second| second.stands != Stands::Beside)?;
    if bracket.is_some() {
        cursor.eat_char(&[')', '）'])?;
    }
    let part = second.part.or(first.part);
    if first.day.is_weekday() && second.day.is_date() {
        return Some(DayReading {
            part,
            ..DayReading::sure(second.day)
        });
    }
    let is_repeated = bracket.is_some() || (mark.is_none() && first.day.is_date());
    (is_repeated && second.day.is_weekday()).then_some(DayReading { part, ..first })
}
