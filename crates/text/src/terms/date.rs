//! Dates in words, digits and Chinese as the same terms: `2023-05-08`, `2023-05` and `05-08`.

use std::ops::Range;

use super::Visit;

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// The stems under which the months are found as words.
const MONTH_STEMS: [&str; 12] = [
    "januari", "februari", "march", "april", "may", "june", "juli", "august", "septemb", "octob",
    "novemb", "decemb",
];

/// What is known of a date.
#[derive(Clone, Copy)]
struct Date {
    year: Option<u32>,
    month: u32,
    day: Option<u32>,
}

impl Date {
    fn new(year: Option<u32>, month: u32, day: Option<u32>) -> Option<Self> {
        let is_possible = (1..=12).contains(&month)
            && day.is_none_or(|day| (1..=31).contains(&day))
            && year.is_none_or(|year| (1000..3000).contains(&year));
        is_possible.then_some(Date { year, month, day })
    }

    fn each_term(self, place: &Range<usize>, visit: &mut impl Visit) {
        let Date { year, month, day } = self;
        if let Some(year) = year {
            visit(&format!("{year}-{month:02}"), place.clone());
        }
        if let Some(day) = day {
            visit(&format!("{month:02}-{day:02}"), place.clone());
        }
        if let (Some(year), Some(day)) = (year, day) {
            visit(&format!("{year}-{month:02}-{day:02}"), place.clone());
        }
    }
}

/// Tells the date that a word is the centre of: the month in "8 May, 2023", the first number of 2023年5月8日.
pub(super) fn around(text: &str, place: Range<usize>, visit: &mut impl Visit) {
    let word = &text[place.clone()];
    match word.as_bytes()[0] {
        b'0'..=b'9' if word.len() <= 4 => chinese(text, &place, visit),
        first if first.is_ascii_alphabetic() && (3..=9).contains(&word.len()) => {
            if let Some(month) = month_named(word) {
                english(text, month, &place, visit);
            }
        }
        _ => {}
    }
}

fn month_named(word: &str) -> Option<u32> {
    let first = word.as_bytes().first()?.to_ascii_lowercase();
    // Of most words this is all that is asked.
    let is_named = |name: &&str| name.as_bytes()[0] == first && is_month(name, word);
    MONTHS.iter().position(is_named).map(|at| at as u32 + 1)
}

fn is_month(name: &str, word: &str) -> bool {
    name.eq_ignore_ascii_case(word)
        || (word.len() == 3 && name[..3].eq_ignore_ascii_case(word))
        || word.eq_ignore_ascii_case("sept") && name.starts_with("sept")
}

fn english(text: &str, month: u32, place: &Range<usize>, visit: &mut impl Visit) {
    let mut whole = place.clone();
    let mut day = day_before(&text[..place.start]);
    if let Some((_, length)) = day {
        whole.start -= length;
    } else if let Some((after, length)) = number_after(&text[whole.end..], 2) {
        day = Some((after, length));
        whole.end += length;
    }
    let year = number_after(&text[whole.end..], 4);
    whole.end += year.map_or(0, |(_, length)| length);
    let (year, day) = (year.map(|found| found.0), day.map(|found| found.0));
    if (year.is_some() || day.is_some())
        && let Some(date) = Date::new(year, month, day)
    {
        date.each_term(&whole, visit);
        let is_short = !MONTHS[month as usize - 1].eq_ignore_ascii_case(&text[place.clone()]);
        if is_short {
            visit(MONTH_STEMS[month as usize - 1], place.clone());
        }
    }
}

/// Returns the number that follows, with up to so many digits, and how many bytes that takes.
fn number_after(text: &str, most: usize) -> Option<(u32, usize)> {
    let rest = text.trim_start_matches([' ', ',', '.']);
    let skipped = text.len() - rest.len();
    if skipped == 0 || skipped > 2 {
        return None;
    }
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let is_right = if most == 4 {
        digits == 4
    } else {
        (1..=most).contains(&digits)
    };
    let after = rest.as_bytes().get(digits);
    let is_clock = most < 4 && matches!(after, Some(b':'));
    if !is_right || is_clock {
        return None;
    }
    let number = rest[..digits].parse().ok()?;
    let ordinal = ["st", "nd", "rd", "th"]
        .iter()
        .any(|ending| rest[digits..].starts_with(ending));
    Some((number, skipped + digits + if ordinal { 2 } else { 0 }))
}

