//! `record_user`: keeps what the user has just said, once, however often the client asks.

use memory_core::{Call, Done, Json};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::messages::Messages;
use crate::recording::Request;
use crate::store::Store;
use crate::{ConversationError, ConversationId};

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    /// Conversation of the message (default: `default`)
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
    /// By what the request is known, for whoever records its answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<String>,
    /// Whether a file was written for it now.
    pub stored: bool,
    /// Why not: `task`, `continuation`, `repeated` or `silence`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

impl Reply {
    pub(crate) fn nothing(why: &str) -> Self {
        Reply {
            remember: false,
            turn: None,
            request: None,
            stored: false,
            why: Some(why.to_owned()),
        }
    }

    pub(crate) fn known(turn: Option<String>, request: String, why: &str) -> Self {
        let request = Some(request);
        Reply {
            remember: true,
            turn,
            request,
            stored: false,
            why: Some(why.to_owned()),
        }
    }

    pub(crate) fn new(turn: String, request: String) -> Self {
        Reply {
            remember: true,
            turn: Some(turn),
            request: Some(request),
            stored: true,
            why: None,
        }
    }
}

pub fn run(
    store: &Store,
    call: &Call<'_>,
    params: Params,
) -> Result<Done<Reply>, ConversationError> {
    let conversation = ConversationId::or_default(params.conversation.as_deref())?;
    let messages = Messages::parse(&params.messages)?;
    let request = match Request::read(messages, conversation, params.retry)? {
        Ok(request) => request,
        Err(why) => return Ok(Done::read(Reply::nothing(why))),
    };
    let mut work = store.recording(request.conversation())?;
    let reply = request.take(&mut work, call.now)?;
    Ok(Done::changed(reply, work.commit()?))
}
