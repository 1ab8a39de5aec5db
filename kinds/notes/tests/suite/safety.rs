//! Links in the store, foreign permissions, and a root that can't be written.

use std::ffi::OsStr;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::sync::Arc;
use std::time::Duration;

use memory_core::Code;
use memory_files::{Access, Disk, DiskError, FileLock, Item, RealDisk, Seen, Sighting, Spot, Stamp};
use memory_testkit::Home;
use serde_json::json;

use crate::common::*;

#[test]
fn a_linked_folder_or_note_is_told_and_others_are_listed() {
    let home = Home::new();
    let kind = open(&home);
    write_in(&kind, "people", "a good note");
    let outside = home.path().join("outside");
    std::fs::create_dir(&outside).unwrap();
    std::fs::write(outside.join("secret.md"), "outside\n").unwrap();
    symlink(&outside, root(&home).join("categories/soul")).unwrap();
    symlink(outside.join("secret.md"), root(&home).join("categories/people/link.md")).unwrap();
    let listed = call(&kind, "memory_list", json!({})).unwrap();
    assert_eq!(contents(&listed), ["a good note"]);
    let flaws = listed["flaws"].to_string();
    assert_eq!(listed["flaws"].as_array().unwrap().len(), 2, "{flaws}");
    assert!(flaws.contains("categories/soul") && flaws.contains("link.md"), "{flaws}");
    check_code(call(&kind, "memory_write", json!({"content": "x", "category": "soul"})), Code::UnsafePath);
    assert_eq!(std::fs::read_dir(&outside).unwrap().count(), 1);
    assert_eq!(read_file(outside.join("secret.md")), "outside\n");
}

#[test]
fn files_are_the_users_alone() {
    let home = Home::new();
    let kind = open(&home);
    let id = write_in(&kind, "reminders", "stretch in 30 minutes");
    call_at(&kind, "notify", json!({}), 1800).unwrap();
    delete(&kind, &id);
    let mut folders = vec![root(&home)];
    while let Some(folder) = folders.pop() {
        let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&folder), 0o700, "{}", folder.display());
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false => assert_eq!(mode(&path), 0o600, "{}", path.display()),
            }
        }
    }
}

/// A disk on which nothing can be changed.
#[derive(Debug)]
struct Sealed;

fn refused<T>(at: &Spot) -> Result<T, DiskError> {
    let source = std::io::Error::from(std::io::ErrorKind::ReadOnlyFilesystem);
    Err(DiskError::Io { doing: "write", path: at.path(), source })
}

impl Disk for Sealed {
    fn read(&self, at: &Spot, most: u64) -> Result<Option<Seen>, DiskError> {
        RealDisk.read(at, most)
    }
    fn read_part(&self, at: &Spot, from: u64, length: usize) -> Result<Option<Seen>, DiskError> {
        RealDisk.read_part(at, from, length)
    }
    fn stamp(&self, at: &Spot) -> Result<Option<Stamp>, DiskError> {
        RealDisk.stamp(at)
    }
    fn list(&self, folder: &Spot) -> Result<Vec<Item>, DiskError> {
        RealDisk.list(folder)
    }
    fn scan(&self, folder: &Spot) -> Result<Vec<Sighting>, DiskError> {
        RealDisk.scan(folder)
    }
    fn read_each(
        &self,
        folder: &Spot,
        names: &[&OsStr],
        most: u64,
        each: &mut dyn FnMut(usize, Result<Option<Seen>, DiskError>),
    ) {
        RealDisk.read_each(folder, names, most, each);
    }
    fn make_folder(&self, at: &Spot, _: Access) -> Result<bool, DiskError> {
        refused(at)
    }
    fn create(&self, at: &Spot, _: &[u8], _: Access) -> Result<Stamp, DiskError> {
        refused(at)
    }
    fn create_unsynced(&self, at: &Spot, _: &[u8], _: Access) -> Result<(), DiskError> {
        refused(at)
    }
    fn create_all(&self, files: &[(Spot, &[u8])], _: Access) -> Result<(), DiskError> {
        files.first().map_or(Ok(()), |(at, _)| refused(at))
    }
    fn append(&self, at: &Spot, _: &[u8], _: Access) -> Result<bool, DiskError> {
        refused(at)
    }
    fn rename(&self, _: &Spot, to: &Spot) -> Result<(), DiskError> {
        refused(to)
    }
    fn remove(&self, at: &Spot) -> Result<(), DiskError> {
        refused(at)
    }
    fn sync_folder(&self, folder: &Spot) -> Result<(), DiskError> {
        refused(folder)
    }
    fn lock(&self, at: &Spot, _: Access, _: Duration) -> Result<Option<FileLock>, DiskError> {
        refused(at)
    }
}

#[test]
fn what_can_only_be_read_can_be_listed_searched_and_read() {
    let home = Home::new();
    let id = write_in(&open(&home), "people", "a good note");
    // Pages that no longer tell the truth, and a plan that nobody could finish.
    put(&home, "categories/people/more.md", "by hand\n");
    let before = home.snapshot();
    let check = || {
        let kind = open_on(&home, Arc::new(Sealed));
        assert_eq!(call(&kind, "memory_list", json!({})).unwrap()["total"], 2);
        assert_eq!(call(&kind, "memory_search", json!({"query": "good"})).unwrap()["total"], 1);
        assert_eq!(call(&kind, "memory_read", json!({ "id": id })).unwrap()["content"], "a good note");
        assert_eq!(call(&kind, "export", json!({})).unwrap()["count"], 2);
        call(&kind, "backlinks", json!({ "id": id })).unwrap();
        call(&kind, "dream", json!({"level": 2, "dry_run": true})).unwrap();
        check_code(call(&kind, "memory_write", json!({"content": "x"})), Code::PermissionDenied);
    };
    check();
    assert_eq!(home.snapshot(), before);
    put(&home, ".plan.json", "{\"settles\":[],\"removes\":[]}");
    check();
}
