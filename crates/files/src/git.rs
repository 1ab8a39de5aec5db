//! Snapshots of a store in a Git repository of its own, made by the `git` program.
//!
//! Whoever could write into the store could leave a configuration there: hooks, filters, monitors and
//! signing programs are switched off by hand, and no configuration but the repository's is read.

use std::ffi::OsStr;
use std::io;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use memory_core::Timestamp;

use crate::{DiskError, Files, ItemKind, Spot};

/// Settings that a repository may not choose for us.
const FIXED: [&str; 12] = [
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
    "user.name=memory",
    "user.email=memory@localhost",
];

/// What a shell that works on another repository may have set.
const FOREIGN: [&str; 12] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_PARAMETERS",
    "GIT_EXTERNAL_DIFF",
    "GIT_NAMESPACE",
    "GIT_ATTR_SOURCE",
    "GIT_TEMPLATE_DIR",
    "GIT_PREFIX",
];

impl Files {
    /// Commits everything below `root` to its repository, which is made if there is none; says whether
    /// there was anything to commit. Access is Git's own: what it makes follows the umask of the user.
    pub fn git_commit(&self, root: &Spot, message: &str, at: Timestamp) -> Result<bool, DiskError> {
        let repository = Repository { root: &root.path(), at };
        match self.list(root)?.iter().find(|item| item.name == ".git").map(|item| item.kind) {
            Some(ItemKind::Folder) => {}
            Some(_) => return Err(DiskError::Unsafe { path: root.join(".git").path(), why: "is no folder" }),
            None => repository.run(&["init", "--quiet", "--template="], &[])?,
        }
        let filters = repository.filters()?;
        repository.run(&["add", "--all", "--", "."], &filters)?;
        let staged = repository.output(&["diff", "--cached", "--quiet", "--no-ext-diff"], &filters)?;
        if staged.status.success() {
            return Ok(false);
        }
        repository.run(&["commit", "--quiet", "--no-verify", "--message", message], &filters)?;
        Ok(true)
    }
}

struct Repository<'a> {
    root: &'a Path,
    at: Timestamp,
}

impl Repository<'_> {
    /// Names every filter that the repository's own configuration has, switched off.
    fn filters(&self) -> Result<Vec<String>, DiskError> {
        let listed = self.output(&["config", "--local", "--name-only", "--get-regexp", r"^filter\."], &[])?;
        let off = |name: &str| match name.ends_with(".required") {
            true => format!("{name}=false"),
            false => format!("{name}="),
        };
        Ok(String::from_utf8_lossy(&listed.stdout).lines().map(off).collect())
    }

    fn run(&self, arguments: &[&str], filters: &[String]) -> Result<(), DiskError> {
        let output = self.output(arguments, filters)?;
        match output.status.success() {
            true => Ok(()),
            false => {
                let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
                Err(self.failed(io::Error::other(format!("git {}: {said}", arguments[0]))))
            }
        }
    }

    fn output(&self, arguments: &[&str], filters: &[String]) -> Result<Output, DiskError> {
        let mut command = Command::new("git");
        for setting in FIXED.iter().map(OsStr::new).chain(filters.iter().map(OsStr::new)) {
            command.arg("-c").arg(setting);
        }
        for name in FOREIGN {
            command.env_remove(name);
        }
        let date = format!("{} +0000", self.at.as_second());
        command
            .arg(format!("--git-dir={}", self.root.join(".git").display()))
            .arg(format!("--work-tree={}", self.root.display()))
            .args(arguments)
            .current_dir(self.root)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_SYSTEM", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_OPTIONAL_LOCKS", "0")
            .env("GIT_AUTHOR_DATE", &date)
            .env("GIT_COMMITTER_DATE", &date)
            .stdin(Stdio::null());
        command.output().map_err(|error| self.failed(error))
    }

    fn failed(&self, source: io::Error) -> DiskError {
        DiskError::Io { doing: "snapshot", path: self.root.to_owned(), source }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use memory_core::Ids;

    use super::*;
    use crate::RealDisk;

    fn log(root: &Path) -> String {
        let output = Command::new("git").args(["log", "--format=%s"]).current_dir(root).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    }

    #[test]
    fn changes_are_committed_and_nothing_of_the_repository_runs() {
        let dir = tempfile::tempdir().unwrap();
        let files = Files::new(Arc::new(RealDisk), Ids::random());
        let root = Spot::anchor(dir.path());
        let at = Timestamp::from_second(1_700_000_000).unwrap();
        let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).unwrap();
        write("a.md", "one\n");
        assert!(files.git_commit(&root, "first", at).unwrap());
        assert!(!files.git_commit(&root, "nothing", at).unwrap());
        // What someone could leave there so that it runs.
        let mark = dir.path().join("ran");
        let script = format!("#!/bin/sh\ntouch {}\ncat\n", mark.display());
        std::fs::create_dir_all(dir.path().join(".git/hooks")).unwrap();
        for hook in ["pre-commit", "post-commit", "reference-transaction", "post-index-change"] {
            let hook = dir.path().join(".git/hooks").join(hook);
            std::fs::write(&hook, &script).unwrap();
            std::fs::set_permissions(&hook, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        }
        let config = dir.path().join(".git/config");
        let mut text = std::fs::read_to_string(&config).unwrap();
        let touch = format!("touch {}", mark.display());
        text.push_str(&format!(
            "[filter \"bad\"]\n\tclean = {touch}\n\trequired = true\n[core]\n\tfsmonitor = {touch}\n"
        ));
        std::fs::write(&config, text).unwrap();
        write(".gitattributes", "*.md filter=bad\n");
        write("a.md", "two\n");
        assert!(files.git_commit(&root, "second", at).unwrap());
        assert!(!mark.exists(), "something ran");
        assert_eq!(log(dir.path()), "second\nfirst\n");
    }
}
