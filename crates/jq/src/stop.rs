//! Why evaluation leaves its straight path: an error, a `break`, a `halt` or a bound.

use crate::error::LimitKind;
use crate::value::{Text, Value};

/// What ends the evaluation of a term before its last output.
#[derive(Debug)]
pub(crate) enum Stop {
    /// An error with its value; `try` catches it.
    Error(Value),
    /// `break $label`, by the label's number; only that label catches it.
    Break(u64),
    /// `halt` and `halt_error`; nothing catches them.
    Halt(Option<Value>),
    /// A bound was hit; nothing catches it.
    Limit(LimitKind),
}

impl Stop {
    /// An error whose value is a message.
    pub(crate) fn error(message: impl Into<String>) -> Stop {
        match Text::new(message.into()) {
            Ok(text) => Stop::Error(Value::String(text)),
            Err(limit) => Stop::Limit(limit),
        }
    }
}

impl From<LimitKind> for Stop {
    fn from(limit: LimitKind) -> Self {
        Stop::Limit(limit)
    }
}
