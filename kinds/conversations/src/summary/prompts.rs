//! What a model is asked for when it summarises (section 5.3): our own words, a file each.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub const BRIEF: &str = include_str!("../../prompts/brief.md");
pub const STANDARD: &str = include_str!("../../prompts/standard.md");
pub const CHUNK: &str = include_str!("../../prompts/chunk.md");
pub const META: &str = include_str!("../../prompts/meta.md");
pub const ROLLING: &str = include_str!("../../prompts/rolling.md");

/// What kind of text is summarised.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ContentType {
    #[default]
    Conversation,
    Journal,
    Document,
}

impl ContentType {
    /// Returns what the model is told of it.
    pub fn prompt(self) -> &'static str {
        match self {
            ContentType::Conversation => include_str!("../../prompts/conversation.md"),
            ContentType::Journal => include_str!("../../prompts/journal.md"),
            ContentType::Document => include_str!("../../prompts/document.md"),
        }
    }
}
