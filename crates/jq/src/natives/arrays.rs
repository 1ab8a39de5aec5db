//! Arrays: order, groups, and what they contain.

use super::{Context, Done, Entry};
use crate::budget;
use crate::stop::Stop;
use crate::value::{Array, Items, Object, Value, compare, describe, equal, sort_by_key, subtract};

pub(super) const TABLE: &[Entry] = &[
    ("sort", 0, |_, input, _| {
        let items = sortable(input)?.into_items()?;
        let pairs = sort_by_key(items.into_iter().map(|item| (item, ())).collect())?;
        Ok(Value::array(
            pairs.into_iter().map(|(item, ())| item).collect(),
        )?)
    }),
    ("unique", 0, |_, input, _| {
        let items = sortable(input)?.into_items()?;
        let groups = grouped(items.iter().cloned().zip(items.iter().cloned()).collect())?;
        Ok(Value::array(
            groups
                .into_iter()
                .filter_map(|group| group.into_iter().next())
                .collect(),
        )?)
    }),
    ("min", 0, |_, input, _| extreme(&input, &input, true)),
    ("max", 0, |_, input, _| extreme(&input, &input, false)),
    ("_sort_by", 1, |_, input, arguments| {
        let pairs = sort_by_key(keyed(input, &arguments[0])?)?;
        Ok(Value::array(
            pairs.into_iter().map(|(_, item)| item).collect(),
        )?)
    }),
    ("_group_by", 1, |_, input, arguments| {
        let mut arrays = Vec::new();
        for group in grouped(keyed(input, &arguments[0])?)? {
            arrays.push(Value::array(group)?);
        }
        Ok(Value::array(arrays)?)
    }),
    ("_unique_by", 1, |_, input, arguments| {
        let groups = grouped(keyed(input, &arguments[0])?)?;
        Ok(Value::array(
            groups
                .into_iter()
                .filter_map(|group| group.into_iter().next())
                .collect(),
        )?)
    }),
    ("_min_by", 1, |_, input, arguments| {
        extreme(&input, &arguments[0], true)
    }),
    ("_max_by", 1, |_, input, arguments| {
        extreme(&input, &arguments[0], false)
    }),
    ("bsearch", 1, bsearch),
    ("contains", 1, |_, input, arguments| {
        Ok(Value::Bool(contains(&input, &arguments[0])?))
    }),
    ("_flatten", 1, flatten),
];

fn sortable(input: Value) -> Result<Array, Stop> {
    match input {
        Value::Array(array) => Ok(array),
        other => Err(Stop::error(format!(
            "{} cannot be sorted, as it is not an array",
            describe(&other)?
        ))),
    }
}

/// Items with the keys they are sorted by.
fn keyed(input: Value, keys: &Value) -> Result<Vec<(Value, Value)>, Stop> {
    let (Value::Array(items), Value::Array(keys)) = (&input, keys) else {
        let (left, right) = (describe(&input)?, describe(keys)?);
        let words = "cannot be sorted, as they are not both arrays";
        return Err(Stop::error(format!("{left} and {right} {words}")));
    };
    let items = items.items().to_vec();
    budget::spend_for(items.len())?;
    Ok(keys.items().iter().cloned().zip(items).collect())
}

/// Items in groups of equal keys, in the order of the keys.
fn grouped(pairs: Vec<(Value, Value)>) -> Result<Vec<Vec<Value>>, Stop> {
    let mut groups: Vec<Vec<Value>> = Vec::new();
    let mut last: Option<Value> = None;
    for (key, item) in sort_by_key(pairs)? {
        let is_same = match &last {
            Some(last) => equal(last, &key)?,
            None => false,
        };
        match groups.last_mut() {
            Some(group) if is_same => group.push(item),
            _ => groups.push(vec![item]),
        }
        last = Some(key);
    }
    Ok(groups)
}