/// Returns the day that stands before a month, "8" or "8th of", and how many bytes that takes.
fn day_before(text: &str) -> Option<(u32, usize)> {
    let rest = text.strip_suffix([' ', '-'])?;
    let rest = rest.strip_suffix(" of").unwrap_or(rest);
    let rest = ["st", "nd", "rd", "th"]
        .iter()
        .find_map(|ending| rest.strip_suffix(ending))
        .unwrap_or(rest);
    let digits = rest.bytes().rev().take_while(u8::is_ascii_digit).count();
    let start = rest.len() - digits;
    let is_apart = !rest[..start].ends_with([':', '.', ',', '/', '-']);
    if !(1..=2).contains(&digits) || !is_apart {
        return None;
    }
    let number = rest[start..].parse().ok()?;
    Some((number, text.len() - start))
}

fn chinese(text: &str, place: &Range<usize>, visit: &mut impl Visit) {
    let first = text[place.clone()].parse().ok();
    let rest = &text[place.end..];
    let found = match rest.chars().next() {
        Some('年') => unit(&rest[3..], &["月"]).and_then(|(month, length)| {
            let day = unit(&rest[3 + length..], &["日", "号", "號"]);
            let end = 3 + length + day.map_or(0, |(_, length)| length);
            Some((Date::new(first, month, day.map(|found| found.0))?, end))
        }),
        // After a year this is a part of a date that has been told.
        Some('月') if !text[..place.start].ends_with('年') => {
            unit(&rest[3..], &["日", "号", "號"])
                .and_then(|(day, length)| Some((Date::new(None, first?, Some(day))?, 3 + length)))
        }
        _ => None,
    };
    if let Some((date, length)) = found {
        let whole = place.start..place.end + length;
        visit(MONTH_STEMS[date.month as usize - 1], whole.clone());
        date.each_term(&whole, visit);
    }
}

/// Returns a number of one or two digits before a unit, and how many bytes both take.
fn unit(text: &str, units: &[&str]) -> Option<(u32, usize)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let unit = units
        .iter()
        .find(|unit| text[digits..].starts_with(*unit))?;
    if digits > 2 {
        return None;
    }
    let number = text[..digits].parse().ok()?;
    Some((number, digits + unit.len()))
}

/// Tells the date that is written as 2023-05-08, 2023/5/8 or 2023-05, and what it is in words; says whether it is one.
pub(super) fn written_in_digits(whole: &str, place: &Range<usize>, visit: &mut impl Visit) -> bool {
    let mut numbers = whole.split(['-', '/', '.']);
    let year = numbers
        .next()
        .filter(|year| year.len() == 4)
        .and_then(|year| year.parse().ok());
    let month = numbers
        .next()
        .filter(|month| month.len() <= 2)
        .and_then(|month| month.parse().ok());
    let day = match numbers.next() {
        Some(day) => match leading_day(day) {
            Some(day) => Some(day),
            None => return false,
        },
        None if whole.contains('-') => None,
        None => return false,
    };
    let date = year
        .zip(month)
        .and_then(|(year, month)| Date::new(Some(year), month, day));
    let (Some(date), None) = (date, numbers.next()) else {
        return false;
    };
    for number in [date.day, date.year].into_iter().flatten() {
        visit(&number.to_string(), place.clone());
    }
    visit(MONTH_STEMS[date.month as usize - 1], place.clone());
    date.each_term(place, visit);
    true
}

/// Reads the day of 2023-05-08 and of 2023-05-08T13:56.
fn leading_day(text: &str) -> Option<u32> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let is_whole = digits == text.len() || text[digits..].starts_with('T');
    if (1..=2).contains(&digits) && is_whole {
        text[..digits].parse().ok()
    } else {
        None
    }
}
