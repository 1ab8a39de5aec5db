//! One table of a TOML file, put or taken by splicing its text.

mod spans;

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use toml_edit::{Array, Document, InlineTable, Item, TableLike};

use super::Refusal;
use super::edit::{Edit, apply};

/// Some editors put a mark before the first character.
const MARK: char = '\u{feff}';

/// Returns a table two names deep as JSON; none when it is not there.
pub(crate) fn read(text: &str, path: [&str; 2]) -> Result<Option<Value>, Refusal> {
    let document = parse(text)?;
    let found = document
        .get(path[0])
        .and_then(|above| above.as_table_like()?.get(path[1]));
    Ok(found.and_then(Item::as_table_like).map(to_json))
}

/// Returns the text with these fields in a table two names deep; its other fields stay.
///
/// # Invariants
///
/// - Where there was no such table, bytes are only added, and [`take`] takes exactly these.
/// - What the text said elsewhere it says afterwards, in the same bytes, or the change is refused.
pub(crate) fn put(
    text: &str,
    path: [&str; 2],
    fields: &Map<String, Value>,
) -> Result<String, Refusal> {
    let document = parse(text)?;
    let above = document.get(path[0]);
    let lists = above
        .map(|above| above.as_table_like().ok_or_else(|| blocked(path[0])))
        .transpose()?;
    let edits = match (above, lists.and_then(|lists| lists.get(path[1]))) {
        (_, Some(entry)) => replace(entry, path, fields)?,
        (Some(Item::Value(above)), None) => {
            let list = above.as_inline_table().ok_or_else(|| blocked(path[0]))?;
            spans::insertion(list, &inline(path[1], fields))
                .into_iter()
                .collect()
        }
        (_, None) => vec![Edit::insert(text.len(), appended(text, path, fields))],
    };
    sure(text, apply(text, edits), path)
}

/// Returns the text without a table two names deep. What stands above it stays.
pub(crate) fn take(text: &str, path: [&str; 2]) -> Result<String, Refusal> {
    if read(text, path)?.is_none() {
        return Ok(text.to_owned());
    }
    let document = parse(text)?;
    let above = document.get(path[0]).ok_or(Refusal::Unsure)?;
    let spans = match above.as_value().and_then(|above| above.as_inline_table()) {
        Some(list) => spans::of_inline(list, path[1]).into_iter().collect(),
        None => spans::of_table(
            text,
            above.as_table_like().and_then(|above| above.get(path[1])),
        ),
    };
    sure(
        text,
        apply(text, spans.into_iter().map(Edit::delete).collect()),
        path,
    )
}

/// Returns what a new table at the end of a text looks like, an empty line before it.
///
/// A text without a last line break has none afterwards.
fn appended(text: &str, path: [&str; 2], fields: &Map<String, Value>) -> String {
    let line_break = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let header = format!("[{}]", path.join("."));
    let lines = fields
        .iter()
        .map(|(name, field)| format!("{name} = {}", to_toml(field)));
    let table = [header]
        .into_iter()
        .chain(lines)
        .collect::<Vec<_>>()
        .join(line_break);
    match text.trim_start_matches(MARK) {
        "" => format!("{table}{line_break}"),
        text if text.ends_with('\n') => format!("{line_break}{table}{line_break}"),
        _ => format!("{line_break}{line_break}{table}"),
    }
}

fn inline(name: &str, fields: &Map<String, Value>) -> String {
    let table: InlineTable = fields
        .iter()
        .map(|(name, field)| (name.as_str(), to_toml(field)))
        .collect();
    format!("{name} = {table}")
}

/// Puts other values in the places of some fields; what stands around them stays.
fn replace(
    entry: &Item,
    path: [&str; 2],
    fields: &Map<String, Value>,
) -> Result<Vec<Edit>, Refusal> {
    let place = path.join(".");
    let table = entry.as_table_like().ok_or_else(|| blocked(&place))?;
    let mut edits = Vec::new();
    for (name, field) in fields {
        let found = table.get(name).and_then(Item::as_value);
        let Some((found, span)) = found.and_then(|found| Some((found, found.span()?))) else {
            return Err(Refusal::Blocked {
                place: format!("'{place}'"),
                what: format!("has no '{name}'"),
            });
        };
        if value_to_json(found) != *field {
            edits.push(Edit {
                span,
                text: to_toml(field).to_string(),
            });
        }
    }
    Ok(edits)
}

/// Hands a text out if, but for the one table, every value in it has the bytes that it had.
fn sure(before: &str, after: String, path: [&str; 2]) -> Result<String, Refusal> {
    match (leaves_beside(before, path)?, leaves_beside(&after, path)) {
        (before, Ok(rest)) if before == rest => {}
        _ => return Err(Refusal::Unsure),
    }
    Ok(after)
}

fn leaves_beside<'t>(
    text: &'t str,
    path: [&str; 2],
) -> Result<BTreeMap<Vec<String>, &'t str>, Refusal> {
    let mut leaves = spans::leaves(text, parse(text)?.as_item(), &[]);
    leaves.retain(|place, _| !place.iter().map(String::as_str).take(2).eq(path));
    Ok(leaves)
}

fn parse(text: &str) -> Result<Document<&str>, Refusal> {
    Document::parse(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start).min(text.len());
        let line = 1 + text.as_bytes()[..at]
            .iter()
            .filter(|byte| **byte == b'\n')
            .count();
        Refusal::Broken {
            line,
            what: error.message().to_owned(),
        }
    })
}

fn blocked(place: &str) -> Refusal {
    Refusal::Blocked {
        place: format!("'{place}'"),
        what: "is not a table".to_owned(),
    }
}

fn to_toml(field: &Value) -> toml_edit::Value {
    match field {
        Value::Array(items) => items
            .iter()
            .filter_map(Value::as_str)
            .collect::<Array>()
            .into(),
        Value::Bool(switch) => (*switch).into(),
        other => other.as_str().unwrap_or_default().into(),
    }
}

fn to_json(table: &dyn TableLike) -> Value {
    let fields = table.iter().map(|(name, item)| {
        let value = match (item.as_value(), item.as_table_like()) {
            (_, Some(table)) => to_json(table),
            (Some(value), None) => value_to_json(value),
            _ => Value::Null,
        };
        (name.to_owned(), value)
    });
    Value::Object(fields.collect())
}

fn value_to_json(value: &toml_edit::Value) -> Value {
    match (value.as_str(), value.as_bool(), value.as_array()) {
        (Some(text), ..) => text.into(),
        (_, Some(switch), _) => switch.into(),
        (_, _, Some(items)) => items.iter().filter_map(|item| item.as_str()).collect(),
        _ => Value::Null,
    }
}

#[cfg(test)]
mod tests;
