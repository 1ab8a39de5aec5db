//! `conversation_search`: finds what was said and what follows from it, the most relevant first.

use memory_core::{Call, Done, Explain, Flaw, Strictness};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::retrieval::{found, numbers, retrieve};
use crate::store::Store;
use crate::{ConversationError, ConversationId};

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Params {
    /// A question or words
    pub query: String,
    /// Only this conversation and 'global' (default: all conversations)
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conversation: Option<String>,
    #[serde(flatten)]
    pub tuned: Tuned,
    /// Include the parameters, and the components of each score
    #[serde(default)]
    pub explain: bool,
}

/// The numbers of a retrieval; what is none is as the configuration says.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Tuned {
    /// Maximum number of memories
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub top_k: Option<usize>,
    /// Weight of recency against relevance, 0 to 1
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recency_weight: Option<f32>,
    /// Minimum relevance, 0 to 1
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score_threshold: Option<f32>,
    /// Weight of relevance against diversity, 0 to 1; 1 means relevance only
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mmr_lambda: Option<f32>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Reply {
    pub hits: Vec<Found>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub numbers: Option<Numbers>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flaws: Vec<Flaw>,
}

/// The numbers that a search went by.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Numbers {
    pub top_k: usize,
    /// The conversations that were asked, each by itself; all of them at once when there are none here.
    pub scopes: Vec<String>,
    /// How many candidates each scope gave at most.
    pub candidates: usize,
    /// How many memories were looked at.
    pub searched: usize,
    /// None when no cross-encoder judged and no one set it: what stands out is then found by recall's own measure.
    pub score_threshold: Option<f32>,
    pub recency_weight: f32,
    pub mmr_lambda: f32,
    /// The models that took part.
    pub models: Vec<String>,
}

/// A memory that was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Found {
    pub kind: String,
    pub id: String,
    pub text: String,
    #[serde(serialize_with = "memory_core::serialize_score")]
    pub score: f32,
    pub source: String,
    pub created_at: String,
    /// `memory`, `user` or `assistant`
    pub role: String,
    pub conversation_id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explain: Option<Explain>,
}

pub fn run(
    store: &Store,
    call: &Call<'_>,
    params: Params,
) -> Result<Done<Reply>, ConversationError> {
    if params.query.trim().is_empty() {
        return Err(ConversationError::bad("The question contains no words"));
    }
    let conversation = params
        .conversation
        .as_deref()
        .map(ConversationId::parse)
        .transpose()?;
    let recalled = retrieve(
        store,
        call,
        &params.query,
        conversation.as_ref(),
        params.tuned,
        (Strictness::Lenient, vec![]),
    )?;
    let settings = &store.settings;
    let numbers = params
        .explain
        .then(|| numbers(settings, conversation.as_ref(), params.tuned, &recalled));
    let hits = recalled
        .hits
        .into_iter()
        .map(|hit| found(hit, params.explain))
        .collect();
    Ok(Done::read(Reply {
        hits,
        numbers,
        flaws: recalled.flaws,
    }))
}
