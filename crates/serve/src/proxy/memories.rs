//! What the proxy asks of the memories: tools of the set `conversations`, by their names.
//!
//! Each call blocks and runs on a thread of its own. A memory that fails never fails a chat: it is
//! told in the log, and the chat goes on without it.

use std::sync::Arc;

use memory_core::{Code, Error, Registry, Result, Silent};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::refusal::Refusal;
use super::request::Wishes;
use crate::log::Log;
use crate::pauses::Pauses;
use crate::runtime::aside;

const TOOLSET: &str = "conversations";

/// The memories, as far as a proxy needs them.
#[derive(Clone)]
pub(super) struct Memories {
    registry: Arc<Registry>,
    pauses: Arc<Pauses>,
    log: Log,
}

/// Where something is said, as it came from the client.
#[derive(Debug, Clone)]
pub(super) struct Exchange {
    pub(super) conversation: String,
    pub(super) messages: Box<RawValue>,
    pub(super) retry: u64,
}

/// The messages with what is remembered, and what that is.
#[derive(Debug, Deserialize)]
pub(super) struct Augmented {
    pub(super) messages: Box<RawValue>,
    pub(super) hits: Box<RawValue>,
}

/// What has become of a user's turn.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Turn {
    /// Whether the answer is to be remembered.
    pub(super) remember: bool,
    #[serde(default)]
    pub(super) turn: Option<String>,
    /// By what the memories know the request.
    #[serde(default)]
    request: Option<String>,
}

/// What has become of the work that follows turns.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Drained {
    /// How many turns still wait.
    #[serde(default)]
    pub(super) left: usize,
    #[serde(default)]
    flaws: Vec<serde_json::Value>,
}

impl Memories {
    pub(super) fn new(registry: Arc<Registry>, log: Log) -> Self {
        let pauses = Arc::new(Pauses::new(registry.clone()));
        Memories {
            registry,
            pauses,
            log,
        }
    }

    /// The pauses between calls.
    pub(super) fn pauses(&self) -> &Pauses {
        &self.pauses
    }

    /// Returns the messages with what is relevant to them; none when that can't be known. A conversation that
    /// can't be is the one thing that is refused: nothing could be kept in it.
    pub(super) async fn augment(
        &self,
        exchange: &Exchange,
        wishes: Wishes,
    ) -> Result<Option<Augmented>, Refusal> {
        #[derive(Serialize)]
        struct Parameters {
            conversation: String,
            messages: Box<RawValue>,
            #[serde(flatten)]
            wishes: Wishes,
        }
        let Exchange {
            conversation,
            messages,
            ..
        } = exchange.clone();
        match self
            .call(
                "augment",
                Parameters {
                    conversation,
                    messages,
                    wishes,
                },
            )
            .await
        {
            Some(Err(error)) if is_no_conversation(&error) => {
                let hint = error
                    .hint
                    .map(|hint| format!(". {hint}"))
                    .unwrap_or_default();
                Err(Refusal::bad_request(
                    &format!("{}{hint}", error.message),
                    Some("memory_id"),
                ))
            }
            called => Ok(self.told("augment", called)),
        }
    }

    /// Keeps what the user said.
    pub(super) async fn record_user(&self, exchange: Exchange) -> Option<Turn> {
        #[derive(Serialize)]
        struct Parameters {
            conversation: String,
            messages: Box<RawValue>,
            retry: u64,
        }
        let Exchange {
            conversation,
            messages,
            retry,
        } = exchange;
        self.ask(
            "record_user",
            Parameters {
                conversation,
                messages,
                retry,
            },
        )
        .await
    }

    /// Keeps what the user said and what was answered, in one go.
    pub(super) async fn record_exchange(
        &self,
        exchange: Exchange,
        content: String,
    ) -> Option<Turn> {
        #[derive(Serialize)]
        struct Parameters {
            conversation: String,
            messages: Box<RawValue>,
            content: String,
            retry: u64,
        }
        let Exchange {
            conversation,
            messages,
            retry,
        } = exchange;
        self.ask(
            "record_exchange",
            Parameters {
                conversation,
                messages,
                content,
                retry,
            },
        )
        .await
    }

    /// Keeps what the assistant said to a user's turn.
    pub(super) async fn record_assistant(&self, exchange: &Exchange, content: String, turn: Turn) {
        #[derive(Serialize)]
        struct Parameters {
            conversation: String,
            content: String,
            answers: Option<String>,
            request: Option<String>,
            retry: u64,
        }
        let (conversation, retry) = (exchange.conversation.clone(), exchange.retry);
        let Turn {
            turn: answers,
            request,
            ..
        } = turn;
        let parameters = Parameters {
            conversation,
            content,
            answers,
            request,
            retry,
        };
        let _: Option<serde::de::IgnoredAny> = self.ask("record_assistant", parameters).await;
    }

    /// Does what follows the turns of a conversation, or of all of them.
    pub(super) async fn drain(&self, conversation: Option<String>) -> Option<Drained> {
        #[derive(Serialize)]
        struct Parameters {
            #[serde(skip_serializing_if = "Option::is_none")]
            conversation: Option<String>,
        }
        let drained: Option<Drained> = self.ask("drain", Parameters { conversation }).await;
        for flaw in drained.iter().flat_map(|drained| &drained.flaws) {
            self.log
                .warn(&format!("The conversation could not be processed: {flaw}"));
        }
        drained
    }

    async fn ask<P, R>(&self, tool: &'static str, parameters: P) -> Option<R>
    where
        P: Serialize + Send + 'static,
        R: DeserializeOwned + Send + 'static,
    {
        let called = self.call(tool, parameters).await;
        self.told(tool, called)
    }

    /// Calls a tool; none when it broke off.
    async fn call<P, R>(&self, tool: &'static str, parameters: P) -> Option<Result<R>>
    where
        P: Serialize + Send + 'static,
        R: DeserializeOwned + Send + 'static,
    {
        let registry = self.registry.clone();
        let called =
            aside(move || -> Result<R> { registry.ask(TOOLSET, tool, &parameters, &Silent) }).await;
        self.pauses.called();
        called
    }

    /// Returns what a tool replied; what went wrong is told in the log.
    fn told<R>(&self, tool: &str, called: Option<Result<R>>) -> Option<R> {
        match called {
            Some(Ok(reply)) => return Some(reply),
            Some(Err(error)) => {
                let cause = std::error::Error::source(&error).map(|cause| format!(": {cause}"));
                self.log
                    .error(&format!("{tool}: {error}{}", cause.unwrap_or_default()));
            }
            None => self.log.error(&format!("{tool}: failed unexpectedly")),
        }
        None
    }
}

/// Says whether what the client calls its conversation is why a tool failed.
fn is_no_conversation(error: &Error) -> bool {
    error.code == Code::InvalidArgument && error.context.contains_key("conversation")
}
