//! Who may look on while tools are called: hooks before and after, and listeners to events.

use serde_json::value::RawValue;

use crate::{Change, Error, Result};

/// Looks on from inside a call: before it, and after it.
pub trait Hook: Send + Sync {
    /// Runs before the tool; an error refuses the call.
    ///
    /// What clients read without a tool is announced as one of the names `resource`, `prompt` and
    /// `completion`.
    fn before(&self, _tool: &str, _parameters: &RawValue) -> Result<()> {
        Ok(())
    }

    /// Runs after the tool has done its work; may put another reply in the place of its own.
    fn after(&self, _tool: &str, reply: Box<RawValue>) -> Box<RawValue> {
        reply
    }
}

/// Something that happened. A listener hears of it and can change nothing.
#[derive(Debug)]
pub enum Event<'a> {
    AgentStart {
        session: &'a str,
    },
    AgentEnd {
        session: &'a str,
    },
    ToolStart {
        tool: &'a str,
    },
    ToolEnd {
        tool: &'a str,
    },
    /// Sent once the bytes are safe.
    Changed {
        changes: &'a [Change],
    },
    Error {
        tool: &'a str,
        error: &'a Error,
    },
}

/// Hears of events, for logs, the index, and connected agents.
pub trait Listener: Send + Sync {
    fn hear(&self, event: &Event<'_>);
}
