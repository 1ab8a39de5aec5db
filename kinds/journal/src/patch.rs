//! A new record in the text of a large `index.json`, written into the room that is left in it.
//!
//! Only the lines of its tags, its category and its importance change, and the beginning; so an add
//! costs the same however much there is. A text that has no room, or that is not laid out as we do it,
//! is refused: then the index is written whole.

use memory_core::Timestamp;
use serde_json::Value;

use crate::index::{CATEGORIES, IMPORTANCES, Statistics, TAGS, checksum, list, padded_head};
use crate::{Record, limits};

/// Bytes to write over others, and where.
pub(crate) type Part = (u64, String);

/// What turns the file into one that has the record.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Patch {
    /// Written first: while the beginning counts other bytes than the files have, no one trusts them.
    pub(crate) lists: Vec<Part>,
    pub(crate) head: Part,
}

/// Returns what adds a record to the text; none when it has no room for it.
pub(crate) fn adding(
    text: &str,
    record: &Record,
    statistics: &Statistics,
    files: u64,
    now: Timestamp,
) -> Option<Patch> {
    lists_of(text)?;
    let mut text = Patched {
        text: text.to_owned(),
        parts: Vec::new(),
    };
    let id = record.id.as_str();
    record
        .tags
        .iter()
        .try_for_each(|tag| text.put(TAGS, tag, id))?;
    record
        .category
        .iter()
        .try_for_each(|name| text.put(CATEGORIES, name.as_str(), id))?;
    text.put(IMPORTANCES, record.importance.as_str(), id)?;
    Some(Patch {
        head: head(&text.text, statistics, files, now)?,
        lists: text.parts,
    })
}

/// Returns the part of a text after its beginning; none when it is not laid out for a new beginning.
fn lists_of(text: &str) -> Option<&str> {
    text.get(limits::INDEX_HEAD_BYTES..).filter(|lists| {
        lists.starts_with(&opening(TAGS)) && text.as_bytes()[limits::INDEX_HEAD_BYTES - 1] == b'\n'
    })
}

/// Returns what renews the beginning of the text; none when it is not laid out for that.
pub(crate) fn head(
    text: &str,
    statistics: &Statistics,
    files: u64,
    now: Timestamp,
) -> Option<Part> {
    let head = padded_head(
        statistics,
        checksum(statistics, files, lists_of(text)?),
        now,
    );
    (head.len() == limits::INDEX_HEAD_BYTES).then_some((0, head))
}

fn opening(section: &str) -> String {
    format!("  \"{section}\": {{")
}

/// The text as it will be, and the parts of it that are new.
struct Patched {
    text: String,
    parts: Vec<Part>,
}

impl Patched {
    /// Adds an id to the list of a name, which may be new.
    ///
    /// Names are escaped, so that a line break stands between lines only; ids have no bracket.
    fn put(&mut self, section: &str, name: &str, id: &str) -> Option<()> {
        let begin = self.text.find(&format!("\n{}", opening(section)))?;
        let end = begin + self.text[begin..].find("\n  }")?;
        let line = format!("\n    {}: [", Value::from(name));
        let Some(found) = self.text[begin..end].find(&line) else {
            return self.put_name(end, name, id);
        };
        let list = begin + found + line.len();
        let close = list + self.text[list..end].find(']')?;
        let ids = self.text[list..close].trim_end();
        let quoted = format!("\"{id}\"");
        if ids.contains(&quoted) {
            return None;
        }
        let comma = if ids.is_empty() { "" } else { ", " };
        self.write(list + ids.len(), close, format!("{comma}{quoted}"))
    }

    /// Adds a list after the last one of a section that ends here.
    fn put_name(&mut self, end: usize, name: &str, id: &str) -> Option<()> {
        let before = self.text[..end].trim_end();
        let mut line = if before.ends_with('{') {
            String::new()
        } else {
            ",".to_owned()
        };
        list(&mut line, name, &[id.to_owned()], limits::INDEX_ROOM_IDS);
        self.write(before.len(), end, line)
    }

