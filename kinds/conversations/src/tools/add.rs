//! `conversation_add`: keeps facts that someone gives by hand, as they are.

use memory_core::{Call, Change, Done, Flaw, find_secret};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::document::KIND;
use crate::entry::{Entry, Role, check_content};
use crate::store::Store;
use crate::{ConversationError, ConversationId, Shelf, evict, limits};

#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    /// The facts, each a sentence that makes sense on its own
    pub memories: Vec<Item>,
    /// Conversation they belong to (default: `default`); all conversations see those of `global`
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conversation: Option<String>,
    #[serde(default)]
    #[schemars(skip)]
    pub allow_secret: bool,
}

/// A fact, and the conversation it belongs to if that is another one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Item {
    pub content: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conversation_id: Option<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reply {
    pub added: Vec<Added>,
    /// How many were there already.
    pub known: usize,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flaws: Vec<Flaw>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Added {
    pub id: String,
    pub conversation_id: String,
    pub content: String,
}

pub fn run(
    store: &Store,
    call: &Call<'_>,
    params: Params,
) -> Result<Done<Reply>, ConversationError> {
    let groups = grouped(&params)?;
    let mut reply = Reply::default();
    let mut changes = Vec::new();
    for (conversation, facts) in groups {
        changes.extend(add(store, call, &conversation, &facts, &mut reply)?);
        changes.extend(evict::evict(store, &conversation.folder())?);
    }
    reply.flaws = store.finish(
        &format!("{KIND}: add {} facts", reply.added.len()),
        call.now,
    );
    Ok(Done::changed(reply, changes))
}

/// Checks all facts before the first is kept, and puts those of a conversation together.
fn grouped(params: &Params) -> Result<Vec<(ConversationId, Vec<&str>)>, ConversationError> {
    if params.memories.len() > limits::ADDED {
        let count = params.memories.len();
        return Err(ConversationError::bad(format!(
            "{count} facts are too many; the limit is {}",
            limits::ADDED
        )));
    }
    let mut groups: Vec<(ConversationId, Vec<&str>)> = Vec::new();
    for item in &params.memories {
        check_content(&item.content, params.allow_secret)?;
        let named = item
            .conversation_id
            .as_deref()
            .or(params.conversation.as_deref());
        if !params.allow_secret
            && let Some(what) = named.and_then(find_secret)
        {
            return Err(ConversationError::Secret { what });
        }
        let id = named.map_or_else(|| ConversationId::or_default(None), ConversationId::parse)?;
        match groups.iter_mut().find(|(known, _)| *known == id) {
            Some((_, facts)) => facts.push(&item.content),
            None => groups.push((id, vec![&item.content])),
        }
    }
    if groups.is_empty() {
        return Err(ConversationError::bad("No text was given"));
    }
    Ok(groups)
}

fn add(
    store: &Store,
    call: &Call<'_>,
    conversation: &ConversationId,
    facts: &[&str],
    reply: &mut Reply,
) -> Result<Vec<Change>, ConversationError> {
    let mut work = store.work(conversation)?;
    let there = store.all_entries(&work.folder, Shelf::Facts)?;
    let mut known: Vec<String> = there.into_iter().map(|filed| filed.entry.content).collect();
    for fact in facts {
        let fact = fact.trim();
        if known.iter().any(|known| known == fact) {
            reply.known += 1;
            continue;
        }
        let at = work.next_time(call.now)?;
        let entry = Entry::new(store.new_id()?, Role::Memory, conversation, at, fact);
        work.add(Shelf::Facts, &entry);
        known.push(fact.to_owned());
        reply.added.push(Added {
            id: entry.id,
            conversation_id: conversation.to_string(),
            content: entry.content,
        });
    }
    work.commit()
}
