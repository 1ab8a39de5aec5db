//! A project's own configuration: `.slop-mcp/config.yaml`, which may set less than the user's.
//!
//! Whoever clones a repository has not agreed to its settings. Its file is read without following links, and a setting
//! of lifecycle, notifications, paths, programs or addresses is refused (`Who::User` in the table).

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use memory_core::Result;
use memory_files::{DiskError, Files, Spot};

use super::load::MOST_BYTES;
use crate::places;

/// Reads the project's file; none when there is none.
///
/// A `.slop-mcp` that cannot be looked into has none; commands that use the project's banks report it.
pub(super) fn read(files: &Files, project: &Path) -> Result<Option<(PathBuf, Vec<u8>)>> {
    let at = file(project);
    match files.read(&at, MOST_BYTES) {
        Ok(seen) => Ok(seen.map(|seen| (at.path(), seen.bytes))),
        Err(DiskError::Unsafe { path, .. }) if path != at.path() => Ok(None),
        Err(DiskError::Io { path, source, .. })
            if path != at.path() && source.kind() == ErrorKind::PermissionDenied =>
        {
            Ok(None)
        }
        Err(error) => Err(error.into()),
    }
}

fn file(project: &Path) -> Spot {
    Spot::anchor(project)
        .join(places::PROJECT)
        .join(places::CONFIG)
}
