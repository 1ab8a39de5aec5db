//! `conversation_show`: what a conversation holds, in its order.

use memory_core::{Call, Done, Flaw, instant};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::filing::Filed;
use crate::store::Store;
use crate::{ConversationError, ConversationId, Shelf};

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    pub conversation: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reply {
    pub id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub summary: Option<Shown>,
    /// The oldest first.
    pub facts: Vec<Shown>,
    pub turns: Vec<Shown>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flaws: Vec<Flaw>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Shown {
    pub id: String,
    pub role: String,
    pub content: String,
    pub created_at: String,
}

impl Shown {
    fn of(filed: &Filed) -> Self {
        let entry = &filed.entry;
        Shown {
            id: entry.id.clone(),
            role: entry.role.as_str().to_owned(),
            content: entry.content.clone(),
            created_at: instant(entry.created_at),
        }
    }
}

pub fn run(store: &Store, _: &Call<'_>, params: Params) -> Result<Done<Reply>, ConversationError> {
    let conversation = ConversationId::parse(&params.conversation)?;
    let folder = conversation.folder();
    store.settle(&folder);
    let mut flaws = Vec::new();
    let mut read = |shelf: Shelf| {
        let survey = store.entries(&folder, shelf);
        flaws.extend(survey.flaws);
        survey.good
    };
    let (facts, mut turns) = (read(Shelf::Facts), read(Shelf::User));
    turns.extend(read(Shelf::Assistant));
    turns.sort_by_key(|filed| filed.entry.created_at);
    let summary = read(Shelf::L3).pop();
    if facts.is_empty() && turns.is_empty() && summary.is_none() && flaws.is_empty() {
        return Err(ConversationError::NoConversation {
            id: params.conversation,
        });
    }
    let shown = |entries: &[Filed]| entries.iter().map(Shown::of).collect();
    Ok(Done::read(Reply {
        id: conversation.to_string(),
        summary: summary.as_ref().map(Shown::of),
        facts: shown(&facts),
        turns: shown(&turns),
        flaws,
    }))
}
