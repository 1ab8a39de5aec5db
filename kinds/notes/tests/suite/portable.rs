//! Export and import: nothing is lost, twice changes nothing, bad lines are told.

use memory_core::Kind;
use memory_testkit::Home;
use serde_json::{Value, json};

use crate::common::*;

fn import(kind: &dyn Kind, lines: &str) -> Value {
    call(kind, "import", json!({ "lines": lines })).unwrap()
}

fn counts(reply: &Value) -> [u64; 4] {
    ["created", "replaced", "unchanged", "duplicates"].map(|name| reply[name].as_u64().unwrap())
}

fn export(kind: &dyn Kind) -> String {
    text(&call(kind, "export", json!({})).unwrap()["lines"])
}

#[test]
fn an_export_fills_an_empty_root_without_loss() {
    let home = Home::new();
    let kind = open(&home);
    let a = write_with(
        &kind,
        json!({"content": "---\nodd\r\n---\n", "tags": ["a: b", "true"], "source": "claude"}),
    );
    let b = write_in(&kind, "people", "call tomorrow at 9am");
    write_with(&kind, json!({"content": "mine", "scope": "agent:claude"}));
    link(&kind, &a, &b);
    call(&kind, "dream", json!({"level": 3})).unwrap();
    call_at(&kind, "notify", json!({}), 2 * DAY).unwrap();
    put(
        &home,
        "categories/soul/hand.md",
        "---\nid: hand-1\naccess_count: 1\nmood: good\n# remark\nbig: 12345678901234567890.5\naliases:\n  - 别名\nlinks: [no id]\ncreated_at: 2026-05-01T08:00:00.123Z\n---\nby hand\n",
    );
    // Changed once, it is written in our manner.
    call(
        &kind,
        "memory_tag",
        json!({"id": "hand-1", "tags": ["by hand"]}),
    )
    .unwrap();
    let lines = export(&kind);
    let other = Home::new();
    let kind_there = open(&other);
    let count = lines.lines().count();
    assert_eq!(
        counts(&import(&kind_there, &lines)),
        [count as u64, 0, 0, 0]
    );
    assert_eq!(notes(&kind_there), notes(&kind));
    assert_eq!(export(&kind_there).lines().count(), count);
    let sorted = |lines: &str| {
        let mut lines: Vec<String> = lines.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(&export(&kind_there)), sorted(&lines));
    let texts = |home: &Home| {
        let mut all: Vec<Vec<u8>> = bytes(home).into_values().collect();
        all.sort();
        all
    };
    assert_eq!(texts(&other), texts(&home), "file by file, byte for byte");
    check_order(&other);
    let before = other.snapshot();
    assert_eq!(
        counts(&import(&kind_there, &lines)),
        [0, 0, count as u64, 0]
    );
    assert_eq!(other.snapshot(), before, "twice changes nothing");
}

#[test]
fn bad_lines_are_told_by_their_number_and_hide_no_other() {
    let home = Home::new();
    let kind = open(&home);
    let lines = [
        "\u{feff}{\"content\": \"good\"}",
        "",
        "not json",
        "{\"content\": \"\"}",
        "{\"content\": \"x\", \"category\": \"none\"}",
        "{\"content\": \"x\", \"created_at\": \"soon\"}",
        "{\"content\": \"x\", \"id\": \"../up\"}",
        "{\"content\": \"x\", \"scope\": \"user\"}",
        "{\"content\": \"x\", \"front_matter\": \"a: b\\n---\\nout of the head\\n\"}",
        "{\"content\": \"x\", \"front_matter\": \"id: other\\n\"}",
        "{\"id\": \"y\"}",
        "[1]",
        "{\"content\": \"good too\"}",
    ];
    let reply = import(&kind, &lines.join("\n"));
    assert_eq!(reply["created"], 2);
    let places: Vec<String> = reply["flaws"]
        .as_array()
        .unwrap()
        .iter()
        .map(|flaw| text(&flaw["place"]))
        .collect();
    let expected: Vec<String> = (3..=12).map(|n| format!("line {n}")).collect();
    assert_eq!(places, expected);
    check_order(&home);
}

#[test]
fn lines_of_others_are_read_kindly_and_twice_change_nothing() {
    let home = Home::new();
    let kind = open(&home);
    let lines = [
        json!({"id": "aaaa", "content": "ends with a return\r", "tags": ["", "x", "x"], "links": ["bbbb", "", "no id", "no id"]}),
        json!({"id": "bbbb", "content": "\r\nbegins with one", "front_matter": "mood: good", "unknown": 1}),
        json!({"id": "cccc", "content": "trailing\n\n", "links": ["aaaa", "cccc"]}),
        json!({"id": "dddd", "content": "trailing\n\n"}),
    ]
    .map(|line| line.to_string())
    .join("\n");
    assert_eq!(counts(&import(&kind, &lines)), [4, 0, 0, 0]);
    check_order(&home);
    let before = home.snapshot();
    assert_eq!(counts(&import(&kind, &lines)), [0, 0, 4, 0]);
    assert_eq!(home.snapshot(), before);
    assert_eq!(note(&kind, "aaaa")["content"], "ends with a return\r");
    assert_eq!(note(&kind, "bbbb")["content"], "\r\nbegins with one");
}

#[test]
fn an_import_replaces_by_id_and_links_stay_on_both_sides() {
    let home = Home::new();
    let kind = open(&home);
    let (a, b, c) = (write(&kind, "a"), write(&kind, "b"), write(&kind, "c"));
    link(&kind, &a, &b);
    let line = json!({"id": a, "content": "another a", "links": [c]}).to_string();
    let dry = call(&kind, "import", json!({"lines": line, "dry_run": true})).unwrap();
    assert_eq!(counts(&dry), [0, 1, 0, 0]);
    assert_eq!(note(&kind, &a)["content"], "a");
    assert_eq!(counts(&import(&kind, &line)), [0, 1, 0, 0]);
    assert_eq!(note(&kind, &a)["content"], "another a");
    check_order(&home);
    undo(&kind);
    assert_eq!(
        (note(&kind, &a)["content"].clone(), links(&kind, &a)),
        (json!("a"), vec![b])
    );
    check_order(&home);
}

#[test]
fn an_export_has_what_filters_admit() {
    let home = Home::new();
    let kind = open(&home);
    write_in(&kind, "people", "one");
    write_with(&kind, json!({"content": "two", "scope": "agent:claude"}));
    assert_eq!(
        call(&kind, "export", json!({"scope": "agent:claude"})).unwrap()["count"],
        1
    );
    assert_eq!(
        call(&kind, "export", json!({"category": "people"})).unwrap()["count"],
        1
    );
    assert_eq!(
        call(&kind, "export", json!({"category": "soul"})).unwrap()["count"],
        0
    );
}
