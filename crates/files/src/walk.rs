//! Everything below a folder of ours, with its size, its age and who may see it.
//!
//! Only looks, but for [`Found::make_private`]. Links are seen and not followed.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};

use crate::{Files, ItemKind, Spot};

/// How many folders deep a store may be: deeper ones are not ours.
const DEEPEST: usize = 16;
/// What nobody but the user may do with a file of theirs.
const OTHERS: u32 = 0o077;

/// A file or folder that was found.
#[derive(Debug, Clone)]
pub struct Found {
    pub at: Spot,
    pub kind: ItemKind,
    pub size: u64,
    /// When it was last changed, in seconds since 1970.
    pub modified: i64,
    mode: u32,
}

impl Found {
    /// Returns its name, for people.
    pub fn name(&self) -> String {
        self.at.name().to_string_lossy().into_owned()
    }

    /// Says whether somebody else may read, write or enter it.
    pub fn is_open_to_others(&self) -> bool {
        self.kind != ItemKind::Other && self.mode & OTHERS != 0
    }

    /// Lets nobody but the user read or write it.
    pub fn make_private(&self) -> io::Result<()> {
        fs::set_permissions(self.at.path(), Permissions::from_mode(self.mode & 0o7700))
    }
}

impl Files {
    /// Returns a folder and all that is below it; nothing when it is not there.
    pub fn walk(&self, root: &Spot) -> Vec<Found> {
        let mut found: Vec<Found> = look(root, ItemKind::Folder).into_iter().collect();
        if !found.is_empty() {
            descend(self, root, 1, &mut found);
        }
        found
    }
}

fn descend(files: &Files, folder: &Spot, depth: usize, found: &mut Vec<Found>) {
    for item in files.list(folder).unwrap_or_default() {
        let at = folder.join(&item.name);
        found.extend(look(&at, item.kind));
        if item.kind == ItemKind::Folder && depth < DEEPEST {
            descend(files, &at, depth + 1, found);
        }
    }
}

fn look(at: &Spot, kind: ItemKind) -> Option<Found> {
    let path = at.path();
    let seen = match kind {
        // The root may be reached by a link of the user's.
        ItemKind::Folder => fs::metadata(&path),
        _ => fs::symlink_metadata(&path),
    };
    let seen = seen.ok()?;
    let size = if kind == ItemKind::File { seen.len() } else { 0 };
    Some(Found { at: at.clone(), kind, size, modified: seen.mtime(), mode: seen.mode() })
}