    fn write(&mut self, from: usize, to: usize, part: String) -> Option<()> {
        let past = from + part.len();
        if past > to {
            return None;
        }
        self.text.replace_range(from..past, &part);
        self.parts.push((from as u64, part));
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::format::parse;
    use crate::index::{Index, is_true_of};

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

    fn apply(text: &str, patch: &Patch) -> String {
        let mut bytes = text.as_bytes().to_vec();
        for (at, part) in patch.lists.iter().chain([&patch.head]) {
            let at = usize::try_from(*at).unwrap();
            bytes[at..at + part.len()].copy_from_slice(part.as_bytes());
        }
        String::from_utf8(bytes).unwrap()
    }

    /// So many records with one tag that there is room in the index.
    fn many() -> Vec<Record> {
        (0..800)
            .map(|n| record(n, &["all".to_owned()], "c"))
            .collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn a_patched_index_says_what_the_derived_one_does(
            made in prop::collection::vec((prop::collection::btree_set("[ab\": \\[\\]\n中,}{]{1,3}", 0..4), "[a-c\"]{1,2}"), 1..12)
        ) {
            let mut records = many();
            let now = Timestamp::UNIX_EPOCH;
            let mut text = Index::of(records.iter(), 7, 0).render(0, now);
            let length = text.len();
            for (n, (tags, category)) in made.iter().enumerate() {
                if tags.iter().any(|tag| tag.trim().is_empty()) {
                    continue;
                }
                records.push(record(800 + u16::try_from(n).unwrap(), &tags.iter().cloned().collect::<Vec<_>>(), category));
                let derived = Index::of(records.iter(), 7, 100 + n as u64);
                let Some(patch) = adding(&text, &records[records.len() - 1], &derived.statistics, 0, now) else {
                    // The names may have filled their room.
                    prop_assert!(n > 1);
                    break;
                };
                text = apply(&text, &patch);
                prop_assert_eq!(text.len(), length);
                prop_assert!(is_true_of(&text, &derived.statistics, 0));
                prop_assert_eq!(Index::parse(&text), Some(derived));
            }
        }

        #[test]
        fn any_other_text_is_refused_and_does_no_harm(text in "\\PC{0,200}") {
            prop_assert_eq!(adding(&text, &record(1, &[], "a"), &Statistics::default(), 0, Timestamp::UNIX_EPOCH), None);
        }
    }

    #[test]
    fn a_list_without_room_is_refused_and_has_some_when_it_is_written_anew() {
        let (mut records, now) = (many(), Timestamp::UNIX_EPOCH);
        let mut text = Index::of(records.iter(), 0, 0).render(0, now);
        let mut added = 0;
        let full = loop {
            let next = record(800 + added, &["all".to_owned()], "c");
            let Some(patch) = adding(&text, &next, &Statistics::default(), 0, now) else {
                break next;
            };
            text = apply(&text, &patch);
            records.push(next);
            added += 1;
        };
        assert!(
            added > 60,
            "a quarter of the list that grows fastest: {added}"
        );
        let anew = Index::of(records.iter(), 0, 0).render(0, now);
        assert!(adding(&anew, &full, &Statistics::default(), 0, now).is_some());
    }

    #[test]
    fn an_id_that_is_there_is_not_added_twice() {
        let records = many();
        let text = Index::of(records.iter(), 0, 0).render(0, Timestamp::UNIX_EPOCH);
        assert_eq!(
            adding(
                &text,
                &records[3],
                &Statistics::default(),
                0,
                Timestamp::UNIX_EPOCH
            ),
            None
        );
    }

    #[test]
    fn a_small_index_is_tight_and_has_no_room() {
        let one = record(1, &["a".to_owned()], "c");
        let text = Index::of([one].iter(), 0, 0).render(0, Timestamp::UNIX_EPOCH);
        assert!(!text.contains("  ]") && !text.contains(" \n"), "{text}");
        let next = record(2, &["a".to_owned()], "c");
        assert_eq!(
            adding(
                &text,
                &next,
                &Statistics::default(),
                0,
                Timestamp::UNIX_EPOCH
            ),
            None
        );
    }
}
