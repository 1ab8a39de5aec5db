//! `index.json` is what the specification draws, and true whenever a command has ended.

use std::os::unix::fs::MetadataExt;

use memory_testkit::Home;
use serde_json::{Value, json};

use crate::common::{add, call, core, index, line, open, path, put, query, text};

#[test]
fn it_reads_as_the_specification_draws_it() {
    let home = Home::new();
    put(
        &home,
        "core_memories.jsonl",
        &line(
            1,
            "core",
            json!({"tags": ["python", "testing"], "category": "preference", "importance": "high"}),
        ),
    );
    let journal = open(&home);
    put(
        &home,
        "learnings.jsonl",
        &line(0, "learning", json!({"tags": ["python"]})),
    );
    call(&journal, "get_memory_stats", json!({})).unwrap();
    let bytes = text(&home, "core_memories.jsonl").len() + text(&home, "learnings.jsonl").len();
    let (a, b) = (
        "550e8400-e29b-41d4-a716-000000000000",
        "550e8400-e29b-41d4-a716-000000000001",
    );
    let drawn = format!(
        r#"{{
  "version": "1.0.0",
  "last_updated": "2026-05-07T10:00:00Z",
  "statistics": {{
    "total_memories": 2,
    "by_type": {{
      "core": 1,
      "learning": 1,
      "task": 0
    }},
    "archived_count": 0,
    "total_storage_bytes": {bytes}
  }},
  "tags_index": {{
    "python": ["{a}", "{b}"],
    "testing": ["{b}"]
  }},
  "category_index": {{
    "preference": ["{b}"]
  }},
  "importance_index": {{
    "high": ["{b}"],
    "medium": ["{a}"],
    "low": []
  }}
}}
"#
    );
    // One line is ours: the sum by which the file is known to be true.
    let written = text(&home, "index.json");
    let lines = written
        .lines()
        .filter(|line| !line.starts_with("  \"checksum\": "));
    assert_eq!(lines.collect::<Vec<_>>(), drawn.lines().collect::<Vec<_>>());
}

#[test]
fn one_that_disagrees_with_the_files_is_not_believed() {
    let changes: [fn(&str) -> String; 3] = [
        |text| text.replace("\"core\": 2", "\"core\": 1000"),
        |text| {
            text.replace("\"core\": 2", "\"core\": 1")
                .replace("\"total_memories\": 2", "\"total_memories\": 1")
        },
        |text| text.replace("\"a\": [", "\"b\": ["),
    ];
    for change in changes {
        let home = Home::new();
        let journal = open(&home);
        core(&journal, "one");
        add(
            &journal,
            json!({"type": "core", "content": "two", "tags": ["a"]}),
        );
        let written = text(&home, "index.json");
        let changed = change(&written);
        assert_ne!(written, changed);
        std::fs::write(path(&home, "index.json"), changed).unwrap();
        let reply = call(
            &journal,
            "store_memory",
            json!({"type": "core", "content": "three"}),
        )
        .unwrap();
        assert!(reply["id"].is_string(), "{reply}");
        assert_eq!(index(&home)["statistics"]["by_type"]["core"], 3);
        assert_eq!(
            index(&home)["tags_index"]["a"].as_array().map(Vec::len),
            Some(1)
        );
    }
    // A file that was changed by hand, and has the size that it had.
    let home = Home::new();
    let journal = open(&home);
    core(&journal, "one");
    let line = text(&home, "core_memories.jsonl");
    std::fs::write(
        path(&home, "core_memories.jsonl"),
        line.replace("\"core\"", "\"task\""),
    )
    .unwrap();
    core(&journal, "two");
    assert_eq!(index(&home)["statistics"]["by_type"]["core"], 1);
}

/// The index on disk, its lists in order: what is added in place stands last.
fn kept(home: &Home) -> Value {
    let mut index = index(home);
    // It goes by the order of the lists, too.
    index
        .as_object_mut()
        .expect("an object")
        .remove("checksum")
        .expect("a checksum");
    for section in ["tags_index", "category_index", "importance_index"] {
        for ids in index[section]
            .as_object_mut()
            .expect("a section")
            .values_mut()
        {
            ids.as_array_mut()
                .expect("a list")
                .sort_by_key(|id| id.as_str().map(str::to_owned));
        }
    }
    index
}

/// What the index would be if it were derived from the files now.
fn derived(home: &Home) -> Value {
    let text = text(home, "index.json");
    std::fs::remove_file(path(home, "index.json")).unwrap();
    call(&open(home), "get_memory_stats", json!({})).unwrap();
    let anew = self::kept(home);
    std::fs::write(path(home, "index.json"), text).unwrap();
    anew
}

