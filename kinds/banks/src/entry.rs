//! One entry of a bank: a value, when it came and changed, and when it goes.
//!
//! An entry is read from its text and rendered back to it. Fields that we do not know are kept as
//! they were, because a newer version of this program may have written them.

use std::borrow::Cow;

use memory_core::{Fields, Json, Timestamp, instant, render_object};

/// An entry, with its value as JSON text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry<'a> {
    pub value: Cow<'a, str>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// Seconds that it was given to live when it was written.
    pub ttl: Option<u64>,
    /// When it goes. Kept apart from `ttl` once an update has made the two differ.
    explicit_expiry: Option<Timestamp>,
    unknown: Vec<(String, Cow<'a, str>)>,
}

impl<'a> Entry<'a> {
    /// Returns a new entry.
    pub fn new(value: &'a Json, ttl: Option<u64>, now: Timestamp) -> Self {
        Entry {
            value: value.as_str().into(),
            created_at: now,
            updated_at: now,
            ttl,
            explicit_expiry: None,
            unknown: Vec::new(),
        }
    }

    /// Reads an entry from its text, or says what is wrong with it.
    ///
    /// A file written by hand may lack the times; they are then `fallback`'s.
    pub fn parse(text: &'a str, fallback: Timestamp) -> Result<Self, String> {
        let fields = Fields::parse(text).map_err(|_| "it is not an object".to_owned())?;
        let value = fields.get("value").ok_or("it has no value")?;
        let updated_at = fields.time("updated_at")?;
        let created_at = fields
            .time("created_at")?
            .or(updated_at)
            .unwrap_or(fallback);
        Ok(Entry {
            value: value.get().into(),
            created_at,
            updated_at: updated_at.unwrap_or(created_at),
            ttl: ttl(&fields)?,
            explicit_expiry: fields.time("expires_at")?,
            unknown: fields
                .iter()
                .filter(|(name, _)| !KNOWN.contains(name))
                .map(|(name, value)| (name.to_owned(), value.get().into()))
                .collect(),
        })
    }

    /// Returns the entry that takes the place of this one with an updated value.
    ///
    /// It goes when the old one would have gone: an update does not lengthen a life.
    #[must_use]
    pub fn updated(&self, value: &'a Json, now: Timestamp) -> Self {
        Entry {
            value: value.as_str().into(),
            updated_at: now,
            explicit_expiry: self.expires_at(),
            ..self.clone()
        }
    }

    /// Returns the entry that takes the place of this one when its key is written again.
    #[must_use]
    pub fn rewritten(&self, value: &'a Json, ttl: Option<u64>, now: Timestamp) -> Self {
        Entry {
            created_at: self.created_at,
            unknown: self.unknown.clone(),
            ..Entry::new(value, ttl, now)
        }
    }

    /// Returns the entry with its own copy of every text.
    pub fn into_owned(self) -> Entry<'static> {
        let own = |text: Cow<'a, str>| Cow::Owned(text.into_owned());
        Entry {
            value: own(self.value),
            unknown: self
                .unknown
                .into_iter()
                .map(|(name, value)| (name, own(value)))
                .collect(),
            created_at: self.created_at,
            updated_at: self.updated_at,
            ttl: self.ttl,
            explicit_expiry: self.explicit_expiry,
        }
    }

    /// Returns when it goes, if it does.
    pub fn expires_at(&self) -> Option<Timestamp> {
        self.explicit_expiry.or_else(|| {
            let seconds = self
                .updated_at
                .as_second()
                .checked_add(i64::try_from(self.ttl?).ok()?)?;
            Timestamp::from_second(seconds).ok()
        })
    }

    /// Says whether it has gone.
    pub fn is_expired(&self, now: Timestamp) -> bool {
        self.expires_at().is_some_and(|at| at <= now)
    }

    /// Says whether an object that has a value is an entry, and not a value that has one too: it
    /// has an entry's times, or nothing but what an entry may have.
    pub(crate) fn is_shaped_like_one(&self, text: &str) -> bool {
        self.unknown.is_empty()
            || Fields::parse(text).is_ok_and(|fields| fields.get("created_at").is_some())
    }

    /// Renders the entry as it stands in a bank's file.
    pub fn render(&self) -> String {
        let mut lines = vec![
            ("value", self.value.clone()),
            ("created_at", quoted(self.created_at)),
            ("updated_at", quoted(self.updated_at)),
            (
                "ttl",
                self.ttl.map_or("null".into(), |ttl| ttl.to_string().into()),
            ),
        ];
        if let Some(at) = self.explicit_expiry {
            lines.push(("expires_at", quoted(at)));
        }
        lines.extend(
            self.unknown
                .iter()
                .map(|(name, value)| (name.as_str(), value.clone())),
        );
        render_object(&lines, 4)
    }
}

