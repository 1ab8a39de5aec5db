//! Which records are meant, and in which order they come.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Importance, JournalError, Record, Status, Type};

/// What a record must be to be found.
#[derive(Debug, Clone, Default)]
pub(crate) struct Filter {
    pub(crate) kind: Option<Type>,
    pub(crate) category: Option<String>,
    pub(crate) tags: Vec<String>,
    /// Whether one of the tags is enough.
    pub(crate) any_tag: bool,
    pub(crate) importance: Option<Importance>,
    pub(crate) status: Option<Status>,
    /// Words in lower case, all of which the content has.
    pub(crate) words: Vec<String>,
}

impl Filter {
    /// Says whether a record is meant.
    pub(crate) fn matches(&self, record: &Record) -> bool {
        let has = |tag: &String| record.tags.has(tag);
        let category = record.category.as_ref().map(|category| category.as_str());
        let tags_fit = if self.any_tag && !self.tags.is_empty() {
            self.tags.iter().any(has)
        } else {
            self.tags.iter().all(has)
        };
        tags_fit
            && self.kind.is_none_or(|kind| record.kind() == kind)
            && self
                .importance
                .is_none_or(|importance| record.importance == importance)
            && self
                .category
                .as_ref()
                .is_none_or(|wanted| category == Some(wanted.as_str()))
            && self
                .status
                .is_none_or(|status| record.progress().map(|p| p.status()) == Some(status))
            && self.has_words(record)
    }

    fn has_words(&self, record: &Record) -> bool {
        if self.words.is_empty() {
            return true;
        }
        let text = record.content.as_str().to_lowercase();
        self.words.iter().all(|word| text.contains(word.as_str()))
    }
}

/// What records are ordered by, the latest or largest first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Sort {
    #[default]
    CreatedAt,
    UpdatedAt,
    AccessedAt,
    AccessCount,
}

impl Sort {
    pub const ALL: [&'static str; 4] = ["created_at", "updated_at", "accessed_at", "access_count"];

    /// Reads the name of an order.
    pub fn parse(name: &str) -> Result<Self, JournalError> {
        let orders = [
            Sort::CreatedAt,
            Sort::UpdatedAt,
            Sort::AccessedAt,
            Sort::AccessCount,
        ];
        let place = Sort::ALL.iter().position(|known| *known == name);
        place
            .map(|place| orders[place])
            .ok_or_else(|| JournalError::not_one_of("an order", name, &Sort::ALL))
    }

    /// Orders records; those that are alike come as they were written, the latest first.
    pub(crate) fn order(self, records: &mut [&Record]) {
        records.reverse();
        match self {
            Sort::CreatedAt => records.sort_by_key(|record| std::cmp::Reverse(record.created_at)),
            Sort::UpdatedAt => records.sort_by_key(|record| std::cmp::Reverse(record.updated_at)),
            Sort::AccessedAt => records.sort_by_key(|record| std::cmp::Reverse(record.accessed_at)),
            Sort::AccessCount => {
                records.sort_by_key(|record| std::cmp::Reverse(record.access_count))
            }
        }
    }
}
