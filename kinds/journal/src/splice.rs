//! A new record in the text of `index.json`, without reading it all as JSON.
//!
//! The result is what deriving the index anew would give, byte for byte. A text that is not laid out
//! as we do it is refused: then the index is derived.

use std::borrow::Cow;

use memory_core::Timestamp;
use serde_json::Value;

use crate::Record;
use crate::index::{CATEGORIES, IMPORTANCES, Statistics, TAGS, head, section};

/// Returns the text with a record added and its beginning renewed; none when it can't be spliced.
pub(crate) fn add(text: &str, record: &Record, statistics: &Statistics, now: Timestamp) -> Option<String> {
    let body = &text[text.find("  \"tags_index\": {")?..];
    let (tags, rest) = take(body, TAGS)?;
    let (categories, rest) = take(rest, CATEGORIES)?;
    let (importances, rest) = take(rest, IMPORTANCES)?;
    if rest != "}\n" {
        return None;
    }
    let id = record.id.as_str();
    let mut out = String::with_capacity(text.len() + 1024);
    out.push_str(&head(statistics, now));
    let tags = record.tags.iter().try_fold(tags, |lines, tag| put(lines, tag, id))?;
    let categories =
        record.category.iter().try_fold(categories, |lines, name| put(lines, name.as_str(), id))?;
    // The importances stand in the order of their weight, and all of them are there.
    let name = quoted(record.importance.as_str());
    let place = importances.iter().position(|line| name_of(line) == Some(name.as_str()))?;
    let mut importances = importances;
    importances[place] = with_id(&importances[place], id)?.into();
    section(&mut out, TAGS, &tags, ",");
    section(&mut out, CATEGORIES, &categories, ",");
    section(&mut out, IMPORTANCES, &importances, "");
    out.push_str("}\n");
    Some(out)
}

/// Returns the text with its beginning renewed and its lists as they are.
pub(crate) fn renew(text: &str, statistics: &Statistics, now: Timestamp) -> Option<String> {
    let lists = &text[text.find("  \"tags_index\": {")?..];
    Some(format!("{}{lists}", head(statistics, now)))
}

type Lines<'t> = Vec<Cow<'t, str>>;

/// Takes the lines of a section off the text.
fn take<'t>(text: &'t str, name: &str) -> Option<(Lines<'t>, &'t str)> {
    let body = text.strip_prefix("  \"")?.strip_prefix(name)?.strip_prefix("\": {")?;
    if let Some(rest) = body.strip_prefix("},\n").or_else(|| body.strip_prefix("}\n")) {
        return Some((Vec::new(), rest));
    }
    let (lines, rest) = body.strip_prefix('\n')?.split_once("\n  }")?;
    let lines = lines.split('\n').map(|line| line.strip_suffix(',').unwrap_or(line).into()).collect();
    Some((lines, rest.strip_prefix(",\n").or_else(|| rest.strip_prefix('\n'))?))
}

/// Adds an id to the list of a name, which may be new.
fn put<'t>(mut lines: Lines<'t>, name: &str, id: &str) -> Option<Lines<'t>> {
    let wanted = quoted(name);
    if let Some(place) = lines.iter().position(|line| name_of(line) == Some(wanted.as_str())) {
        lines[place] = with_id(&lines[place], id)?.into();
        return Some(lines);
    }
    let is_before = |line: &Cow<'_, str>| {
        let known = name_of(line).and_then(|known| serde_json::from_str::<String>(known).ok());
        known.is_some_and(|known| known.as_str() < name)
    };
    let place = lines.iter().position(|line| !is_before(line)).unwrap_or(lines.len());
    lines.insert(place, format!("    {wanted}: [\"{id}\"]").into());
    Some(lines)
}

fn quoted(name: &str) -> String {
    Value::from(name).to_string()
}

/// Returns the quoted name of a list: ids have no bracket in them, so the last one begins the list.
fn name_of(line: &str) -> Option<&str> {
    line.strip_prefix("    ")?.rsplit_once(": [").map(|(name, _)| name)
}

fn with_id(line: &str, id: &str) -> Option<String> {
    let (name, list) = line.rsplit_once(": [")?;
    let list = list.strip_suffix(']')?;
    let mut ids: Vec<&str> = if list.is_empty() { Vec::new() } else { list.split(", ").collect() };
    let quoted = format!("\"{id}\"");
    let place = ids.binary_search(&quoted.as_str()).err()?;
    ids.insert(place, &quoted);
    Some(format!("{name}: [{}]", ids.join(", ")))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::format::parse;
    use crate::index::Index;

    fn record(n: u16, tags: &[String], category: &str) -> Record {
        let line = serde_json::json!({
            "id": format!("550e{:04x}-e29b-41d4-a716-446655440000", n.wrapping_mul(40503)),
            "type": (["core", "learning", "task"][usize::from(n % 3)]),
            "content": "x", "category": category, "tags": tags,
            "created_at": "2026-01-01T10:00:00Z", "updated_at": "2026-01-01T10:00:00Z",
            "accessed_at": "2026-01-01T10:00:00Z", "access_count": 0,
            "importance": (["high", "medium", "low"][usize::from(n / 3 % 3)]), "archived": false,
        });
        parse(&line.to_string()).unwrap()
    }

    proptest! {
        #[test]
        fn a_spliced_index_is_the_derived_one(
            made in prop::collection::vec((prop::collection::btree_set("[ab\": \\[\\]\n中,}{]{1,3}", 0..4), "[a-c\"]{1,2}"), 1..12)
        ) {
            let records: Vec<Record> = made.iter().enumerate()
                .filter(|(_, (tags, _))| tags.iter().all(|tag| !tag.trim().is_empty()))
                .map(|(n, (tags, category))| record(u16::try_from(n).unwrap(), &tags.iter().cloned().collect::<Vec<_>>(), category))
                .collect();
            let now = Timestamp::UNIX_EPOCH;
            let mut text = Index::of([].iter(), 7, 0).render(now);
            for n in 0..records.len() {
                let derived = Index::of(records[..=n].iter(), 7, 100);
                text = add(&text, &records[n], &derived.statistics, now).expect("it can be spliced");
                prop_assert_eq!(&text, &derived.render(now));
            }
            prop_assert!(serde_json::from_str::<Value>(&text).is_ok());
        }

        #[test]
        fn any_other_text_is_refused_and_does_no_harm(text in "\\PC{0,200}") {
            let _ = add(&text, &record(1, &[], "a"), &Statistics::default(), Timestamp::UNIX_EPOCH);
        }
    }

    #[test]
    fn an_id_that_is_there_is_not_added_twice() {
        let one = record(1, &["a".to_owned()], "c");
        let text = Index::of([one.clone()].iter(), 0, 0).render(Timestamp::UNIX_EPOCH);
        assert_eq!(add(&text, &one, &Statistics::default(), Timestamp::UNIX_EPOCH), None);
    }
}
