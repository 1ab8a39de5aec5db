//! What can go wrong with a model, and what callers are told.

use memory_core::{Code, Error};
use memory_files::DiskError;

/// A failure of a model, its files or its server.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    #[error("The model's file is damaged or of another version")]
    Damaged,
    #[error("Model '{name}' is not installed")]
    NotInstalled { name: String },
    #[error("'{name}' is not a model that can be downloaded by name")]
    Unknown { name: String },
    #[error("'{name}' is not a valid model name")]
    BadName { name: String },
    #[error("{what} has no {missing}")]
    Incomplete { what: String, missing: &'static str },
    #[error("This type of model is not supported: {why}")]
    Unsupported { why: String },
    #[error("{file} is not the file that was expected: its checksum differs")]
    BadChecksum { file: String },
    #[error("{file} has more than {limit} bytes")]
    TooLarge { file: String, limit: u64 },
    #[error("{url} redirects to {next}, which is not a host of the hub")]
    Elsewhere { url: String, next: String },
    #[error(
        "The weights of {repository} are not those that were installed first: {now}, not {first}"
    )]
    Changed {
        repository: String,
        first: String,
        now: String,
    },
    #[error("Model '{name}' is being installed by another process")]
    Busy { name: String },
    #[error("{url} answered {status}")]
    Refused { url: String, status: u16 },
    #[error("{url} cannot be reached: {why}")]
    Unreachable { url: String, why: String },
    #[error("{url} returned an invalid response: {why}")]
    BadAnswer { url: String, why: String },
    #[error("Environment variable {variable} has no key for {url}")]
    NoKey { variable: String, url: String },
    #[error("{setting} is not set")]
    NotSet { setting: &'static str },
    #[error(transparent)]
    Disk(#[from] DiskError),
}

impl ModelError {
    fn code(&self) -> Code {
        match self {
            ModelError::Damaged | ModelError::BadChecksum { .. } | ModelError::Changed { .. } => {
                Code::Corrupted
            }
            ModelError::TooLarge { .. } => Code::LimitExceeded,
            ModelError::NotInstalled { .. } => Code::NotFound,
            ModelError::Busy { .. } => Code::Conflict,
            ModelError::Unknown { .. }
            | ModelError::BadName { .. }
            | ModelError::Incomplete { .. }
            | ModelError::Unsupported { .. }
            | ModelError::NoKey { .. }
            | ModelError::NotSet { .. } => Code::InvalidArgument,
            ModelError::Refused { .. }
            | ModelError::Unreachable { .. }
            | ModelError::Elsewhere { .. }
            | ModelError::BadAnswer { .. } => Code::UpstreamError,
            ModelError::Disk(error) => error.code(),
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            ModelError::Damaged => Some("Install it again with 'memory model install'".to_owned()),
            ModelError::NotInstalled { name } => Some(format!(
                "Install it with 'memory model install {name}', or see 'memory model list'"
            )),
            ModelError::Unknown { .. } => Some(
                "'memory model list' shows those that can; a folder is installed by its path"
                    .to_owned(),
            ),
            ModelError::BadChecksum { .. } => Some("Try again; nothing was installed".to_owned()),
            ModelError::Unreachable { .. } => Some(
                "The downloaded part is kept: the same command resumes the download".to_owned(),
            ),
            ModelError::Changed { now, .. } => Some(format!(
                "If the model was updated intentionally, pass --sha256 {now}"
            )),
            ModelError::Elsewhere { .. } => {
                Some("Download the files yourself and install the directory by its path".to_owned())
            }
            ModelError::BadName { .. } => {
                Some("Letters, digits, '.', '-' and '_', and a letter or digit first".to_owned())
            }
            _ => None,
        }
    }
}

impl From<ModelError> for Error {
    fn from(error: ModelError) -> Error {
        let hint = error.hint();
        match error {
            ModelError::Disk(error) => error.into(),
            error => {
                let shaped = Error::new(error.code(), error.to_string());
                hint.into_iter().fold(shaped, Error::hint)
            }
        }
    }
}
