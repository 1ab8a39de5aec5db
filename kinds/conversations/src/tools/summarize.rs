//! `conversation_summarize`: summarises conversations from their beginning.

use memory_core::{Call, Done};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::document::KIND;
use crate::store::Store;
use crate::summary::{ContentType, Level};
use crate::{ConversationError, ConversationId, summing};

#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    /// Conversation to summarize (default: all)
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conversation: Option<String>,
    /// Type of the text (default: conversation)
    #[serde(default)]
    pub content_type: ContentType,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reply {
    pub summaries: Vec<Summarized>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summarized {
    pub conversation_id: String,
    /// `none` when there is too little to summarize.
    pub level: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// The model that wrote it, or `extractive`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
}

pub fn run(
    store: &Store,
    call: &Call<'_>,
    params: Params,
) -> Result<Done<Reply>, ConversationError> {
    let folders = match params.conversation.as_deref() {
        Some(id) => vec![ConversationId::parse(id)?.folder()],
        None => store.folders()?,
    };
    let is_named = params.conversation.is_some();
    let (mut reply, mut changes) = (Reply::default(), Vec::new());
    for (done, folder) in folders.iter().enumerate() {
        call.progress.advance(done, folders.len(), folder);
        store.settle(folder);
        let id = if store.has_entries(folder)? {
            store.conversation(folder)?
        } else {
            None
        };
        let Some(id) = id else {
            if is_named {
                let id = params.conversation.unwrap_or_default();
                return Err(ConversationError::NoConversation { id });
            } else {
                continue;
            }
        };
        let (level, changed) = summing::rebuild(store, folder, params.content_type, call.now)?;
        changes.extend(changed);
        let summary = match store.summary(folder)? {
            Some(filed) if level != Level::None => Some(filed.entry),
            _ => None,
        };
        reply.summaries.push(Summarized {
            conversation_id: id.to_string(),
            level: level.as_str().to_owned(),
            model: summary
                .as_ref()
                .and_then(|entry| Some(entry.figures.as_ref()?.model.clone())),
            content: summary.map(|entry| entry.content),
        });
    }
    store.finish(&format!("{KIND}: summarize"), call.now);
    Ok(Done::changed(reply, changes))
}
