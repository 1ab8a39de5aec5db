//! An entry as search sees it.

use memory_core::{Address, Document, Thread};

use crate::entry::{Entry, Role};

pub const KIND: &str = "conversations";

pub(crate) fn address(id: &str) -> Address {
    Address::new(KIND, id)
}

/// Returns the label that all entries of a conversation have.
pub(crate) fn conversation_label(conversation: &str) -> String {
    format!("conversation:{conversation}")
}

/// Returns the label that all entries of a role have.
pub(crate) fn role_label(role: Role) -> String {
    format!("role:{}", role.as_str())
}

pub(crate) fn document(entry: &Entry) -> Document {
    Document {
        address: address(&entry.id),
        title: entry.title(),
        text: entry.content.clone(),
        labels: vec![
            conversation_label(entry.conversation.as_str()),
            role_label(entry.role),
        ],
        source: entry.conversation.to_string(),
        created_at: entry.created_at,
        updated_at: entry.created_at,
        expiry: None,
        thread: thread(entry),
        weight: 1.0,
    }
}

/// Turns follow each other in the order of their times; what follows from them stands alone.
fn thread(entry: &Entry) -> Option<Thread> {
    let is_turn = matches!(entry.role, Role::User | Role::Assistant);
    let place = u64::try_from(entry.created_at.as_millisecond()).unwrap_or_default();
    is_turn.then(|| Thread {
        name: entry.conversation.to_string(),
        place,
    })
}
