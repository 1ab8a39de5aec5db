//! What can go wrong with a bank: code, sentence, and what to try next.

use memory_core::{Code, Error, JsonFlaw, printable};
use memory_files::DiskError;
use memory_storage::StorageError;

use crate::{BankName, Key, Scope, limits};

/// A situation that the caller of a bank can tell apart from the others.
#[derive(Debug, thiserror::Error)]
pub enum BankError {
    #[error("'{}' is not a bank name", printable(name))]
    BadName { name: String },
    #[error("'{}' is not a key: {why}", printable(key))]
    BadKey { key: String, why: String },
    #[error("The value is not JSON: {flaw}")]
    BadValue { flaw: JsonFlaw },
    #[error("{problem}")]
    BadArgument {
        problem: String,
        hint: Option<String>,
    },
    #[error("Memory bank '{bank}' does not exist")]
    NoBank {
        bank: BankName,
        scope: Scope,
        meant: Option<String>,
    },
    #[error("Key '{key}' does not exist in bank '{bank}'")]
    NoKey {
        bank: BankName,
        key: Key,
        scope: Scope,
        meant: Option<String>,
    },
    #[error("Key '{key}' in bank '{bank}' expired at {expired_at}")]
    Expired {
        bank: BankName,
        key: Key,
        scope: Scope,
        expired_at: String,
    },
    #[error("Key '{key}' already exists in bank '{bank}'")]
    KeyExists {
        bank: BankName,
        key: Key,
        scope: Scope,
    },
    #[error("{what} exists in both scopes")]
    Ambiguous { what: String, bank: BankName },
    #[error("The value has {size} bytes; the limit is {limit}")]
    ValueTooLarge { size: usize, limit: usize },
    #[error("Bank '{bank}' would have {would_have} bytes; the limit is {limit}")]
    BankTooLarge {
        bank: BankName,
        would_have: u64,
        limit: usize,
    },
    #[error("Bank '{bank}' would hold {would_hold} keys; the limit is {limit}")]
    TooManyKeys {
        bank: BankName,
        would_hold: usize,
        limit: usize,
    },
    #[error("Bank '{bank}' is damaged: {problem}")]
    Damaged {
        bank: BankName,
        scope: Scope,
        problem: String,
    },
    #[error(
        "Bank '{bank}' has version {version}; this program supports versions up to {}",
        limits::VERSION
    )]
    NewerVersion { bank: BankName, version: u64 },
    #[error("Entry '{key}' of bank '{bank}' changed repeatedly while the filter ran")]
    Contended { bank: BankName, key: Key },
    #[error("The filter does not compile: {problem}")]
    FilterSyntax { problem: String },
    #[error("The filter failed: {problem}")]
    FilterFailed {
        problem: String,
        outputs: Vec<String>,
    },
    #[error("The filter was stopped: {problem}")]
    FilterLimit { problem: String },
    #[error("The pattern is not a regular expression: {problem}")]
    BadPattern { problem: String },
    #[error("The schema of bank '{bank}' does not allow this value: {problem}")]
    Schema { bank: BankName, problem: String },
    #[error("The schema of bank '{bank}' is too expensive: {problem}")]
    SchemaTooCostly { bank: BankName, problem: String },
    #[error("The value appears to contain {what}")]
    Secret { what: &'static str },
    #[error("The directory of the {scope} banks is not known")]
    NoPlace { scope: Scope },
    #[error(transparent)]
    Disk(#[from] DiskError),
    #[error(transparent)]
    Storage(StorageError),
}

impl BankError {
    /// Returns what programs know this situation by.
    pub fn code(&self) -> Code {
        match self {
            BankError::BadName { .. } => Code::InvalidBankName,
            BankError::BadKey { .. } => Code::InvalidKey,
            BankError::BadValue { .. } => Code::InvalidJson,
            BankError::BadArgument { .. } | BankError::NoPlace { .. } => Code::InvalidArgument,
            BankError::NoBank { .. } => Code::BankNotFound,
            BankError::NoKey { .. } => Code::KeyNotFound,
            BankError::Expired { .. } => Code::TtlExpired,
            BankError::KeyExists { .. } => Code::KeyExists,
            BankError::Ambiguous { .. } => Code::AmbiguousScope,
            BankError::ValueTooLarge { .. } => Code::ValueTooLarge,
            BankError::BankTooLarge { .. } => Code::BankTooLarge,
            BankError::TooManyKeys { .. } => Code::TooManyKeys,
            BankError::Damaged { .. } => Code::CorruptBank,
            BankError::NewerVersion { .. } => Code::UnsupportedVersion,
            BankError::Contended { .. } => Code::Conflict,
            BankError::FilterSyntax { .. } | BankError::FilterFailed { .. } => Code::InvalidFilter,
            BankError::FilterLimit { .. } => Code::FilterLimit,
            BankError::BadPattern { .. } => Code::InvalidPattern,
            BankError::Schema { .. } => Code::SchemaViolation,
            BankError::SchemaTooCostly { .. } => Code::LimitExceeded,
            BankError::Secret { .. } => Code::SecretDetected,
            BankError::Disk(error) => error.code(),
            BankError::Storage(error) => error.code(),
        }
    }

    fn hint(&self) -> Option<String> {
        let hint = match self {
            BankError::BadName { .. } => {
                "A name starts with a lower-case letter, followed by lower-case letters, digits, '-' or '_'; at most 64 characters"
            }
            BankError::BadValue {
                flaw: JsonFlaw::Syntax { .. },
            } => "A string needs its own quotes: '\"like this\"'",
            BankError::NoBank { meant, .. } | BankError::NoKey { meant, .. } => {
                return meant.clone();
            }
            BankError::BadArgument { hint, .. } => return hint.clone(),
            BankError::Expired { .. } => "Write it again, or remove expired entries with 'gc'",
            BankError::KeyExists { .. } => "Omit --create-only to replace it",
            BankError::Ambiguous { .. } => "Choose one with --scope user or --scope project",
            BankError::TooManyKeys { .. } | BankError::BankTooLarge { .. } => {
                "Use a second bank, or remove entries with 'delete' or 'gc --older-than 30d'"
            }
            BankError::Damaged { .. } => {
                "Run 'memory bank repair': it keeps a copy of the damaged file and recovers its entries"
            }
            BankError::NewerVersion { .. } => "Install a newer version of this program",
            BankError::Contended { .. } => "Try again, or use a filter that takes less time",
            BankError::SchemaTooCostly { bank, .. } => {
                return Some(format!(
                    "Use fewer references, or remove the schema: memory-cli schema {bank} clear"
                ));
            }
            BankError::Secret { .. } => {
                "Keep credentials elsewhere, or pass --allow-secret if this is intended"
            }
            BankError::NoPlace { scope: Scope::User } => {
                "Set HOME, XDG_CONFIG_HOME or MEMORY_BANKS_DIR"
            }
            BankError::NoPlace {
                scope: Scope::Project,
            } => "Change to a directory that exists, or name one with --project DIR",
            _ => return None,
        };
        Some(hint.to_owned())
    }

    fn with_context(&self, error: Error) -> Error {
        match self {
            BankError::BadName { name } => error.with("bank", name.as_str()),
            BankError::BadKey { key, .. } => error.with("key", key.as_str()),
            BankError::NoBank { bank, scope, .. } | BankError::Damaged { bank, scope, .. } => error
                .with("bank", bank.as_str())
                .with("scope", scope.as_str()),
            BankError::NoKey {
                bank, key, scope, ..
            }
            | BankError::KeyExists { bank, key, scope }
            | BankError::Expired {
                bank, key, scope, ..
            } => error
                .with("bank", bank.as_str())
                .with("key", key.as_str())
                .with("scope", scope.as_str()),
            BankError::ValueTooLarge { size, limit } => {
                error.with("size", *size).with("limit", *limit)
            }
            BankError::BankTooLarge {
                bank,
                would_have,
                limit,
            } => error
                .with("bank", bank.as_str())
                .with("size", *would_have)
                .with("limit", *limit),
            BankError::TooManyKeys {
                bank,
                would_hold,
                limit,
            } => error
                .with("bank", bank.as_str())
                .with("size", *would_hold)
                .with("limit", *limit),
            BankError::Ambiguous { bank, .. }
            | BankError::NewerVersion { bank, .. }
            | BankError::Schema { bank, .. } => error.with("bank", bank.as_str()),
            BankError::Contended { bank, key } => {
                error.with("bank", bank.as_str()).with("key", key.as_str())
            }
            BankError::FilterSyntax { .. } => error.with("stage", "compile"),
            BankError::FilterFailed { outputs, .. } => {
                let error = error.with("stage", "run");
                if outputs.is_empty() {
                    error
                } else {
                    error.with("outputs", outputs.clone())
                }
            }
            _ => error,
        }
    }
}

impl From<BankError> for Error {
    fn from(error: BankError) -> Error {
        if let BankError::Storage(error) = error {
            return error.into();
        }
        if let BankError::Disk(disk) = error {
            return disk.into();
        }
        let shaped = Error::new(error.code(), error.to_string());
        let shaped = match error.hint() {
            Some(hint) => shaped.hint(hint),
            None => shaped,
        };
        error.with_context(shaped)
    }
}

impl From<StorageError> for BankError {
    fn from(error: StorageError) -> Self {
        match error {
            StorageError::Disk(error) => BankError::Disk(error),
            error => BankError::Storage(error),
        }
    }
}
