//! Paths into a value: reading, setting and deleting what lies at their end.
//!
//! A path is a list of keys: strings for objects, numbers for arrays, `{"start":…,"end":…}` for a
//! slice of an array.

use super::index::{bound, cannot_index, place_in, range};
use super::{Array, Object, Value, equal, index, sort_by_key};
use crate::budget;
use crate::error::LimitKind;
use crate::limits::{ARRAY_INDEX, VALUE_DEPTH};
use crate::stop::Stop;

/// What lies at the end of a path.
pub(crate) fn get_path(value: &Value, path: &[Value]) -> Result<Value, Stop> {
    let mut found = value.clone();
    for key in path {
        budget::spend(1)?;
        found = index(&found, key)?;
    }
    Ok(found)
}

/// Puts something at the end of a path, making what is missing on the way.
pub(crate) fn set_path(value: &mut Value, path: &[Value], new: Value) -> Result<(), Stop> {
    budget::spend(1)?;
    check_length(path)?;
    let Some((key, rest)) = path.split_first() else {
        *value = new;
        return Ok(());
    };
    if rest.is_empty() {
        // Looked at first for its error: a number has no fields to set.
        if !matches!(value, Value::Array(_) | Value::Object(_)) {
            index(value, key)?;
        }
        return set_key(value, key, new);
    }
    let mut child = take_key(value, key)?;
    set_path(&mut child, rest, new)?;
    set_key(value, key, child)
}

/// Takes what lies at the end of a path out, leaving null there.
///
/// For an update that puts something back at once: what was taken is held by nobody else, so it
/// can be changed in place.
pub(crate) fn take_path(value: &mut Value, path: &[Value]) -> Result<Value, Stop> {
    let Some((key, rest)) = path.split_first() else {
        return Ok(std::mem::take(value));
    };
    budget::spend(1)?;
    check_length(path)?;
    let mut child = take_key(value, key)?;
    let taken = take_path(&mut child, rest)?;
    if !rest.is_empty() && !matches!(child, Value::Null) {
        set_key(value, key, child)?;
    }
    Ok(taken)
}

/// Refuses a path longer than values are deep; what follows it recurses.
fn check_length(path: &[Value]) -> Result<(), LimitKind> {
    if path.len() <= VALUE_DEPTH {
        Ok(())
    } else {
        Err(LimitKind::Depth(VALUE_DEPTH))
    }
}

fn take_key(value: &mut Value, key: &Value) -> Result<Value, Stop> {
    match (value, key) {
        (Value::Object(object), Value::String(key)) => Ok(object.take(key.as_str())?),
        (Value::Array(array), Value::Number(place)) => match place_in(array.len(), place.value()) {
            Some(place) => Ok(array.take(place)?),
            None => Ok(Value::Null),
        },
        (value, key) => index(value, key),
    }
}

fn set_key(value: &mut Value, key: &Value, new: Value) -> Result<(), Stop> {
    if matches!(value, Value::Null) {
        *value = match key {
            Value::String(_) => Value::Object(Object::new()?),
            Value::Number(_) | Value::Object(_) => Value::array(Vec::new())?,
            _ => return Err(cannot_index(value, key)?),
        };
    }
    match (value, key) {
        (Value::Object(object), Value::String(key)) => Ok(object.insert(key.clone(), new)?),
        (Value::Array(array), Value::Number(place)) => set_item(array, place.value(), new),
        (Value::Array(array), Value::Object(bounds)) => set_slice(array, bounds, new),
        (Value::String(_), Value::Object(_)) => Err(Stop::error("Cannot update string slices")),
        (Value::Array(_), Value::Array(_)) => {
            Err(Stop::error("Cannot update field at array index of array"))
        }
        (value, key) => Err(cannot_index(value, key)?),
    }
}

fn set_item(array: &mut Array, place: f64, new: Value) -> Result<(), Stop> {
    if place.is_nan() {
        return Err(Stop::error("Cannot set array element at NaN index"));
    }
    if place > ARRAY_INDEX {
        return Err(Stop::error("Array index too large"));
    }
    match place_in(array.len(), place) {
        Some(place) => Ok(array.set(place, new)?),
        None => Err(Stop::error("Out of bounds negative array index")),
    }
}

