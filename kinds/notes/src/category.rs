//! The fourteen categories of specification 001, and which of them a note can be sorted into.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a note is about.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Category {
    Soul,
    Character,
    People,
    Project,
    Date,
    Knowledge,
    Feedback,
    Preferences,
    Decisions,
    Lessons,
    Habits,
    Skills,
    /// Not sorted yet: where a note lands first.
    Inbox,
    /// Time-based reminders.
    Reminders,
}

impl Category {
    /// All of them, in the specification's order.
    pub const ALL: [Category; 14] = [
        Category::Soul,
        Category::Character,
        Category::People,
        Category::Project,
        Category::Date,
        Category::Knowledge,
        Category::Feedback,
        Category::Preferences,
        Category::Decisions,
        Category::Lessons,
        Category::Habits,
        Category::Skills,
        Category::Inbox,
        Category::Reminders,
    ];

    /// Returns the word for it, which is also its folder's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Category::Soul => "soul",
            Category::Character => "character",
            Category::People => "people",
            Category::Project => "project",
            Category::Date => "date",
            Category::Knowledge => "knowledge",
            Category::Feedback => "feedback",
            Category::Preferences => "preferences",
            Category::Decisions => "decisions",
            Category::Lessons => "lessons",
            Category::Habits => "habits",
            Category::Skills => "skills",
            Category::Inbox => "inbox",
            Category::Reminders => "reminders",
        }
    }
}

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A word that is no category.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{word}' is not a category")]
pub struct BadCategory {
    pub word: String,
}

impl FromStr for Category {
    type Err = BadCategory;

    fn from_str(word: &str) -> Result<Self, BadCategory> {
        let found = Category::ALL
            .into_iter()
            .find(|category| category.as_str() == word);
        found.ok_or_else(|| BadCategory {
            word: word.to_owned(),
        })
    }
}
