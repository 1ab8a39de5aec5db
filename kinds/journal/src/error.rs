//! What can go wrong with the journal: codes for programs, sentences for people.

use memory_core::{Code, Error};
use memory_files::DiskError;

/// A situation that a caller can tell apart from the others.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    #[error("Record '{id}' was not found")]
    NoRecord { id: String },
    #[error("Record '{id}' is already archived")]
    Archived { id: String },
    #[error("'{prefix}' matches {} records: {}", ids.len(), shown(ids))]
    Ambiguous { prefix: String, ids: Vec<String> },
    #[error("{problem}")]
    BadArgument {
        problem: String,
        hint: Option<String>,
    },
    #[error("{what} has {size} {unit}; the limit is {limit}")]
    TooLarge {
        what: &'static str,
        unit: &'static str,
        size: usize,
        limit: usize,
    },
    #[error("{file} has {size} {unit}; the limit is {limit}")]
    Full {
        file: &'static str,
        unit: &'static str,
        size: u64,
        limit: u64,
        candidates: Vec<String>,
    },
    #[error("The text appears to contain {what}")]
    Secret { what: &'static str },
    #[error("The file {path} is damaged: {problem}")]
    Damaged { path: String, problem: String },
    #[error("Backup '{name}' was not found")]
    NoBackup { name: String },
    #[error("Every entry that '{what}' changed has changed again since")]
    Changed { what: String },
    #[error("The records are saved, but index.json could not be written")]
    IndexUnwritten { source: DiskError },
    #[error(transparent)]
    Disk(#[from] DiskError),
}

impl JournalError {
    /// An argument that can't be used, without a hint.
    pub(crate) fn bad(problem: impl Into<String>) -> Self {
        JournalError::BadArgument {
            problem: problem.into(),
            hint: None,
        }
    }

    /// A word that is none of a list.
    pub(crate) fn not_one_of(what: &str, word: &str, known: &[&'static str]) -> Self {
        let problem = format!("'{word}' is not {what}; it can be {}", known.join(", "));
        let meant = memory_core::nearest(word, known.iter().copied());
        let hint = meant.map(|meant| format!("Did you mean '{meant}'?"));
        JournalError::BadArgument { problem, hint }
    }

    /// Returns what programs know this situation by.
    pub fn code(&self) -> Code {
        match self {
            JournalError::NoRecord { .. } | JournalError::NoBackup { .. } => Code::NotFound,
            JournalError::Archived { .. } | JournalError::BadArgument { .. } => {
                Code::InvalidArgument
            }
            JournalError::Ambiguous { .. } => Code::AmbiguousId,
            JournalError::TooLarge { .. } | JournalError::Full { .. } => Code::LimitExceeded,
            JournalError::Secret { .. } => Code::SecretDetected,
            JournalError::Damaged { .. } => Code::Corrupted,
            JournalError::Changed { .. } => Code::Conflict,
            JournalError::IndexUnwritten { source } | JournalError::Disk(source) => source.code(),
        }
    }

    fn hint(&self) -> Option<String> {
        let hint = match self {
            JournalError::NoRecord { .. } => "'memory journal query' shows the ids",
            JournalError::Archived { .. } => {
                "'--permanent' removes it for good; 'memory undo' may restore it"
            }
            JournalError::Ambiguous { .. } => "Use more characters of the id",
            JournalError::BadArgument { hint, .. } => return hint.clone(),
            JournalError::Full { candidates, .. } => {
                let such = format!("the least used are {}", candidates.join(", "));
                return Some(format!(
                    "Archive some with 'memory journal delete ID'; {such}"
                ));
            }
            JournalError::Secret { .. } => {
                "Keep credentials elsewhere, or pass --allow-secret if this is intended"
            }
            JournalError::Damaged { .. } => {
                "Run 'memory journal repair': it keeps a copy of the file and recovers its records"
            }
            JournalError::IndexUnwritten { .. } => {
                "Do not repeat the command; the next one rebuilds the index"
            }
            JournalError::NoBackup { .. } => "'memory journal backups' lists them",
            _ => return None,
        };
        Some(hint.to_owned())
    }
}

impl From<JournalError> for Error {
    fn from(error: JournalError) -> Error {
        if let JournalError::Disk(disk) = error {
            return disk.into();
        }
        let shaped = Error::new(error.code(), error.to_string());
        let shaped = match error.hint() {
            Some(hint) => shaped.hint(hint),
            None => shaped,
        };
        match error {
            JournalError::NoRecord { id } | JournalError::Archived { id } => shaped.with("id", id),
            JournalError::Ambiguous { prefix, ids } => shaped.with("id", prefix).with("ids", ids),
            JournalError::TooLarge { size, limit, .. } => {
                shaped.with("size", size).with("limit", limit)
            }
            JournalError::Full {
                size,
                limit,
                candidates,
                file,
                ..
            } => shaped
                .with("size", size)
                .with("limit", limit)
                .with("file", file)
                .with("candidates", candidates),
            JournalError::IndexUnwritten { source } => shaped.because(source),
            _ => shaped,
        }
    }
}

fn shown(ids: &[String]) -> String {
    let mut names: Vec<&str> = ids.iter().take(5).map(String::as_str).collect();
    if ids.len() > names.len() {
        names.push("…");
    }
    names.join(", ")
}
