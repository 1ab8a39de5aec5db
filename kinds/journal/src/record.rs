//! A record of the journal, valid by construction (specification 003, "Memory Object Schema").

use std::fmt;

use indexmap::IndexMap;
use memory_core::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::{JournalError, RecordId, limits};

/// Members that we do not know, as they were written.
pub type Extra = IndexMap<String, Box<RawValue>>;

/// One memory.
#[derive(Debug, Clone)]
pub struct Record {
    pub id: RecordId,
    pub matter: Matter,
    pub content: Content,
    pub category: Option<Category>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub accessed_at: Timestamp,
    pub access_count: u64,
    pub tags: Tags,
    pub importance: Importance,
    pub archived: bool,
    pub extra: Extra,
}

impl Record {
    /// Returns the record's type, which decides the file that it is kept in.
    pub fn kind(&self) -> Type {
        match self.matter {
            Matter::Core => Type::Core,
            Matter::Learning => Type::Learning,
            Matter::Task(_) => Type::Task,
        }
    }

    /// Returns how a task stands, if it is one and tells.
    pub fn progress(&self) -> Option<&Progress> {
        match &self.matter {
            Matter::Task(Some(task)) => Some(&task.progress),
            _ => None,
        }
    }

    /// Returns its first line, as far as a list shows it.
    pub fn title(&self) -> String {
        self.content
            .as_str()
            .trim()
            .lines()
            .next()
            .unwrap_or_default()
            .chars()
            .take(limits::TITLE_CHARS)
            .collect()
    }

    /// Says whether upkeep may archive it, from what time on.
    ///
    /// Core memories are archived by hand only, and so is a task that is not completed.
    pub fn rests_from(&self) -> Option<Timestamp> {
        match (&self.matter, self.progress()) {
            (Matter::Learning, _) => Some(limits::LEARNING_REST.after(self.accessed_at)),
            (_, Some(Progress::Completed { completed_at })) => {
                Some(limits::TASK_REST.after(*completed_at))
            }
            _ => None,
        }
    }
}

/// What a record is about, and what only such records have.
#[derive(Debug, Clone)]
pub enum Matter {
    Core,
    Learning,
    Task(Option<Task>),
}

/// `task_metadata`.
#[derive(Debug, Clone)]
pub struct Task {
    pub progress: Progress,
    pub outcome: Option<String>,
    pub extra: Extra,
}

/// How a task stands. One that is completed has a time of completion, a blocked one has blockers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Progress {
    Completed { completed_at: Timestamp },
    InProgress,
    Blocked { blockers: Vec<String> },
}

impl Progress {
    /// Returns the word for it.
    pub fn status(&self) -> Status {
        match self {
            Progress::Completed { .. } => Status::Completed,
            Progress::InProgress => Status::InProgress,
            Progress::Blocked { .. } => Status::Blocked,
        }
    }
}

