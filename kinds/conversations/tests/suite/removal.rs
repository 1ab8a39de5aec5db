//! What is forgotten can be brought back, and Git knows of all of it.

use memory_conversations::Settings;
use memory_core::{Code, Kind, Rehearsal};
use memory_testkit::{Home, clock};
use serde_json::json;

use crate::common::{
    add, call, chat, check_code, drain, facts, files, open, open_with, paths, root, turns,
};

#[test]
fn a_forgotten_fact_waits_below_deleted_and_comes_back_as_it_was() {
    let home = Home::new();
    let kind = open(&home);
    let ids = add(&kind, "a", &["one", "two"]);
    let before = files(&home);
    let reply = call(&kind, "conversation_forget", json!({ "id": &ids[0][..8] })).unwrap();
    assert_eq!(reply["content"], json!("one"));
    assert_eq!(facts(&kind, "a"), ["two"]);
    assert_eq!(paths(&home, "entries/a/deleted/facts").len(), 1);
    check_code(
        call(&kind, "conversation_forget", json!({ "id": &ids[0] })),
        Code::NotFound,
    );
    let step = kind.steps().good.remove(0);
    assert_eq!(step.what, "forget 'one' (conversation a)");
    kind.undo(&step, memory_core::Actor::Person, clock().now())
        .unwrap()
        .unwrap();
    let (mut before, mut now) = (before, files(&home));
    before.remove("memory_index.json");
    now.remove("memory_index.json");
    assert_eq!(now, before);
    assert!(kind.steps().good.is_empty());
}

#[test]
fn a_deleted_conversation_comes_back_whole() {
    let home = Home::new();
    let kind = open(&home);
    add(&kind, "a", &["one"]);
    chat(&kind, "a", "hello", "hi", 0);
    let reply = call(&kind, "conversation_delete", json!({ "conversation": "a" })).unwrap();
    assert_eq!(reply["deleted"], json!(3));
    assert_eq!(
        call(&kind, "conversation_list", json!({})).unwrap()["conversations"],
        json!([])
    );
    check_code(
        call(&kind, "conversation_show", json!({ "conversation": "a" })),
        Code::NotFound,
    );
    check_code(
        call(&kind, "conversation_delete", json!({ "conversation": "a" })),
        Code::NotFound,
    );
    kind.undo(
        &kind.steps().good[0],
        memory_core::Actor::Person,
        clock().now(),
    )
    .unwrap()
    .unwrap();
    assert_eq!((facts(&kind, "a").len(), turns(&kind, "a").len()), (1, 2));
}

#[test]
fn every_change_is_a_commit_if_that_is_asked_for() {
    let home = Home::new();
    let kind = open_with(
        &home,
        Settings {
            git: true,
            ..Settings::default()
        },
    );
    let ids = add(&kind, "a", &["one"]);
    chat(&kind, "a", "I like tea", "fine", 0);
    assert_eq!(drain(&kind).get("flaws"), None);
    call(&kind, "conversation_forget", json!({ "id": ids[0] })).unwrap();
    let git = |arguments: &[&str]| {
        let output = std::process::Command::new("git")
            .args(arguments)
            .current_dir(root(&home))
            .output()
            .unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(git(&["log", "--format=%s"]).lines().count(), 3);
    assert_eq!(git(&["status", "--porcelain"]), "", "nothing is left out");
    let tracked = git(&["ls-files"]);
    assert!(tracked.contains("entries/a/deleted/facts/"), "{tracked}");
    assert!(
        !tracked.contains("memory_index.json") && !tracked.contains(".lock"),
        "{tracked}"
    );
    let mode = std::fs::metadata(root(&home).join(".git"))
        .unwrap()
        .permissions();
    assert_eq!(
        std::os::unix::fs::PermissionsExt::mode(&mode) & 0o777,
        0o700
    );
    let plain = Home::new();
    add(&open(&plain), "a", &["one"]);
    assert!(!root(&plain).join(".git").exists(), "off unless asked for");
}

#[test]
fn a_lock_that_a_killed_snapshot_has_left_is_found_and_removed() {
    let home = Home::new();
    let kind = open_with(
        &home,
        Settings {
            git: true,
            ..Settings::default()
        },
    );
    add(&kind, "a", &["one"]);
    let lock = root(&home).join(".git/index.lock");
    std::fs::write(&lock, "").unwrap();
    let now = clock().now();
    let modified = std::time::SystemTime::from(now) - std::time::Duration::from_secs(3600);
    std::fs::File::options()
        .write(true)
        .open(&lock)
        .unwrap()
        .set_modified(modified)
        .unwrap();
    let flaws = kind.repair(now, Rehearsal::Dry).unwrap();
    assert_eq!(
        (flaws.len(), &*flaws[0].place),
        (1, ".git/index.lock"),
        "{flaws:?}"
    );
    assert!(lock.exists());
    let flaws = kind.repair(now, Rehearsal::Real).unwrap();
    assert_eq!(flaws[0].remedy.as_deref(), Some("removed"));
    assert!(!lock.exists());
    assert!(kind.repair(now, Rehearsal::Dry).unwrap().is_empty());
}
