//! A disk that loses at a power cut what was not synced.

// The contents of the folder are recorded and restored behind the back of the code under test.
#![allow(clippy::disallowed_methods)]

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use memory_files::SystemCalls;
use tempfile::TempDir;

/// The system calls on the files of one folder, with a record of what is durable.
///
/// The contents of a file become durable by a sync of the file, a name (of a file that was created, renamed or removed)
/// by a sync of its folder, and everything by a sync of the file system. What the folder holds when the disk is created
/// is durable.
#[derive(Debug)]
pub struct ForgetfulDisk {
    root: PathBuf,
    /// Has another name of each recorded file, so that a removed one comes back as the same file.
    links: TempDir,
    durable: Mutex<Durable>,
}

/// What a power cut leaves of what was not synced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loss {
    /// Nothing.
    Everything,
    /// A random half of the names and of the contents, some of them in part or with stale blocks.
    Half { seed: u64 },
}

#[derive(Debug, Default)]
struct Durable {
    folders: HashMap<u64, BTreeMap<OsString, Node>>,
    contents: HashMap<u64, Contents>,
    /// Open handles of folders, so that the system gives the number of none to another one.
    open: HashMap<u64, File>,
    cuts: u32,
}

/// The bytes of a file, and when they were written.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Contents {
    bytes: Vec<u8>,
    modified: SystemTime,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Node {
    Folder(u64),
    File(u64),
}

impl ForgetfulDisk {
    /// Returns the calls for the files below a folder.
    pub fn new(root: &Path) -> Self {
        let beside = root.parent().unwrap_or(root);
        let disk = ForgetfulDisk {
            root: root.to_owned(),
            links: tempfile::tempdir_in(beside).expect("a temporary folder can be made"),
            durable: Mutex::default(),
        };
        disk.record_all();
        disk
    }

    /// Cuts the power: the folder then holds what a restarted system would find.
    pub fn cut(&self, loss: Loss) {
        let mut durable = self.durable();
        let mut current = Durable::default();
        current.record_tree(&self.root, self.links.path());
        let tree = durable.after_cut(&current, &self.root, &mut Choices::new(loss));
        for entry in entries(&self.root) {
            let removed = if entry.is_dir() {
                fs::remove_dir_all(&entry)
            } else {
                fs::remove_file(&entry)
            };
            removed.expect("a file of the test can be removed");
        }
        for (path, file) in tree {
            let path = self.root.join(path);
            match file {
                None => fs::create_dir(&path),
                Some((inode, contents)) => self.restore(inode, &contents, &path),
            }
            .expect("a file of the test can be written");
        }
        let cuts = durable.cuts + 1;
        *durable = Durable {
            cuts,
            ..Durable::default()
        };
        durable.record_tree(&self.root, self.links.path());
    }

    /// Gives a file a name and these contents.
    fn restore(&self, inode: u64, contents: &Contents, path: &Path) -> io::Result<()> {
        fs::hard_link(self.links.path().join(inode.to_string()), path)?;
        if fs::read(path)? != contents.bytes {
            fs::write(path, &contents.bytes)?;
            File::options()
                .write(true)
                .open(path)?
                .set_modified(contents.modified)?;
        }
        Ok(())
    }

    /// Makes everything durable, as when the system has had time to write.
    pub fn record_all(&self) {
        self.durable().record_tree(&self.root, self.links.path());
    }

    fn durable(&self) -> MutexGuard<'_, Durable> {
        self.durable.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Finds a file or folder by its number.
    fn find(&self, inode: u64) -> Option<PathBuf> {
        let mut folders = vec![self.root.clone()];
        while let Some(folder) = folders.pop() {
            if inode_of(&folder) == Some(inode) {
                return Some(folder);
            }
            for path in entries(&folder) {
                if inode_of(&path) == Some(inode) {
                    return Some(path);
                }
                if path.is_dir() {
                    folders.push(path);
                }
            }
        }
        None
    }

    fn record(&self, synced: &impl AsFd) -> io::Result<()> {
        let inode = File::from(synced.as_fd().try_clone_to_owned()?)
            .metadata()?
            .ino();
        if let Some(path) = self.find(inode) {
            self.durable().record_one(&path, self.links.path());
        }
        Ok(())
    }
}

impl SystemCalls for ForgetfulDisk {
    fn sync_all(&self, file: &File) -> io::Result<()> {
        self.record(file)
    }

    fn sync_data(&self, file: &File) -> io::Result<()> {
        self.record(file)
    }

    fn sync_folder(&self, folder: &OwnedFd) -> io::Result<()> {
        self.record(folder)
    }

    #[cfg(target_os = "linux")]
    fn sync_file_system(&self, _folder: &OwnedFd) -> io::Result<()> {
        self.record_all();
        Ok(())
    }

    fn boot_id(&self) -> Option<String> {
        Some(format!("boot {}", self.durable().cuts))
    }
}

