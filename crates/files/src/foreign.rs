//! Folder trees that belong to somebody else: which files are there, and what they say.
//!
//! Nothing here writes. A file that can't be read is told and hides no other. No link leads out of
//! the tree; one that leads to a file inside it is read as that file.

use std::fs;
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use memory_core::Flaw;

use crate::opening::{OpenFolder, open_file_in, open_folder};
use crate::{DiskError, Files, Item, ItemKind, Spot};

/// How many folders below the root are looked into; a tree that is deeper was made by a mistake.
const MOST_DEEP: usize = 64;

/// Says of a path below the root whether it is wanted; of a folder, whether to look into it.
pub type Wanted<'a> = dyn Fn(&Path, ItemKind) -> bool + 'a;

/// The wanted files of a tree, in the order of their paths.
#[derive(Debug)]
pub struct ForeignTree {
    /// Where the tree really lies: no link stands above it.
    pub root: PathBuf,
    pub files: Vec<ForeignPath>,
    /// What was left out, and why.
    pub flaws: Vec<Flaw>,
}

/// A file's path below the root of its tree.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ForeignPath {
    /// By which the file was found.
    pub relative: PathBuf,
    /// Where it lies: something else only if it was found by a link.
    target: PathBuf,
}

/// A file of somebody else, as it was read.
#[derive(Debug)]
pub struct ForeignFile {
    pub bytes: Vec<u8>,
    pub modified: Timestamp,
}

impl Files {
    /// Finds the wanted files below a folder; none when the folder is not there.
    pub fn survey_foreign(
        &self,
        root: &Path,
        wanted: &Wanted<'_>,
    ) -> Result<Option<ForeignTree>, DiskError> {
        let root = match fs::canonicalize(root) {
            Ok(root) => root,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => {
                return Err(DiskError::Io {
                    doing: "find",
                    path: root.to_owned(),
                    source,
                });
            }
        };
        let items = self.list(&Spot::anchor(&root))?;
        let mut walk = Walk {
            files: self,
            wanted,
            tree: ForeignTree {
                root,
                files: vec![],
                flaws: vec![],
            },
        };
        walk.look_at(Path::new(""), items);
        walk.tree.files.sort();
        Ok(Some(walk.tree))
    }
}

struct Walk<'a> {
    files: &'a Files,
    wanted: &'a Wanted<'a>,
    tree: ForeignTree,
}

impl Walk<'_> {
    fn look_at(&mut self, folder: &Path, items: Vec<Item>) {
        for item in items {
            let relative = folder.join(&item.name);
            match item.kind {
                ItemKind::Folder if (self.wanted)(&relative, ItemKind::Folder) => {
                    self.look_into(&relative)
                }
                ItemKind::File if (self.wanted)(&relative, ItemKind::File) => {
                    self.tree.files.push(ForeignPath {
                        target: relative.clone(),
                        relative,
                    });
                }
                ItemKind::Other => self.follow(relative),
                ItemKind::File | ItemKind::Folder => {}
            }
        }
    }

    fn look_into(&mut self, folder: &Path) {
        if folder.components().count() > MOST_DEEP {
            return self.tell(
                folder,
                format!("lies more than {MOST_DEEP} folders deep, and is not looked into"),
            );
        }
        match self.files.list(&Spot::anchor(&self.tree.root).join(folder)) {
            Ok(items) => self.look_at(folder, items),
            Err(error) => self.tell(folder, error.problem()),
        }
    }

    /// Follows a link to a file that would not be read anyway; sockets and devices are passed by.
    fn follow(&mut self, link: PathBuf) {
        let path = self.tree.root.join(&link);
        let is_link = fs::symlink_metadata(&path).is_ok_and(|found| found.is_symlink());
        let kind = match fs::metadata(&path) {
            Ok(found) if found.is_dir() => ItemKind::Folder,
            _ => ItemKind::File,
        };
        if !is_link || !(self.wanted)(&link, kind) {
            return;
        }
        let Ok(real) = fs::canonicalize(&path) else {
            return self.tell(&link, "is a link that leads nowhere");
        };
        match real.strip_prefix(&self.tree.root) {
            Err(_) => self.tell(
                &link,
                "is a link that leads out of the folder, and is not followed",
            ),
            Ok(target) if self.reads_anyway(target, kind) => {}
            Ok(_) if kind == ItemKind::Folder => {
                self.tell(&link, "is a link to a folder, and is not followed")
            }
            Ok(target) => {
                let target = target.to_owned();
                self.tree.files.push(ForeignPath {
                    relative: link,
                    target,
                });
            }
        }
    }

    fn reads_anyway(&self, target: &Path, kind: ItemKind) -> bool {
        let mut above = target
            .ancestors()
            .skip(1)
            .filter(|folder| !folder.as_os_str().is_empty());
        (self.wanted)(target, kind) && above.all(|folder| (self.wanted)(folder, ItemKind::Folder))
    }

    fn tell(&mut self, place: &Path, problem: impl Into<String>) {
        self.tree
            .flaws
            .push(Flaw::new(place.display().to_string(), problem));
    }
}

