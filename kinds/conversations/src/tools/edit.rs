//! `conversation_edit`: corrects the text of an entry in its place, as a hand would.

use memory_core::{Call, Done};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::document::KIND;
use crate::entry::{Entry, check_content};
use crate::store::Store;
use crate::{ConversationError, Role};

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    /// The fact's id, or its first characters
    pub id: String,
    /// New text of the fact
    pub content: String,
    #[serde(default)]
    #[schemars(skip)]
    pub allow_secret: bool,
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
    check_content(&params.content, params.allow_secret)?;
    let (folder, seen) = store.find(&params.id)?;
    if seen.entry.role != Role::Memory {
        return Err(ConversationError::bad(
            "Only facts can be corrected, not turns",
        ));
    }
    let mut work = store.work_in(folder.clone())?;
    let gone = || ConversationError::NoEntry {
        id: params.id.clone(),
    };
    // Looked at again under the lock: someone may have changed it meanwhile.
    let there = store.read(&folder, &seen.place)?.ok_or_else(gone)?;
    let entry = Entry {
        content: params.content.trim().to_owned(),
        ..there.entry
    };
    work.put(&there.place, &entry);
    let changes = work.commit()?;
    store.finish(&format!("{KIND}: correct a fact"), call.now);
    let reply = Reply {
        id: entry.id,
        conversation_id: entry.conversation.to_string(),
        content: entry.content,
    };
    Ok(Done::changed(reply, changes))
}