fn set_slice(array: &mut Array, bounds: &Object, new: Value) -> Result<(), Stop> {
    let (start, end) = range(
        array.len(),
        &bound(bounds, "start")?,
        &bound(bounds, "end")?,
    )?;
    let Value::Array(new) = new else {
        return Err(Stop::error(
            "A slice of an array can only be assigned another array",
        ));
    };
    let after = array.slice(end..array.len())?;
    *array = array
        .slice(0..start)?
        .append(new.items())?
        .append(after.items())?;
    Ok(())
}

/// Deletes what lies at the end of each path; all paths are meant before anything is deleted.
pub(crate) fn delete_paths(value: Value, paths: Vec<Value>) -> Result<Value, Stop> {
    let mut lists = Vec::with_capacity(paths.len());
    for path in paths {
        let Value::Array(keys) = path.clone() else {
            let words = format!("Path must be specified as array, not {}", path.kind());
            return Err(Stop::error(words));
        };
        check_length(keys.items())?;
        lists.push((path, keys));
    }
    let sorted: Vec<Array> = sort_by_key(lists)?
        .into_iter()
        .map(|(_, keys)| keys)
        .collect();
    match sorted.first() {
        None => Ok(value),
        Some(first) if first.len() == 0 => Ok(Value::Null),
        Some(_) => delete_sorted(value, &sorted, 0),
    }
}

/// Deletes by paths that are sorted and agree in their first `depth` keys.
fn delete_sorted(mut value: Value, paths: &[Array], depth: usize) -> Result<Value, Stop> {
    let mut doomed = Vec::new();
    let mut end = paths.len();
    while end > 0 {
        let key = &paths[end - 1].items()[depth];
        let mut start = end - 1;
        while start > 0 && equal(&paths[start - 1].items()[depth], key)? {
            start -= 1;
        }
        // The shortest path of a group stands first and deletes what the others are about.
        if paths[start].len() == depth + 1 {
            doomed.push(key.clone());
        } else {
            let child = index(&value, key)?;
            if !matches!(child, Value::Null) {
                drop(take_key(&mut value, key)?);
                let child = delete_sorted(child, &paths[start..end], depth + 1)?;
                set_key(&mut value, key, child)?;
            }
        }
        end = start;
    }
    delete_keys(value, &doomed)
}

fn delete_keys(value: Value, keys: &[Value]) -> Result<Value, Stop> {
    match value {
        _ if keys.is_empty() => Ok(value),
        Value::Null => Ok(Value::Null),
        Value::Array(array) => delete_items(array, keys),
        Value::Object(mut object) => {
            for key in keys {
                let Value::String(name) = key else {
                    return Err(cannot_delete(key, "object"));
                };
                object.remove(name.as_str())?;
            }
            Ok(Value::Object(object))
        }
        other => Err(Stop::error(format!(
            "Cannot delete fields from {}",
            other.kind()
        ))),
    }
}

fn delete_items(array: Array, keys: &[Value]) -> Result<Value, Stop> {
    let mut stays = vec![true; array.len()];
    for key in keys {
        match key {
            Value::Number(place) => {
                let place = place_in(array.len(), place.value());
                if let Some(stay) = place.and_then(|place| stays.get_mut(place)) {
                    *stay = false;
                }
            }
            Value::Object(bounds) => {
                let (start, end) = range(
                    array.len(),
                    &bound(bounds, "start")?,
                    &bound(bounds, "end")?,
                )?;
                budget::spend_for(end - start)?;
                stays[start..end].fill(false);
            }
            key => return Err(cannot_delete(key, "array")),
        }
    }
    let items = array.into_items()?.into_iter().zip(stays);
    let items = items
        .filter_map(|(item, stays)| stays.then_some(item))
        .collect();
    Ok(Value::array(items)?)
}

fn cannot_delete(key: &Value, from: &str) -> Stop {
    let part = if from == "array" { "element" } else { "field" };
    Stop::error(format!("Cannot delete {} {part} of {from}", key.kind()))
}
