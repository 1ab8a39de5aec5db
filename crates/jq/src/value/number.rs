//! Numbers: doubles, and literals whose digits a double would lose.

use std::cmp::Ordering;
use std::rc::Rc;

use super::decimal::Decimal;

/// A number.
///
/// Invariant: a literal prints differently from its double, so that `1.10` keeps its zero until
/// something is calculated with it.
#[derive(Debug, Clone)]
pub(crate) enum Number {
    Double(f64),
    Literal(Rc<Literal>),
}

#[derive(Debug)]
pub(crate) struct Literal {
    decimal: Decimal,
    double: f64,
}

/// Digits an integer may have to be exact as a double without a look at its digits.
const SAFE_DIGITS: usize = 15;

impl Number {
    /// Reads a number as JSON writes it, or with a point or sign at either end.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let is_plain = digits.len() <= SAFE_DIGITS
            && !digits.is_empty()
            && !(digits.starts_with('0') && digits.len() > 1)
            && digits.bytes().all(|byte| byte.is_ascii_digit());
        if is_plain {
            return text.parse().ok().map(Number::Double);
        }
        // Most decimals are written as their double prints; then no digit can be lost.
        match text.parse() {
            Ok(double) if print_double(double) == text => Some(Number::Double(double)),
            _ => Some(Number::from_decimal(Decimal::parse(text)?)),
        }
    }

    fn from_decimal(decimal: Decimal) -> Self {
        let double = decimal.to_double();
        if print_double(double) == decimal.print() {
            return Number::Double(double);
        }
        Number::Literal(Rc::new(Literal { decimal, double }))
    }

    pub(crate) fn value(&self) -> f64 {
        match self {
            Number::Double(value) => *value,
            Number::Literal(literal) => literal.double,
        }
    }

    /// The same number with the other sign; a literal keeps its digits.
    pub(crate) fn negated(&self) -> Self {
        match self {
            Number::Double(0.0) => Number::Double(0.0),
            Number::Double(value) => Number::Double(-value),
            Number::Literal(literal) => Number::from_decimal(literal.decimal.negated()),
        }
    }

    pub(crate) fn is_same(&self, other: &Number) -> bool {
        match (self, other) {
            (Number::Double(left), Number::Double(right)) => left == right,
            (Number::Literal(left), Number::Literal(right)) => Rc::ptr_eq(left, right),
            _ => false,
        }
    }

    /// Compares two numbers; `nan` is less than everything, itself included.
    pub(crate) fn compare(&self, other: &Number) -> Ordering {
        if let (Number::Literal(left), Number::Literal(right)) = (self, other) {
            return left.decimal.compare(&right.decimal);
        }
        self.value()
            .partial_cmp(&other.value())
            .unwrap_or(if self.value().is_nan() {
                Ordering::Less
            } else {
                Ordering::Greater
            })
    }

    pub(crate) fn print(&self) -> String {
        match self {
            Number::Double(value) => print_double(*value),
            Number::Literal(literal) => literal.decimal.print(),
        }
    }
}

impl From<f64> for Number {
    fn from(value: f64) -> Self {
        Number::Double(value)
    }
}

/// A double in the fewest digits that give it back; no number is printed as null, and what is
/// infinite as the largest double.
fn print_double(value: f64) -> String {
    if value.is_nan() {
        return "null".to_owned();
    }
    let value = value.clamp(f64::MIN, f64::MAX);
    if value == value.trunc() && value.abs() < 1e15 && (value != 0.0 || value.is_sign_positive()) {
        return format!("{}", value as i64);
    }
    let shortest = format!("{value:e}");
    let (mantissa, exponent) = shortest.split_once('e').unwrap_or((&shortest, "0"));
    let (sign, mantissa) = mantissa
        .strip_prefix('-')
        .map_or(("", mantissa), |rest| ("-", rest));
    let digits = mantissa.replace('.', "");
    let point = exponent.parse::<i64>().unwrap_or(0) + 1;
    format!("{sign}{}", place_point(&digits, point))
}

/// Digits with the decimal point after the first `point` of them, in jq's choice of form.
fn place_point(digits: &str, point: i64) -> String {
    let count = digits.len() as i64;
    if point <= -4 || point > count + 15 {
        let (first, rest) = digits.split_at(1);
        let dot = if rest.is_empty() { "" } else { "." };
        let exponent = point - 1;
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{first}{dot}{rest}e{sign}{:02}", exponent.abs());
    }
    if point <= 0 {
        return format!("0.{}{digits}", "0".repeat(point.unsigned_abs() as usize));
    }
    if point >= count {
        return format!("{digits}{}", "0".repeat((point - count) as usize));
    }
    let (whole, fraction) = digits.split_at(point as usize);
    format!("{whole}.{fraction}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(value: f64, printed: &str) {
        assert_eq!(print_double(value), printed);
    }

    #[test]
    fn doubles_print_as_jq_prints_them() {
        check(0.1 + 0.2, "0.30000000000000004");
        check(1e15, "1000000000000000");
        check(1e16, "1e+16");
        check(1e17, "1e+17");
        check(123456789012345680.0, "123456789012345680");
        check(1e-4, "0.0001");
        check(1e-5, "1e-05");
        check(1.5e-10, "1.5e-10");
        check(5e-324, "5e-324");
        check(-0.0, "-0");
        check(f64::INFINITY, "1.7976931348623157e+308");
        check(f64::NAN, "null");
        check(3.0, "3");
    }

    #[test]
    fn a_literal_is_kept_only_where_a_double_would_print_otherwise() {
        assert!(matches!(Number::parse("3.5"), Some(Number::Double(_))));
        assert!(matches!(Number::parse("3.50"), Some(Number::Literal(_))));
        assert!(matches!(
            Number::parse("9007199254740993"),
            Some(Number::Literal(_))
        ));
    }
}
