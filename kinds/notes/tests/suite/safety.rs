//! Links in the store, foreign permissions, and a root that can't be written.

use std::os::unix::fs::{PermissionsExt, symlink};
use std::sync::Arc;

use memory_core::{Code, Kind, Rehearsal};
use memory_files::LookingDisk;
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
    symlink(
        outside.join("secret.md"),
        root(&home).join("categories/people/link.md"),
    )
    .unwrap();
    let listed = call(&kind, "memory_list", json!({})).unwrap();
    assert_eq!(contents(&listed), ["a good note"]);
    let flaws = listed["flaws"].to_string();
    assert_eq!(listed["flaws"].as_array().unwrap().len(), 2, "{flaws}");
    assert!(
        flaws.contains("categories/soul") && flaws.contains("link.md"),
        "{flaws}"
    );
    check_code(
        call(
            &kind,
            "memory_write",
            json!({"content": "x", "category": "soul"}),
        ),
        Code::UnsafePath,
    );
    assert_eq!(std::fs::read_dir(&outside).unwrap().count(), 1);
    assert_eq!(read_file(outside.join("secret.md")), "outside\n");
}

#[test]
fn a_link_in_place_of_all_folders_is_told_once_and_no_mending_is_promised() {
    let home = Home::new();
    let kind = open(&home);
    write_in(&kind, "people", "a good note");
    let (categories, outside) = (root(&home).join("categories"), home.path().join("outside"));
    std::fs::rename(&categories, &outside).unwrap();
    symlink(&outside, &categories).unwrap();
    let flaws = call(&kind, "memory_list", json!({})).unwrap()["flaws"].clone();
    assert_eq!(flaws.as_array().unwrap().len(), 1, "{flaws}");
    assert_eq!(flaws[0]["place"], "categories");
    std::fs::remove_file(&categories).unwrap();
    std::fs::rename(&outside, &categories).unwrap();
    symlink("/etc/hostname", categories.join("people/link.md")).unwrap();
    for how in [Rehearsal::Dry, Rehearsal::Real] {
        let flaws = kind.repair(after(0), how).unwrap();
        assert_eq!(flaws.len(), 1, "{flaws:?}");
        assert_eq!(flaws[0].remedy, None, "{flaws:?}");
    }
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
        let mode =
            |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&folder), 0o700, "{}", folder.display());
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path)
            } else {
                assert_eq!(mode(&path), 0o600, "{}", path.display())
            }
        }
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
        let kind = open_on(&home, Arc::new(LookingDisk::default()));
        assert_eq!(call(&kind, "memory_list", json!({})).unwrap()["total"], 2);
        assert_eq!(
            call(&kind, "memory_search", json!({"query": "good"})).unwrap()["total"],
            1
        );
        assert_eq!(
            call(&kind, "memory_read", json!({ "id": id })).unwrap()["content"],
            "a good note"
        );
        assert_eq!(call(&kind, "export", json!({})).unwrap()["count"], 2);
        call(&kind, "backlinks", json!({ "id": id })).unwrap();
        call(&kind, "dream", json!({"level": 2, "dry_run": true})).unwrap();
        check_code(
            call(&kind, "memory_write", json!({"content": "x"})),
            Code::PermissionDenied,
        );
    };
    check();
    assert_eq!(home.snapshot(), before);
    put(&home, ".plan.json", "{\"settles\":[],\"removes\":[]}");
    check();
}
