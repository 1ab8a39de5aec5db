//! A bank's file as bytes: parse, render, and nothing else.
//!
//! Entries that nobody asks for stay the text they are, so that a change to one of them touches no
//! other. No path, clock or lock appears here.

use std::borrow::Cow;

use indexmap::IndexMap;
use memory_core::{Fields, Json, Timestamp, instant, json_string, parse_instant};
use memory_steps::count;

use crate::entry::Entry;
use crate::limits;

/// How the text of an entry ends that we wrote and that stays: its last member, and its brace.
/// Whoever ends otherwise is read before it is judged.
const IMMORTAL: &str = "\"ttl\": null\n    }";

/// A bank: what is said of it as a whole, and its entries' texts in their order.
#[derive(Debug, Clone)]
pub struct Bank<'a> {
    pub meta: Meta,
    entries: IndexMap<Cow<'a, str>, Cow<'a, str>>,
    /// Members that we do not know.
    unknown: Vec<(String, String)>,
    /// Keys that stand more than once; the last one counts.
    pub duplicates: Vec<String>,
    /// The canonical text of `meta` as it was read; `None` for a new bank.
    meta_before: Option<String>,
    /// The entries that were changed since the bank was read, as they were, with their positions.
    changed: IndexMap<String, (Option<Cow<'a, str>>, usize)>,
}

/// What is said of a bank as a whole.
#[derive(Debug, Clone)]
pub struct Meta {
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub schema: Option<Json>,
    unknown: Vec<(String, String)>,
}

/// Why a text is not a bank.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum FormatFlaw {
    #[error("{0}")]
    Broken(String),
    #[error("version {0} is not known")]
    NewerVersion(u64),
}

/// Where an entry stands in the rendered text: from its key's quote to its closing brace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    pub start: u64,
    pub length: u64,
}

/// A bank's file, and where each entry stands in it.
#[derive(Debug)]
pub struct Rendered {
    pub text: String,
    pub places: Vec<(String, Place)>,
    /// What entries without times have for theirs.
    pub created_at: Timestamp,
}

impl<'a> Bank<'a> {
    /// Returns a bank without entries.
    pub fn new(now: Timestamp) -> Self {
        let meta = Meta {
            created_at: now,
            updated_at: now,
            schema: None,
            unknown: vec![],
        };
        Bank {
            meta,
            entries: IndexMap::new(),
            unknown: vec![],
            duplicates: vec![],
            meta_before: None,
            changed: IndexMap::new(),
        }
    }

    /// Reads a bank's file.
    pub fn parse(text: &'a str) -> Result<Self, FormatFlaw> {
        let members = Fields::parse(text).map_err(|e| broken(&e.to_string()))?;
        let meta = members
            .get("_meta")
            .ok_or_else(|| broken("it has no _meta"))?;
        let meta = Meta::parse(meta.get())?;
        let entries = members
            .get("entries")
            .ok_or_else(|| broken("it has no entries"))?;
        let entries =
            Fields::parse(entries.get()).map_err(|_| broken("its entries are not an object"))?;
        let mut bank = Bank {
            meta_before: Some(meta.canonical()),
            meta,
            ..Bank::new(Timestamp::UNIX_EPOCH)
        };
        bank.unknown = members.except(&["_meta", "entries"]);
        for (key, entry) in entries {
            count(1);
            if let (at, Some(_)) = bank.entries.insert_full(key, entry.get().into()) {
                bank.duplicates
                    .extend(bank.entries.get_index(at).map(|(key, _)| key.to_string()));
            }
        }
        Ok(bank)
    }

