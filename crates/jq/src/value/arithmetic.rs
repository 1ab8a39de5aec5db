//! `+`, `-`, `*`, `/`, `%` and the sign, on every kind of value that knows them.

use super::{Array, Items, Number, Object, Text, Value, describe, equal};
use crate::budget::{self, Charge};
use crate::stop::Stop;

/// The longest string that repeating may ask for; a memory bound usually comes first.
const REPEATED_BYTES: f64 = i32::MAX as f64;

pub(crate) fn add(left: Value, right: Value) -> Result<Value, Stop> {
    match (left, right) {
        (Value::Null, other) | (other, Value::Null) => Ok(other),
        (Value::Number(left), Value::Number(right)) => {
            Ok(Value::number(left.value() + right.value()))
        }
        (Value::String(left), Value::String(right)) => {
            Ok(Value::String(left.append(right.as_str())?))
        }
        (Value::Array(left), Value::Array(right)) => Ok(Value::Array(left.append(right.items())?)),
        (Value::Object(left), Value::Object(right)) => Ok(Value::Object(join(left, &right)?)),
        (left, right) => Err(cannot(&left, &right, "be added")),
    }
}

/// All entries of both; those of the right one win.
fn join(mut left: Object, right: &Object) -> Result<Object, Stop> {
    budget::spend_for(right.len() * 4)?;
    for (key, value) in right.entries() {
        left.insert(key.clone(), value.clone())?;
    }
    Ok(left)
}

pub(crate) fn subtract(left: Value, right: Value) -> Result<Value, Stop> {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => {
            Ok(Value::number(left.value() - right.value()))
        }
        (Value::Array(left), Value::Array(right)) => without(left, &right),
        (left, right) => Err(cannot(&left, &right, "be subtracted")),
    }
}

/// The items of the left array that are not in the right one.
fn without(left: Array, right: &Array) -> Result<Value, Stop> {
    let mut kept = Vec::new();
    'items: for item in left.into_items()? {
        for other in right.items() {
            if equal(&item, other)? {
                continue 'items;
            }
        }
        kept.push(item);
    }
    Ok(Value::array(kept)?)
}

pub(crate) fn multiply(left: Value, right: Value) -> Result<Value, Stop> {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => {
            Ok(Value::number(left.value() * right.value()))
        }
        (Value::String(text), Value::Number(times))
        | (Value::Number(times), Value::String(text)) => repeat(&text, &times),
        (Value::Object(left), Value::Object(right)) => Ok(Value::Object(merge(left, &right)?)),
        (left, right) => Err(cannot(&left, &right, "be multiplied")),
    }
}

fn repeat(text: &Text, times: &Number) -> Result<Value, Stop> {
    let times = times.value();
    if times < 0.0 || times.is_nan() {
        return Ok(Value::Null);
    }
    let bytes = times.trunc() * text.as_str().len() as f64;
    if bytes >= REPEATED_BYTES {
        return Err(Stop::error("Repeat string result too long"));
    }
    // Holds the room for a moment, so that a string past the bound is never begun.
    drop(Charge::new(bytes as usize)?);
    Ok(Value::string(text.as_str().repeat(times as usize))?)
}

/// Like [`join`], but objects under the same key are merged in turn.
fn merge(mut left: Object, right: &Object) -> Result<Object, Stop> {
    budget::spend_for(right.len() * 4)?;
    for (key, value) in right.entries() {
        let value = match (left.get(key.as_str()), value) {
            (Some(Value::Object(_)), Value::Object(theirs)) => {
                let Value::Object(ours) = left.take(key.as_str())? else {
                    continue;
                };
                Value::Object(merge(ours, theirs)?)
            }
            _ => value.clone(),
        };
        left.insert(key.clone(), value)?;
    }
    Ok(left)
}

pub(crate) fn divide(left: Value, right: Value) -> Result<Value, Stop> {
    match (&left, &right) {
        (Value::Number(dividend), Value::Number(divisor)) => {
            if divisor.value() == 0.0 {
                return Err(cannot(
                    &left,
                    &right,
                    "be divided because the divisor is zero",
                ));
            }
            Ok(Value::number(dividend.value() / divisor.value()))
        }
        (Value::String(text), Value::String(separator)) => split(text.as_str(), separator.as_str()),
        _ => Err(cannot(&left, &right, "be divided")),
    }
}

/// The pieces of a text between separators; its characters if the separator is empty.
pub(crate) fn split(text: &str, separator: &str) -> Result<Value, Stop> {
    budget::spend_for(text.len() / 4)?;
    if text.is_empty() {
        return Ok(Value::array(Vec::new())?);
    }
    let mut pieces = Items::new()?;
    if separator.is_empty() {
        let mut buffer = [0; 4];
        for character in text.chars() {
            pieces.push(Value::string(&*character.encode_utf8(&mut buffer))?)?;
        }
    } else {
        for piece in text.split(separator) {
            pieces.push(Value::string(piece)?)?;
        }
    }
    Ok(pieces.finish()?)
}

pub(crate) fn remainder(left: Value, right: Value) -> Result<Value, Stop> {
    let (Value::Number(dividend), Value::Number(divisor)) = (&left, &right) else {
        return Err(cannot(&left, &right, "be divided (remainder)"));
    };
    let (dividend, divisor) = (dividend.value(), divisor.value());
    if dividend.is_nan() || divisor.is_nan() {
        return Ok(Value::number(f64::NAN));
    }
    // `as` keeps what is too large at the ends of the range.
    let (dividend, divisor) = (dividend as i64, divisor as i64);
    if divisor == 0 {
        return Err(cannot(
            &left,
            &right,
            "be divided (remainder) because the divisor is zero",
        ));
    }
    Ok(Value::number(dividend.wrapping_rem(divisor) as f64))
}

pub(crate) fn negate(value: &Value) -> Result<Value, Stop> {
    match value {
        Value::Number(number) => Ok(Value::Number(number.negated())),
        _ => Err(Stop::error(format!(
            "{} cannot be negated",
            describe(value)?
        ))),
    }
}

fn cannot(left: &Value, right: &Value, what: &str) -> Stop {
    match (describe(left), describe(right)) {
        (Ok(left), Ok(right)) => Stop::error(format!("{left} and {right} cannot {what}")),
        (Err(limit), _) | (_, Err(limit)) => Stop::Limit(limit),
    }
}
