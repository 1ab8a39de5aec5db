//! A process that stays keeps what it knows, and still sees whatever anyone does to the files.

use std::fs;
use std::io::{Seek, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use memory_core::{Code, Kind};
use memory_files::{
    Access, Disk, DiskError, FileLock, Item, Mapping, RealDisk, Seen, Sighting, Spot, Stamp,
};
use memory_notes::Notes;
use memory_testkit::Home;
use serde_json::json;

use crate::common::*;

fn open_staying(home: &Home) -> Notes {
    let kind = open(home);
    kind.stay();
    kind
}

/// What a list shows. The pause after it is one in which pages are written.
fn listed(kind: &dyn Kind) -> Vec<String> {
    let mut all = contents(&call(kind, "memory_list", json!({})).unwrap());
    kind.settle();
    all.sort();
    all
}

fn found(kind: &dyn Kind, word: &str) -> Vec<String> {
    contents(&call(kind, "memory_search", json!({ "query": word })).unwrap())
}

/// Notes of a process that stays and has looked and searched.
fn settled() -> (Home, Notes, String) {
    let home = Home::new();
    let kind = open_staying(&home);
    let id = write_in(&kind, "knowledge", "the first kestrel");
    write(&kind, "something else");
    assert_eq!(found(&kind, "kestrel"), ["the first kestrel"]);
    kind.settle();
    (home, kind, id)
}

#[test]
fn what_another_process_wrote_is_seen_by_the_next_call() {
    let (home, kind, id) = settled();
    let other = open(&home);
    write_in(&other, "knowledge", "another kestrel");
    assert_eq!(found(&kind, "kestrel").len(), 2);
    write_in(&other, "people", "Ann has a kestrel");
    assert_eq!(
        found(&kind, "kestrel").len(),
        3,
        "in a folder that was not there"
    );
    call(&other, "upgrade", json!({"id": id, "category": "lessons"})).unwrap();
    assert_eq!(note(&kind, &id)["category"], "lessons");
    delete(&other, &id);
    assert_eq!(found(&kind, "kestrel").len(), 2);
    check_code(
        call(&kind, "memory_read", json!({ "id": id })),
        Code::NotFound,
    );
    check_order(&home);
}

#[test]
fn what_a_hand_does_is_seen_by_the_next_call() {
    let (home, kind, id) = settled();
    let path = file(&home, &id);
    // In its place, and as long as it was.
    let text = read_file(&path);
    let mut open_file = fs::OpenOptions::new().write(true).open(&path).unwrap();
    open_file
        .seek(std::io::SeekFrom::Start(
            text.find("kestrel").unwrap() as u64
        ))
        .unwrap();
    open_file.write_all(b"buzzard").unwrap();
    assert_eq!(found(&kind, "kestrel"), Vec::<String>::new());
    assert_eq!(found(&kind, "buzzard"), ["the first buzzard"]);
    check_index_now(&home);

    let moved = path.with_file_name("by hand.md");
    fs::rename(&path, &moved).unwrap();
    assert_eq!(listed(&kind), ["something else", "the first buzzard"]);
    check_index_now(&home);

    put(&home, "categories/people/new.md", "Bob by hand");
    assert_eq!(found(&kind, "bob"), ["Bob by hand"]);
    fs::remove_file(&moved).unwrap();
    assert_eq!(listed(&kind), ["Bob by hand", "something else"]);
    check_index_now(&home);

    fs::remove_dir_all(root(&home).join("categories")).unwrap();
    assert_eq!(listed(&kind), Vec::<String>::new());
    check_index_now(&home);
}

#[test]
fn a_page_that_a_hand_spoils_is_made_again_by_the_next_call() {
    let (home, kind, _) = settled();
    let page = root(&home).join("memory.md");
    let before = read_file(&page);
    for spoilt in ["", "something else"] {
        listed(&kind);
        fs::write(&page, spoilt).unwrap();
        listed(&kind);
        assert_eq!(read_file(&page), before);
    }
    fs::remove_file(&page).unwrap();
    listed(&kind);
    assert_eq!(read_file(&page), before);
}

#[test]
fn whoever_stays_puts_the_pages_off_and_writes_them_when_there_is_time() {
    let (home, kind, _) = settled();
    let page = || read_file(root(&home).join("memory.md"));
    let before = page();
    write(&kind, "the newest");
    assert_eq!(page(), before, "a write does not wait for the pages");
    kind.settle();
    assert!(page().contains("the newest"));
    check_index_now(&home);

    write(&kind, "newer still");
    call(&open(&home), "memory_list", json!({})).unwrap();
    assert!(
        page().contains("newer still"),
        "whoever looks next writes them too"
    );
}

#[test]
fn two_files_of_one_id_are_told_and_told_no_more_when_one_goes() {
    let (home, kind, id) = settled();
    let path = file(&home, &id);
    let copy = path.with_file_name("copy.md");
    fs::copy(&path, &copy).unwrap();
    let flaws = call(&kind, "memory_list", json!({})).unwrap()["flaws"].clone();
    assert!(
        flaws[0]["problem"]
            .as_str()
            .unwrap()
            .contains("the same id"),
        "{flaws}"
    );
    fs::remove_file(&path).unwrap();
    let reply = call(&kind, "memory_list", json!({})).unwrap();
    assert_eq!(reply.get("flaws"), None);
    assert_eq!(reply["memories"].as_array().unwrap().len(), 2);
}

#[test]
fn a_draft_that_a_crash_has_left_is_swept_by_the_next_change() {
    let (home, kind, _) = settled();
    put(&home, "categories/knowledge/.x.md.tmp-1", "half");
    write(&kind, "more");
    check_strays(&home);
}

/// A disk that counts how often a folder is gone through and a file read.
#[derive(Debug, Default)]
struct Counting {
    scans: AtomicUsize,
    reads: AtomicUsize,
}

impl Counting {
    fn take(&self) -> (usize, usize) {
        (
            self.scans.swap(0, Ordering::Relaxed),
            self.reads.swap(0, Ordering::Relaxed),
        )
    }
}

impl Disk for Counting {
    fn read(&self, at: &Spot, most: u64) -> Result<Option<Seen>, DiskError> {
        RealDisk::default().read(at, most)
    }

    fn read_part(&self, at: &Spot, from: u64, length: usize) -> Result<Option<Seen>, DiskError> {
        RealDisk::default().read_part(at, from, length)
    }

    fn map(&self, at: &Spot) -> Result<Option<Mapping>, DiskError> {
        RealDisk::default().map(at)
    }

    fn stamp(&self, at: &Spot) -> Result<Option<Stamp>, DiskError> {
        RealDisk::default().stamp(at)
    }

    fn list(&self, folder: &Spot) -> Result<Vec<Item>, DiskError> {
        RealDisk::default().list(folder)
    }

    fn scan(&self, folder: &Spot) -> Result<Vec<Sighting>, DiskError> {
        self.scans.fetch_add(1, Ordering::Relaxed);
        RealDisk::default().scan(folder)
    }

    fn read_each(
        &self,
        folder: &Spot,
        names: &[&std::ffi::OsStr],
        most: u64,
        each: &mut dyn FnMut(usize, Result<Option<Seen>, DiskError>),
    ) {
        self.reads.fetch_add(names.len(), Ordering::Relaxed);
        RealDisk::default().read_each(folder, names, most, each);
    }

    fn make_folder(&self, at: &Spot, access: Access) -> Result<bool, DiskError> {
        RealDisk::default().make_folder(at, access)
    }

    fn create(&self, at: &Spot, bytes: &[u8], access: Access) -> Result<Stamp, DiskError> {
        RealDisk::default().create(at, bytes, access)
    }

    fn create_unsynced(&self, at: &Spot, bytes: &[u8], access: Access) -> Result<Stamp, DiskError> {
        RealDisk::default().create_unsynced(at, bytes, access)
    }

    fn create_all(&self, files: &[(Spot, &[u8])], access: Access) -> Result<Vec<Stamp>, DiskError> {
        RealDisk::default().create_all(files, access)
    }

    fn append(&self, at: &Spot, bytes: &[u8], access: Access) -> Result<bool, DiskError> {
        RealDisk::default().append(at, bytes, access)
    }

    fn overwrite(&self, at: &Spot, parts: &[(u64, &[u8])]) -> Result<(), DiskError> {
        RealDisk::default().overwrite(at, parts)
    }

    fn write_unsynced(&self, at: &Spot, bytes: &[u8], access: Access) -> Result<(), DiskError> {
        RealDisk::default().write_unsynced(at, bytes, access)
    }

    fn rename(&self, from: &Spot, to: &Spot) -> Result<(), DiskError> {
        RealDisk::default().rename(from, to)
    }

    fn remove(&self, at: &Spot) -> Result<(), DiskError> {
        RealDisk::default().remove(at)
    }

    fn sync_folder(&self, folder: &Spot) -> Result<(), DiskError> {
        RealDisk::default().sync_folder(folder)
    }

    fn lock(
        &self,
        at: &Spot,
        access: Access,
        patience: Duration,
    ) -> Result<Option<FileLock>, DiskError> {
        RealDisk::default().lock(at, access, patience)
    }
}

/// The categories: each has a folder, and a survey goes through all of them.
const SURVEY: usize = 14;

#[test]
fn every_command_surveys_the_notes_once_at_most() {
    let (home, _, id) = settled();
    let disk = Arc::new(Counting::default());
    let kind = open_on(&home, disk.clone());
    let check = |tool: &str, params| {
        call(&kind, tool, params).unwrap();
        let (scans, _) = disk.take();
        assert_eq!(scans, SURVEY, "{tool}");
    };
    check("memory_list", json!({}));
    check("memory_search", json!({"query": "kestrel"}));
    check("memory_read", json!({ "id": id }));
    check("memory_tag", json!({"id": id, "tags": ["bird"]}));
    check(
        "memory_write",
        json!({"content": "new", "category": "knowledge"}),
    );
    check("memory_delete", json!({ "id": id }));
}

#[test]
#[cfg(target_os = "linux")]
fn whoever_stays_goes_through_no_folder_again_and_reads_only_what_changed() {
    let (home, _, id) = settled();
    let disk = Arc::new(Counting::default());
    let kind = open_on(&home, disk.clone());
    kind.stay();
    call(&kind, "memory_search", json!({"query": "kestrel"})).unwrap();
    assert_eq!(disk.take().0, SURVEY);
    let check = |tool: &str, params, changed: usize| {
        call(&kind, tool, params).unwrap();
        assert_eq!(disk.take(), (0, changed), "{tool}");
    };
    check("memory_list", json!({}), 0);
    check("memory_search", json!({"query": "kestrel"}), 0);
    check(
        "memory_write",
        json!({"content": "new", "category": "knowledge"}),
        0,
    );
    // The note that was just written is read like any other that has changed.
    check("memory_search", json!({"query": "new"}), 1);
    check("memory_read", json!({ "id": id }), 0);
    check("memory_list", json!({}), 0);
}
