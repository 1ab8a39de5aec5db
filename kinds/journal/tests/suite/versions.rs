//! Files of an older version are brought to ours with the next write, after copies were made.

use memory_testkit::Home;
use serde_json::json;

use crate::common::{contents, core, index, line, names, open, put, text};

/// As an early version wrote it: the same shape, without what came later.
const OLD: &str = r#"{"id":"550e8400-e29b-41d4-a716-446655440000","type":"core","content":"an old one","created_at":"2025-01-01T10:00:00Z","tags":["a"]}"#;

#[test]
fn unversioned_and_older_files_are_read_and_then_migrated() {
    for version in [
        "{\"statistics\": {}}",
        "{\"version\": \"0.9.0\"}",
        "{\"version\": null, \"tags_index\": {}}",
    ] {
        let home = Home::new();
        put(
            &home,
            "core_memories.jsonl",
            &format!("{OLD}\n{}", line(1, "core", json!({"kept": true}))),
        );
        put(&home, "index.json", version);
        let journal = open(&home);
        core(&journal, "new");
        assert_eq!(
            contents(&journal, json!({})),
            ["new", "memory 1", "an old one"]
        );
        assert_eq!(index(&home)["version"], "1.0.0");
        assert_eq!(
            index(&home)["tags_index"]["a"][0],
            "550e8400-e29b-41d4-a716-446655440000"
        );
        let now = text(&home, "core_memories.jsonl");
        assert!(
            now.contains("\"importance\":\"medium\"") && now.contains("\"kept\":true"),
            "{now}"
        );
        let copies = names(&home, ".backup");
        assert_eq!(
            copies,
            [
                "core_memories.jsonl.backup.20260507_100000_000",
                "index.json.backup.20260507_100000_000"
            ]
        );
        assert_eq!(
            text(&home, ".backup/index.json.backup.20260507_100000_000"),
            version
        );
        assert!(
            text(
                &home,
                ".backup/core_memories.jsonl.backup.20260507_100000_000"
            )
            .starts_with(OLD)
        );
    }
}

#[test]
fn looking_at_older_files_changes_nothing() {
    let home = Home::new();
    put(&home, "core_memories.jsonl", &format!("{OLD}\n"));
    put(&home, "index.json", "{}");
    let before = home.snapshot();
    let journal = open(&home);
    crate::common::call(&journal, "get_memory_stats", json!({})).unwrap();
    crate::common::get(&journal, "550e8400");
    assert_eq!(home.snapshot(), before);
}

#[test]
fn what_a_newer_version_wrote_is_kept() {
    let home = Home::new();
    put(
        &home,
        "core_memories.jsonl",
        &line(1, "core", json!({"vector": [1, 2]})),
    );
    put(
        &home,
        "index.json",
        "{\"version\": \"2.0.0\", \"vectors\": {}}",
    );
    core(&open(&home), "new");
    assert_eq!(index(&home)["version"], "1.0.0");
    assert!(text(&home, "core_memories.jsonl").contains("\"vector\":[1,2]"));
    assert!(text(&home, ".backup/index.json.backup.20260507_100000_000").contains("vectors"));
}
