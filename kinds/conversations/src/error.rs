//! What can go wrong with conversations: codes for programs, sentences for people.

use memory_core::{Code, Error, printable};
use memory_files::DiskError;

use crate::limits;

/// A failure that a caller can tell from others.
#[derive(Debug, thiserror::Error)]
pub enum ConversationError {
    #[error("Conversation '{}' was not found", printable(id))]
    NoConversation { id: String },
    #[error("Memory '{}' was not found in any conversation", printable(id))]
    NoEntry { id: String },
    #[error("'{}' matches {count} ids", printable(prefix))]
    Ambiguous { prefix: String, count: usize },
    #[error("'{}' is not a valid conversation name", printable(id))]
    BadId { id: String },
    #[error("{problem}")]
    BadArgument { problem: String },
    #[error("The content has {size} bytes; the limit is {limit}")]
    TooLarge { size: usize, limit: usize },
    #[error("The text appears to contain {what}")]
    Secret { what: &'static str },
    #[error("The file {path} is damaged: {problem}")]
    Damaged { path: String, problem: String },
    #[error("The facts of '{conversation}' changed repeatedly during the operation")]
    Contended { conversation: String },
    #[error("Every entry that '{what}' changed has changed again since")]
    Changed { what: String },
    #[error(transparent)]
    Other(#[from] Failed),
    #[error(transparent)]
    Disk(#[from] DiskError),
}

/// An error that is shown as it is: of recall, or of a look that an I/O error has made incomplete.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Failed(pub Error);

impl ConversationError {
    /// An argument that can't be used.
    pub fn bad(problem: impl Into<String>) -> Self {
        ConversationError::BadArgument {
            problem: problem.into(),
        }
    }

    /// Returns what programs know this failure by.
    pub fn code(&self) -> Code {
        match self {
            ConversationError::NoConversation { .. } | ConversationError::NoEntry { .. } => {
                Code::NotFound
            }
            ConversationError::Ambiguous { .. } => Code::AmbiguousId,
            ConversationError::BadId { .. } | ConversationError::BadArgument { .. } => {
                Code::InvalidArgument
            }
            ConversationError::TooLarge { .. } => Code::LimitExceeded,
            ConversationError::Secret { .. } => Code::SecretDetected,
            ConversationError::Damaged { .. } => Code::Corrupted,
            ConversationError::Contended { .. } | ConversationError::Changed { .. } => {
                Code::Conflict
            }
            ConversationError::Other(Failed(error)) => error.code,
            ConversationError::Disk(error) => error.code(),
        }
    }

    fn hint(&self) -> Option<String> {
        let hint = match self {
            ConversationError::NoConversation { .. } => {
                "'memory conversation list' shows all of them"
            }
            ConversationError::NoEntry { .. } => {
                "'memory conversation show CONVERSATION' shows the ids"
            }
            ConversationError::Ambiguous { .. } => "Use more characters of the id",
            ConversationError::BadId { .. } => {
                return Some(format!(
                    "A name has 1 to {} characters and no control characters",
                    limits::ID_CHARACTERS
                ));
            }
            ConversationError::Secret { .. } => {
                "Keep credentials elsewhere, or pass --allow-secret if this is intended"
            }
            ConversationError::Damaged { .. } => "Fix its front matter, or run 'memory doctor'",
            _ => return None,
        };
        Some(hint.to_owned())
    }
}

impl From<ConversationError> for Error {
    fn from(error: ConversationError) -> Error {
        let shaped = match error {
            ConversationError::Disk(disk) => return disk.into(),
            ConversationError::Other(Failed(error)) => return error,
            ref other => Error::new(other.code(), other.to_string()),
        };
        let shaped = match error.hint() {
            Some(hint) => shaped.hint(hint),
            None => shaped,
        };
        match error {
            ConversationError::NoConversation { id } | ConversationError::BadId { id } => {
                shaped.with("conversation", id)
            }
            ConversationError::NoEntry { id } => shaped.with("id", id),
            ConversationError::TooLarge { size, limit } => {
                shaped.with("size", size).with("limit", limit)
            }
            _ => shaped,
        }
    }
}
