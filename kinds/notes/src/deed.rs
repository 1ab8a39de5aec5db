//! What upkeep did to a note, or would do, and by which rule.

use serde::{Deserialize, Serialize};

use crate::card::Card;
use crate::{Category, NoteId};

/// One thing that was done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Deed {
    pub action: Action,
    /// The note it was done to.
    pub id: NoteId,
    pub title: String,
    /// The rule that decided.
    pub why: String,
    /// Where it was sorted.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub category: Option<Category>,
    /// The other note that has a part in it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub other: Option<NoteId>,
}

/// What can be done to a note unasked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    Expire,
    Decay,
    Upgrade,
    Classify,
    Merge,
    Join,
    Link,
    Remind,
    Suggest,
}

impl Action {
    /// Tells how many times it was done: `2 merged`, `1 reminder`.
    fn counted(self, times: usize) -> String {
        let what = match (self, times) {
            (Action::Remind, 1) => "reminder",
            (Action::Remind, _) => "reminders",
            (Action::Suggest, 1) => "suggestion",
            (Action::Suggest, _) => "suggestions",
            (action, _) => action.done(),
        };
        format!("{times} {what}")
    }

    /// The word for having done it.
    pub fn done(self) -> &'static str {
        match self {
            Action::Expire => "expired",
            Action::Decay => "decayed",
            Action::Upgrade => "upgraded",
            Action::Classify => "classified",
            Action::Merge => "merged",
            Action::Join => "joined",
            Action::Link => "linked",
            Action::Remind => "reminder",
            Action::Suggest => "suggestion",
        }
    }
}

impl Deed {
    pub(crate) fn new(action: Action, card: &Card, why: impl Into<String>) -> Self {
        let (id, title) = (card.id.clone(), card.title.to_string());
        Deed {
            action,
            id,
            title,
            why: why.into(),
            category: None,
            other: None,
        }
    }

    pub(crate) fn into_category(self, category: Category) -> Self {
        Deed {
            category: Some(category),
            ..self
        }
    }

    pub(crate) fn with_other(self, other: &NoteId) -> Self {
        Deed {
            other: Some(other.clone()),
            ..self
        }
    }
}

/// Counts deeds for one line: `2 expired, 1 merged`.
pub fn summary(deeds: &[Deed]) -> String {
    let mut actions: Vec<Action> = deeds.iter().map(|deed| deed.action).collect();
    actions.sort();
    let counted = actions
        .chunk_by(|a, b| a == b)
        .map(|same| same[0].counted(same.len()));
    counted.collect::<Vec<_>>().join(", ")
}
