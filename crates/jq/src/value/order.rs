//! Which of two values comes first, and sorting by it.
//!
//! null, false, true, numbers, strings, arrays, objects; objects by their sorted keys, then by
//! the values in that order.

use std::cmp::Ordering;

use super::{Object, Value};
use crate::budget::{self, Charge};
use crate::error::LimitKind;

/// Compares two values in jq's order.
pub(crate) fn compare(left: &Value, right: &Value) -> Result<Ordering, LimitKind> {
    Ok(match (left, right) {
        (Value::Number(left), Value::Number(right)) => left.compare(right),
        (Value::String(left), Value::String(right)) => {
            budget::spend(left.as_str().len().min(right.as_str().len()) as u64 / 256)?;
            left.as_str().cmp(right.as_str())
        }
        (Value::Array(left), Value::Array(right)) => compare_items(left.items(), right.items())?,
        (Value::Object(left), Value::Object(right)) => compare_objects(left, right)?,
        _ => rank(left).cmp(&rank(right)),
    })
}

pub(crate) fn equal(left: &Value, right: &Value) -> Result<bool, LimitKind> {
    budget::spend(1)?;
    match (left, right) {
        (Value::Array(left), Value::Array(right)) if left.len() != right.len() => Ok(false),
        (Value::Object(left), Value::Object(right)) if left.len() != right.len() => Ok(false),
        _ => Ok(compare(left, right)?.is_eq()),
    }
}

fn rank(value: &Value) -> u8 {
    match value {
        Value::Null => 0,
        Value::Bool(false) => 1,
        Value::Bool(true) => 2,
        Value::Number(_) => 3,
        Value::String(_) => 4,
        Value::Array(_) => 5,
        Value::Object(_) => 6,
    }
}

fn compare_items(left: &[Value], right: &[Value]) -> Result<Ordering, LimitKind> {
    for (left, right) in left.iter().zip(right) {
        budget::spend(1)?;
        let order = compare(left, right)?;
        if order.is_ne() {
            return Ok(order);
        }
    }
    Ok(left.len().cmp(&right.len()))
}

fn compare_objects(left: &Object, right: &Object) -> Result<Ordering, LimitKind> {
    let (left, right) = (left.sorted()?, right.sorted()?);
    let left_keys = left.iter().map(|(key, _)| key.as_str());
    let by_keys = left_keys.cmp(right.iter().map(|(key, _)| key.as_str()));
    if by_keys.is_ne() {
        return Ok(by_keys);
    }
    for ((_, left), (_, right)) in left.iter().zip(&right) {
        let order = compare(left, right)?;
        if order.is_ne() {
            return Ok(order);
        }
    }
    Ok(Ordering::Equal)
}

/// Sorts pairs of a key and something by the key; equal keys keep their order.
///
/// A merge sort of our own, because comparing can end by a bound, and `nan` is less than itself:
/// the standard library's sort may panic on an order that is not total.
pub(crate) fn sort_by_key<T>(pairs: Vec<(Value, T)>) -> Result<Vec<(Value, T)>, LimitKind> {
    let _room = Charge::new(2 * pairs.len() * size_of::<(Value, T)>())?;
    merge_sort(pairs)
}

fn merge_sort<T>(pairs: Vec<(Value, T)>) -> Result<Vec<(Value, T)>, LimitKind> {
    if pairs.len() < 2 {
        return Ok(pairs);
    }
    let mut left = pairs;
    let right = left.split_off(left.len() / 2);
    merge(merge_sort(left)?, merge_sort(right)?)
}

fn merge<T>(left: Vec<(Value, T)>, right: Vec<(Value, T)>) -> Result<Vec<(Value, T)>, LimitKind> {
    let mut merged = Vec::with_capacity(left.len() + right.len());
    let (mut left, mut right) = (left.into_iter().peekable(), right.into_iter().peekable());
    while let (Some(first), Some(second)) = (left.peek(), right.peek()) {
        budget::spend(1)?;
        let takes_right = compare(&second.0, &first.0)?.is_lt();
        merged.extend(if takes_right {
            right.next()
        } else {
            left.next()
        });
    }
    merged.extend(left);
    merged.extend(right);
    Ok(merged)
}
