//! Snapshots with the real `git`: what somebody else left in `.git` never runs a program.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)] // a test prepares the disk itself

use std::fs::{self, File};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use memory_core::{Ids, Timestamp};
use memory_files::{DiskError, Files, RealDisk, Spot};
use tempfile::TempDir;

const NOW: i64 = 1_700_000_000;

/// A folder of which snapshots are made, and a program that leaves a mark when it runs.
struct Store {
    dir: TempDir,
    outside: TempDir,
}

impl Store {
    fn new() -> Self {
        let store = Store {
            dir: tempfile::tempdir().unwrap(),
            outside: tempfile::tempdir().unwrap(),
        };
        let program = format!("#!/bin/sh\ntouch {}\nexit 1\n", store.mark().display());
        fs::write(store.program(), program).unwrap();
        fs::set_permissions(store.program(), PermissionsExt::from_mode(0o755)).unwrap();
        store
    }

    /// Returns a store with one snapshot.
    fn with_snapshot() -> Self {
        let store = Store::new();
        store.write("a.md", "one\n");
        assert!(store.commit("first").unwrap());
        store
    }

    fn path(&self, below: &str) -> PathBuf {
        self.dir.path().join(below)
    }

    fn mark(&self) -> PathBuf {
        self.outside.path().join("ran")
    }

    fn program(&self) -> PathBuf {
        self.outside.path().join("program")
    }

    fn write(&self, below: &str, text: &str) {
        fs::create_dir_all(self.path(below).parent().unwrap()).unwrap();
        fs::write(self.path(below), text).unwrap();
    }

    fn configure(&self, more: &str) {
        let config = fs::read_to_string(self.path(".git/config")).unwrap();
        fs::write(self.path(".git/config"), config + more).unwrap();
    }

    fn files(&self) -> (Files, Spot, Timestamp) {
        let files = Files::new(Arc::new(RealDisk::default()), Ids::random());
        (
            files,
            Spot::anchor(self.dir.path()),
            Timestamp::from_second(NOW).unwrap(),
        )
    }

    fn commit(&self, message: &str) -> Result<bool, DiskError> {
        let (files, root, now) = self.files();
        files.git_commit(&root, message, now)
    }

    /// Makes another snapshot, and expects that it is refused and that nothing has run.
    #[track_caller]
    fn check_refused(&self, names: &str) {
        self.write("a.md", "two\n");
        let refused = self.commit("second");
        assert!(!self.mark().exists(), "a program ran");
        let error = memory_core::Error::from(refused.unwrap_err());
        assert_eq!(error.code, memory_core::Code::UnsafePath);
        assert!(error.message.contains(names), "{}", error.message);
        assert!(error.hint.is_some());
        assert!(!self.log().contains("second"));
    }

    fn git(&self, arguments: &[&str]) -> String {
        let output = Command::new("git")
            .args(arguments)
            .current_dir(self.dir.path())
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout).unwrap()
    }

    fn log(&self) -> String {
        let log = Command::new("git")
            .args(["-c", "core.fsmonitor=false", "log", "--format=%s"])
            .current_dir(self.dir.path())
            .output();
        String::from_utf8(log.unwrap().stdout).unwrap()
    }

    fn mode(&self, below: &str) -> u32 {
        fs::metadata(self.path(below)).unwrap().mode() & 0o777
    }
}

fn age(path: &Path, seconds: u64) {
    let modified = SystemTime::UNIX_EPOCH + Duration::from_secs(NOW.unsigned_abs() - seconds);
    File::options()
        .write(true)
        .open(path)
        .unwrap()
        .set_modified(modified)
        .unwrap();
}

#[test]
fn a_filter_hidden_in_an_included_file_does_not_run() {
    let store = Store::with_snapshot();
    store.write(
        ".git/more",
        &format!(
            "[filter \"bad\"]\n\tclean = {}\n",
            store.program().display()
        ),
    );
    store.configure("[include]\n\tpath = more\n");
    store.write(".gitattributes", "*.md filter=bad\n");
    store.check_refused("include.path");
}

#[test]
fn a_filter_whose_name_has_an_equals_sign_does_not_run() {
    let store = Store::with_snapshot();
    store.configure(&format!(
        "[filter \"a=b\"]\n\tclean = {}\n",
        store.program().display()
    ));
    store.write(".gitattributes", "*.md filter=a=b\n");
    store.check_refused("filter.a=b.clean");
}

#[test]
fn a_filter_whose_name_is_not_text_does_not_run() {
    let store = Store::with_snapshot();
    let mut config = fs::read(store.path(".git/config")).unwrap();
    config.extend(b"[filter \"a\xff\"]\n\tclean = ");
    config.extend(store.program().as_os_str().as_bytes());
    config.push(b'\n');
    fs::write(store.path(".git/config"), config).unwrap();
    fs::write(store.path(".gitattributes"), b"*.md filter=a\xff\n").unwrap();
    store.check_refused("filter.");
}

