//! What can go wrong on a disk: the operation, the path, and what the system said.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use memory_core::{Code, Error};

/// A failure at a path.
#[derive(Debug, thiserror::Error)]
pub enum DiskError {
    #[error("Could not {doing} {}", path.display())]
    Io {
        doing: &'static str,
        path: PathBuf,
        source: io::Error,
    },
    #[error("{} {why}, and is not followed", path.display())]
    Unsafe { path: PathBuf, why: &'static str },
    #[error("{} {why}, and is not used", path.display())]
    Untrusted {
        path: PathBuf,
        why: &'static str,
        hint: String,
    },
    #[error("{} is not a repository of this program: {why}", path.display())]
    Foreign { path: PathBuf, why: String },
    #[error("{} has {size} bytes; the limit is {limit}", path.display())]
    TooLarge {
        path: PathBuf,
        size: u64,
        limit: u64,
    },
    #[error("{} was locked by another process for more than {} seconds", path.display(), waited.as_secs())]
    Busy { path: PathBuf, waited: Duration },
    #[error("{} is not a socket, but a socket is needed at this path", path.display())]
    Taken { path: PathBuf },
    #[error("{} has {size} bytes; a socket's path may have {limit}", path.display())]
    LongAddress {
        path: PathBuf,
        size: usize,
        limit: usize,
    },
}

impl DiskError {
    /// Returns what programs know this failure by.
    pub fn code(&self) -> Code {
        match self {
            DiskError::Io { source, .. } => io_code(source),
            DiskError::Unsafe { .. } | DiskError::Untrusted { .. } | DiskError::Foreign { .. } => {
                Code::UnsafePath
            }
            DiskError::TooLarge { .. } => Code::LimitExceeded,
            DiskError::Busy { .. } | DiskError::Taken { .. } => Code::Conflict,
            DiskError::LongAddress { .. } => Code::LimitExceeded,
        }
    }

    /// Says whether the system failed, which tells nothing about what the file or folder is like.
    pub fn is_io(&self) -> bool {
        matches!(self, DiskError::Io { .. })
    }

    /// Returns why a file can't be read without its path, for lists that name the path beside it.
    pub fn problem(&self) -> String {
        match self {
            DiskError::Io { source, .. } => format!("cannot be read: {}", source.kind()),
            DiskError::Unsafe { why, .. } => format!("{why}, and is not followed"),
            DiskError::Untrusted { why, .. } => format!("{why}, and is not used"),
            DiskError::Foreign { why, .. } => format!("is not a repository of this program: {why}"),
            DiskError::TooLarge { size, limit, .. } => {
                format!("has {size} bytes; the limit is {limit}")
            }
            DiskError::Busy { waited, .. } => {
                format!(
                    "was locked by another process for more than {} seconds",
                    waited.as_secs()
                )
            }
            DiskError::Taken { .. } => "is not a socket".to_owned(),
            DiskError::LongAddress { size, limit, .. } => {
                format!("has {size} bytes; a socket's path may have {limit}")
            }
        }
    }

    fn hint(&self) -> Option<&str> {
        match self {
            DiskError::Untrusted { hint, .. } => return Some(hint),
            DiskError::Taken { .. } => return Some("Move it, then try again"),
            DiskError::Foreign { .. } => {
                return Some("Move it, or set conversations.enable_git_versioning to false");
            }
            DiskError::LongAddress { .. } => {
                return Some("Choose a shorter root with --root DIR or MEMORY_ROOT");
            }
            _ => {}
        }
        match self.code() {
            Code::NoSpace => Some("Free some disk space and try again; nothing was changed"),
            Code::PermissionDenied => Some("Check its owner and permissions"),
            Code::Conflict => {
                Some("Try again; if the problem persists, look for a process that hangs")
            }
            Code::UnsafePath => Some("Replace it with a regular file or folder"),
            _ => None,
        }
    }
}

fn io_code(source: &io::Error) -> Code {
    match source.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            Code::PermissionDenied
        }
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
            Code::NoSpace
        }
        _ => Code::IoError,
    }
}

impl From<DiskError> for Error {
    fn from(error: DiskError) -> Error {
        let shaped = Error::new(error.code(), error.to_string());
        let shaped = match error.hint() {
            Some(hint) => shaped.hint(hint),
            None => shaped,
        };
        match error {
            DiskError::Io { source, .. } => shaped.because(source),
            _ => shaped,
        }
    }
}
