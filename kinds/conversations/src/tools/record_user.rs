//! `record_user`: keeps what the user has just said, once, however often the client asks.

use memory_core::Json;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    /// Conversation it was said in (default: `default`)
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conversation: Option<String>,
    /// The messages of the client's request, as they came
    pub messages: Json,
    /// How often the client has sent this request before (`x-stainless-retry-count`)
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reply {
    /// Whether this exchange is to be remembered. When not, nothing is recorded of its answer either.
    pub remember: bool,
    /// The user's turn, if there is one: what the answer is an answer to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<String>,
    /// Whether a file was written for it now.
    pub stored: bool,
    /// Why not: `task`, `continuation`, `repeated` or `silence`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}
