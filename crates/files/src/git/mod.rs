//! Snapshots of a store in a Git repository of its own, made by the `git` program.
//!
//! Somebody else may have written into the store, so a repository is checked before Git sees it
//! (`check.rs`): Git runs programs that a repository's configuration names. What remains is switched
//! off here, and no configuration but the repository's is read.

mod check;

use std::ffi::OsStr;
use std::fs::Permissions;
use std::io;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, SystemTime};

use memory_core::Timestamp;

use crate::{DiskError, Files, ItemKind, Spot};

const FOLDER: &str = ".git";
/// Marks a repository that this program has made.
const MARKER: &str = "memory.repository";
const MAIL: &str = "memory@localhost";
const PRIVATE: u32 = 0o700;
/// A lock file of Git that is older has been left by a process that was killed: no snapshot takes so long.
///
/// Snapshots of this program exclude each other by a lock of their own, so the only other holder is
/// a `git` that the user runs.
const LOCK_TIME: Duration = Duration::from_secs(10 * 60);

/// Settings that a repository may not choose for us.
const FIXED: [&str; 13] = [
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.untrackedCache=false",
    "core.attributesFile=/dev/null",
    "core.excludesFile=/dev/null",
    "core.autocrlf=false",
    "core.sshCommand=false",
    "commit.gpgSign=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "protocol.allow=never",
    "user.name=memory",
    "user.email=memory@localhost",
];

/// What a shell that works on another repository may have set.
const FOREIGN: [&str; 16] = [
    "GIT_DIR",
    "GIT_COMMON_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_CONFIG",
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_PARAMETERS",
    "GIT_EXTERNAL_DIFF",
    "GIT_NAMESPACE",
    "GIT_ATTR_SOURCE",
    "GIT_TEMPLATE_DIR",
    "GIT_PREFIX",
    "GIT_SHALLOW_FILE",
    "GIT_GRAFT_FILE",
];

const ENVIRONMENT: [(&str, &str); 8] = [
    ("GIT_CONFIG_GLOBAL", "/dev/null"),
    ("GIT_CONFIG_SYSTEM", "/dev/null"),
    ("GIT_CONFIG_NOSYSTEM", "1"),
    ("GIT_ATTR_NOSYSTEM", "1"),
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_ALLOW_PROTOCOL", ""),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_OPTIONAL_LOCKS", "0"),
];

impl Files {
    /// Commits everything below `root` to its repository, which is made if there is none; says whether
    /// there was anything to commit.
    ///
    /// Fails with [`DiskError::Foreign`] if the repository is not one that this program has made, or
    /// if its configuration has any other setting than those of a new repository. The caller holds a
    /// lock, so that no other process of this program makes a snapshot meanwhile.
    pub fn git_commit(&self, root: &Spot, message: &str, at: Timestamp) -> Result<bool, DiskError> {
        let repository = self.git_repository(root, at)?;
        repository.run(&["add", "--all", "--", "."])?;
        let staged = repository.output(&["diff", "--cached", "--quiet", "--no-ext-diff"])?;
        if staged.status.success() {
            return Ok(false);
        }
        repository.run(&["commit", "--quiet", "--no-verify", "--message", message])?;
        Ok(true)
    }

    /// Makes the repository of a folder if there is none, and checks it if there is one.
    pub fn git_prepare(&self, root: &Spot, at: Timestamp) -> Result<(), DiskError> {
        self.git_repository(root, at).map(drop)
    }

    /// Returns the lock files in a folder's repository that a killed process has left.
    pub fn git_stale_locks(&self, root: &Spot, at: Timestamp) -> Result<Vec<Spot>, DiskError> {
        if !self.has_git(root)? {
            return Ok(vec![]);
        }
        let spot = |path: PathBuf| {
            path.strip_prefix(root.path())
                .map(|inner| root.join(inner))
                .ok()
        };
        let locks = check::parts(&root.join(FOLDER).path())?.locks;
        Ok(locks
            .into_iter()
            .filter(|lock| is_stale(lock, at))
            .filter_map(spot)
            .collect())
    }

    fn git_repository(&self, root: &Spot, at: Timestamp) -> Result<Repository, DiskError> {
        let repository = Repository {
            root: root.path(),
            at,
        };
        check::owner(&repository.root)?;
        if !self.has_git(root)? {
            repository.begin()?;
        }
        repository.check()?;
        if self.stamp(&root.join(FOLDER).join("HEAD"))?.is_none() {
            // A process ended after it had marked the folder.
            repository.init()?;
        }
        repository.check_nested()?;
        Ok(repository)
    }

    fn has_git(&self, root: &Spot) -> Result<bool, DiskError> {
        let items = self.list(root)?;
        match items
            .iter()
            .find(|item| item.name == FOLDER)
            .map(|item| item.kind)
        {
            None => Ok(false),
            // A process that made one may have ended before Git has put anything into it.
            Some(ItemKind::Folder) => Ok(!self.list(&root.join(FOLDER))?.is_empty()),
            Some(_) => Err(DiskError::Unsafe {
                path: root.join(FOLDER).path(),
                why: "is not a directory",
            }),
        }
    }
}

