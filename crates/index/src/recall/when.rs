//! Which time does a question speak of? "last week", "in May 2023", 上周: memories of then are worth more.

use std::ops::Range;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Span, ToSpan};
use memory_core::Timestamp;
use memory_text::terms;

/// Returns the stretch of time that a question names, if it names one.
pub(crate) fn period(question: &str, now: Timestamp) -> Option<Range<Timestamp>> {
    let today = now.to_zoned(TimeZone::UTC).date();
    let (from, to) = dated(question).or_else(|| relative(question, today))?;
    let start = |date: Date| {
        date.to_zoned(TimeZone::UTC)
            .ok()
            .map(|zoned| zoned.timestamp())
    };
    Some(start(from)?..start(to)?)
}

/// Reads a date, a month of a year or a year, in any way the analyser reads them.
fn dated(question: &str) -> Option<(Date, Date)> {
    let mut found: Option<(usize, (Date, Date))> = None;
    terms::each_term(question, |term, place| {
        let is_led = || {
            question[..place.start]
                .trim_end()
                .ends_with([' ', 'n', 'N', '在'])
                || place.start == 0
        };
        let stretch = match term.len() {
            10 => day(term).and_then(|day| stretch(day, 1.day())),
            7 => day(&format!("{term}-01")).and_then(|day| stretch(day, 1.month())),
            4 if is_led() => year(term),
            _ => None,
        };
        // The longest term is the most exact.
        if let Some(stretch) = stretch
            && found.is_none_or(|(length, _)| term.len() > length)
        {
            found = Some((term.len(), stretch));
        }
    });
    found.map(|(_, stretch)| stretch)
}

fn day(term: &str) -> Option<Date> {
    term.parse().ok()
}

fn year(term: &str) -> Option<(Date, Date)> {
    let year: i16 = term
        .parse()
        .ok()
        .filter(|year| (1970..2100).contains(year))?;
    stretch(Date::new(year, 1, 1).ok()?, 1.year())
}

fn stretch(from: Date, length: Span) -> Option<(Date, Date)> {
    Some((from, from.checked_add(length).ok()?))
}

/// What has a name of its own, and the days from today that it begins and ends with.
#[rustfmt::skip]
const NAMED: &[(&str, i32, i32)] = &[
    ("day before yesterday", -2, -1), ("yesterday", -1, 0), ("today", 0, 1), ("last night", -1, 1),
    ("前天", -2, -1), ("昨天", -1, 0), ("昨晚", -1, 0), ("今天", 0, 1),
];

/// What is one of several, each as long: how many before this one.
#[rustfmt::skip]
const TURNS: &[(&str, i32)] = &[
    ("last ", -1), ("past ", -1), ("previous ", -1), ("this ", 0), ("上个", -1), ("上一", -1), ("上", -1),
    ("这个", 0), ("这", 0), ("本", 0), ("去", -1), ("前", -2), ("今", 0),
];

#[derive(Clone, Copy)]
enum Unit {
    Day,
    Week,
    Month,
    Year,
}

#[rustfmt::skip]
const UNITS: &[(&str, Unit)] = &[
    ("day", Unit::Day), ("week", Unit::Week), ("month", Unit::Month), ("year", Unit::Year),
    ("天", Unit::Day), ("周", Unit::Week), ("星期", Unit::Week), ("礼拜", Unit::Week), ("个月", Unit::Month),
    ("月", Unit::Month), ("年", Unit::Year),
];

fn relative(question: &str, today: Date) -> Option<(Date, Date)> {
    let question = question.to_lowercase();
    let named = NAMED.iter().find(|(name, ..)| question.contains(name));
    if let Some((_, from, to)) = named {
        return Some((
            today.checked_add(from.days()).ok()?,
            today.checked_add(to.days()).ok()?,
        ));
    }
    ago(&question, today).or_else(|| in_turn(&question, today))
}

/// Reads "last week" and 上个月: a whole one of the calendar.
fn in_turn(question: &str, today: Date) -> Option<(Date, Date)> {
    TURNS.iter().find_map(|(lead, turns)| {
        question.match_indices(lead).find_map(|(at, _)| {
            let rest = &question[at + lead.len()..];
            let (_, unit) = UNITS.iter().find(|(name, _)| rest.starts_with(name))?;
            let first = begin(today, *unit)?;
            stretch(
                first.checked_add(length(*unit, *turns)).ok()?,
                length(*unit, 1),
            )
        })
    })
}