impl ForeignTree {
    /// Reads the files one after the other; one of more than `most` bytes is refused.
    pub fn read(
        &self,
        most: u64,
    ) -> impl Iterator<Item = (&ForeignPath, Result<ForeignFile, DiskError>)> {
        // Neighbours lie in the same folder, which is opened once for all of them.
        let mut open: Option<(PathBuf, OpenFolder)> = None;
        self.files.iter().map(move |file| {
            let folder = file.target.parent().unwrap_or(Path::new(""));
            let read = self
                .open_once(&mut open, folder)
                .and_then(|open| self.read_in(open, &file.target, most));
            (file, read)
        })
    }

    /// Reads one file below the root, listed or not; none when it is not there.
    pub fn read_one(&self, relative: &Path, most: u64) -> Result<Option<ForeignFile>, DiskError> {
        let spot = Spot::anchor(&self.root).join(relative);
        match spot
            .parent()
            .map(|folder| open_folder(&folder))
            .transpose()?
            .flatten()
        {
            None => Ok(None),
            Some(folder) => read_from(&folder, &spot, most),
        }
    }

    fn open_once<'a>(
        &self,
        open: &'a mut Option<(PathBuf, OpenFolder)>,
        folder: &Path,
    ) -> Result<&'a OwnedFd, DiskError> {
        if open.as_ref().is_none_or(|(here, _)| here != folder) {
            let spot = Spot::anchor(&self.root).join(folder);
            *open = open_folder(&spot)?.map(|opened| (folder.to_owned(), opened));
        }
        let opened = open.as_ref().map(|(_, opened)| opened);
        opened
            .map(|open| &**open)
            .ok_or_else(|| gone(self.root.join(folder)))
    }

    fn read_in(
        &self,
        folder: &OwnedFd,
        target: &Path,
        most: u64,
    ) -> Result<ForeignFile, DiskError> {
        let spot = Spot::anchor(&self.root).join(target);
        read_from(folder, &spot, most)?.ok_or_else(|| gone(spot.path()))
    }
}

fn read_from(folder: &OwnedFd, at: &Spot, most: u64) -> Result<Option<ForeignFile>, DiskError> {
    let Some((file, stamp)) = open_file_in(folder, at)? else {
        return Ok(None);
    };
    let too_large = |size| DiskError::TooLarge {
        path: at.path(),
        size,
        limit: most,
    };
    if stamp.size > most {
        return Err(too_large(stamp.size));
    }
    let mut bytes = Vec::with_capacity(stamp.size as usize + 1);
    file.take(most + 1)
        .read_to_end(&mut bytes)
        .map_err(|source| DiskError::Io {
            doing: "read",
            path: at.path(),
            source,
        })?;
    if bytes.len() as u64 > most {
        Err(too_large(bytes.len() as u64))
    } else {
        Ok(Some(ForeignFile {
            bytes,
            modified: time_of(stamp.modified),
        }))
    }
}

fn time_of(nanoseconds: i128) -> Timestamp {
    Timestamp::from_nanosecond(nanoseconds).unwrap_or(Timestamp::UNIX_EPOCH)
}

