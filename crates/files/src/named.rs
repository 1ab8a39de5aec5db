//! Files that the user names: read and written as any program would, links and all.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::{DiskError, Files, Spot};

impl Files {
    /// Reads a file that the user named; none when it is not there.
    pub fn read_named(&self, path: &Path, most: u64) -> Result<Option<Vec<u8>>, DiskError> {
        let failed = |source| DiskError::Io { doing: "read", path: path.to_owned(), source };
        let file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(failed(error)),
        };
        let mut bytes = Vec::new();
        file.take(most + 1).read_to_end(&mut bytes).map_err(failed)?;
        match bytes.len() as u64 > most {
            true => Err(DiskError::TooLarge { path: path.to_owned(), size: bytes.len() as u64, limit: most }),
            false => Ok(Some(bytes)),
        }
    }

    /// Puts bytes in the place of a file that the user named, durably and at once.
    pub fn replace_named(&self, path: &Path, bytes: &[u8]) -> Result<(), DiskError> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let name = path.file_name().unwrap_or_default();
        self.replace(&Spot::anchor(folder.unwrap_or(Path::new("."))).join(name), bytes)
    }
}
