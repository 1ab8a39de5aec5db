//! Why a program's folder could not be read at all.

use std::path::PathBuf;

use memory_core::{Code, Error};
use memory_files::DiskError;

use super::Source;

/// A failure that leaves nothing to ingest.
#[derive(Debug, thiserror::Error)]
pub enum IngestError {
    #[error("The {program} directory {} does not exist", path.display())]
    NoFolder { program: Source, path: PathBuf },
    #[error("{} is a file; {program} is read from a directory", path.display())]
    File { program: Source, path: PathBuf },
    #[error(transparent)]
    Disk(#[from] DiskError),
}

impl From<IngestError> for Error {
    fn from(error: IngestError) -> Error {
        let sentence = error.to_string();
        match error {
            IngestError::NoFolder { program, path } => Error::new(Code::NotFound, sentence)
                .hint("Name the folder with --path")
                .with("source", program.as_str())
                .with("path", path.display().to_string()),
            IngestError::File { program, path } => Error::new(Code::InvalidArgument, sentence)
                .hint("Name the folder that the file is in with --path")
                .with("source", program.as_str())
                .with("path", path.display().to_string()),
            IngestError::Disk(error) => error.into(),
        }
    }
}
