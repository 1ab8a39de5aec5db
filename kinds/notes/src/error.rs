//! What can go wrong with notes: codes for programs, sentences for people.

use memory_core::{Code, Error, nearest};
use memory_files::DiskError;

use crate::ingest::IngestError;
use crate::{BadCategory, BadScope, Category, NoteId};

/// A failure that a caller can tell from others.
#[derive(Debug, thiserror::Error)]
pub enum NoteError {
    #[error("Note '{id}' was not found")]
    NoNote { id: String },
    #[error("Note '{id}' is not in the trash")]
    NotRemoved { id: String },
    #[error("'{prefix}' matches {} notes: {}", ids.len(), shown(ids))]
    Ambiguous { prefix: String, ids: Vec<NoteId> },
    #[error("{problem}")]
    BadArgument {
        problem: String,
        hint: Option<String>,
    },
    #[error("'{word}' is not a category; it can be {}", categories())]
    BadCategory { word: String },
    #[error(transparent)]
    BadScope(#[from] BadScope),
    #[error("{what} has {size} {unit}; the limit is {limit}")]
    TooLarge {
        what: &'static str,
        unit: &'static str,
        size: usize,
        limit: usize,
    },
    #[error("The text appears to contain {what}")]
    Secret { what: &'static str },
    #[error("The file {path} is damaged: {problem}")]
    Damaged { path: String, problem: String },
    #[error("{problem}")]
    Unread { problem: String, code: Code },
    #[error("Every entry that '{what}' changed has changed again since")]
    Changed { what: String },
    #[error(transparent)]
    Ingest(#[from] IngestError),
    #[error(transparent)]
    Disk(#[from] DiskError),
}

impl NoteError {
    /// An argument that can't be used, without a hint.
    pub fn bad(problem: impl Into<String>) -> Self {
        NoteError::BadArgument {
            problem: problem.into(),
            hint: None,
        }
    }

    /// Returns what programs know this failure by.
    pub fn code(&self) -> Code {
        match self {
            NoteError::NoNote { .. } | NoteError::NotRemoved { .. } => Code::NotFound,
            NoteError::Ambiguous { .. } => Code::AmbiguousId,
            NoteError::BadArgument { .. }
            | NoteError::BadCategory { .. }
            | NoteError::BadScope(_) => Code::InvalidArgument,
            NoteError::TooLarge { .. } => Code::LimitExceeded,
            NoteError::Secret { .. } => Code::SecretDetected,
            NoteError::Damaged { .. } => Code::Corrupted,
            NoteError::Unread { code, .. } => *code,
            NoteError::Changed { .. } => Code::Conflict,
            NoteError::Ingest(IngestError::NoFolder { .. }) => Code::NotFound,
            NoteError::Ingest(IngestError::File { .. }) => Code::InvalidArgument,
            NoteError::Ingest(IngestError::Disk(error)) | NoteError::Disk(error) => error.code(),
        }
    }

    fn hint(&self) -> Option<String> {
        let hint = match self {
            NoteError::NoNote { .. } => {
                "'memory list' and 'memory list --archived' show the ids; 'memory trash' what was removed"
            }
            NoteError::NotRemoved { .. } => "'memory trash' lists what can be restored",
            NoteError::Ambiguous { .. } => "Use more characters of the id",
            NoteError::BadArgument { hint, .. } => return hint.clone(),
            NoteError::BadCategory { word } => {
                let meant = nearest(word, Category::ALL.iter().map(|category| category.as_str()))?;
                return Some(format!("Did you mean '{meant}'?"));
            }
            NoteError::Secret { .. } => {
                "Keep credentials elsewhere, or pass --allow-secret if this is intended"
            }
            NoteError::Changed { .. } => "'memory restore ID' brings back a single note",
            NoteError::Unread { .. } => {
                "Nothing was changed, because some notes could not be read; try again, or run 'memory doctor'"
            }
            NoteError::Damaged { .. } => "Fix its front matter, or run 'memory doctor'",
            _ => return None,
        };
        Some(hint.to_owned())
    }
}

impl From<BadCategory> for NoteError {
    fn from(bad: BadCategory) -> Self {
        NoteError::BadCategory { word: bad.word }
    }
}

impl From<NoteError> for Error {
    fn from(error: NoteError) -> Error {
        let shaped = match error {
            NoteError::Disk(disk) => return disk.into(),
            NoteError::Ingest(error) => return error.into(),
            ref other => Error::new(other.code(), other.to_string()),
        };
        let shaped = match error.hint() {
            Some(hint) => shaped.hint(hint),
            None => shaped,
        };
        match error {
            NoteError::NoNote { id } | NoteError::NotRemoved { id } => shaped.with("id", id),
            NoteError::Ambiguous { prefix, ids } => shaped
                .with("id", prefix)
                .with("ids", ids.iter().map(NoteId::as_str).collect::<Vec<_>>()),
            NoteError::TooLarge { size, limit, .. } => {
                shaped.with("size", size).with("limit", limit)
            }
            _ => shaped,
        }
    }
}

fn shown(ids: &[NoteId]) -> String {
    let mut names: Vec<&str> = ids.iter().take(5).map(NoteId::as_str).collect();
    if ids.len() > names.len() {
        names.push("…");
    }
    names.join(", ")
}

fn categories() -> String {
    Category::ALL.map(Category::as_str).join(", ")
}
