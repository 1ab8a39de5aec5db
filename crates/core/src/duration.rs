//! Lengths of time as people write them: `30d`, `168h`, `2h30m`, `90s`, `1w`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::Timestamp;

/// A length of time in whole seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Span(u64);

/// Longest span we accept: ten thousand years, which every time we can write outlives.
const LONGEST: u64 = 10_000 * 366 * 86_400;

const UNITS: [(char, u64); 5] = [
    ('w', 7 * 86_400),
    ('d', 86_400),
    ('h', 3_600),
    ('m', 60),
    ('s', 1),
];

impl Span {
    /// Returns a span of so many seconds.
    pub const fn seconds(seconds: u64) -> Self {
        Span(seconds)
    }

    /// Returns how many seconds it lasts.
    pub fn as_seconds(self) -> u64 {
        self.0
    }

    /// Returns the time this long after `now`, or the latest there is.
    pub fn after(self, now: Timestamp) -> Timestamp {
        let seconds = i64::try_from(self.0).unwrap_or(i64::MAX);
        Timestamp::from_second(now.as_second().saturating_add(seconds)).unwrap_or(Timestamp::MAX)
    }

    /// Returns the time this long before `now`, or the earliest there is.
    pub fn before(self, now: Timestamp) -> Timestamp {
        let seconds = i64::try_from(self.0).unwrap_or(i64::MAX);
        Timestamp::from_second(now.as_second().saturating_sub(seconds)).unwrap_or(Timestamp::MIN)
    }
}

/// A text that is no length of time.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{text}' is not a duration such as 30d, 168h, 2h30m or 90s")]
pub struct BadSpan {
    text: String,
}

impl FromStr for Span {
    type Err = BadSpan;

    fn from_str(text: &str) -> Result<Self, BadSpan> {
        total(text).map(Span).ok_or_else(|| BadSpan {
            text: text.to_owned(),
        })
    }
}

fn total(text: &str) -> Option<u64> {
    let mut rest = text.trim();
    let mut sum: u64 = 0;
    let mut allowed = &UNITS[..];
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit())?;
        let count: u64 = rest[..digits].parse().ok()?;
        let unit = rest[digits..].chars().next()?;
        let place = allowed.iter().position(|(name, _)| *name == unit)?;
        sum = sum.checked_add(count.checked_mul(allowed[place].1)?)?;
        allowed = &allowed[place + 1..];
        rest = &rest[digits + unit.len_utf8()..];
    }
    (!text.trim().is_empty() && sum <= LONGEST).then_some(sum)
}

impl TryFrom<String> for Span {
    type Error = BadSpan;

    fn try_from(text: String) -> Result<Self, BadSpan> {
        text.parse()
    }
}

impl From<Span> for String {
    fn from(span: Span) -> String {
        span.to_string()
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == 0 {
            return f.write_str("0s");
        }
        let mut left = self.0;
        // Weeks are read, but days are what people count in: 30d, not 4w2d.
        for (name, size) in &UNITS[1..] {
            if left >= *size {
                write!(f, "{}{name}", left / size)?;
                left %= size;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, seconds: Option<u64>) {
        assert_eq!(
            text.parse::<Span>().ok().map(Span::as_seconds),
            seconds,
            "{text}"
        );
    }

    #[test]
    fn spans_are_read_as_people_write_them() {
        check("30d", Some(2_592_000));
        check("168h", Some(604_800));
        check("2h30m", Some(9_000));
        check("90s", Some(90));
        check("1w", Some(604_800));
        check(" 5m ", Some(300));
        check("0s", Some(0));
    }

    #[test]
    fn what_is_no_span_is_refused() {
        for text in [
            "",
            "30",
            "d",
            "30x",
            "-1d",
            "1.5h",
            "30d30d",
            "1s1h",
            "99999999999999999999d",
            "9999999d",
        ] {
            check(text, None);
        }
    }

    #[test]
    fn a_span_is_written_as_it_can_be_read() {
        for seconds in [0, 1, 60, 9_000, 604_800, 2_592_001] {
            assert_eq!(
                Span::seconds(seconds).to_string().parse(),
                Ok(Span::seconds(seconds))
            );
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "\\PC{0,20}") {
            let _ = text.parse::<Span>();
        }
    }
}
