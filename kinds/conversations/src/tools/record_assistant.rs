//! `record_assistant`: keeps the whole text of an answer.

use memory_core::{Call, Done};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::entry::as_said;
use crate::recording::Answer;
use crate::store::Store;
use crate::{ConversationError, ConversationId};

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    /// Conversation of the message (default: `default`)
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conversation: Option<String>,
    /// The text of the answer
    pub content: String,
    /// The user's turn that it answers, as `record_user` named it
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answers: Option<String>,
    /// The request that it answers, as `record_user` named it
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<String>,
    /// How often the client has sent this request before: an answer to a repeated request takes the
    /// place of the one that the client has not got
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reply {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<String>,
    /// Whether a file was written for it now; the same answer to the same turn is kept once.
    pub stored: bool,
}

pub fn run(
    store: &Store,
    call: &Call<'_>,
    params: Params,
) -> Result<Done<Reply>, ConversationError> {
    let conversation = ConversationId::or_default(params.conversation.as_deref())?;
    let said = as_said(&params.content);
    if said.is_empty() {
        return Ok(Done::read(Reply {
            turn: None,
            stored: false,
        }));
    }
    let mut work = store.recording(&conversation)?;
    let is_retry = params.retry.is_some_and(|times| times > 0);
    let (answers, request) = (params.answers, params.request);
    let answer = Answer {
        conversation: &conversation,
        said,
        answers,
        is_first: false,
        request,
        is_retry,
    };
    let (turn, stored) = answer.take(&mut work, call.now)?;
    Ok(Done::changed(
        Reply {
            turn: Some(turn),
            stored,
        },
        work.commit()?,
    ))
}
