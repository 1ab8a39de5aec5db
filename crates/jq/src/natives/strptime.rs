//! `strptime`: text into a moment, in the C locale.

use super::strftime::{DAYS, MONTHS};
use super::time::Moment;

/// What a text says of a moment.
pub(super) struct Parsed<'a> {
    /// The year is 1900 and the day 0 where the text says nothing of them.
    pub(super) moment: Moment,
    pub(super) weekday: Option<i64>,
    /// What the format left of the text.
    pub(super) rest: &'a str,
}

/// Reads a text; none if it does not match the format.
pub(super) fn strptime<'a>(format: &str, text: &'a str) -> Option<Parsed<'a>> {
    let mut reader = Reader {
        moment: Moment {
            year: 1900,
            ..Moment::default()
        },
        weekday: None,
        day_of_year: None,
        century: None,
        afternoon: None,
        rest: text,
    };
    reader.read(format, 0)?;
    Some(reader.finish())
}

struct Reader<'a> {
    moment: Moment,
    weekday: Option<i64>,
    day_of_year: Option<i64>,
    century: Option<i64>,
    afternoon: Option<bool>,
    rest: &'a str,
}

/// How deeply directives stand for others: `%c` for `%T` for `%H`.
const NESTING: usize = 3;

impl<'a> Reader<'a> {
    fn read(&mut self, format: &str, nesting: usize) -> Option<()> {
        let mut characters = format.chars();
        while let Some(next) = characters.next() {
            if next.is_ascii_whitespace() {
                self.skip_space();
            } else if next != '%' {
                self.rest = self.rest.strip_prefix(next)?;
            } else {
                let letter =
                    characters.find(|c| !matches!(c, 'E' | 'O' | '-' | '_' | '0' | '^' | '#'))?;
                self.directive(letter, nesting)?;
            }
        }
        Some(())
    }

    fn skip_space(&mut self) {
        self.rest = self
            .rest
            .trim_start_matches(|c: char| c.is_ascii_whitespace());
    }

    fn directive(&mut self, letter: char, nesting: usize) -> Option<()> {
        match letter {
            'Y' => self.moment.year = self.number(4, 0..=9999)?,
            'C' => self.century = Some(self.number(2, 0..=99)?),
            'y' => {
                let year = self.number(2, 0..=99)?;
                self.moment.year = if year >= 69 { 1900 + year } else { 2000 + year };
            }
            'm' => self.moment.month = self.number(2, 1..=12)? - 1,
            'd' | 'e' => self.moment.day = self.number(2, 1..=31)?,
            'H' | 'k' => self.hour(0..=23)?,
            'I' | 'l' => {
                self.hour(1..=12)?;
                self.moment.hour %= 12;
                self.afternoon = self.afternoon.or(Some(false));
            }
            'M' => self.moment.minute = self.number(2, 0..=59)?,
            'S' => self.moment.second = self.number(2, 0..=61)?,
            'j' => self.day_of_year = Some(self.number(3, 1..=366)? - 1),
            'u' => self.weekday = Some(self.number(1, 1..=7)? % 7),
            'w' => self.weekday = Some(self.number(1, 0..=6)?),
            'U' | 'W' | 'V' => drop(self.number(2, 0..=53)?),
            'G' => drop(self.number(4, 0..=9999)?),
            'g' => drop(self.number(2, 0..=99)?),
            's' => self.seconds()?,
            'a' | 'A' => self.weekday = Some(self.name(&DAYS)?),
            'b' | 'B' | 'h' => self.moment.month = self.name(&MONTHS)?,
            'p' | 'P' => self.afternoon = Some(self.half()?),
            'n' | 't' => self.skip_space(),
            '%' => self.rest = self.rest.strip_prefix('%')?,
            'z' => self.offset()?,
            'Z' => {
                self.skip_space();
                self.rest = self
                    .rest
                    .trim_start_matches(|c: char| !c.is_ascii_whitespace());
            }
            letter if nesting < NESTING => self.read(composed(letter)?, nesting + 1)?,
            _ => return None,
        }
        Some(())
    }

    /// A number of at most so many digits within a range.
    fn number(&mut self, digits: usize, range: std::ops::RangeInclusive<i64>) -> Option<i64> {
        self.skip_space();
        let length = self
            .rest
            .bytes()
            .take(digits)
            .take_while(u8::is_ascii_digit)
            .count();
        let number = self.rest[..length].parse().ok()?;
        self.rest = &self.rest[length..];
        range.contains(&number).then_some(number)
    }

    fn hour(&mut self, range: std::ops::RangeInclusive<i64>) -> Option<()> {
        self.moment.hour = self.number(2, range)?;
        Some(())
    }

    fn seconds(&mut self) -> Option<()> {
        let length = self
            .rest
            .bytes()
            .take(15)
            .take_while(u8::is_ascii_digit)
            .count();
        let seconds = self.rest[..length].parse().ok()?;
        self.rest = &self.rest[length..];
        self.moment = Moment::from_seconds(seconds);
        Some(())
    }

    /// The place of a name in a list, whole or by its first three letters.
    fn name(&mut self, names: &[&str]) -> Option<i64> {
        let starts = |name: &str| {
            self.rest
                .get(..name.len())
                .is_some_and(|start| start.eq_ignore_ascii_case(name))
        };
        let place = names.iter().position(|name| starts(&name[..3]))?;
        let length = if starts(names[place]) {
            names[place].len()
        } else {
            3
        };
        self.rest = &self.rest[length..];
        Some(place as i64)
    }

    fn half(&mut self) -> Option<bool> {
        let afternoon = match self.rest.get(..2)?.to_ascii_lowercase().as_str() {
            "am" => false,
            "pm" => true,
            _ => return None,
        };
        self.rest = &self.rest[2..];
        Some(afternoon)
    }

    /// An offset from UTC, which is read and, as in jq, not minded.
    fn offset(&mut self) -> Option<()> {
        self.skip_space();
        if let Some(rest) = self.rest.strip_prefix('Z') {
            self.rest = rest;
            return Some(());
        }
        self.rest = self.rest.strip_prefix(['+', '-'])?;
        let hours = self
            .rest
            .bytes()
            .take(2)
            .take_while(u8::is_ascii_digit)
            .count();
        if hours < 2 {
            return None;
        }
        self.rest = &self.rest[2..];
        let minutes = self.rest.strip_prefix(':').unwrap_or(self.rest);
        if minutes
            .bytes()
            .take(2)
            .take_while(u8::is_ascii_digit)
            .count()
            == 2
        {
            self.rest = &minutes[2..];
        }
        Some(())
    }

    fn finish(mut self) -> Parsed<'a> {
        if self.afternoon == Some(true) && self.moment.hour < 12 {
            self.moment.hour += 12;
        }
        if let Some(century) = self.century {
            self.moment.year = century * 100 + self.moment.year.rem_euclid(100);
        }
        if let (Some(day), 0) = (self.day_of_year, self.moment.day) {
            let first = Moment {
                month: 0,
                day: day + 1,
                ..self.moment
            };
            self.moment = Moment::from_seconds(first.seconds());
        }
        Parsed {
            moment: self.moment,
            weekday: self.weekday,
            rest: self.rest,
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
