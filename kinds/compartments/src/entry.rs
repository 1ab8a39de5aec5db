//! One entry: a content, what it is filed under, when it came, and how much it matters.
//!
//! An entry is read from its text and rendered back to it. Members that we do not know are kept as
//! they were, because another program of the specification may have written them.

use std::collections::BTreeMap;

use memory_core::{Fields, Timestamp, find_secret, instant, json_string, render_object};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::{CompartmentError, RunId, limits};

/// An entry of a compartment, with the names that the specification gives its members.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    pub id: String,
    pub content: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub metadata: BTreeMap<String, String>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub access_count: u64,
    /// How much it matters, from 1 to 10.
    pub priority: i64,
    /// The run that it belongs to, if it is one that was named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<RunId>,
    #[serde(skip)]
    unknown: Vec<(String, String)>,
}

/// What is to be saved, before anyone has looked at it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewEntry {
    pub content: String,
    pub category: Option<String>,
    pub tags: Vec<String>,
    pub metadata: BTreeMap<String, String>,
    /// From 1 to 10; 5 when none is given.
    pub priority: Option<i64>,
}

impl From<&str> for NewEntry {
    fn from(content: &str) -> Self {
        NewEntry {
            content: content.to_owned(),
            ..NewEntry::default()
        }
    }
}

const KNOWN: [&str; 10] = [
    "id",
    "content",
    "category",
    "tags",
    "metadata",
    "created_at",
    "updated_at",
    "access_count",
    "priority",
    "run",
];

impl NewEntry {
    /// Returns the first thing in it that looks like a credential.
    pub fn secret(&self) -> Option<&'static str> {
        let named = self.metadata.iter().flat_map(|(name, value)| [name, value]);
        let texts = [&self.content]
            .into_iter()
            .chain(&self.category)
            .chain(&self.tags)
            .chain(named);
        texts.into_iter().find_map(|text| find_secret(text))
    }

    /// Checks it and makes it an entry. White space around tags and category says nothing.
    pub(crate) fn into_entry(
        self,
        id: String,
        run: Option<RunId>,
        now: Timestamp,
    ) -> Result<Entry, CompartmentError> {
        let priority = self.priority.unwrap_or(limits::PRIORITY);
        if self.content.trim().is_empty() {
            return Err(CompartmentError::EmptyContent);
        }
        if !limits::PRIORITIES.contains(&priority) {
            return Err(CompartmentError::BadPriority { priority });
        }
        let mut tags: Vec<String> = Vec::new();
        for tag in self
            .tags
            .iter()
            .map(|tag| tag.trim())
            .filter(|tag| !tag.is_empty())
        {
            if !tags.iter().any(|known| known == tag) {
                tags.push(tag.to_owned());
            }
        }
        let category = self.category.map(|category| category.trim().to_owned());
        Ok(Entry {
            id,
            content: self.content,
            category: category.filter(|category| !category.is_empty()),
            tags,
            metadata: self.metadata,
            created_at: now,
            updated_at: now,
            access_count: 0,
            priority,
            run,
            unknown: Vec::new(),
        })
    }
}

impl Entry {
    /// Returns how much of a compartment it takes: the characters of all that its writer gave.
    pub fn size(&self) -> usize {
        let named = self.metadata.iter().flat_map(|(name, value)| [name, value]);
        let texts = [&self.content]
            .into_iter()
            .chain(&self.category)
            .chain(&self.tags)
            .chain(named);
        texts.map(|text| text.chars().count()).sum()
    }

    /// Returns the beginning of its first line, for lists of changes.
    pub(crate) fn title(&self) -> String {
        let line = self.content.trim_start().lines().next().unwrap_or_default();
        match line.char_indices().nth(limits::TITLE_CHARACTERS) {
            Some((end, _)) => format!("{}…", &line[..end]),
            None => line.to_owned(),
        }
    }