impl Durable {
    fn record_tree(&mut self, folder: &Path, links: &Path) {
        self.record_one(folder, links);
        for path in entries(folder) {
            if path.is_dir() {
                self.record_tree(&path, links);
            } else {
                self.record_one(&path, links);
            }
        }
    }

    /// Records the contents of a file or the names in a folder.
    fn record_one(&mut self, path: &Path, links: &Path) {
        let Some(inode) = inode_of(path) else { return };
        if path.is_dir() {
            let nodes = entries(path)
                .into_iter()
                .filter_map(|below| {
                    Some((below.file_name()?.to_owned(), self.node(&below, links)?))
                })
                .collect();
            self.folders.insert(inode, nodes);
        } else if let (Ok(bytes), Ok(found)) = (fs::read(path), fs::metadata(path)) {
            let modified = found.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            self.contents.insert(inode, Contents { bytes, modified });
        }
        self.hold(inode, path, links);
    }

    fn node(&mut self, path: &Path, links: &Path) -> Option<Node> {
        let inode = inode_of(path)?;
        self.hold(inode, path, links);
        Some(if path.is_dir() {
            Node::Folder(inode)
        } else {
            Node::File(inode)
        })
    }

    /// Sees to it that the number of a file stays its own.
    fn hold(&mut self, inode: u64, path: &Path, links: &Path) {
        if !path.is_dir() {
            // It may have the link already.
            let _ = fs::hard_link(path, links.join(inode.to_string()));
        } else if let Ok(folder) = File::open(path) {
            self.open.entry(inode).or_insert(folder);
        }
    }

    /// Returns the paths that a power cut leaves, each folder (`None`) before what is in it.
    fn after_cut(
        &self,
        current: &Durable,
        root: &Path,
        choices: &mut Choices,
    ) -> Vec<(PathBuf, Option<(u64, Contents)>)> {
        let mut left = Vec::new();
        let mut folders = vec![(PathBuf::new(), inode_of(root).unwrap_or_default())];
        while let Some((folder, inode)) = folders.pop() {
            let names = |state: &Durable| state.folders.get(&inode).cloned().unwrap_or_default();
            let (old, new) = (names(self), names(current));
            let all: BTreeSet<&OsStr> = old.keys().chain(new.keys()).map(|name| &**name).collect();
            for name in all {
                let (old, new) = (old.get(name), new.get(name));
                let is_new = old != new && choices.takes();
                let path = folder.join(name);
                match if is_new { new } else { old } {
                    None => {}
                    Some(Node::Folder(inode)) => {
                        left.push((path.clone(), None));
                        folders.push((path, *inode));
                    }
                    Some(Node::File(inode)) => {
                        let (old, new) = (self.contents.get(inode), current.contents.get(inode));
                        let contents = choices.contents(old, new);
                        left.push((path, Some((*inode, contents))));
                    }
                }
            }
        }
        left
    }
}

/// What of the unsynced state a power cut has reached the disk before.
struct Choices {
    state: Option<u64>,
}

impl Choices {
    fn new(loss: Loss) -> Self {
        Choices {
            state: match loss {
                Loss::Everything => None,
                Loss::Half { seed } => Some(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1),
            },
        }
    }

    /// Returns a random number below `count`; `None` if nothing is left to chance.
    fn below(&mut self, count: usize) -> Option<usize> {
        let state = self.state.as_mut()?;
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        usize::try_from(*state >> 33).ok()?.checked_rem(count)
    }

    fn takes(&mut self) -> bool {
        self.below(2) == Some(1)
    }

    /// Returns the contents of a file whose durable and current contents are these.
    fn contents(&mut self, durable: Option<&Contents>, current: Option<&Contents>) -> Contents {
        let durable = durable.cloned().unwrap_or(Contents {
            bytes: Vec::new(),
            modified: SystemTime::UNIX_EPOCH,
        });
        let Some(current) = current.filter(|current| **current != durable) else {
            return durable;
        };
        // What was durable before an append stays so.
        let (old, new) = (&durable.bytes, &current.bytes);
        let kept = if new.starts_with(old) { old.len() } else { 0 };
        let whole = kept + self.below(new.len() - kept + 1).unwrap_or_default();
        let bytes = match self.below(4) {
            None | Some(0) => return durable,
            Some(1) => return current.clone(),
            // The length has reached the disk, and of the blocks the first ones only.
            Some(2) => {
                let stale = new[whole..].iter().map(|_| b'#');
                new[..whole].iter().copied().chain(stale).collect()
            }
            _ => new[..whole].to_vec(),
        };
        Contents {
            bytes,
            modified: current.modified,
        }
    }
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).collect()
}

fn inode_of(path: &Path) -> Option<u64> {
    fs::symlink_metadata(path).ok().map(|found| found.ino())
}
