//! A project's own configuration: `.slop-mcp/config.yaml`, which may say less than the user's.
//!
//! Whoever clones a repository has not agreed to its settings. Its file is read without following
//! links, and what would send the user's memories elsewhere is refused (`Who::User` in the table).

use std::path::{Path, PathBuf};

use memory_core::Result;
use memory_files::{DiskError, Files, Spot};

use super::load::MOST_BYTES;
use crate::places;

/// Reads the project's file; none when there is none.
///
/// A `.slop-mcp` that is a link, or that we may not look into, has nothing to say here: whoever uses
/// the project's banks is told, and whoever uses the user's is not bothered.
pub(super) fn read(files: &Files, project: &Path) -> Result<Option<(PathBuf, Vec<u8>)>> {
    let at = file(project);
    match files.read(&at, MOST_BYTES) {
        Ok(seen) => Ok(seen.map(|seen| (at.path(), seen.bytes))),
        Err(DiskError::Unsafe { path, .. } | DiskError::Io { path, .. }) if path != at.path() => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn file(project: &Path) -> Spot {
    Spot::anchor(project).join(places::PROJECT).join(places::CONFIG)
}