#[test]
fn a_filter_of_a_configuration_for_one_work_tree_does_not_run() {
    let store = Store::with_snapshot();
    store.configure("[extensions]\n\tworktreeConfig = true\n");
    let filter = format!(
        "[filter \"bad\"]\n\tclean = {}\n",
        store.program().display()
    );
    store.write(".git/config.worktree", &filter);
    store.write(".gitattributes", "*.md filter=bad\n");
    store.check_refused("config.worktree");
}

#[test]
fn an_object_that_is_missing_is_not_fetched_from_a_promisor() {
    let store = Store::with_snapshot();
    store.configure(&format!(
        "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = evil\n[remote \"evil\"]\n\turl = {}\n\t\
         uploadpack = {}\n\tpromisor = true\n",
        store.outside.path().display(),
        store.program().display()
    ));
    let tree = store.git(&["rev-parse", "HEAD^{tree}"]);
    let (folder, name) = tree.trim().split_at(2);
    fs::remove_file(store.path(&format!(".git/objects/{folder}/{name}"))).unwrap();
    store.check_refused("partialclone");
}

#[test]
fn hooks_monitors_and_plain_filters_do_not_run() {
    let store = Store::with_snapshot();
    for hook in [
        "pre-commit",
        "post-commit",
        "reference-transaction",
        "post-index-change",
    ] {
        fs::create_dir_all(store.path(".git/hooks")).unwrap();
        fs::copy(store.program(), store.path(&format!(".git/hooks/{hook}"))).unwrap();
    }
    store.write("a.md", "two\n");
    assert!(store.commit("second").unwrap());
    assert!(!store.mark().exists(), "a hook ran");
    store.configure(&format!(
        "[core]\n\tfsmonitor = {}\n",
        store.program().display()
    ));
    store.write("a.md", "three\n");
    assert!(store.commit("third").is_err());
    assert!(!store.mark().exists(), "a monitor ran");
}

#[test]
fn a_filter_of_a_repository_within_the_store_does_not_run() {
    let store = Store::with_snapshot();
    let within = |arguments: &[&str]| {
        let user = [
            "-c",
            "user.name=x",
            "-c",
            "user.email=x@example.com",
            "-C",
            "within",
        ];
        store.git(&[&user[..], arguments].concat());
    };
    store.write("within/b.md", "one\n");
    within(&["init", "--quiet"]);
    within(&["add", "."]);
    within(&["commit", "--quiet", "--message=x"]);
    let own = [
        "-c",
        "user.name=memory",
        "-c",
        "user.email=memory@localhost",
    ];
    for is_recorded in [false, true] {
        if is_recorded {
            store.git(&["add", "within"]);
            store.git(&[&own[..], &["commit", "--quiet", "--message=x"]].concat());
        }
        within(&[
            "config",
            "filter.bad.clean",
            &store.program().display().to_string(),
        ]);
        within(&[
            "config",
            "filter.bad.process",
            &store.program().display().to_string(),
        ]);
        store.write("within/.git/info/attributes", "* filter=bad\n");
        // Git compares contents, and filters them, if the size is the same and the time is another.
        store.write("within/b.md", "two\n");
        age(&store.path("within/b.md"), 1_000);
        store.check_refused("another repository");
    }
    // The index alone names it.
    fs::rename(
        store.path("within/.git"),
        store.outside.path().join("within.git"),
    )
    .unwrap();
    store.check_refused("another repository");
}

#[test]
fn a_repository_that_has_branches_of_others_or_was_only_made_by_them_is_left_alone() {
    let user = ["-c", "user.name=somebody", "-c", "user.email=x@example.com"];
    let store = Store::new();
    store.git(&["init", "--quiet"]);
    store.check_refused("not made by this program");
    store.git(
        &[
            &user[..],
            &["commit", "--quiet", "--allow-empty", "--message=mine"],
        ]
        .concat(),
    );
    store.git(&["checkout", "--quiet", "--orphan", "draft"]);
    store.check_refused("commits of others");
}

#[test]
fn a_repository_that_was_only_marked_is_finished() {
    let store = Store::new();
    fs::create_dir(store.path(".git")).unwrap();
    store.write(".git/config", "[memory]\n\trepository = 1\n");
    store.write("a.md", "one\n");
    assert!(store.commit("first").unwrap());
    assert_eq!(store.log(), "first\n");
}

