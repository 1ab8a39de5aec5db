//! `.[k]`, `.[a:b]` and `has(k)`: one step into a value.

use super::{Array, Items, Object, Value, describe, equal};
use crate::budget;
use crate::error::LimitKind;
use crate::stop::Stop;

/// What `value[key]` gives.
pub(crate) fn index(value: &Value, key: &Value) -> Result<Value, Stop> {
    match (value, key) {
        (Value::Object(object), Value::String(key)) => {
            Ok(object.get(key.as_str()).cloned().unwrap_or_default())
        }
        (Value::Array(array), Value::Number(number)) => {
            Ok(item_at(array, number.value()).cloned().unwrap_or_default())
        }
        (Value::Array(_) | Value::String(_), Value::Object(bounds)) => {
            slice(value, &bound(bounds, "start")?, &bound(bounds, "end")?)
        }
        (Value::Array(array), Value::Array(part)) => Ok(positions(array, part)?),
        (Value::Null, Value::String(_) | Value::Number(_) | Value::Object(_)) => Ok(Value::Null),
        _ => Err(cannot_index(value, key)?),
    }
}

pub(crate) fn cannot_index(value: &Value, key: &Value) -> Result<Stop, LimitKind> {
    Ok(Stop::error(format!(
        "Cannot index {} with {}",
        value.kind(),
        describe(key)?
    )))
}

/// A bound of a slice that came as an object; it must be there, if only as null.
pub(super) fn bound(bounds: &Object, name: &str) -> Result<Value, Stop> {
    bounds.get(name).cloned().ok_or_else(bad_bounds)
}

fn bad_bounds() -> Stop {
    Stop::error("Array/string slice indices must be integers")
}

/// The item at a place that may be negative or broken.
fn item_at(array: &Array, place: f64) -> Option<&Value> {
    array.items().get(place_in(array.len(), place)?)
}

/// A place counted from the start, if there can be one.
pub(super) fn place_in(len: usize, place: f64) -> Option<usize> {
    let place = place.trunc();
    let place = if place < 0.0 {
        place + len as f64
    } else {
        place
    };
    // `nan` is neither.
    (place >= 0.0).then_some(place as usize)
}

/// What `value[from:upto]` gives.
fn slice(value: &Value, from: &Value, upto: &Value) -> Result<Value, Stop> {
    match value {
        Value::Array(array) => {
            let (start, end) = range(array.len(), from, upto)?;
            Ok(Value::Array(array.slice(start..end)?))
        }
        Value::String(text) => {
            let text = text.as_str();
            budget::spend_for(text.len() / 4)?;
            let (start, end) = range(text.chars().count(), from, upto)?;
            let byte_at = |place| {
                text.char_indices()
                    .nth(place)
                    .map_or(text.len(), |(at, _)| at)
            };
            Ok(Value::string(&text[byte_at(start)..byte_at(end)])?)
        }
        _ => {
            let bounds = Object::from_entries([("start", from.clone()), ("end", upto.clone())])?;
            Err(cannot_index(value, &Value::Object(bounds))?)
        }
    }
}

/// The bounds of a slice within something `len` long, start not after end.
pub(super) fn range(len: usize, from: &Value, upto: &Value) -> Result<(usize, usize), Stop> {
    let clamp = |place: f64| {
        let place = if place < 0.0 {
            place + len as f64
        } else {
            place
        };
        place.clamp(0.0, len as f64)
    };
    let start = match from {
        Value::Null => 0.0,
        Value::Number(number) => clamp(number.value()).floor(),
        _ => return Err(bad_bounds()),
    };
    let end = match upto {
        Value::Null => len as f64,
        Value::Number(number) if number.value().is_nan() => len as f64,
        Value::Number(number) => clamp(number.value()).ceil(),
        _ => return Err(bad_bounds()),
    };
    // A start that is no number becomes zero here.
    let (start, end) = (start as usize, end as usize);
    Ok((start.min(end), end))
}

/// Where an array holds another one as a run of items.
fn positions(array: &Array, part: &Array) -> Result<Value, LimitKind> {
    let mut found = Items::new()?;
    if part.len() > 0 {
        for (place, window) in array.items().windows(part.len()).enumerate() {
            if all_equal(window, part.items())? {
                found.push(Value::count(place))?;
            }
        }
    }
    found.finish()
}

fn all_equal(left: &[Value], right: &[Value]) -> Result<bool, LimitKind> {
    for (left, right) in left.iter().zip(right) {
        if !equal(left, right)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether a value has a key.
pub(crate) fn has_key(value: &Value, key: &Value) -> Result<bool, Stop> {
    match (value, key) {
        (Value::Object(object), Value::String(key)) => Ok(object.get(key.as_str()).is_some()),
        (Value::Array(array), Value::Number(place)) => {
            let place = place.value();
            Ok(place >= 0.0 && place < array.len() as f64)
        }
        (Value::Null, _) => Ok(false),
        _ => Err(Stop::error(format!(
            "Cannot check whether {} has a {} key",
            value.kind(),
            key.kind()
        ))),
    }
}