/// Reads "3 weeks ago" and 两周前: the unit around that day.
fn ago(question: &str, today: Date) -> Option<(Date, Date)> {
    let end = question.find(" ago").or_else(|| question.find('前'))?;
    let before = &question[..end];
    let (name, unit) = UNITS
        .iter()
        .find(|(name, _)| before.trim_end_matches('s').ends_with(name))?;
    let number = before.trim_end_matches('s').strip_suffix(name)?.trim_end();
    let count = count_at_end(number)?;
    let middle = today.checked_sub(length(*unit, count)).ok()?;
    let half = match unit {
        Unit::Day => 0,
        Unit::Week => 3,
        Unit::Month => 15,
        Unit::Year => 183,
    };
    Some((
        middle.checked_sub(half.days()).ok()?,
        middle.checked_add((half + 1).days()).ok()?,
    ))
}

fn count_at_end(text: &str) -> Option<i32> {
    const WORDS: &[(&str, i32)] = &[
        ("one", 1),
        ("two", 2),
        ("three", 3),
        ("four", 4),
        ("five", 5),
        ("six", 6),
        ("a couple of", 2),
        ("a", 1),
        ("一", 1),
        ("两", 2),
        ("二", 2),
        ("三", 3),
        ("四", 4),
        ("五", 5),
        ("六", 6),
        ("半", 1),
    ];
    let digits = text.len() - text.bytes().rev().take_while(u8::is_ascii_digit).count();
    text[digits..]
        .parse()
        .ok()
        .filter(|count| *count < 1000)
        .or_else(|| {
            WORDS
                .iter()
                .find(|(word, _)| text.ends_with(word))
                .map(|(_, count)| *count)
        })
}

fn begin(today: Date, unit: Unit) -> Option<Date> {
    match unit {
        Unit::Day => Some(today),
        Unit::Week => today
            .checked_sub(i32::from(today.weekday().to_monday_zero_offset()).days())
            .ok(),
        Unit::Month => Some(today.first_of_month()),
        Unit::Year => Some(today.first_of_year()),
    }
}

fn length(unit: Unit, count: i32) -> Span {
    match unit {
        Unit::Day => count.days(),
        Unit::Week => count.weeks(),
        Unit::Month => count.months(),
        Unit::Year => count.years(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A Wednesday.
    const NOW: &str = "2024-05-15T12:00:00Z";

    #[track_caller]
    fn check(question: &str, expected: Option<(&str, &str)>) {
        let found = period(question, NOW.parse().unwrap());
        let days = found.map(|period| (period.start.to_string(), period.end.to_string()));
        let expected =
            expected.map(|(from, to)| (format!("{from}T00:00:00Z"), format!("{to}T00:00:00Z")));
        assert_eq!(days, expected, "{question}");
    }

    #[test]
    fn dates_months_and_years_are_read() {
        check(
            "What happened on 8 May 2023?",
            Some(("2023-05-08", "2023-05-09")),
        );
        check(
            "who did I meet in May 2023",
            Some(("2023-05-01", "2023-06-01")),
        );
        check(
            "what did we decide in 2022?",
            Some(("2022-01-01", "2023-01-01")),
        );
        check("2023年5月8日发生了什么", Some(("2023-05-08", "2023-05-09")));
        check("the error 2041 of port 8080", None);
        check("what may happen", None);
    }

    #[test]
    fn times_before_now_are_read_in_both_languages() {
        check(
            "what did I say yesterday",
            Some(("2024-05-14", "2024-05-15")),
        );
        check("decisions of last week", Some(("2024-05-06", "2024-05-13")));
        check("this month's goals", Some(("2024-05-01", "2024-06-01")));
        check("the trip last year", Some(("2023-01-01", "2024-01-01")));
        check(
            "what was it two weeks ago?",
            Some(("2024-04-28", "2024-05-05")),
        );
        check("3 days ago", Some(("2024-05-12", "2024-05-13")));
        check("上周讨论了什么", Some(("2024-05-06", "2024-05-13")));
        check("上个月的计划", Some(("2024-04-01", "2024-05-01")));
        check("昨天的会议", Some(("2024-05-14", "2024-05-15")));
        check("去年的旅行", Some(("2023-01-01", "2024-01-01")));
        check("三天前说的", Some(("2024-05-12", "2024-05-13")));
        check("a long time ago", None);
        check("以前的项目", None);
        check("last one", None);
    }
}