/// The first smallest or the last greatest item.
fn extreme(input: &Value, keys: &Value, smallest: bool) -> Done {
    let (Value::Array(items), Value::Array(keys)) = (input, keys) else {
        let (left, right) = (describe(input)?, describe(keys)?);
        return Err(Stop::error(format!(
            "{left} and {right} cannot be iterated over"
        )));
    };
    let mut best: Option<(&Value, &Value)> = None;
    for (item, key) in items.items().iter().zip(keys.items()) {
        let is_better = match best {
            None => true,
            Some((_, best)) => compare(key, best)?.is_lt() == smallest,
        };
        if is_better {
            best = Some((item, key));
        }
    }
    Ok(best.map(|(item, _)| item.clone()).unwrap_or_default())
}

fn bsearch(_: &Context, input: Value, arguments: &[Value]) -> Done {
    let Value::Array(array) = &input else {
        return Err(Stop::error(format!(
            "{} cannot be searched from",
            describe(&input)?
        )));
    };
    let (mut start, mut end) = (0, array.len());
    while start < end {
        let middle = start + (end - start) / 2;
        let order = compare(&array.items()[middle], &arguments[0])?;
        if order.is_eq() {
            return Ok(Value::count(middle));
        }
        if order.is_lt() {
            start = middle + 1
        } else {
            end = middle
        }
    }
    Ok(Value::number(-1.0 - start as f64))
}

/// Whether a value holds another: a part of a string, or of each array and object in it.
fn contains(outer: &Value, inner: &Value) -> Result<bool, Stop> {
    budget::spend(1)?;
    match (outer, inner) {
        (Value::Object(outer), Value::Object(inner)) => object_contains(outer, inner),
        (Value::Array(outer), Value::Array(inner)) => array_contains(outer, inner),
        (Value::String(outer), Value::String(inner)) => {
            budget::spend_for(outer.as_str().len() / 4)?;
            Ok(outer.as_str().contains(inner.as_str()))
        }
        _ if is_comparable(outer, inner) => Ok(equal(outer, inner)?),
        _ => {
            let (outer, inner) = (describe(outer)?, describe(inner)?);
            Err(Stop::error(format!(
                "{outer} and {inner} cannot have their containment checked"
            )))
        }
    }
}

/// Whether two values are of one kind; here `true` and `false` are two.
fn is_comparable(outer: &Value, inner: &Value) -> bool {
    match (outer, inner) {
        (Value::Bool(outer), Value::Bool(inner)) => outer == inner,
        _ => outer.kind() == inner.kind(),
    }
}

fn object_contains(outer: &Object, inner: &Object) -> Result<bool, Stop> {
    for (key, inner) in inner.entries() {
        match outer.get(key.as_str()) {
            Some(outer) if is_comparable(outer, inner) && contains(outer, inner)? => {}
            _ => return Ok(false),
        }
    }
    Ok(true)
}

fn array_contains(outer: &Array, inner: &Array) -> Result<bool, Stop> {
    'inner: for inner in inner.items() {
        for outer in outer.items() {
            if is_comparable(outer, inner) && contains(outer, inner)? {
                continue 'inner;
            }
        }
        return Ok(false);
    }
    Ok(true)
}

/// The items of nested arrays in one, so many levels deep.
fn flatten(_: &Context, input: Value, arguments: &[Value]) -> Done {
    let mut flat = Items::new()?;
    if let Value::Array(array) = &input {
        flatten_into(array, &arguments[0], &mut flat)?;
    }
    Ok(flat.finish()?)
}

fn flatten_into(array: &Array, levels: &Value, flat: &mut Items) -> Result<(), Stop> {
    let (none, one) = (Value::number(0.0), Value::number(1.0));
    for item in array.items() {
        budget::spend(1)?;
        match item {
            Value::Array(inner) if !equal(levels, &none)? => {
                flatten_into(inner, &subtract(levels.clone(), one.clone())?, flat)?;
            }
            _ => flat.push(item.clone())?,
        }
    }
    Ok(())
}
