//! One entry of a JSON file, put or taken by splicing its text.

use serde_json::{Map, Value};

use super::edit::{add, apply, child, drop_item, position, replace};
use super::layout::Layout;
use super::scan::{Node, scan};
use super::{Refusal, Step, look_up, shown};

/// Reads a file with or without comments; an empty one is an empty object.
pub(crate) fn read(text: &str) -> Result<Value, Refusal> {
    Ok(scan(text)?.map_or_else(|| Value::Object(Map::new()), |root| root.value()))
}

/// Returns the text with a value at a place, and what is missing on the way there.
///
/// # Invariants
///
/// - Where nothing stood before, bytes are only added.
/// - What the text said elsewhere it says afterwards, or the change is refused.
pub(crate) fn put(text: &str, path: &[Step], value: &Value) -> Result<String, Refusal> {
    let Some(root) = scan(text)? else {
        return put_first(text, path, value);
    };
    let layout = Layout::of(text, &root);
    let (list, n) = walk(&root, path)?;
    let edits = match path.get(n) {
        None => replace(text, &layout, list, value),
        Some(Step::Key(name)) => add(
            text,
            &layout,
            list,
            Some(name),
            &nested(&path[n + 1..], value),
        ),
        Some(Step::Index(_)) => add(text, &layout, list, None, &nested(&path[n + 1..], value)),
    };
    let mut expected = root.value();
    set(&mut expected, path, value.clone());
    sure(apply(text, edits), &expected)
}

/// Returns the text without what stands at a place, and without lists that are empty then.
pub(crate) fn take(text: &str, path: &[Step]) -> Result<String, Refusal> {
    let root = scan(text)?.filter(|root| look_up(&root.value(), path).is_some());
    let (Some(root), false) = (root, path.is_empty()) else {
        return Ok(text.to_owned());
    };
    let mut path = path;
    while let [above @ .., _] = path
        && !above.is_empty()
        && holds_only_one(text, &root, above)?
    {
        path = above;
    }
    let (last, above) = (&path[path.len() - 1], &path[..path.len() - 1]);
    let (list, _) = walk(&root, above)?;
    let n = position(list, last)
        .map_err(|what| blocked(path, what))?
        .ok_or(Refusal::Unsure)?;
    let mut expected = root.value();
    unset(&mut expected, path);
    sure(apply(text, drop_item(text, list, n)), &expected)
}

/// Says whether a list has one item, and no comment would go with it.
fn holds_only_one(text: &str, root: &Node, path: &[Step]) -> Result<bool, Refusal> {
    let list = walk(root, path)?.0;
    let items = list.items();
    let [item] = items.as_slice() else {
        return Ok(false);
    };
    let line = text[..list.span.start].trim_end();
    let follows_its_name = line.ends_with([':', ',', '[']);
    let beside = [
        &text[list.span.start + 1..item.start],
        &text[item.end..list.span.end - 1],
    ];
    Ok(follows_its_name
        && beside
            .iter()
            .all(|part| part.trim().trim_start_matches(',').is_empty()))
}

/// A file in which nothing stands yet: what is there are comments at most.
fn put_first(text: &str, path: &[Step], value: &Value) -> Result<String, Refusal> {
    let whole = nested(path, value);
    let before = if text.is_empty() || text.ends_with('\n') {
        text.to_owned()
    } else {
        format!("{text}\n")
    };
    let before = if before.trim().is_empty() {
        String::new()
    } else {
        before
    };
    sure(format!("{before}{whole:#}\n"), &whole)
}

/// Hands a text out if it says what is expected.
fn sure(text: String, expected: &Value) -> Result<String, Refusal> {
    match read(&text) {
        Ok(found) if found == *expected => Ok(text),
        _ => Err(Refusal::Unsure),
    }
}

/// Follows a path as far as there is something; returns where it ended and after how many steps.
fn walk<'n>(root: &'n Node, path: &[Step]) -> Result<(&'n Node, usize), Refusal> {
    let mut here = root;
    for (n, step) in path.iter().enumerate() {
        let found = position(here, step).map_err(|what| match what {
            "occurs twice" => blocked(&path[..=n], what),
            _ => blocked(&path[..n], what),
        })?;
        match found.and_then(|found| child(here, found)) {
            Some(below) => here = below,
            None => return Ok((here, n)),
        }
    }
    Ok((here, path.len()))
}

fn blocked(path: &[Step], what: &str) -> Refusal {
    let place = if path.is_empty() {
        "the file".to_owned()
    } else {
        format!("'{}'", shown(path))
    };
    Refusal::Blocked {
        place,
        what: what.to_owned(),
    }
}

/// Wraps a value in what a path names.
fn nested(path: &[Step], value: &Value) -> Value {
    path.iter()
        .rev()
        .fold(value.clone(), |inner, step| match step {
            Step::Key(name) => Value::Object(Map::from_iter([(name.clone(), inner)])),
            Step::Index(_) => Value::Array(vec![inner]),
        })
}

fn set(root: &mut Value, path: &[Step], value: Value) {
    let Some((first, rest)) = path.split_first() else {
        *root = value;
        return;
    };
    match (first, root) {
        (Step::Key(name), Value::Object(fields)) => match fields.get_mut(name) {
            Some(below) => set(below, rest, value),
            None => drop(fields.insert(name.clone(), nested(rest, &value))),
        },
        (Step::Index(n), Value::Array(items)) => match items.get_mut(*n) {
            Some(below) => set(below, rest, value),
            None => items.push(nested(rest, &value)),
        },
        _ => {}
    }
}

fn unset(root: &mut Value, path: &[Step]) {
    match (path, root) {
        ([Step::Key(name)], Value::Object(fields)) => drop(fields.shift_remove(name)),
        ([Step::Index(n)], Value::Array(items)) => drop(items.remove(*n)),
        ([Step::Key(name), rest @ ..], Value::Object(fields)) => {
            fields
                .get_mut(name)
                .into_iter()
                .for_each(|below| unset(below, rest));
        }
        ([Step::Index(n), rest @ ..], Value::Array(items)) => {
            items
                .get_mut(*n)
                .into_iter()
                .for_each(|below| unset(below, rest));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests;
