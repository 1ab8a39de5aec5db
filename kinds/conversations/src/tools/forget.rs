//! `conversation_forget`: moves one fact, turn or summary to `deleted/`.

use memory_core::{Call, Done};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::document::KIND;
use crate::store::Store;
use crate::{ConversationError, undo};

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    /// The id, or its first characters
    pub id: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reply {
    pub id: String,
    pub conversation_id: String,
    pub content: String,
}

pub fn run(
    store: &Store,
    call: &Call<'_>,
    params: Params,
) -> Result<Done<Reply>, ConversationError> {
    let (_, filed) = store.find(&params.id)?;
    let what = format!(
        "forget '{}' (conversation {})",
        filed.entry.title(),
        filed.entry.conversation
    );
    let conversation = filed.entry.conversation.clone();
    let changes = undo::bury(
        store,
        &conversation,
        std::slice::from_ref(&filed),
        (what, call.by),
        call.now,
    )?;
    store.finish(&format!("{KIND}: forget"), call.now);
    let entry = filed.entry;
    let reply = Reply {
        id: entry.id,
        conversation_id: conversation.to_string(),
        content: entry.content,
    };
    Ok(Done::changed(reply, changes))
}