    /// Returns how many entries it has, expired ones included.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Says whether it has no entry.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the keys in their order.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(AsRef::as_ref)
    }

    /// Reads the entry under a key, or says what is wrong with it.
    pub fn entry(&self, key: &str) -> Option<Result<Entry<'_>, String>> {
        self.entries
            .get(key)
            .map(|text| Entry::parse(text, self.meta.created_at))
    }

    /// Reads every entry, each on its own: a broken one hides no other.
    pub fn entries(&self) -> impl Iterator<Item = (&str, Result<Entry<'_>, String>)> {
        self.entries
            .iter()
            .map(|(key, text)| (key.as_ref(), Entry::parse(text, self.meta.created_at)))
    }

    /// Returns the keys of entries that have expired.
    pub fn expired(&self, now: Timestamp) -> Vec<String> {
        let stays = |text: &str| text.ends_with(IMMORTAL) && !text.contains("\"expires_at\"");
        let mortal = self.entries.iter().filter(|(_, text)| !stays(text));
        mortal
            .filter(|(_, text)| {
                Entry::parse(text, self.meta.created_at).is_ok_and(|entry| entry.is_expired(now))
            })
            .map(|(key, _)| key.to_string())
            .collect()
    }

    /// Puts an entry under a key, in the place of the one that is there.
    pub fn put(&mut self, key: &str, entry: &Entry<'_>) {
        self.note_change(key);
        self.entries
            .insert(key.to_owned().into(), entry.render().into());
    }

    /// Puts the text of an entry under a key, at a position among the others if the key is new.
    pub fn put_text_at(&mut self, key: &str, text: &str, position: usize) {
        self.note_change(key);
        if self.entries.contains_key(key) {
            self.entries
                .insert(key.to_owned().into(), text.to_owned().into());
        } else {
            let position = position.min(self.entries.len());
            self.entries
                .shift_insert(position, key.to_owned().into(), text.to_owned().into());
        }
    }

    /// Returns the text of an entry.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.entries.get(key).map(AsRef::as_ref)
    }

    /// Returns the entries that were changed since the bank was read: key, position and text before.
    pub fn changed(&self) -> impl Iterator<Item = (&str, usize, Option<&str>)> {
        self.changed
            .iter()
            .map(|(key, (text, position))| (key.as_str(), *position, text.as_deref()))
    }

    /// Returns the canonical text of what was said of the bank as a whole when it was read.
    pub fn meta_before(&self) -> Option<String> {
        self.meta_before.clone()
    }

    fn note_change(&mut self, key: &str) {
        if !self.changed.contains_key(key) {
            let (position, text) = match self.entries.get_full(key) {
                Some((position, _, text)) => (position, Some(text.clone())),
                None => (self.entries.len(), None),
            };
            self.changed.insert(key.to_owned(), (text, position));
        }
    }

    /// Says whether it has a key, whatever stands under it.
    pub fn has(&self, key: &str) -> bool {
        self.entries.contains_key(key)
    }

    /// Takes what is said of a bank as a whole from another.
    pub fn take_meta_of(&mut self, other: &Bank<'_>) {
        self.meta = other.meta.clone();
        self.unknown = other.unknown.clone();
    }

    /// Takes an entry away; those after it keep their order.
    pub fn take(&mut self, key: &str) {
        self.note_change(key);
        self.entries.shift_remove(key);
    }

    /// Keeps only the entries whose keys are wanted.
    pub fn retain(&mut self, wanted: impl Fn(&str) -> bool) {
        self.entries.retain(|key, _| wanted(key));
    }

    /// Renders the bank's file.
    pub fn render(&self) -> Rendered {
        let room: usize = self
            .entries
            .iter()
            .map(|(key, entry)| key.len() + entry.len() + 16)
            .sum();
        let mut text = String::with_capacity(room + 512);
        let mut places = Vec::with_capacity(self.entries.len());
        text.push_str("{\n  \"_meta\": ");
        text.push_str(&self.meta.render());
        text.push_str(",\n  \"entries\": {");
        for (n, (key, entry)) in self.entries.iter().enumerate() {
            text.push_str(if n == 0 { "\n    " } else { ",\n    " });
            let start = text.len() as u64;
            text.push_str(&json_string(key));
            text.push_str(": ");
            text.push_str(entry);
            places.push((
                key.to_string(),
                Place {
                    start,
                    length: text.len() as u64 - start,
                },
            ));
        }
        text.push_str(if self.entries.is_empty() {
            "}"
        } else {
            "\n  }"
        });
        for (name, value) in &self.unknown {
            text.push_str(&format!(",\n  {}: {value}", json_string(name)));
        }
        text.push_str("\n}\n");
        Rendered {
            text,
            places,
            created_at: self.meta.created_at,
        }
    }
}

impl Meta {
    /// Reads what is said of a bank.
    pub(crate) fn parse(text: &str) -> Result<Self, FormatFlaw> {
        let fields = Fields::parse(text).map_err(|_| broken("its _meta is not an object"))?;
        let version = match fields.get("version") {
            None => limits::VERSION,
            Some(raw) => raw
                .get()
                .parse()
                .map_err(|_| broken("its version is not a number"))?,
        };
        if version > limits::VERSION {
            return Err(FormatFlaw::NewerVersion(version));
        }
        let schema = fields
            .get("schema")
            .map(|raw| raw.get())
            .filter(|text| *text != "null");
        let schema = schema
            .map(Json::parse)
            .transpose()
            .map_err(|_| broken("its schema is nested too deep"))?;
        let time = |name| {
            let text: String = serde_json::from_str(fields.get(name)?.get()).ok()?;
            parse_instant(&text)
        };
        let created = time("created_at")
            .or(time("updated_at"))
            .unwrap_or(Timestamp::UNIX_EPOCH);
        Ok(Meta {
            created_at: created,
            updated_at: time("updated_at").unwrap_or(created),
            schema,
            unknown: fields.except(&["version", "created_at", "updated_at", "schema"]),
        })
    }

    /// Returns what the history records of it: without the time of the last change.
    pub(crate) fn canonical(&self) -> String {
        let meta = Meta {
            updated_at: self.created_at,
            ..self.clone()
        };
        meta.render()
    }

    fn render(&self) -> String {
        let schema = self.schema.as_ref().map_or("null", Json::as_str);
        let mut out = format!(
            "{{\n    \"version\": {},\n    \"created_at\": \"{}\",\n    \"updated_at\": \"{}\",\n    \"schema\": {schema}",
            limits::VERSION,
            instant(self.created_at),
            instant(self.updated_at),
        );
        for (name, value) in &self.unknown {
            out.push_str(&format!(",\n    {}: {value}", json_string(name)));
        }
        out.push_str("\n  }");
        out
    }
}

