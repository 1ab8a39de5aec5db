//! What a call did: its reply, and the memories that are different now.

use crate::{Address, Document};

/// One memory that is different now: its new document, or none when it is gone.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    pub address: Address,
    pub document: Option<Document>,
}

impl Change {
    /// A memory that is new or different.
    pub fn kept(document: Document) -> Self {
        Change {
            address: document.address.clone(),
            document: Some(document),
        }
    }

    /// A memory that is gone.
    pub fn gone(address: Address) -> Self {
        Change {
            address,
            document: None,
        }
    }
}

/// What a tool or a task returns once its bytes are safe.
#[derive(Debug)]
pub struct Done<R> {
    pub reply: R,
    pub changes: Vec<Change>,
}

impl<R> Done<R> {
    /// A reply that changed nothing.
    pub fn read(reply: R) -> Self {
        Done {
            reply,
            changes: Vec::new(),
        }
    }

    /// A reply together with what it changed.
    pub fn changed(reply: R, changes: Vec<Change>) -> Self {
        Done { reply, changes }
    }
}
