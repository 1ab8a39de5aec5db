//! Objects and paths: keys, lengths, and what lies at the end of a path.

use super::{Context, Done, Entry};
use crate::budget;
use crate::stop::Stop;
use crate::value::{Object, Value, delete_paths, describe, has_key, set_path};

pub(super) const TABLE: &[Entry] = &[
    ("keys", 0, |_, input, _| keys(&input, true)),
    ("keys_unsorted", 0, |_, input, _| keys(&input, false)),
    ("has", 1, |_, input, arguments| {
        Ok(Value::Bool(has_key(&input, &arguments[0])?))
    }),
    ("length", 0, |_, input, _| length(&input)),
    ("to_entries", 0, to_entries),
    ("setpath", 2, |_, mut input, arguments| {
        match &arguments[0] {
            Value::Array(path) => {
                set_path(&mut input, path.items(), arguments[1].clone())?;
                Ok(input)
            }
            _ => Err(Stop::error("Path must be specified as an array")),
        }
    }),
    ("delpaths", 1, |_, input, arguments| match &arguments[0] {
        Value::Array(paths) => delete_paths(input, paths.items().to_vec()),
        _ => Err(Stop::error("Paths must be specified as an array")),
    }),
];

fn keys(input: &Value, sorted: bool) -> Done {
    let keys = match input {
        Value::Object(object) if sorted => object
            .sorted()?
            .into_iter()
            .map(|(key, _)| Value::String(key.clone()))
            .collect(),
        Value::Object(object) => object
            .entries()
            .map(|(key, _)| Value::String(key.clone()))
            .collect(),
        Value::Array(array) => (0..array.len()).map(Value::count).collect(),
        other => return Err(Stop::error(format!("{} has no keys", describe(other)?))),
    };
    Ok(Value::array(keys)?)
}

fn length(input: &Value) -> Done {
    Ok(match input {
        Value::Null => Value::count(0),
        Value::Bool(_) => return Err(Stop::error(format!("{} has no length", describe(input)?))),
        Value::Number(number) if number.value() < 0.0 => Value::Number(number.negated()),
        Value::Number(_) => input.clone(),
        Value::String(text) => {
            budget::spend_for(text.as_str().len() / 16)?;
            Value::count(text.as_str().chars().count())
        }
        Value::Array(array) => Value::count(array.len()),
        Value::Object(object) => Value::count(object.len()),
    })
}

fn to_entries(_: &Context, input: Value, _: &[Value]) -> Done {
    let mut entries = Vec::new();
    let mut add = |key, value: &Value| -> Result<(), Stop> {
        let entry = Object::from_entries([("key", key), ("value", value.clone())])?;
        entries.push(Value::Object(entry));
        Ok(())
    };
    match &input {
        Value::Object(object) => {
            for (key, value) in object.entries() {
                add(Value::String(key.clone()), value)?;
            }
        }
        Value::Array(array) => {
            for (place, value) in array.items().iter().enumerate() {
                add(Value::count(place), value)?;
            }
        }
        other => return Err(Stop::error(format!("{} has no keys", describe(other)?))),
    }
    Ok(Value::array(entries)?)
}
