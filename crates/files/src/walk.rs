//! Everything below a folder of ours, with its size, its age and who may see it.
//!
//! Only looks, but for [`Found::make_private`] and [`Found::open`]. Links are seen and not followed.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};

use rustix::fs::Access;

use crate::{Files, ItemKind, Spot};

/// How many folders deep a store may be: deeper ones are not ours.
const DEEPEST: usize = 16;
/// What nobody but the user may do with a file of theirs.
const OTHERS: u32 = 0o077;
/// What the user must be able to do.
const OWNER_OF_FILE: u32 = 0o600;
const OWNER_OF_FOLDER: u32 = 0o700;

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

impl Files {
    /// Says whether somebody else may read or write a file, or owns it. Nobody can if it is not there.
    pub fn is_open_to_others(&self, at: &Spot) -> bool {
        let own = rustix::process::geteuid().as_raw();
        let seen = fs::symlink_metadata(at.path());
        seen.is_ok_and(|seen| seen.mode() & OTHERS != 0 || seen.uid() != own)
    }
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

    /// Says whether we may not read or write it, or its owner may not.
    pub fn is_closed(&self) -> bool {
        let access = match self.kind {
            ItemKind::File => Access::READ_OK | Access::WRITE_OK,
            ItemKind::Folder => Access::READ_OK | Access::WRITE_OK | Access::EXEC_OK,
            ItemKind::Other => return false,
        };
        self.mode & self.owners() != self.owners()
            || rustix::fs::access(self.at.path(), access).is_err()
    }

    /// Lets the user read and write it, and nobody else.
    pub fn open(&self) -> io::Result<()> {
        fs::set_permissions(
            self.at.path(),
            Permissions::from_mode(self.mode & 0o7700 | self.owners()),
        )
    }

    fn owners(&self) -> u32 {
        if self.kind == ItemKind::Folder {
            OWNER_OF_FOLDER
        } else {
            OWNER_OF_FILE
        }
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

impl Files {
    /// Says whether a folder that is not there could be made: whether we may write to the nearest one above
    /// it that is.
    pub fn can_make(&self, folder: &Spot) -> bool {
        let path = folder.path();
        let above = path
            .ancestors()
            .skip(1)
            .find(|above| above.symlink_metadata().is_ok());
        above.is_some_and(|above| {
            rustix::fs::access(above, Access::WRITE_OK | Access::EXEC_OK).is_ok()
        })
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
    // The root is looked for as a folder, whatever stands there.
    let kind = if kind == ItemKind::Folder && !seen.is_dir() {
        ItemKind::File
    } else {
        kind
    };
    let size = if kind == ItemKind::File {
        seen.len()
    } else {
        0
    };
    Some(Found {
        at: at.clone(),
        kind,
        size,
        modified: seen.mtime(),
        mode: seen.mode(),
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use memory_core::Ids;

    use super::*;
    use crate::RealDisk;

    #[test]
    fn a_folder_can_be_made_below_one_and_not_below_a_file() {
        let dir = tempfile::tempdir().unwrap();
        let files = Files::new(Arc::new(RealDisk::default()), Ids::random());
        fs::write(dir.path().join("file"), "x").unwrap();
        let root = Spot::anchor(dir.path());
        assert!(files.can_make(&root.join("a/b/c")));
        assert!(!files.can_make(&root.join("file/b")));
    }

    #[test]
    fn what_its_owner_may_not_change_is_closed_until_it_is_opened() {
        let dir = tempfile::tempdir().unwrap();
        let files = Files::new(Arc::new(RealDisk::default()), Ids::random());
        let (folder, file) = (dir.path().join("folder"), dir.path().join("folder/file"));
        fs::create_dir(&folder).unwrap();
        fs::write(&file, "x").unwrap();
        let mode = |path, mode| fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
        mode(&file, 0o400);
        mode(&folder, 0o500);
        let closed = || {
            let found = files.walk(&Spot::anchor(dir.path()));
            found
                .into_iter()
                .filter(Found::is_closed)
                .collect::<Vec<_>>()
        };
        let names: Vec<String> = closed().iter().map(Found::name).collect();
        assert_eq!(names, ["folder", "file"]);
        closed().iter().for_each(|one| one.open().unwrap());
        assert!(closed().is_empty());
        let mode_of = |path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode_of(&folder), mode_of(&file)), (0o700, 0o600));
    }
}
