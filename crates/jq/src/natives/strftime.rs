//! `strftime`: a moment as text, in the C locale.

use super::time::Moment;
use crate::budget;
use crate::error::LimitKind;

pub(super) const DAYS: [&str; 7] = [
    "Sunday",
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
];

pub(super) const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// The widest a field can be made.
const WIDTH: usize = 1_024;

/// Writes a moment; what is no directive is copied.
pub(super) fn strftime(format: &str, moment: &Moment, zone: &str) -> Result<String, LimitKind> {
    let mut text = String::new();
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        budget::spend(1)?;
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        let (directive, after) = Directive::read(rest);
        match directive.and_then(|directive| directive.write(moment, zone)) {
            Some(written) => text.push_str(&written),
            None => text.push_str(&rest[..rest.len() - after.len()]),
        }
        rest = after;
    }
    text.push_str(rest);
    Ok(text)
}

/// `%`, flags, width and a letter.
struct Directive {
    letter: char,
    padding: Option<char>,
    unpadded: bool,
    upper: bool,
    width: Option<usize>,
}

impl Directive {
    /// The directive a text starts with, if it is whole, and what comes after it.
    fn read(text: &str) -> (Option<Self>, &str) {
        let mut directive = Directive {
            letter: '%',
            padding: None,
            unpadded: false,
            upper: false,
            width: None,
        };
        let mut rest = &text[1..];
        loop {
            let mut characters = rest.chars();
            let Some(next) = characters.next() else {
                return (None, rest);
            };
            rest = characters.as_str();
            match next {
                '_' => directive.padding = Some(' '),
                '0' if directive.width.is_none() => directive.padding = Some('0'),
                '-' => directive.unpadded = true,
                '^' | '#' => directive.upper = true,
                '0'..='9' => {
                    let digit = next.to_digit(10).unwrap_or(0) as usize;
                    let width = directive.width.unwrap_or(0) * 10 + digit;
                    directive.width = Some(width.min(WIDTH));
                }
                // Alternative forms are the plain ones in the C locale.
                'E' | 'O' => {}
                letter => {
                    directive.letter = letter;
                    return (Some(directive), rest);
                }
            }
        }
    }

    fn write(&self, moment: &Moment, zone: &str) -> Option<String> {
        if let Some((number, width, padding)) = number(self.letter, moment) {
            return Some(self.pad_number(number, width, padding));
        }
        let text = match self.letter {
            'a' => DAYS[moment.weekday() as usize][..3].to_owned(),
            'A' => DAYS[moment.weekday() as usize].to_owned(),
            'b' | 'h' => MONTHS[moment.month as usize][..3].to_owned(),
            'B' => MONTHS[moment.month as usize].to_owned(),
            'p' => (if moment.hour < 12 { "AM" } else { "PM" }).to_owned(),
            'P' => (if moment.hour < 12 { "am" } else { "pm" }).to_owned(),
            'n' => "\n".to_owned(),
            't' => "\t".to_owned(),
            '%' => "%".to_owned(),
            'z' => "+0000".to_owned(),
            'Z' => zone.to_owned(),
            letter => strftime(composed(letter)?, moment, zone).ok()?,
        };
        let text = if self.upper {
            text.to_uppercase()
        } else {
            text
        };
        let width = self.width.unwrap_or(0);
        Some(format!("{text:>width$}"))
    }

    fn pad_number(&self, number: i64, width: usize, padding: char) -> String {
        let width = if self.unpadded {
            0
        } else {
            self.width.unwrap_or(0).max(width)
        };
        match self.padding.unwrap_or(padding) {
            ' ' => format!("{number:>width$}"),
            _ => format!("{number:0>width$}"),
        }
    }
}

/// A directive that stands for others.
fn composed(letter: char) -> Option<&'static str> {
    Some(match letter {
        'c' => "%a %b %e %H:%M:%S %Y",
        'D' | 'x' => "%m/%d/%y",
        'F' => "%Y-%m-%d",
        'r' => "%I:%M:%S %p",
        'R' => "%H:%M",
        'T' | 'X' => "%H:%M:%S",
        _ => return None,
    })
}

/// The number of a directive, its width and what fills it.
fn number(letter: char, moment: &Moment) -> Option<(i64, usize, char)> {
    let (week_year, week) = iso_week(moment);
    let twelve = (moment.hour + 11) % 12 + 1;
    Some(match letter {
        'C' => (moment.year.div_euclid(100), 2, '0'),
        'd' => (moment.day, 2, '0'),
        'e' => (moment.day, 2, ' '),
        'g' => (week_year.rem_euclid(100), 2, '0'),
        'G' => (week_year, 0, '0'),
        'H' => (moment.hour, 2, '0'),
        'I' => (twelve, 2, '0'),
        'j' => (moment.day_of_year() + 1, 3, '0'),
        'k' => (moment.hour, 2, ' '),
        'l' => (twelve, 2, ' '),
        'm' => (moment.month + 1, 2, '0'),
        'M' => (moment.minute, 2, '0'),
        's' => (moment.seconds(), 0, '0'),
        'S' => (moment.second, 2, '0'),
        'u' => ((moment.weekday() + 6) % 7 + 1, 1, '0'),
        'U' => ((moment.day_of_year() + 7 - moment.weekday()) / 7, 2, '0'),
        'V' => (week, 2, '0'),
        'w' => (moment.weekday(), 1, '0'),
        'W' => (
            (moment.day_of_year() + 7 - (moment.weekday() + 6) % 7) / 7,
            2,
            '0',
        ),
        'y' => (moment.year.rem_euclid(100), 2, '0'),
        'Y' => (moment.year, 0, '0'),
        _ => return None,
    })
}

/// Year and number of the ISO 8601 week: the one that holds the week's Thursday.
fn iso_week(moment: &Moment) -> (i64, i64) {
    let from_monday = (moment.weekday() + 6) % 7;
    let thursday = Moment {
        day: moment.day + 3 - from_monday,
        ..*moment
    };
    let thursday = Moment::from_seconds(thursday.seconds());
    (thursday.year, thursday.day_of_year() / 7 + 1)
}