fn gone(path: PathBuf) -> DiskError {
    DiskError::Io {
        doing: "read",
        path,
        source: io::ErrorKind::NotFound.into(),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::sync::Arc;

    use memory_core::Ids;

    use super::*;
    use crate::RealDisk;

    fn tree(files: &[&str]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for file in files {
            let path = dir.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, format!("text of {file}")).unwrap();
        }
        dir
    }

    fn files() -> Files {
        Files::new(Arc::new(RealDisk::default()), Ids::random())
    }

    fn wanted(path: &Path, kind: ItemKind) -> bool {
        let is_hidden = path
            .file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with('.'));
        !is_hidden
            && (kind == ItemKind::Folder || path.extension().is_some_and(|ending| ending == "md"))
    }

    fn survey(root: &Path) -> ForeignTree {
        files().survey_foreign(root, &wanted).unwrap().unwrap()
    }

    /// Returns what was read, one line a file, and what was told.
    fn told(root: &Path, most: u64) -> Vec<String> {
        let tree = survey(root);
        let flaws = tree
            .flaws
            .iter()
            .map(|flaw| format!("{} {}", flaw.place, flaw.problem));
        let read = tree.read(most).map(|(path, read)| match read {
            Ok(file) => format!(
                "{}: {}",
                path.relative.display(),
                String::from_utf8_lossy(&file.bytes)
            ),
            Err(error) => format!("{} {}", path.relative.display(), error.problem()),
        });
        read.chain(flaws).collect()
    }

    #[test]
    fn wanted_files_are_read_in_the_order_of_their_paths() {
        let dir = tree(&[
            "b/two.md",
            "a.md",
            "b/one.md",
            "b/c/three.md",
            ".hidden/x.md",
            "b/no.txt",
        ]);
        assert_eq!(
            told(dir.path(), 99),
            [
                "a.md: text of a.md",
                "b/c/three.md: text of b/c/three.md",
                "b/one.md: text of b/one.md",
                "b/two.md: text of b/two.md"
            ]
        );
        assert!(
            survey(dir.path())
                .read(99)
                .all(|(_, file)| file.unwrap().modified > Timestamp::UNIX_EPOCH)
        );
    }

    #[test]
    fn a_folder_that_is_not_there_is_told_apart_from_an_empty_one() {
        let dir = tree(&[]);
        assert!(survey(dir.path()).files.is_empty());
        assert!(
            files()
                .survey_foreign(&dir.path().join("none"), &wanted)
                .unwrap()
                .is_none()
        );
        let file = tree(&["a.md"]);
        assert!(
            files()
                .survey_foreign(&file.path().join("a.md"), &wanted)
                .is_err()
        );
    }

    #[test]
    fn no_link_leads_out_and_no_file_is_read_twice() {
        let outside = tree(&["secret.md"]);
        let dir = tree(&["a.md", ".hidden/b.md", "folder/c.md"]);
        let link = |to: &Path, name: &str| symlink(to, dir.path().join(name)).unwrap();
        link(&outside.path().join("secret.md"), "out.md");
        link(outside.path(), "out");
        link(Path::new("a.md"), "same.md");
        link(Path::new(".hidden/b.md"), "shown.md");
        link(Path::new("."), "loop");
        link(Path::new(".hidden"), "hidden");
        link(Path::new("nowhere"), "broken.md");
        assert_eq!(
            told(dir.path(), 99),
            [
                "a.md: text of a.md",
                "folder/c.md: text of folder/c.md",
                "shown.md: text of .hidden/b.md",
                "broken.md is a link that leads nowhere",
                "hidden is a link to a folder, and is not followed",
                "out is a link that leads out of the folder, and is not followed",
                "out.md is a link that leads out of the folder, and is not followed",
            ]
        );
    }

    #[test]
    fn one_bad_file_never_hides_the_others() {
        let dir = tree(&["a.md", "locked/b.md", "z.md"]);
        fs::write(dir.path().join("big.md"), "x".repeat(13)).unwrap();
        let close = |path: &str, mode| {
            fs::set_permissions(dir.path().join(path), fs::Permissions::from_mode(mode)).unwrap();
        };
        close("locked", 0o000);
        let lines = told(dir.path(), 12);
        close("locked", 0o700);
        assert_eq!(
            lines[..2],
            ["a.md: text of a.md", "big.md has 13 bytes; the limit is 12"]
        );
        assert!(
            lines.contains(&"z.md: text of z.md".to_owned()),
            "{lines:?}"
        );
    }

    #[test]
    fn one_file_is_read_by_its_path_and_never_from_outside() {
        let dir = tree(&["a/b.txt"]);
        let tree = survey(dir.path());
        assert_eq!(
            tree.read_one(Path::new("a/b.txt"), 99)
                .unwrap()
                .unwrap()
                .bytes,
            b"text of a/b.txt"
        );
        assert!(tree.read_one(Path::new("a/none"), 99).unwrap().is_none());
        assert!(tree.read_one(Path::new("../x"), 99).is_err());
        assert!(tree.read_one(Path::new("/etc/passwd"), 99).is_err());
    }

    #[test]
    fn a_tree_without_end_is_left_at_some_depth() {
        let deep = vec!["d"; MOST_DEEP + 1].join("/") + "/a.md";
        let dir = tree(&["a.md", &deep]);
        let lines = told(dir.path(), 99);
        assert_eq!((lines.len(), lines[0].as_str()), (2, "a.md: text of a.md"));
        assert!(lines[1].ends_with("lies more than 64 folders deep, and is not looked into"));
    }
}
