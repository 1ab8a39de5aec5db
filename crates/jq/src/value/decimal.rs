//! Numbers as they were written: digits and an exponent, printed and compared without loss.
//!
//! Nothing is calculated with them: arithmetic takes their nearest double.

use std::cmp::Ordering;
use std::fmt::Write;

/// Digits a written number keeps when it becomes a double.
const DOUBLE_DIGITS: usize = 17;

/// Exponents past this are taken as this; both ends are far outside a double's range.
const EXPONENT: i64 = 999_999_999;

/// A decimal number `±digits × 10^exponent`.
///
/// Invariant: `digits` holds at least one digit, and no leading zero unless it is the only digit.
#[derive(Debug, Clone)]
pub(crate) struct Decimal {
    negative: bool,
    digits: String,
    exponent: i64,
}

impl Decimal {
    /// Reads `[-+]digits[.digits][e±digits]`; the digits may be missing on one side of the point.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (negative, rest) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let (mantissa, power) = match rest.find(['e', 'E']) {
            Some(at) => (&rest[..at], parse_exponent(&rest[at + 1..])?),
            None => (rest, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if whole.len() + fraction.len() == 0 || !is_number(whole) || !is_number(fraction) {
            return None;
        }
        let digits = format!("{whole}{fraction}");
        let digits = match digits.trim_start_matches('0') {
            "" => "0".to_owned(),
            digits => digits.to_owned(),
        };
        let exponent = power.saturating_sub(fraction.len() as i64);
        Some(Decimal {
            negative,
            digits,
            exponent,
        })
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.digits == "0" || self.digits.bytes().all(|digit| digit == b'0')
    }

    /// The power of ten of the first digit.
    fn magnitude(&self) -> i64 {
        self.exponent + self.digits.len() as i64 - 1
    }

    /// The nearest double, by way of its first seventeen digits, as jq takes it.
    pub(crate) fn to_double(&self) -> f64 {
        let (digits, exponent) = self.rounded();
        let sign = if self.negative { "-" } else { "" };
        format!("{sign}{digits}e{exponent}")
            .parse()
            .unwrap_or(f64::NAN)
    }

    /// At most seventeen digits, rounded half to even.
    fn rounded(&self) -> (String, i64) {
        if self.digits.len() <= DOUBLE_DIGITS {
            return (self.digits.clone(), self.exponent);
        }
        let (kept, cut) = self.digits.split_at(DOUBLE_DIGITS);
        let number: u64 = kept.parse().unwrap_or(u64::MAX);
        let half = Ordering::then(cut[..1].cmp("5"), cut[1..].trim_end_matches('0').cmp(""));
        let up = half.is_gt() || half.is_eq() && number % 2 == 1;
        (
            number.saturating_add(u64::from(up)).to_string(),
            self.exponent + cut.len() as i64,
        )
    }

    /// The same number with the other sign; zero has none.
    pub(crate) fn negated(&self) -> Self {
        let negative = !self.negative && !self.is_zero();
        Decimal {
            negative,
            ..self.clone()
        }
    }

    /// Compares by value: `1.0` equals `1`.
    pub(crate) fn compare(&self, other: &Self) -> Ordering {
        match (self.is_zero(), other.is_zero()) {
            (true, true) => return Ordering::Equal,
            (true, false) => {
                return if other.negative {
                    Ordering::Greater
                } else {
                    Ordering::Less
                };
            }
            (false, true) => {
                return if self.negative {
                    Ordering::Less
                } else {
                    Ordering::Greater
                };
            }
            (false, false) => {}
        }
        match (self.negative, other.negative) {
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
            (false, false) => self.compare_magnitude(other),
            (true, true) => other.compare_magnitude(self),
        }
    }

    fn compare_magnitude(&self, other: &Self) -> Ordering {
        let by_digits = || {
            self.digits
                .trim_end_matches('0')
                .cmp(other.digits.trim_end_matches('0'))
        };
        self.magnitude()
            .cmp(&other.magnitude())
            .then_with(by_digits)
    }

    /// The number in the form of the General Decimal Arithmetic specification's
    /// to-scientific-string, which keeps every digit.
    pub(crate) fn print(&self) -> String {
        let sign = if self.negative { "-" } else { "" };
        let magnitude = self.magnitude();
        if self.exponent > 0 || magnitude < -6 {
            return format!("{sign}{}", self.scientific(magnitude));
        }
        if self.exponent == 0 {
            return format!("{sign}{}", self.digits);
        }
        let point = self.digits.len() as i64 + self.exponent;
        if point > 0 {
            let (whole, fraction) = self.digits.split_at(point as usize);
            return format!("{sign}{whole}.{fraction}");
        }
        let zeros = "0".repeat(point.unsigned_abs() as usize);
        format!("{sign}0.{zeros}{}", self.digits)
    }

    fn scientific(&self, magnitude: i64) -> String {
        let (first, rest) = self.digits.split_at(1);
        let point = if rest.is_empty() { "" } else { "." };
        let mut text = format!("{first}{point}{rest}");
        if magnitude != 0 {
            // Writing to a string cannot fail.
            let _ = write!(text, "E{magnitude:+}");
        }
        text
    }
}

fn parse_exponent(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let power = digits.parse().unwrap_or(EXPONENT).min(EXPONENT);
    Some(if negative { -power } else { power })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(written: &str, printed: &str) {
        assert_eq!(Decimal::parse(written).unwrap().print(), printed);
    }

    #[test]
    fn a_written_number_keeps_its_digits() {
        check("1.10", "1.10");
        check("1.0e2", "1.0E+2");
        check("1e2", "1E+2");
        check("0.0000001", "1E-7");
        check("0.00001", "0.00001");
        check("00012", "12");
        check("-0.0", "-0.0");
        check("0e10", "0E+10");
        check(".5", "0.5");
        check("1.", "1");
    }

    #[test]
    fn numbers_are_compared_by_value() {
        let compare = |left, right| {
            Decimal::parse(left)
                .unwrap()
                .compare(&Decimal::parse(right).unwrap())
        };
        assert_eq!(compare("1.0", "1"), Ordering::Equal);
        assert_eq!(
            compare("100000000000000000001", "100000000000000000002"),
            Ordering::Less
        );
        assert_eq!(compare("-2", "-10"), Ordering::Greater);
        assert_eq!(compare("0.0", "-0"), Ordering::Equal);
    }
}