fn broken(problem: &str) -> FormatFlaw {
    FormatFlaw::Broken(problem.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The specification's own example, with two fields of a version to come.
    const GOLDEN: &str = include_str!("../tests/golden/bank.json");

    #[test]
    fn rendering_what_was_parsed_gives_back_the_same_bytes() {
        let rendered = Bank::parse(GOLDEN).unwrap().render();
        assert_eq!(rendered.text, GOLDEN);
        for (key, place) in rendered.places {
            let text = &rendered.text[place.start as usize..(place.start + place.length) as usize];
            assert!(
                text.starts_with(&json_string(&key)) && text.ends_with('}'),
                "{text}"
            );
        }
    }

    #[test]
    fn a_change_to_one_entry_leaves_every_other_byte_as_it_was() {
        let now = parse_instant("2024-02-01T00:00:00Z").unwrap();
        let mut bank = Bank::parse(GOLDEN).unwrap();
        let value = Json::parse("12345678901234567890.50").unwrap();
        let changed = bank
            .entry("digits")
            .unwrap()
            .unwrap()
            .updated(&value, now)
            .render();
        let kept = bank.entry("context").unwrap().unwrap().render();
        bank.put("digits", &Entry::parse(&changed, now).unwrap());
        let text = bank.render().text;
        assert!(text.contains("12345678901234567890.50"));
        assert!(text.contains(&kept) && text.contains("\"future\": {\"kept\": true}"));
        let keys: Vec<_> = bank.keys().collect();
        assert_eq!(keys, ["context", "digits", "中文 \"key\""]);
    }

    #[test]
    fn what_is_no_bank_says_why() {
        let flaw = |text: &str| Bank::parse(text).unwrap_err().to_string();
        assert_eq!(flaw("{}"), "it has no _meta");
        assert_eq!(flaw(r#"{"_meta":{}}"#), "it has no entries");
        assert_eq!(
            flaw(r#"{"_meta":{},"entries":[]}"#),
            "its entries are not an object"
        );
        assert_eq!(
            flaw(r#"{"_meta":{"version":2},"entries":{}}"#),
            "version 2 is not known"
        );
        assert_eq!(
            flaw("{\"_meta\":{}, \"en"),
            "EOF while parsing a string at line 1 column 16"
        );
    }

    #[test]
    fn expired_entries_are_found_however_they_are_laid_out() {
        let text = GOLDEN
            .replace("\"value\": \"值\"", "\"value\": {\"ttl\": null}")
            .replace("\"ttl\": null\n    }\n  },", "\"ttl\": 1}},");
        let bank = Bank::parse(&text).unwrap();
        assert!(
            bank.expired(parse_instant("2024-01-15T14:45:00Z").unwrap())
                .is_empty()
        );
        assert_eq!(
            bank.expired(parse_instant("2024-01-15T14:45:01Z").unwrap()),
            ["中文 \"key\""]
        );
        assert_eq!(
            bank.expired(parse_instant("2024-01-16T00:00:00Z").unwrap()),
            ["digits", "中文 \"key\""]
        );
    }

    #[test]
    fn a_day_to_go_is_seen_even_before_a_ttl_of_null() {
        let text = "{\"_meta\":{},\"entries\":{\"k\":{\"value\":1,\"expires_at\":\"2021-01-01T00:00:00Z\",\n      \"ttl\": null\n    }}}";
        let bank = Bank::parse(text).unwrap();
        assert_eq!(
            bank.expired(parse_instant("2024-01-01T00:00:00Z").unwrap()),
            ["k"]
        );
    }

    #[test]
    fn a_key_that_stands_twice_is_told() {
        let text = r#"{"_meta":{},"entries":{"a":{"value":1},"b":{"value":2},"a":{"value":3}}}"#;
        let bank = Bank::parse(text).unwrap();
        assert_eq!(bank.duplicates, ["a"]);
        assert_eq!(bank.entry("a").unwrap().unwrap().value, "3");
    }

    #[test]
    fn a_file_of_many_members_is_read_in_linear_time() {
        // The JSON parser is not ours: it is given files of at most `limits::READ_BYTES`.
        for member in [
            r#""k":{"value":1},"#,
            r#""KEY":{"value":[[1]]},"#,
            r#""KEY":3,"#,
        ] {
            let text = |n: usize| {
                let members: String = (0..n)
                    .map(|n| member.replace("KEY", &format!("k{n}")))
                    .collect();
                format!(r#"{{"_meta":{{}},"entries":{{{}"z":{{}}}}}}"#, members)
            };
            let growth = memory_steps::Growth::of(1_000, text, |text| {
                let bank = Bank::parse(&text).unwrap();
                assert!(bank.entries().count() > 0);
            });
            assert!(growth.is_linear(), "{member}: {growth:?}");
        }
    }
}