    /// Reads an entry from its text, or says what is wrong with it.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let fields = Fields::parse(text).map_err(|_| "it is not an object".to_owned())?;
        let id: String = member(&fields, "id")?.ok_or("it has no id")?;
        let priority = member(&fields, "priority")?.unwrap_or(limits::PRIORITY);
        if id.is_empty() {
            return Err("its id is empty".to_owned());
        }
        if !limits::PRIORITIES.contains(&priority) {
            return Err(format!("its priority {priority} is not between 1 and 10"));
        }
        let updated_at = fields.time("updated_at")?;
        let created_at = fields
            .time("created_at")?
            .or(updated_at)
            .unwrap_or(Timestamp::UNIX_EPOCH);
        Ok(Entry {
            id,
            content: member(&fields, "content")?.ok_or("it has no content")?,
            category: member::<String>(&fields, "category")?
                .filter(|category| !category.is_empty()),
            tags: member(&fields, "tags")?.unwrap_or_default(),
            metadata: member(&fields, "metadata")?.unwrap_or_default(),
            created_at,
            updated_at: updated_at.unwrap_or(created_at),
            access_count: member(&fields, "access_count")?.unwrap_or_default(),
            priority,
            run: member(&fields, "run")?,
            unknown: fields.except(&KNOWN),
        })
    }

    /// Reads what is good of an entry that [`Entry::parse`] refuses; none when it has no content.
    pub(crate) fn mend(text: &str, new_id: impl FnOnce() -> String) -> Option<Self> {
        let fields = Fields::parse(text).ok()?;
        let whole = |name: &str| Entry::parse(&alone(name, fields.get(name)?.get())).ok();
        let content = member::<String>(&fields, "content").ok().flatten()?;
        let id = member::<String>(&fields, "id")
            .ok()
            .flatten()
            .filter(|id| !id.is_empty());
        let times = ["created_at", "updated_at"].map(|name| fields.time(name).ok().flatten());
        let created_at = times[0].or(times[1]).unwrap_or(Timestamp::UNIX_EPOCH);
        Some(Entry {
            id: id.unwrap_or_else(new_id),
            content,
            category: whole("category").and_then(|read| read.category),
            tags: whole("tags").map(|read| read.tags).unwrap_or_default(),
            metadata: whole("metadata")
                .map(|read| read.metadata)
                .unwrap_or_default(),
            created_at,
            updated_at: times[1].unwrap_or(created_at),
            access_count: whole("access_count").map_or(0, |read| read.access_count),
            priority: whole("priority").map_or(limits::PRIORITY, |read| read.priority),
            run: whole("run").and_then(|read| read.run),
            unknown: fields.except(&KNOWN),
        })
    }

    /// Renders the entry as it stands in the file.
    pub(crate) fn render(&self) -> String {
        let time = |at: Timestamp| json_string(&instant(at));
        let json = |value: serde_json::Result<String>| value.unwrap_or_default();
        let mut members = vec![
            ("id", json_string(&self.id)),
            ("content", json_string(&self.content)),
        ];
        members.extend(
            self.category
                .iter()
                .map(|category| ("category", json_string(category))),
        );
        if !self.tags.is_empty() {
            members.push(("tags", json(serde_json::to_string(&self.tags))));
        }
        if !self.metadata.is_empty() {
            members.push(("metadata", json(serde_json::to_string(&self.metadata))));
        }
        members.push(("created_at", time(self.created_at)));
        members.push(("updated_at", time(self.updated_at)));
        members.push(("access_count", self.access_count.to_string()));
        members.push(("priority", self.priority.to_string()));
        members.extend(
            self.run
                .iter()
                .map(|run| ("run", json_string(run.as_str()))),
        );
        members.extend(
            self.unknown
                .iter()
                .map(|(name, value)| (name.as_str(), value.clone())),
        );
        render_object(&members, 4)
    }
}

/// Returns the text of an entry with the number of accesses set to 0: the history does not record accesses.
pub(crate) fn without_count(text: &str) -> String {
    with_count(text, "0").unwrap_or_else(|| text.to_owned())
}

