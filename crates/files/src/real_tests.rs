//! What the real disk promises.

use std::os::unix::fs::{PermissionsExt, symlink};
use std::thread;

use memory_core::Code;
use rustix::fs::Mode;

use super::*;

fn spot() -> (tempfile::TempDir, Spot) {
    let dir = tempfile::tempdir().unwrap();
    let spot = Spot::anchor(dir.path());
    (dir, spot)
}

#[track_caller]
fn check_unsafe<T: std::fmt::Debug>(ended: Result<T, DiskError>) {
    assert_eq!(ended.unwrap_err().code(), Code::UnsafePath);
}

#[test]
fn no_link_is_followed_below_the_anchor() {
    let (dir, root) = spot();
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("secret"), "x").unwrap();
    symlink(outside.path(), dir.path().join("folder")).unwrap();
    symlink(outside.path().join("secret"), dir.path().join("file")).unwrap();
    let disk = RealDisk::default();
    check_unsafe(disk.read(&root.join("file"), 10));
    check_unsafe(disk.read(&root.join("folder").join("secret"), 10));
    check_unsafe(disk.stamp(&root.join("file")));
    check_unsafe(disk.append(&root.join("file"), b"y", Access::Private));
    check_unsafe(disk.lock(&root.join("file"), Access::Private, Duration::ZERO));
    check_unsafe(disk.create(&root.join("folder").join("new"), b"y", Access::Private));
    check_unsafe(disk.list(&root.join("folder")));
    assert_eq!(std::fs::read(outside.path().join("secret")).unwrap(), b"x");
    assert_eq!(std::fs::read_dir(outside.path()).unwrap().count(), 1);
}

#[test]
fn the_anchor_itself_may_be_a_link() {
    let (dir, _) = spot();
    let real = dir.path().join("real");
    std::fs::create_dir(&real).unwrap();
    std::fs::write(real.join("a"), "x").unwrap();
    symlink(&real, dir.path().join("link")).unwrap();
    let seen = RealDisk::default()
        .read(&Spot::anchor(dir.path().join("link")).join("a"), 10)
        .unwrap();
    assert_eq!(seen.unwrap().bytes, b"x");
}

#[test]
fn a_path_that_leads_out_is_refused() {
    let (_dir, root) = spot();
    check_unsafe(RealDisk::default().read(&root.join("a/../../etc").join("passwd"), 10));
    check_unsafe(RealDisk::default().list(&root.join("..")));
}

#[test]
fn a_pipe_or_a_folder_in_a_files_place_does_not_hang() {
    let (dir, root) = spot();
    rustix::fs::mknodat(
        rustix::fs::CWD,
        dir.path().join("pipe"),
        FileType::Fifo,
        Mode::RWXU,
        0,
    )
    .unwrap();
    std::fs::create_dir(dir.path().join("folder")).unwrap();
    check_unsafe(RealDisk::default().read(&root.join("pipe"), 10));
    check_unsafe(RealDisk::default().append(&root.join("pipe"), b"x", Access::Private));
    check_unsafe(RealDisk::default().read(&root.join("folder"), 10));
}

#[test]
fn a_file_past_the_limit_is_refused_and_one_at_it_is_read() {
    let (dir, root) = spot();
    std::fs::write(dir.path().join("a"), "12345").unwrap();
    assert_eq!(
        RealDisk::default()
            .read(&root.join("a"), 5)
            .unwrap()
            .unwrap()
            .bytes,
        b"12345"
    );
    let error = RealDisk::default().read(&root.join("a"), 4).unwrap_err();
    assert!(matches!(
        error,
        DiskError::TooLarge {
            size: 5,
            limit: 4,
            ..
        }
    ));
    let part = RealDisk::default()
        .read_part(&root.join("a"), 1, 3)
        .unwrap()
        .unwrap();
    assert_eq!(part.bytes, b"234");
}

#[test]
fn new_files_and_folders_are_private() {
    let (dir, root) = spot();
    RealDisk::default()
        .make_folder(&root.join("d"), Access::Private)
        .unwrap();
    RealDisk::default()
        .create(&root.join("d").join("f"), b"", Access::Private)
        .unwrap();
    let mode = |path: &str| {
        std::fs::metadata(dir.path().join(path))
            .unwrap()
            .permissions()
            .mode()
            & 0o777
    };
    assert_eq!((mode("d"), mode("d/f")), (0o700, 0o600));
}

#[test]
fn a_lock_excludes_and_survives_the_removal_of_its_file() {
    let (_dir, root) = spot();
    let at = root.join(".x.lock");
    let lock = || {
        RealDisk::default()
            .lock(&at, Access::Private, Duration::ZERO)
            .unwrap()
    };
    let first = lock().unwrap();
    assert!(lock().is_none());
    RealDisk::default().remove(&at).unwrap();
    // The file is another one now, and so is the lock: it is free.
    let second = lock().unwrap();
    drop(first);
    assert!(lock().is_none());
    drop(second);
    assert!(lock().is_some());
}

#[test]
fn who_waits_for_a_lock_gets_it_when_it_is_free() {
    let (_dir, root) = spot();
    let at = root.join(".x.lock");
    let patience = Duration::from_secs(60);
    let held = RealDisk::default()
        .lock(&at, Access::Private, patience)
        .unwrap()
        .unwrap();
    thread::scope(|scope| {
        let waiting = scope.spawn(|| {
            RealDisk::default()
                .lock(&at, Access::Private, patience)
                .unwrap()
        });
        drop(held);
        assert!(waiting.join().unwrap().is_some());
    });
}