#[test]
fn it_is_true_after_every_write() {
    let home = Home::new();
    let journal = open(&home);
    let check = |what: &str| {
        assert_eq!(kept(&home), derived(&home), "after {what}");
    };
    let first = add(
        &journal,
        json!({"type": "core", "content": "x", "tags": ["a: [b", "\"q\""], "category": "c"}),
    );
    check("the first add");
    let second = add(
        &journal,
        json!({"type": "task", "content": "x", "tags": ["a"], "importance": "low"}),
    );
    check("an add");
    query(&journal, json!({}));
    check("a query");
    call(
        &journal,
        "update_memory",
        json!({"id": second, "tags": ["z"], "importance": "high"}),
    )
    .unwrap();
    check("an update");
    call(&journal, "delete_memory", json!({"id": first})).unwrap();
    check("a delete");
    assert_eq!(index(&home)["statistics"]["archived_count"], 1);
    core(&journal, "third");
    check("an add after a delete");
    call(
        &journal,
        "delete_memory",
        json!({"id": first, "permanent": true}),
    )
    .unwrap();
    check("a removal from the archive");
    assert_eq!(index(&home)["statistics"]["archived_count"], 0);
}

/// A journal with so much in it that adds are written into the index in place.
fn large(home: &Home) {
    let lines = (0..400).map(|n| line(n, "core", json!({"tags": ["all"], "category": "c"})));
    put(home, "core_memories.jsonl", &lines.collect::<String>());
    call(&open(home), "get_memory_stats", json!({})).unwrap();
}

fn inode(home: &Home) -> u64 {
    std::fs::metadata(path(home, "index.json")).unwrap().ino()
}

#[test]
fn an_add_to_a_large_one_writes_its_own_lines_only() {
    let home = Home::new();
    large(&home);
    let (before, file) = (text(&home, "index.json"), inode(&home));
    let journal = open(&home);
    add(
        &journal,
        json!({"type": "core", "content": "x", "tags": ["all", "new"], "category": "other"}),
    );
    let after = text(&home, "index.json");
    assert_eq!(
        (inode(&home), after.len()),
        (file, before.len()),
        "the file stays, and no byte moves"
    );
    query(&journal, json!({"tags": ["new"]}));
    assert_eq!(
        inode(&home),
        file,
        "counting an access changes the beginning only"
    );
    assert_eq!(kept(&home), derived(&home));
}

#[test]
fn a_large_one_is_true_after_any_number_of_adds() {
    let home = Home::new();
    large(&home);
    let journal = open(&home);
    let file = inode(&home);
    for n in 0..60 {
        let tags = json!(["all", format!("tag{}", n % 13), format!("once{n}")]);
        add(
            &journal,
            json!({"type": "core", "content": "x", "tags": tags, "category": format!("c{}", n / 9)}),
        );
    }
    assert_ne!(
        inode(&home),
        file,
        "names have filled the room, and more was made"
    );
    assert_eq!(kept(&home), derived(&home));
}

fn add_by_hand(home: &Home) {
    let there = text(home, "core_memories.jsonl");
    let next = line(there.lines().count(), "core", json!({"tags": ["hand"]}));
    put(home, "core_memories.jsonl", &(there + &next));
}

#[test]
fn a_missing_damaged_or_stale_one_is_made_anew() {
    let spoils: [fn(&Home); 4] = [
        |home: &Home| std::fs::remove_file(path(home, "index.json")).unwrap(),
        |home: &Home| {
            put(
                home,
                "index.json",
                "{\"version\": \"1.0.0\", \"tags_index\": {",
            )
        },
        |home: &Home| put(home, "index.json", "\u{0}\u{0}\u{0}"),
        add_by_hand,
    ];
    for spoil in spoils {
        let home = Home::new();
        let journal = open(&home);
        core(&journal, "x");
        spoil(&home);
        let total = text(&home, "core_memories.jsonl").lines().count();
        query(&journal, json!({"text": "nothing has this"}));
        assert_eq!(
            index(&home)["statistics"]["total_memories"],
            total,
            "after a query"
        );
        spoil(&home);
        let total = text(&home, "core_memories.jsonl").lines().count();
        core(&journal, "y");
        assert_eq!(
            index(&home)["statistics"]["total_memories"],
            total + 1,
            "after an add"
        );
        assert_eq!(kept(&home), derived(&home));
    }
}

#[test]
fn an_add_touches_no_other_line_and_completes_an_open_one() {
    let home = Home::new();
    let open_line = line(1, "core", json!({})).trim_end().to_owned();
    put(&home, "core_memories.jsonl", &open_line);
    core(&open(&home), "next");
    let now = text(&home, "core_memories.jsonl");
    assert!(
        now.starts_with(&format!("{open_line}\n{{\"id\":")) && now.ends_with("}\n"),
        "{now}"
    );
    assert_eq!(index(&home)["statistics"]["total_memories"], 2);
}
