//! What can go wrong with compartments: code, sentence, and what to try next.

use memory_core::{Code, Error};
use memory_files::DiskError;
use memory_storage::StorageError;

use crate::{Compartment, Part, limits};

/// A situation that a caller can tell apart from the others.
#[derive(Debug, thiserror::Error)]
pub enum CompartmentError {
    #[error("'{name}' is not a compartment; expected run, session or plan")]
    BadCompartment { name: String, meant: Option<String> },
    #[error("'{name}' is not the name of a run")]
    BadRun { name: String },
    #[error("The content is empty")]
    EmptyContent,
    #[error("Priority {priority} is not between {} and {}", limits::PRIORITIES.start(), limits::PRIORITIES.end())]
    BadPriority { priority: i64 },
    #[error("The {what} to look for is empty")]
    EmptyFilter { what: &'static str },
    #[error("The {part} has {size} of {limit} characters; this entry has {more}")]
    Full {
        part: Part,
        size: usize,
        more: usize,
        limit: usize,
    },
    #[error("There is no entry '{id}' in the {part}")]
    NoEntry { part: Part, id: String },
    #[error("{file} is damaged: {problem}")]
    Damaged { file: String, problem: String },
    #[error("The entry appears to contain {what}")]
    Secret { what: &'static str },
    #[error("{path} is not a file path")]
    BadPath { path: String },
    #[error("The limit of a compartment must be above zero")]
    NoRoom,
    #[error(transparent)]
    Disk(#[from] DiskError),
    #[error(transparent)]
    Storage(StorageError),
}

impl CompartmentError {
    /// Returns what programs know this situation by.
    pub fn code(&self) -> Code {
        use CompartmentError::*;
        match self {
            BadCompartment { .. }
            | BadRun { .. }
            | EmptyContent
            | BadPriority { .. }
            | EmptyFilter { .. }
            | BadPath { .. }
            | NoRoom => Code::InvalidArgument,
            Full { .. } => Code::LimitExceeded,
            NoEntry { .. } => Code::NotFound,
            Damaged { .. } => Code::Corrupted,
            Secret { .. } => Code::SecretDetected,
            Disk(error) => error.code(),
            Storage(error) => error.code(),
        }
    }

    fn hint(&self) -> Option<String> {
        let hint = match self {
            CompartmentError::BadCompartment { meant, .. } => {
                return meant
                    .as_ref()
                    .map(|meant| format!("Did you mean '{meant}'?"));
            }
            CompartmentError::BadRun { .. } => {
                "A name has 1 to 200 characters, no control characters, and no white space at its ends"
            }
            CompartmentError::EmptyFilter { .. } => "Omit it to select every entry",
            CompartmentError::Full { part, .. } => {
                return Some(format!(
                    "Clear what is no longer needed from {} memory, or raise \
                     compartments.max_size_per_compartment",
                    part.compartment
                ));
            }
            CompartmentError::Damaged { .. } => {
                "The next save keeps a copy of the damaged file and recovers its entries, as does 'memory doctor --fix'"
            }
            CompartmentError::Secret { .. } => {
                "Keep credentials elsewhere, or pass --allow-secret if this is intended"
            }
            _ => return None,
        };
        Some(hint.to_owned())
    }

    fn with_context(&self, error: Error) -> Error {
        match self {
            CompartmentError::BadCompartment { .. } => error.with(
                "compartments",
                Compartment::ALL.map(Compartment::as_str).to_vec(),
            ),
            CompartmentError::BadPriority { priority } => error
                .with("priority", *priority)
                .with("minimum", *limits::PRIORITIES.start())
                .with("maximum", *limits::PRIORITIES.end()),
            CompartmentError::Full {
                part,
                size,
                more,
                limit,
            } => error
                .with("compartment", part.compartment.as_str())
                .with("size", *size)
                .with("entry_size", *more)
                .with("limit", *limit),
            CompartmentError::NoEntry { part, id } => error
                .with("compartment", part.compartment.as_str())
                .with("id", id.as_str()),
            CompartmentError::Damaged { file, .. } => error.with("file", file.as_str()),
            _ => error,
        }
    }
}

impl From<CompartmentError> for Error {
    fn from(error: CompartmentError) -> Error {
        if let CompartmentError::Disk(disk) = error {
            return disk.into();
        }
        if let CompartmentError::Storage(error) = error {
            return error.into();
        }
        let shaped = Error::new(error.code(), error.to_string());
        let shaped = match error.hint() {
            Some(hint) => shaped.hint(hint),
            None => shaped,
        };
        error.with_context(shaped)
    }
}

impl From<StorageError> for CompartmentError {
    fn from(error: StorageError) -> Self {
        match error {
            StorageError::Disk(error) => CompartmentError::Disk(error),
            error => CompartmentError::Storage(error),
        }
    }
}
