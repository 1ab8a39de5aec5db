//! Events for everyone who wants them: a channel to each subscriber.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

use serde::Serialize;

use crate::{Address, Event, Listener};

/// An event that outlives the call it tells of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Heard {
    AgentStart {
        session: String,
    },
    AgentEnd {
        session: String,
    },
    ToolStart {
        tool: String,
    },
    ToolEnd {
        tool: String,
    },
    Changed {
        memories: Vec<Address>,
    },
    Error {
        tool: String,
        code: String,
        message: String,
    },
}

impl Heard {
    /// Returns an event as it can be kept.
    pub fn of(event: &Event<'_>) -> Self {
        match event {
            Event::AgentStart { session } => Heard::AgentStart {
                session: (*session).to_owned(),
            },
            Event::AgentEnd { session } => Heard::AgentEnd {
                session: (*session).to_owned(),
            },
            Event::ToolStart { tool } => Heard::ToolStart {
                tool: (*tool).to_owned(),
            },
            Event::ToolEnd { tool } => Heard::ToolEnd {
                tool: (*tool).to_owned(),
            },
            Event::Changed { changes } => Heard::Changed {
                memories: changes
                    .iter()
                    .map(|change| change.address.clone())
                    .collect(),
            },
            Event::Error { tool, error } => Heard::Error {
                tool: (*tool).to_owned(),
                code: error.code.as_str().to_owned(),
                message: error.message.clone(),
            },
        }
    }
}

/// A listener that passes every event on. Add a clone of it to the registry and keep the other.
#[derive(Debug, Clone, Default)]
pub struct Broadcast {
    subscribers: Arc<Mutex<Vec<Sender<Heard>>>>,
}

impl Broadcast {
    /// Returns a channel on which all events from now on arrive.
    pub fn subscribe(&self) -> Receiver<Heard> {
        let (sender, receiver) = channel();
        self.subscribers
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(sender);
        receiver
    }
}

impl Listener for Broadcast {
    fn hear(&self, event: &Event<'_>) {
        let mut subscribers = self
            .subscribers
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if !subscribers.is_empty() {
            let heard = Heard::of(event);
            // Whoever has dropped the receiver does not listen any more.
            subscribers.retain(|subscriber| subscriber.send(heard.clone()).is_ok());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_subscriber_hears_every_event_until_it_leaves() {
        let broadcast = Broadcast::default();
        let (one, two) = (broadcast.subscribe(), broadcast.subscribe());
        broadcast.hear(&Event::ToolStart {
            tool: "memory_write",
        });
        drop(two);
        broadcast.hear(&Event::ToolEnd {
            tool: "memory_write",
        });
        let heard: Vec<String> = one
            .try_iter()
            .map(|heard| serde_json::to_string(&heard).unwrap())
            .collect();
        assert_eq!(
            heard,
            [
                r#"{"event":"tool_start","tool":"memory_write"}"#,
                r#"{"event":"tool_end","tool":"memory_write"}"#
            ]
        );
    }
}
