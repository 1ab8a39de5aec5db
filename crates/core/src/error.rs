//! What can go wrong, in the one shape that every caller gets: code, sentence, hint, context.
//!
//! A kind has an error enum of its own and turns it into this shape at its tools' border. The
//! list of codes is closed, so that a program can rely on it and an exit status follows from it.

use std::fmt;

use serde::Serialize;
use serde_json::{Map, Value};

/// The result of everything that crosses a kind's border.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A failure as callers see it.
#[derive(Debug)]
pub struct Error {
    /// For programs: stable across versions.
    pub code: Code,
    /// For people: one sentence that says what is so.
    pub message: String,
    /// What to try next, when it will really help.
    pub hint: Option<String>,
    /// The nouns of the sentence, by name.
    pub context: Map<String, Value>,
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

impl Error {
    /// Returns a failure with no hint and no context yet.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Error {
            code,
            message: message.into(),
            hint: None,
            context: Map::new(),
            source: None,
        }
    }

    /// Adds what to try next.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Adds a noun of the sentence.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.context.insert(name.to_owned(), value.into());
        self
    }

    /// Keeps the failure that this one came from.
    #[must_use]
    pub fn because(mut self, source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// Returns specification 000's object: `{"error": {"code", "message", "hint"?, …}}`.
    pub fn to_value(&self) -> Value {
        let mut fields = Map::new();
        fields.insert("code".into(), self.code.as_str().into());
        fields.insert("message".into(), self.message.clone().into());
        if let Some(hint) = &self.hint {
            fields.insert("hint".into(), hint.clone().into());
        }
        if let Some(source) = &self.source {
            fields.insert("cause".into(), source.to_string().into());
        }
        fields.extend(self.context.clone());
        serde_json::json!({ "error": fields })
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}

/// The codes of specification 000, and those of the other kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Code {
    BankNotFound,
    KeyNotFound,
    InvalidBankName,
    InvalidJson,
    PermissionDenied,
    Conflict,
    TtlExpired,
    InvalidKey,
    InvalidArgument,
    KeyExists,
    InvalidFilter,
    FilterLimit,
    InvalidPattern,
    ValueTooLarge,
    BankTooLarge,
    TooManyKeys,
    LimitExceeded,
    SchemaViolation,
    CorruptBank,
    Corrupted,
    UnsupportedVersion,
    UnsafePath,
    AmbiguousScope,
    AmbiguousId,
    NotFound,
    ConfirmationRequired,
    SecretDetected,
    NoSpace,
    IoError,
    UpstreamError,
}

impl Code {
    /// Every code, in the order of the declaration.
    pub const ALL: [Code; 30] = [
        Code::BankNotFound,
        Code::KeyNotFound,
        Code::InvalidBankName,
        Code::InvalidJson,
        Code::PermissionDenied,
        Code::Conflict,
        Code::TtlExpired,
        Code::InvalidKey,
        Code::InvalidArgument,
        Code::KeyExists,
        Code::InvalidFilter,
        Code::FilterLimit,
        Code::InvalidPattern,
        Code::ValueTooLarge,
        Code::BankTooLarge,
        Code::TooManyKeys,
        Code::LimitExceeded,
        Code::SchemaViolation,
        Code::CorruptBank,
        Code::Corrupted,
        Code::UnsupportedVersion,
        Code::UnsafePath,
        Code::AmbiguousScope,
        Code::AmbiguousId,
        Code::NotFound,
        Code::ConfirmationRequired,
        Code::SecretDetected,
        Code::NoSpace,
        Code::IoError,
        Code::UpstreamError,
    ];

    /// Returns the code as programs read it, such as `BANK_NOT_FOUND`.
    pub fn as_str(self) -> &'static str {
        use Code::*;
        match self {
            BankNotFound => "BANK_NOT_FOUND",
            KeyNotFound => "KEY_NOT_FOUND",
            InvalidBankName => "INVALID_BANK_NAME",
            InvalidJson => "INVALID_JSON",
            PermissionDenied => "PERMISSION_DENIED",
            Conflict => "CONFLICT",
            TtlExpired => "TTL_EXPIRED",
            InvalidKey => "INVALID_KEY",
            InvalidArgument => "INVALID_ARGUMENT",
            KeyExists => "KEY_EXISTS",
            InvalidFilter => "INVALID_FILTER",
            FilterLimit => "FILTER_LIMIT",
            InvalidPattern => "INVALID_PATTERN",
            ValueTooLarge => "VALUE_TOO_LARGE",
            BankTooLarge => "BANK_TOO_LARGE",
            TooManyKeys => "TOO_MANY_KEYS",
            LimitExceeded => "LIMIT_EXCEEDED",
            SchemaViolation => "SCHEMA_VIOLATION",
            CorruptBank => "CORRUPT_BANK",
            Corrupted => "CORRUPTED",
            UnsupportedVersion => "UNSUPPORTED_VERSION",
            UnsafePath => "UNSAFE_PATH",
            AmbiguousScope => "AMBIGUOUS_SCOPE",
            AmbiguousId => "AMBIGUOUS_ID",
            NotFound => "NOT_FOUND",
            ConfirmationRequired => "CONFIRMATION_REQUIRED",
            SecretDetected => "SECRET_DETECTED",
            NoSpace => "NO_SPACE",
            IoError => "IO_ERROR",
            UpstreamError => "UPSTREAM_ERROR",
        }
    }

    /// Returns the exit status of a command that ends with this code.
    pub fn exit_status(self) -> u8 {
        use Code::*;
        match self {
            InvalidBankName | InvalidJson | InvalidKey | InvalidArgument | InvalidFilter
            | InvalidPattern | AmbiguousScope | AmbiguousId | ConfirmationRequired => 2,
            BankNotFound | KeyNotFound | TtlExpired | NotFound => 3,
            KeyExists | Conflict => 4,
            PermissionDenied | FilterLimit | ValueTooLarge | BankTooLarge | TooManyKeys
            | LimitExceeded | SchemaViolation | UnsafePath | SecretDetected => 5,
            CorruptBank | Corrupted | UnsupportedVersion | NoSpace | IoError | UpstreamError => 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_reads_as_the_specification_writes_it() {
        let error = Error::new(Code::BankNotFound, "Memory bank 'session' does not exist")
            .with("bank", "session")
            .with("scope", "project");
        assert_eq!(
            error.to_value().to_string(),
            r#"{"error":{"code":"BANK_NOT_FOUND","message":"Memory bank 'session' does not exist","bank":"session","scope":"project"}}"#
        );
    }

    #[test]
    fn the_list_of_codes_is_complete() {
        assert_eq!(
            Code::ALL.map(|code| code as usize),
            std::array::from_fn(|n| n)
        );
        assert_eq!(Code::ALL.len(), Code::UpstreamError as usize + 1);
    }

    #[test]
    fn the_derived_name_and_the_written_name_agree() {
        for code in [
            Code::BankNotFound,
            Code::IoError,
            Code::AmbiguousId,
            Code::TtlExpired,
        ] {
            assert_eq!(serde_json::to_value(code).unwrap(), code.as_str());
        }
    }
}
