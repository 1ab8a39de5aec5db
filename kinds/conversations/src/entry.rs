//! What a conversation is made of: facts, turns and summaries, each one file.

use memory_core::{Timestamp, find_secret, mask_secrets};

use crate::{ConversationError, ConversationId, limits};

/// Who or what an entry is from (section 2.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// A fact.
    Memory,
    User,
    Assistant,
    Summary,
}

impl Role {
    pub fn as_str(self) -> &'static str {
        match self {
            Role::Memory => "memory",
            Role::User => "user",
            Role::Assistant => "assistant",
            Role::Summary => "summary",
        }
    }

    pub fn parse(word: &str) -> Option<Self> {
        [Role::Memory, Role::User, Role::Assistant, Role::Summary]
            .into_iter()
            .find(|r| r.as_str() == word)
    }
}

/// A folder of a conversation that holds entries (section 2.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Shelf {
    Facts,
    User,
    Assistant,
    L1,
    L2,
    L3,
}

impl Shelf {
    pub const ALL: [Shelf; 6] = [
        Shelf::Facts,
        Shelf::User,
        Shelf::Assistant,
        Shelf::L1,
        Shelf::L2,
        Shelf::L3,
    ];

    /// Returns its path below the conversation's folder.
    pub fn path(self) -> &'static str {
        match self {
            Shelf::Facts => "facts",
            Shelf::User => "turns/user",
            Shelf::Assistant => "turns/assistant",
            Shelf::L1 => "summaries/L1",
            Shelf::L2 => "summaries/L2",
            Shelf::L3 => "summaries/L3",
        }
    }

    pub fn role(self) -> Role {
        match self {
            Shelf::Facts => Role::Memory,
            Shelf::User => Role::User,
            Shelf::Assistant => Role::Assistant,
            Shelf::L1 | Shelf::L2 | Shelf::L3 => Role::Summary,
        }
    }

    /// The level's name, for summaries.
    pub fn level(self) -> Option<&'static str> {
        match self {
            Shelf::L1 => Some("L1"),
            Shelf::L2 => Some("L2"),
            Shelf::L3 => Some("L3"),
            _ => None,
        }
    }
}

/// One fact, turn or summary.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    pub id: String,
    pub role: Role,
    pub conversation: ConversationId,
    pub created_at: Timestamp,
    pub content: String,
    /// What takes the place of a fact that was replaced; only what is deleted has it.
    pub replaced_by: Option<String>,
    /// By what the request of a turn is known when it is sent again.
    pub request: Option<String>,
    /// The user's turn that an assistant's turn answers.
    pub answers: Option<String>,
    pub figures: Option<Figures>,
    /// Fields of the head that we do not know, as they were written.
    pub unknown: String,
}

/// What is told of a summary beside its text.
#[derive(Debug, Clone, PartialEq)]
pub struct Figures {
    /// `L1`, `L2` or `L3`.
    pub kind: String,
    /// How deep the text was summarised: `brief`, `standard`, `detailed`, `hierarchical`.
    pub level: String,
    pub input_tokens: usize,
    pub output_tokens: usize,
    /// The model that wrote it, or `extractive`.
    pub model: String,
}

impl Figures {
    /// How much is left of the text: 0.2 is a fifth.
    pub fn ratio(&self) -> f64 {
        self.output_tokens as f64 / self.input_tokens.max(1) as f64
    }
}

impl Entry {
    /// Returns a new entry of nothing but its content.
    pub fn new(
        id: String,
        role: Role,
        conversation: &ConversationId,
        created_at: Timestamp,
        content: &str,
    ) -> Self {
        Entry {
            id,
            role,
            conversation: conversation.clone(),
            created_at,
            content: content.trim().to_owned(),
            replaced_by: None,
            request: None,
            answers: None,
            figures: None,
            unknown: String::new(),
        }
    }

    /// Returns its first line, as far as a list shows it.
    pub fn title(&self) -> String {
        let line = self
            .content
            .lines()
            .find(|line| !line.trim().is_empty())
            .unwrap_or_default();
        line.trim().chars().take(limits::TITLE_CHARACTERS).collect()
    }
}

/// Checks a content that someone wants to be kept.
pub(crate) fn check_content(content: &str, allow_secret: bool) -> Result<(), ConversationError> {
    check_size(content)?;
    if content.trim().is_empty() {
        return Err(ConversationError::bad("No text was given"));
    }
    if !allow_secret && let Some(what) = find_secret(content) {
        Err(ConversationError::Secret { what })
    } else {
        Ok(())
    }
}

/// Refuses what is too large to be kept.
pub(crate) fn check_size(content: &str) -> Result<(), ConversationError> {
    if content.len() > limits::CONTENT_BYTES {
        Err(ConversationError::TooLarge {
            size: content.len(),
            limit: limits::CONTENT_BYTES,
        })
    } else {
        Ok(())
    }
}

/// Returns what was said as it is kept: without what we had put there ourselves, credentials masked.
pub(crate) fn as_said(text: &str) -> String {
    let own = memory_core::without_fenced(text);
    mask_secrets(own.trim()).unwrap_or_else(|| own.trim().to_owned())
}
