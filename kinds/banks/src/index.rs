//! `_index.json`: where each entry of a large bank stands, so that one can be read alone.
//!
//! Derived, and never trusted over the bank: an index that was made for another state of the file
//! is passed over, and what it points at must begin with the key that was asked for.
//!
//! It is JSON, laid out so that it need not be parsed: a bank is one line, and in it a key stands
//! as `"key":[start,length]` after a brace or a comma. Inside of a string a quote has a backslash
//! before it, so nothing else can look like that.

use memory_core::{Fields, Timestamp, instant, json_string, parse_instant};
use memory_files::Stamp;
use serde_json::json;

use crate::BankName;
use crate::format::Place;

/// How an index of the version that we write begins.
const TOP: &str = "{\n  \"version\": 1,\n  \"banks\": {";
const KEYS: &str = ",\"keys\":";

/// What an index knows of one bank.
#[derive(Debug)]
pub(crate) struct Section<'a> {
    pub(crate) stamp: Stamp,
    pub(crate) created_at: Timestamp,
    pub(crate) places: &'a [(String, Place)],
}

/// Renders the index with a bank's section renewed and the others as they were.
pub(crate) fn render(old: Option<&str>, bank: &BankName, section: &Section<'_>) -> String {
    let ours = format!("    {}: {}", json_string(bank.as_str()), section.render());
    let mut lines = old.map(|old| other_lines(old, bank)).unwrap_or_default();
    lines.push(&ours);
    format!("{TOP}\n{}\n  }}\n}}\n", lines.join(",\n"))
}

impl Section<'_> {
    fn render(&self) -> String {
        let keys: Vec<String> = self
            .places
            .iter()
            .map(|(key, place)| format!("{}:[{},{}]", json_string(key), place.start, place.length))
            .collect();
        let Stamp {
            inode,
            size,
            modified,
        } = self.stamp;
        let modified = modified.to_string();
        let file = json!({ "inode": inode, "size": size, "modified": modified });
        let created_at = instant(self.created_at);
        format!(
            "{{\"file\":{file},\"created_at\":\"{created_at}\"{KEYS}{{{}}}}}",
            keys.join(",")
        )
    }
}

/// Looks up where a key's entry stands, and when its bank was made.
///
/// None when the index does not have it, or was not made for the file with this stamp: then only
/// the bank itself can tell.
pub(crate) fn look_up(
    index: &str,
    bank: &BankName,
    key: &str,
    stamp: Stamp,
) -> Option<(Place, Timestamp)> {
    let line = section(index, bank)?;
    let (head, keys) = line.split_once(KEYS)?;
    let head = format!("{head}}}");
    let head = Fields::parse(&head).ok()?;
    let file = Fields::parse(head.get("file")?.get()).ok()?;
    let modified: String = serde_json::from_str(file.get("modified")?.get()).ok()?;
    let made_for = Stamp {
        inode: file.get("inode")?.get().parse().ok()?,
        size: file.get("size")?.get().parse().ok()?,
        modified: modified.parse().ok()?,
    };
    if made_for != stamp {
        return None;
    }
    let created_at: String = serde_json::from_str(head.get("created_at")?.get()).ok()?;
    Some((place_of(keys, key)?, parse_instant(&created_at)?))
}

/// Returns a bank's line, without its name.
fn section<'a>(index: &'a str, bank: &BankName) -> Option<&'a str> {
    let body = index.strip_prefix(TOP)?;
    let name = format!("\n    {}: ", json_string(bank.as_str()));
    body.split_once(&name)?.1.split('\n').next()
}

fn place_of(keys: &str, key: &str) -> Option<Place> {
    let wanted = format!("{}:[", json_string(key));
    let (at, _) = keys
        .match_indices(&wanted)
        .find(|(at, _)| keys[..*at].ends_with([',', '{']))?;
    let (start, length) = keys[at + wanted.len()..]
        .split(']')
        .next()?
        .split_once(',')?;
    Some(Place {
        start: start.parse().ok()?,
        length: length.parse().ok()?,
    })
}

/// Returns the other banks' lines, with their names.
fn other_lines<'a>(index: &'a str, bank: &BankName) -> Vec<&'a str> {
    let ours = format!("    {}: ", json_string(bank.as_str()));
    let Some(body) = index.strip_prefix(TOP) else {
        return vec![];
    };
    let lines = body
        .lines()
        .filter(|line| line.starts_with("    \"") && !line.starts_with(&ours));
    lines.map(|line| line.trim_end_matches(',')).collect()
}

/// Returns the entry's own text out of what stands at its place, if it is the key's.
pub(crate) fn entry_text<'a>(at_place: &'a str, key: &str) -> Option<&'a str> {
    at_place.strip_prefix(&json_string(key))?.strip_prefix(": ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const STAMP: Stamp = Stamp {
        inode: 7,
        size: 100,
        modified: 1_700_000_000_000_000_001,
    };

    fn index() -> String {
        let bank = |name| BankName::parse(name).unwrap();
        let places = [
            (
                r#"x","a "b"":[1,2],"y"#.to_owned(),
                Place {
                    start: 1,
                    length: 2,
                },
            ),
            (
                "a \"b\"".to_owned(),
                Place {
                    start: 10,
                    length: 5,
                },
            ),
        ];
        let section = |stamp| Section {
            stamp,
            created_at: Timestamp::UNIX_EPOCH,
            places: &places,
        };
        let one = render(None, &bank("one"), &section(STAMP));
        let both = render(
            Some(&one),
            &bank("two"),
            &section(Stamp { inode: 8, ..STAMP }),
        );
        render(Some(&both), &bank("one"), &section(STAMP))
    }

    #[test]
    fn a_key_is_found_only_for_the_state_of_the_file_it_was_made_for() {
        let index = index();
        let ask = |bank, key, stamp| look_up(&index, &BankName::parse(bank).unwrap(), key, stamp);
        let here = Some((
            Place {
                start: 10,
                length: 5,
            },
            Timestamp::UNIX_EPOCH,
        ));
        assert_eq!(ask("one", "a \"b\"", STAMP), here);
        assert_eq!(ask("two", "a \"b\"", Stamp { inode: 8, ..STAMP }), here);
        assert_eq!(ask("one", "b", STAMP), None);
        assert_eq!(ask("one", "a \"b\"", Stamp { size: 101, ..STAMP }), None);
        assert_eq!(ask("three", "a", STAMP), None);
    }

    #[test]
    fn an_index_is_json() {
        let index: serde_json::Value = serde_json::from_str(&index()).unwrap();
        assert_eq!(index["banks"]["two"]["keys"]["a \"b\""], json!([10, 5]));
    }

    #[test]
    fn a_damaged_index_knows_nothing() {
        let bank = BankName::parse("one").unwrap();
        for text in [
            "",
            "{",
            "[]",
            "{\"version\":2,\"banks\":{}}",
            &index()[..80],
        ] {
            assert_eq!(look_up(text, &bank, "a", STAMP), None);
        }
    }
}
