//! Tags: added, removed, kept in order.

use memory_core::Code;
use memory_testkit::Home;
use serde_json::json;

use crate::common::*;

#[test]
fn tags_are_added_once_and_removed() {
    let home = Home::new();
    let kind = open(&home);
    let id = write_with(&kind, json!({"content": "x", "tags": ["a"]}));
    let tag = |params| call_at(&kind, "memory_tag", params, 60).unwrap();
    let reply = tag(json!({"id": id, "tags": ["#b", " c ", "a", "b"]}));
    assert_eq!(
        (&reply["tags"], &reply["changed"]),
        (&json!(["a", "b", "c"]), &json!(true))
    );
    let now = note(&kind, &id);
    assert_eq!(
        (&now["version"], &now["updated_at"]),
        (&json!(2), &json!("2026-05-07T10:01:00Z"))
    );
    assert_eq!(tag(json!({"id": id, "tags": ["a"]}))["changed"], false);
    assert_eq!(note(&kind, &id)["version"], 2);
    let reply = tag(json!({"id": id, "tags": ["d"], "remove": ["a", "none"]}));
    assert_eq!(reply["tags"], json!(["b", "c", "d"]));
    check_order(&home);
    undo(&kind);
    assert_eq!(note(&kind, &id)["tags"], json!(["a", "b", "c"]));
}

#[test]
fn what_is_no_tag_is_told() {
    let home = Home::new();
    let kind = open(&home);
    let id = write(&kind, "x");
    check_code(
        call(&kind, "memory_tag", json!({"id": id, "tags": []})),
        Code::InvalidArgument,
    );
    check_code(
        call(&kind, "memory_tag", json!({"id": id, "tags": ["a\nb"]})),
        Code::InvalidArgument,
    );
    check_code(
        call(&kind, "memory_tag", json!({"id": "nothing", "tags": ["a"]})),
        Code::NotFound,
    );
}

#[test]
fn odd_tags_come_back_as_they_are() {
    let home = Home::new();
    let kind = open(&home);
    let tags = [
        "true",
        "null",
        "1.5",
        "a: b",
        "- x",
        "\"q\"",
        "it's",
        "标签",
        "[x]",
        "a#b",
        "2026-05-07",
    ];
    let id = write_with(&kind, json!({"content": "x", "tags": tags}));
    assert_eq!(note(&kind, &id)["tags"], json!(tags));
    let found = call(&kind, "memory_list", json!({"tags": ["标签", "TRUE"]})).unwrap();
    assert_eq!(found["total"], 1);
}
