//! What can go wrong in a store.

use memory_core::{Code, Error};
use memory_files::DiskError;

use crate::StorePath;

/// A failure of a store.
#[derive(Debug, thiserror::Error)]
pub enum StorageError {
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// The file is not in the state that the change was planned for.
    #[error("{path} was changed by another process")]
    Conflict { path: StorePath },
    #[error("'{path}' is not a path of a store")]
    Path { path: String },
    #[error("The history could not be written as JSON")]
    Encoding { source: serde_json::Error },
    /// A change of several files has no record from which it could be completed.
    #[error("A change of several files must be recorded")]
    Unrecorded,
    /// The change is recorded, and a part of it has happened.
    #[error("The change is recorded but not complete: {source}")]
    Incomplete { source: DiskError },
}

impl StorageError {
    /// Returns the stable code of this failure.
    pub fn code(&self) -> Code {
        match self {
            StorageError::Disk(error) | StorageError::Incomplete { source: error } => error.code(),
            StorageError::Conflict { .. } => Code::Conflict,
            StorageError::Path { .. } => Code::UnsafePath,
            StorageError::Encoding { .. } | StorageError::Unrecorded => Code::IoError,
        }
    }
}

impl From<StorageError> for Error {
    fn from(error: StorageError) -> Error {
        let (code, message) = (error.code(), error.to_string());
        match error {
            StorageError::Disk(error) => error.into(),
            StorageError::Conflict { path } => Error::new(code, message)
                .with("path", path.as_str())
                .hint("Try again"),
            StorageError::Path { .. } | StorageError::Unrecorded => Error::new(code, message),
            StorageError::Encoding { source } => Error::new(code, message).because(source),
            StorageError::Incomplete { source } => Error::new(code, message)
                .because(source)
                .hint("The next command completes it; do not repeat the change"),
        }
    }
}
