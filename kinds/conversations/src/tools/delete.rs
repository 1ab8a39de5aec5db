//! `conversation_delete`: moves everything of a conversation to `deleted/`.

use memory_core::{Call, Done};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::document::KIND;
use crate::filing::Filed;
use crate::store::Store;
use crate::{ConversationError, ConversationId, Shelf, undo};

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    pub conversation: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reply {
    pub conversation_id: String,
    /// How many facts, turns and summaries went.
    pub deleted: usize,
}

pub fn run(
    store: &Store,
    call: &Call<'_>,
    params: Params,
) -> Result<Done<Reply>, ConversationError> {
    let conversation = ConversationId::parse(&params.conversation)?;
    let folder = conversation.folder();
    store.settle(&folder);
    let mut entries: Vec<Filed> = Vec::new();
    for shelf in Shelf::ALL {
        entries.extend(store.all_entries(&folder, shelf)?);
    }
    if entries.is_empty() {
        return Err(ConversationError::NoConversation {
            id: params.conversation,
        });
    }
    let what = format!("delete conversation '{conversation}'");
    let changes = undo::bury(store, &conversation, &entries, (what, call.by), call.now)?;
    store.finish(&format!("{KIND}: delete a conversation"), call.now);
    let reply = Reply {
        conversation_id: conversation.to_string(),
        deleted: entries.len(),
    };
    Ok(Done::changed(reply, changes))
}