/// Returns the text of an entry with another number of accesses; `None` if it has none.
pub(crate) fn with_count(text: &str, count: &str) -> Option<String> {
    let fields = Fields::parse(text).ok()?;
    let old = fields.get("access_count")?.get();
    // The member is a part of the text.
    let start = (old.as_ptr() as usize).checked_sub(text.as_ptr() as usize)?;
    let (before, after) = (text.get(..start)?, text.get(start + old.len()..)?);
    Some(format!("{before}{count}{after}"))
}

/// An entry that has nothing but this member beside what it must have.
fn alone(name: &str, value: &str) -> String {
    format!(r#"{{"id":"-","content":"-","{name}":{value}}}"#)
}

fn member<T: DeserializeOwned>(fields: &Fields<'_>, name: &str) -> Result<Option<T>, String> {
    match fields.present(name) {
        None => Ok(None),
        Some(raw) => serde_json::from_str(raw.get())
            .map(Some)
            .map_err(|_| format!("its {name} is not right")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, problem: &str) {
        assert_eq!(Entry::parse(text).unwrap_err(), problem);
    }

    #[test]
    fn an_entry_says_what_is_wrong_with_it() {
        check("3", "it is not an object");
        check("{}", "it has no id");
        check(r#"{"id":""}"#, "its id is empty");
        check(r#"{"id":"a"}"#, "it has no content");
        check(r#"{"id":"a","content":1}"#, "its content is not right");
        check(
            r#"{"id":"a","content":"c","priority":11}"#,
            "its priority 11 is not between 1 and 10",
        );
        check(
            r#"{"id":"a","content":"c","priority":0}"#,
            "its priority 0 is not between 1 and 10",
        );
        check(
            r#"{"id":"a","content":"c","created_at":"soon"}"#,
            "its created_at is not a time",
        );
        check(
            r#"{"id":"a","content":"c","tags":"t"}"#,
            "its tags is not right",
        );
        check(
            r#"{"id":"a","content":"c","access_count":-1}"#,
            "its access_count is not right",
        );
    }

    #[test]
    fn what_is_missing_has_its_default_and_what_is_unknown_stays() {
        let entry = Entry::parse(r#"{"id":"a","content":"c","owner":[1.50],"tags":null}"#).unwrap();
        assert_eq!(
            (entry.priority, entry.access_count, entry.tags.len()),
            (5, 0, 0)
        );
        assert!(
            entry
                .render()
                .ends_with("\"priority\": 5,\n      \"owner\": [1.50]\n    }")
        );
        assert_eq!(Entry::parse(&entry.render()).unwrap(), entry);
    }

    #[test]
    fn mending_keeps_every_member_that_is_good() {
        let text =
            r#"{"content":"c","tags":["t"],"priority":99,"metadata":{"k":1},"run":"r","new":true}"#;
        let entry = Entry::mend(text, || "fresh".into()).unwrap();
        assert_eq!(
            (entry.id.as_str(), entry.priority, entry.tags.as_slice()),
            ("fresh", 5, &["t".to_owned()][..])
        );
        assert_eq!(
            (entry.run.as_ref().map(RunId::as_str), entry.metadata.len()),
            (Some("r"), 0)
        );
        assert!(entry.render().contains("\"new\": true"));
        assert!(Entry::mend(r#"{"id":"a","content":7}"#, String::new).is_none());
    }

    #[test]
    fn sizes_count_characters_of_all_that_was_given() {
        let new = NewEntry {
            content: "四个汉字".into(),
            category: Some("ab".into()),
            tags: vec!["c".into(), " c ".into(), String::new()],
            metadata: [("d".to_owned(), "é".to_owned())].into(),
            priority: None,
        };
        let entry = new
            .into_entry("x".into(), None, Timestamp::UNIX_EPOCH)
            .unwrap();
        assert_eq!((entry.size(), entry.tags.len()), (4 + 2 + 1 + 2, 1));
    }
}