const KNOWN: [&str; 5] = ["value", "created_at", "updated_at", "ttl", "expires_at"];

fn ttl(fields: &Fields<'_>) -> Result<Option<u64>, String> {
    match fields.present("ttl") {
        None => Ok(None),
        Some(raw) => raw
            .get()
            .parse()
            .map(Some)
            .map_err(|_| "its ttl is not a number of seconds".to_owned()),
    }
}

fn quoted(at: Timestamp) -> Cow<'static, str> {
    format!("\"{}\"", instant(at)).into()
}

#[cfg(test)]
mod tests {
    use memory_core::parse_instant;

    use super::*;

    fn at(text: &str) -> Timestamp {
        parse_instant(text).unwrap()
    }

    const NOON: &str = "2024-01-15T12:00:00Z";

    #[test]
    fn an_entry_reads_back_as_it_was_rendered_with_what_we_do_not_know() {
        let text = "{\n      \"value\": {\"n\":1.10},\n      \"created_at\": \"2024-01-15T10:30:00Z\",\n      \"updated_at\": \"2024-01-15T12:00:00Z\",\n      \"ttl\": 60,\n      \"owner\": [\"me\"]\n    }";
        assert_eq!(Entry::parse(text, at(NOON)).unwrap().render(), text);
    }

    #[test]
    fn an_update_keeps_the_hour_of_death_and_a_write_sets_a_new_one() {
        let one = Json::parse("1").unwrap();
        let entry = Entry::new(&one, Some(60), at(NOON));
        let later = at("2024-01-15T12:00:50Z");
        assert_eq!(entry.expires_at(), Some(at("2024-01-15T12:01:00Z")));
        assert_eq!(
            entry.updated(&one, later).expires_at(),
            Some(at("2024-01-15T12:01:00Z"))
        );
        assert_eq!(entry.updated(&one, later).ttl, Some(60));
        assert_eq!(
            entry.rewritten(&one, Some(60), later).expires_at(),
            Some(at("2024-01-15T12:01:50Z"))
        );
        assert_eq!(entry.rewritten(&one, None, later).expires_at(), None);
        assert!(!entry.is_expired(later) && entry.is_expired(at("2024-01-15T12:01:00Z")));
        let text = entry.updated(&one, later).render();
        assert_eq!(
            Entry::parse(&text, later).unwrap().expires_at(),
            Some(at("2024-01-15T12:01:00Z"))
        );
    }

    #[test]
    fn a_day_to_go_counts_without_a_ttl_too() {
        let text = r#"{"value":1,"created_at":"2020-01-01T00:00:00Z","expires_at":"2024-01-15T12:00:00Z"}"#;
        let entry = Entry::parse(text, at(NOON)).unwrap();
        assert!(entry.is_expired(at(NOON)));
        assert!(
            entry
                .render()
                .contains("\"expires_at\": \"2024-01-15T12:00:00Z\"")
        );
    }

    #[test]
    fn hand_written_entries_are_read_kindly_and_broken_ones_named() {
        let entry = Entry::parse("{\"value\": 1}", at(NOON)).unwrap();
        assert_eq!((entry.created_at, entry.ttl), (at(NOON), None));
        let flaw = |text| Entry::parse(text, at(NOON)).unwrap_err();
        assert_eq!(flaw("3"), "it is not an object");
        assert_eq!(flaw("{}"), "it has no value");
        assert_eq!(
            flaw(r#"{"value":1,"created_at":"soon"}"#),
            "its created_at is not a time"
        );
        assert_eq!(
            flaw(r#"{"value":1,"ttl":-1}"#),
            "its ttl is not a number of seconds"
        );
    }
}