#[test]
fn parts_of_a_repository_that_lead_elsewhere_are_refused() {
    for part in ["commondir", "objects/info/alternates"] {
        let store = Store::with_snapshot();
        store.write(
            &format!(".git/{part}"),
            &format!("{}\n", store.outside.path().display()),
        );
        store.check_refused(part);
    }
    for part in ["COMMIT_EDITMSG", "logs/HEAD", "objects", "refs/heads"] {
        let store = Store::with_snapshot();
        let moved = store.outside.path().join("moved");
        fs::rename(store.path(&format!(".git/{part}")), &moved).unwrap();
        symlink(&moved, store.path(&format!(".git/{part}"))).unwrap();
        let before = fs::metadata(&moved).unwrap().modified().unwrap();
        store.write("a.md", "two\n");
        assert!(
            matches!(store.commit("second"), Err(DiskError::Unsafe { .. })),
            "{part}"
        );
        assert_eq!(
            fs::metadata(&moved).unwrap().modified().unwrap(),
            before,
            "{part}"
        );
    }
    let store = Store::with_snapshot();
    fs::rename(store.path(".git"), store.outside.path().join("moved")).unwrap();
    symlink(store.outside.path().join("moved"), store.path(".git")).unwrap();
    assert!(matches!(
        store.commit("second"),
        Err(DiskError::Unsafe { .. })
    ));
    fs::remove_file(store.path(".git")).unwrap();
    store.write(
        ".git",
        &format!("gitdir: {}\n", store.outside.path().join("moved").display()),
    );
    assert!(matches!(
        store.commit("second"),
        Err(DiskError::Unsafe { .. })
    ));
}

#[test]
fn a_repository_of_the_user_is_left_alone() {
    let store = Store::new();
    store.git(&["init", "--quiet"]);
    store.git(&["config", "user.name", "somebody"]);
    store.check_refused("user.name");
    let store = Store::new();
    store.write("a.md", "one\n");
    store.git(&["init", "--quiet"]);
    let user = ["-c", "user.name=somebody", "-c", "user.email=x@example.com"];
    store.git(
        &[
            &user[..],
            &["commit", "--quiet", "--allow-empty", "--message=mine"],
        ]
        .concat(),
    );
    store.check_refused("commits of others");
    assert_eq!(store.log(), "mine\n");
}

#[test]
fn a_repository_of_an_earlier_version_is_used_and_becomes_private() {
    let store = Store::with_snapshot();
    store.git(&["config", "--unset", "memory.repository"]);
    fs::set_permissions(store.path(".git"), PermissionsExt::from_mode(0o755)).unwrap();
    store.write("a.md", "two\n");
    assert!(store.commit("second").unwrap());
    assert_eq!(store.git(&["config", "memory.repository"]), "1\n");
    assert_eq!(store.mode(".git"), 0o700);
}

#[test]
fn a_new_repository_is_private_whatever_its_folder_is() {
    let store = Store::new();
    fs::set_permissions(store.dir.path(), PermissionsExt::from_mode(0o755)).unwrap();
    let (files, root, now) = store.files();
    files.git_prepare(&root, now).unwrap();
    assert_eq!(store.mode(".git"), 0o700);
    assert_eq!(store.git(&["config", "memory.repository"]), "1\n");
    assert!(!store.commit("nothing").unwrap());
}

#[test]
fn a_repository_that_was_only_begun_is_finished() {
    let store = Store::new();
    fs::create_dir(store.path(".git")).unwrap();
    store.write("a.md", "one\n");
    assert!(store.commit("first").unwrap());
    assert_eq!(store.log(), "first\n");
}

#[test]
fn a_lock_that_a_killed_snapshot_left_is_removed_once_it_is_old() {
    let store = Store::with_snapshot();
    let (files, root, now) = store.files();
    let locks = ["index.lock", "HEAD.lock", "refs/heads/x.lock"];
    for lock in locks {
        store.write(&format!(".git/{lock}"), "");
        age(&store.path(&format!(".git/{lock}")), 590);
    }
    store.write("a.md", "two\n");
    assert!(
        store.commit("second").is_err(),
        "the user's own git may be at work"
    );
    assert!(files.git_stale_locks(&root, now).unwrap().is_empty());
    for lock in locks {
        age(&store.path(&format!(".git/{lock}")), 610);
    }
    let mut stale: Vec<_> = files.git_stale_locks(&root, now).unwrap();
    stale.sort_by_key(Spot::path);
    let mut expected: Vec<_> = locks
        .iter()
        .map(|lock| root.join(".git").join(lock))
        .collect();
    expected.sort_by_key(Spot::path);
    assert_eq!(stale, expected);
    assert!(store.commit("second").unwrap());
    assert_eq!(store.log(), "second\nfirst\n");
}