struct Repository {
    root: PathBuf,
    at: Timestamp,
}

impl Repository {
    fn folder(&self) -> PathBuf {
        self.root.join(FOLDER)
    }

    /// Makes a repository that nobody else may read.
    fn begin(&self) -> Result<(), DiskError> {
        let folder = self.folder();
        match std::fs::DirBuilder::new().mode(PRIVATE).create(&folder) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                return Err(self.failed(error));
            }
            // Marked first: a folder without the mark was made by someone else.
            _ => self.mark()?,
        }
        self.init()
    }

    fn init(&self) -> Result<(), DiskError> {
        self.run(&["init", "--quiet", "--template="])
    }

    /// Fails unless the repository is ours and only Git itself runs in it.
    fn check(&self) -> Result<(), DiskError> {
        let folder = self.folder();
        check::owner(&folder)?;
        let parts = check::parts(&folder)?;
        if parts.mode & 0o077 != 0 {
            let private = Permissions::from_mode(PRIVATE);
            std::fs::set_permissions(&folder, private).map_err(|error| self.failed(error))?;
        }
        let settings = check::settings(&folder, |arguments| self.outside(arguments))?;
        if !settings.is_marked {
            self.check_unmarked()?;
        }
        for lock in parts.locks.iter().filter(|lock| is_stale(lock, self.at)) {
            std::fs::remove_file(lock).map_err(|error| self.failed(error))?;
        }
        Ok(())
    }

    /// Marks a repository that an earlier version has made: it has commits, and all of them are ours.
    fn check_unmarked(&self) -> Result<(), DiskError> {
        let authors = self.output(&["log", "--all", "--format=%ae"])?;
        let authors = String::from_utf8_lossy(&authors.stdout);
        if authors.lines().any(|author| author != MAIL) {
            return Err(check::foreign(&self.folder(), "it has commits of others"));
        }
        if authors.is_empty() {
            return Err(check::foreign(
                &self.folder(),
                "it was not made by this program",
            ));
        }
        self.mark()
    }

    /// Fails if there is another repository below the root: `git add` would run `git` in it, with its configuration.
    fn check_nested(&self) -> Result<(), DiskError> {
        check::no_nested(&self.root)?;
        let entries = self.output(&["ls-files", "--stage", "-z"])?;
        let is_repository = |entry: &[u8]| entry.starts_with(b"160000 ");
        if entries.stdout.split(|byte| *byte == 0).any(is_repository) {
            Err(check::foreign(
                &self.folder(),
                "it contains another repository",
            ))
        } else {
            Ok(())
        }
    }

    fn mark(&self) -> Result<(), DiskError> {
        self.run(&["config", "--file", ".git/config", MARKER, "1"])
    }

    fn run(&self, arguments: &[&str]) -> Result<(), DiskError> {
        let output = self.output(arguments)?;
        if output.status.success() {
            Ok(())
        } else {
            let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
            Err(self.failed(io::Error::other(format!("git {}: {said}", arguments[0]))))
        }
    }

    fn output(&self, arguments: &[&str]) -> Result<Output, DiskError> {
        let mut command = git();
        for setting in FIXED {
            command.arg("-c").arg(setting);
        }
        let date = format!("{} +0000", self.at.as_second());
        command
            .arg(option("--git-dir=", &self.folder()))
            .arg(option("--work-tree=", &self.root))
            .args(arguments)
            .current_dir(&self.root)
            .env("GIT_AUTHOR_DATE", &date)
            .env("GIT_COMMITTER_DATE", &date);
        command.output().map_err(|error| self.failed(error))
    }

    /// Runs `git` outside of the repository, so that it does not read its configuration.
    fn outside(&self, arguments: &[&OsStr]) -> Result<Output, DiskError> {
        git()
            .args(arguments)
            .current_dir("/")
            .output()
            .map_err(|error| self.failed(error))
    }

    fn failed(&self, source: io::Error) -> DiskError {
        DiskError::Io {
            doing: "snapshot",
            path: self.root.clone(),
            source,
        }
    }
}

fn git() -> Command {
    let mut command = Command::new("git");
    for name in FOREIGN {
        command.env_remove(name);
    }
    command.envs(ENVIRONMENT).stdin(Stdio::null());
    command
}

fn option(name: &str, path: &Path) -> std::ffi::OsString {
    let mut option = std::ffi::OsString::from(name);
    option.push(path);
    option
}

fn is_stale(lock: &Path, at: Timestamp) -> bool {
    let modified = std::fs::symlink_metadata(lock).and_then(|seen| seen.modified());
    let age = modified
        .ok()
        .and_then(|modified| SystemTime::from(at).duration_since(modified).ok());
    age.is_some_and(|age| age > LOCK_TIME)
}
