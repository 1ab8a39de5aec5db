//! Which entries are meant: the one rule for getting and for clearing.

use crate::{CompartmentError, Entry};

/// What an entry must have; nothing asked for means every entry.
///
/// Invariant: no text in it is empty, so that a filter which was meant to narrow never means all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    id: Option<String>,
    category: Option<String>,
    tags: Vec<String>,
}

impl Filter {
    /// Returns the filter that lets every entry through.
    pub fn all() -> Self {
        Filter::default()
    }

    /// Returns a filter: the entry of this id, of this category, with at least one of these tags.
    pub fn new(
        id: Option<String>,
        category: Option<String>,
        tags: Vec<String>,
    ) -> Result<Self, CompartmentError> {
        let texts = [
            ("id", id.iter().collect()),
            ("category", category.iter().collect::<Vec<_>>()),
        ];
        for (what, given) in texts.into_iter().chain([("tag", tags.iter().collect())]) {
            if given.iter().any(|text| text.trim().is_empty()) {
                return Err(CompartmentError::EmptyFilter { what });
            }
        }
        let trimmed = |text: String| text.trim().to_owned();
        Ok(Filter {
            id: id.map(trimmed),
            category: category.map(trimmed),
            tags: tags.into_iter().map(trimmed).collect(),
        })
    }

    /// Returns the id that is asked for.
    pub fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// Says whether an entry is meant.
    pub fn matches(&self, entry: &Entry) -> bool {
        self.id.as_ref().is_none_or(|id| *id == entry.id)
            && self
                .category
                .as_ref()
                .is_none_or(|category| entry.category.as_ref() == Some(category))
            && (self.tags.is_empty() || self.tags.iter().any(|tag| entry.tags.contains(tag)))
    }
}