/// Declares an enum of words that stand in files, parameters and messages alike.
macro_rules! words {
    ($(#[$about:meta])* $name:ident, $what:literal: $($variant:ident = $word:literal),+ $(,)?) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
        pub enum $name {
            $(#[serde(rename = $word)] $variant,)+
        }

        impl $name {
            pub const ALL: [$name; [$($word),+].len()] = [$($name::$variant),+];

            /// Returns the word.
            pub fn as_str(self) -> &'static str {
                match self {
                    $($name::$variant => $word,)+
                }
            }

            /// Reads the word.
            pub fn parse(word: &str) -> Result<Self, JournalError> {
                let found = $name::ALL.into_iter().find(|known| known.as_str() == word);
                found.ok_or_else(|| JournalError::not_one_of($what, word, &$name::ALL.map($name::as_str)))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}

words! {
    /// The three types of record, each with a file of its own.
    Type, "a type": Core = "core", Learning = "learning", Task = "task",
}

words! {
    /// How much a record matters.
    Importance, "an importance": High = "high", Medium = "medium", Low = "low",
}

words! {
    /// How a task stands, as a word.
    Status, "a status": Completed = "completed", InProgress = "in-progress", Blocked = "blocked",
}

/// What a record says.
///
/// Invariant: between 1 and [`limits::CONTENT_CHARS`] characters, of which one at least is no blank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content(String);

impl Content {
    pub fn parse(text: &str) -> Result<Self, JournalError> {
        if text.trim().is_empty() {
            return Err(JournalError::bad("The content is empty"));
        }
        within("The content", text, limits::CONTENT_CHARS)?;
        Ok(Content(text.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A word that records are sorted by.
///
/// Invariant: between 1 and [`limits::CATEGORY_CHARS`] characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Category(String);

impl Category {
    pub fn parse(text: &str) -> Result<Self, JournalError> {
        if text.trim().is_empty() {
            return Err(JournalError::bad("The category is empty"));
        }
        within("The category", text, limits::CATEGORY_CHARS)?;
        Ok(Category(text.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Words that a record is found by.
///
/// Invariant: at most [`limits::TAGS`], none empty, none twice, each of at most
/// [`limits::TAG_CHARS`] characters.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tags(Vec<String>);

impl Tags {
    pub fn parse<S: AsRef<str>>(words: &[S]) -> Result<Self, JournalError> {
        let mut tags: Vec<String> = Vec::new();
        for word in words.iter().map(AsRef::as_ref) {
            if word.trim().is_empty() {
                return Err(JournalError::bad("A tag is empty"));
            }
            within("A tag", word, limits::TAG_CHARS)?;
            if !tags.iter().any(|tag| tag == word) {
                tags.push(word.to_owned());
            }
        }
        if tags.len() > limits::TAGS {
            Err(JournalError::TooLarge {
                what: "The record",
                unit: "tags",
                size: tags.len(),
                limit: limits::TAGS,
            })
        } else {
            Ok(Tags(tags))
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    pub fn as_slice(&self) -> &[String] {
        &self.0
    }

    pub fn has(&self, tag: &str) -> bool {
        self.iter().any(|known| known == tag)
    }
}

fn within(what: &'static str, text: &str, limit: usize) -> Result<(), JournalError> {
    match text.chars().count() {
        size if size > limit => Err(JournalError::TooLarge {
            what,
            unit: "characters",
            size,
            limit,
        }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check<T>(parsed: Result<T, JournalError>, is_good: bool) {
        assert_eq!(parsed.is_ok(), is_good);
    }

    #[test]
    fn content_has_one_to_5000_characters_of_any_length_in_bytes() {
        check(Content::parse(""), false);
        check(Content::parse(" \n"), false);
        check(Content::parse("x"), true);
        check(Content::parse(&"中".repeat(5000)), true);
        check(Content::parse(&"中".repeat(5001)), false);
    }

    #[test]
    fn a_category_has_up_to_50_characters() {
        check(Category::parse(&"ä".repeat(50)), true);
        check(Category::parse(&"ä".repeat(51)), false);
        check(Category::parse(""), false);
    }

    #[test]
    fn there_are_up_to_ten_tags_of_up_to_30_characters() {
        let many = |count: usize| (0..count).map(|n| n.to_string()).collect::<Vec<_>>();
        check(Tags::parse(&many(0)), true);
        check(Tags::parse(&many(10)), true);
        check(Tags::parse(&many(11)), false);
        check(Tags::parse(&["é".repeat(30)]), true);
        check(Tags::parse(&["é".repeat(31)]), false);
        check(Tags::parse(&[" "]), false);
        assert_eq!(
            Tags::parse(&["a", "b", "a"]).unwrap().as_slice(),
            ["a", "b"]
        );
    }

    #[test]
    fn a_word_of_no_list_is_told_with_the_list() {
        let error = Importance::parse("hgih").unwrap_err();
        assert_eq!(
            error.to_string(),
            "'hgih' is not an importance; it can be high, medium, low"
        );
    }
}
