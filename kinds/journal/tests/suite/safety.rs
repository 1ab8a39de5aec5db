//! Permissions, links, secrets and locks.

use std::os::unix::fs::{PermissionsExt, symlink};
use std::sync::Arc;

use memory_core::Code;
use memory_files::LookingDisk;
use memory_testkit::Home;
use serde_json::json;

use crate::common::{add, call, check_code, core, names, open, open_on, path, put, query, text};

#[test]
fn everything_is_private() {
    let home = Home::new();
    let journal = open(&home);
    let id = core(&journal, "x");
    call(&journal, "update_memory", json!({"id": id, "content": "y"})).unwrap();
    call(&journal, "delete_memory", json!({"id": id})).unwrap();
    let mode = |name: &str| {
        std::fs::metadata(path(&home, name))
            .unwrap()
            .permissions()
            .mode()
            & 0o777
    };
    for folder in ["", ".backup", "archive", "archive/2026"] {
        assert_eq!(mode(folder), 0o700, "{folder}");
    }
    for file in [
        "core_memories.jsonl",
        "index.json",
        "archive/2026/core_memories_2026_Q2.jsonl",
    ] {
        assert_eq!(mode(file), 0o600, "{file}");
    }
}

#[test]
fn no_lock_is_left_and_a_stale_one_blocks_no_one() {
    let home = Home::new();
    put(&home, ".lock", "999999999 2020-01-01T00:00:00Z\n");
    core(&open(&home), "x");
    assert_eq!(names(&home, ""), ["core_memories.jsonl", "index.json"]);
}

#[test]
fn a_secret_is_refused_wherever_it_stands() {
    let home = Home::new();
    let journal = open(&home);
    let key = ["ghp_", "a1B2c3D4e5a1B2c3D4e5a1B2c3D4e5a1B2c3"].concat();
    for params in [
        json!({"type": "core", "content": format!("the key is {key}")}),
        json!({"type": "task", "content": "x", "outcome": key}),
        json!({"type": "task", "content": "x", "blockers": [key]}),
    ] {
        check_code(call(&journal, "store_memory", params), Code::SecretDetected);
    }
    let id = add(
        &journal,
        json!({"type": "core", "content": format!("meant: {key}"), "allow_secret": true}),
    );
    check_code(
        call(&journal, "update_memory", json!({"id": id, "content": key})),
        Code::SecretDetected,
    );
    call(
        &journal,
        "update_memory",
        json!({"id": id, "content": key, "allow_secret": true}),
    )
    .unwrap();
}

#[test]
fn no_link_is_followed() {
    let home = Home::new();
    let journal = open(&home);
    std::fs::create_dir_all(path(&home, "")).unwrap();
    std::fs::write(home.path().join("outside"), "").unwrap();
    symlink(
        home.path().join("outside"),
        path(&home, "core_memories.jsonl"),
    )
    .unwrap();
    check_code(
        call(
            &journal,
            "store_memory",
            json!({"type": "core", "content": "x"}),
        ),
        Code::UnsafePath,
    );
    assert_eq!(std::fs::read(home.path().join("outside")).unwrap(), b"");
    add(
        &journal,
        json!({"type": "task", "content": "other files are as usable as before"}),
    );
    assert_eq!(query(&journal, json!({}))["total"], 1);
}

#[test]
fn who_may_only_look_is_answered_all_the_same() {
    let home = Home::new();
    core(&open(&home), "x");
    let before = home.snapshot();
    let journal = open_on(&home, Arc::new(LookingDisk::default()));
    assert_eq!(query(&journal, json!({}))["total"], 1);
    call(&journal, "get_memory_stats", json!({})).unwrap();
    assert_eq!(home.snapshot(), before);
    check_code(
        call(
            &journal,
            "store_memory",
            json!({"type": "core", "content": "y"}),
        ),
        Code::PermissionDenied,
    );
}

#[test]
fn nothing_is_made_by_looking() {
    let home = Home::new();
    let journal = open(&home);
    assert_eq!(query(&journal, json!({}))["total"], 0);
    call(&journal, "get_memory_stats", json!({})).unwrap();
    call(&journal, "archive", json!({})).unwrap();
    call(&journal, "repair", json!({})).unwrap();
    check_code(
        call(&journal, "delete_memory", json!({"id": "550e8400"})),
        Code::NotFound,
    );
    assert!(!path(&home, "").exists());
    assert_eq!(text(&home, "index.json"), "");
}
