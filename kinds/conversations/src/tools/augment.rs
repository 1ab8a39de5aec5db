//! `augment`: the messages of a request in, the same messages with what is remembered out.

use memory_core::Json;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::search::{Found, Tuned};

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    /// Conversation that goes on (default: `default`)
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conversation: Option<String>,
    /// The messages of the client's request, as they came
    pub messages: Json,
    /// `top_k` 0 adds nothing
    #[serde(flatten)]
    pub tuned: Tuned,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Reply {
    /// All messages, the last one of the user with what is remembered before it.
    pub messages: Json,
    /// What was put there, the most relevant first.
    pub hits: Vec<Found>,
    /// Whether a summary of the conversation was put there too.
    pub has_summary: bool,
}
