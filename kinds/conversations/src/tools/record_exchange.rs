//! `record_exchange`: keeps what the user said together with the whole text of the answer.

use memory_core::{Call, Done, Json};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::record_user;
use crate::entry::as_said;
use crate::messages::Messages;
use crate::recording::{Answer, Request};
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
    /// The text of the answer
    pub content: String,
    /// How often the client has sent this request before (`x-stainless-retry-count`)
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reply {
    /// What has become of the user's turn.
    #[serde(flatten)]
    pub user: record_user::Reply,
    /// The assistant's turn, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
}

/// Section 4.1: the user's turn and then the assistant's, once the answer has come whole.
pub fn run(
    store: &Store,
    call: &Call<'_>,
    params: Params,
) -> Result<Done<Reply>, ConversationError> {
    let conversation = ConversationId::or_default(params.conversation.as_deref())?;
    let messages = Messages::parse(&params.messages)?;
    let request = match Request::read(messages, conversation.clone(), params.retry)? {
        Ok(request) => request,
        Err(why) => {
            return Ok(Done::read(Reply {
                user: record_user::Reply::nothing(why),
                answer: None,
            }));
        }
    };
    let mut work = store.recording(&conversation)?;
    let user = request.take(&mut work, call.now)?;
    let said = as_said(&params.content);
    let answer = Answer {
        conversation: &conversation,
        said,
        answers: user.turn.clone(),
        is_first: user.stored,
        request: user.request.clone(),
        is_retry: params.retry.is_some_and(|times| times > 0),
    };
    let answered = if answer.said.is_empty() {
        Ok(None)
    } else {
        answer.take(&mut work, call.now).map(|(turn, _)| Some(turn))
    };
    // What the user said is kept even if the answer can't be.
    let changes = work.commit()?;
    Ok(Done::changed(
        Reply {
            user,
            answer: answered?,
        },
        changes,
    ))
}
