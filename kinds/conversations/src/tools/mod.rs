//! Everything a caller can ask of the conversations: one file a tool.
//!
//! The first ones are for models, people and programs. `augment`, those that record and `drain` belong to no
//! offered set: whoever stands between a client and its model calls them by name, in this order: `augment`
//! before the request goes on; `record_user` when the answer begins and `record_assistant` when it is complete,
//! or `record_exchange` when it has come whole; `drain` in the background.

pub mod add;
pub mod augment;
pub mod delete;
pub mod drain;
pub mod edit;
pub mod forget;
pub mod list;
pub mod record_assistant;
pub mod record_exchange;
pub mod record_user;
pub mod search;
pub mod show;
pub mod summarize;

use std::sync::Arc;

use memory_core::{Declared, Effect, Tool, ToolSpec};

use crate::document::KIND;
use crate::store::Store;

pub(crate) fn all(store: &Arc<Store>) -> Vec<Tool> {
    use Effect::{Edits, Reads, Removes, Writes};
    let offer = |name, description, effect| ToolSpec {
        toolset: KIND,
        name,
        alias: Some(name),
        description,
        effect,
    };
    let inner = |name, effect| ToolSpec {
        toolset: KIND,
        name,
        alias: None,
        description: "",
        effect,
    };
    let with = |spec| Declared {
        spec,
        store: store.clone(),
    };
    vec![
        with(offer(
            "conversation_search",
            "Find what was said in conversations and what follows from it",
            Reads,
        ))
        .runs(search::run),
        with(offer(
            "conversation_add",
            "Keep facts for later conversations",
            Edits,
        ))
        .runs(add::run),
        with(offer("conversation_list", "List conversations", Reads)).runs(list::run),
        with(offer(
            "conversation_show",
            "Show the facts, turns and summary of a conversation",
            Reads,
        ))
        .runs(show::run),
        with(offer(
            "conversation_summarize",
            "Rewrite the summaries of conversations",
            Writes,
        ))
        .runs(summarize::run),
        with(offer(
            "conversation_edit",
            "Correct the text of a fact",
            Writes,
        ))
        .runs(edit::run),
        with(offer(
            "conversation_forget",
            "Forget one fact or turn",
            Removes,
        ))
        .runs(forget::run),
        with(offer(
            "conversation_delete",
            "Forget a whole conversation",
            Removes,
        ))
        .runs(delete::run),
        with(inner("augment", Reads)).runs(augment::run),
        with(inner("record_user", Writes)).runs(record_user::run),
        with(inner("record_assistant", Writes)).runs(record_assistant::run),
        with(inner("record_exchange", Writes)).runs(record_exchange::run),
        with(inner("drain", Edits)).runs(drain::run),
    ]
}
