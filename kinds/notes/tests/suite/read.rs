//! Finding a note by its id, and what reading does to it.

use memory_core::{Code, Kind};
use memory_testkit::Home;
use serde_json::json;

use crate::common::*;

fn read(kind: &dyn Kind, id: &str) -> memory_core::Result<serde_json::Value> {
    call_at(kind, "memory_read", json!({ "id": id }), DAY)
}

#[test]
fn reading_counts_one_access_and_changes_nothing_else() {
    let home = Home::new();
    let kind = open(&home);
    let id = write_with(&kind, json!({"content": "x", "tags": ["a"]}));
    let before = read_file(file(&home, &id));
    assert_eq!(read(&kind, &id).unwrap()["access_count"], 1);
    assert_eq!(read(&kind, &id).unwrap()["access_count"], 2);
    assert_eq!(read_file(file(&home, &id)), before.replace("access_count: 0", "access_count: 2"));
    // Looking at it in other ways is no reading.
    call(&kind, "memory_list", json!({})).unwrap();
    call(&kind, "memory_search", json!({"query": "x"})).unwrap();
    assert_eq!(note(&kind, &id)["access_count"], 2);
    assert!(kind.steps().good.is_empty(), "reading is no step");
    check_order(&home);
}

#[test]
fn an_id_may_be_given_by_a_unique_beginning_of_four_characters() {
    let home = Home::new();
    let kind = open(&home);
    for id in ["abcd1111-x", "abcd2222-x", "ab", "ABCE-upper"] {
        let line = json!({"id": id, "content": format!("note {id}")}).to_string();
        call(&kind, "import", json!({ "lines": line })).unwrap();
    }
    assert_eq!(read(&kind, "abcd1").unwrap()["id"], "abcd1111-x");
    assert_eq!(read(&kind, "ABCD1111").unwrap()["id"], "abcd1111-x");
    assert_eq!(read(&kind, " abcd2222-x ").unwrap()["id"], "abcd2222-x");
    assert_eq!(read(&kind, "abce").unwrap()["id"], "ABCE-upper");
    assert_eq!(read(&kind, "ab").unwrap()["id"], "ab", "a whole id is never too short");
    let error = check_code(read(&kind, "abcd"), Code::AmbiguousId);
    assert_eq!(error.context["ids"], json!(["abcd1111-x", "abcd2222-x"]));
    check_code(read(&kind, "abc"), Code::InvalidArgument);
    check_code(read(&kind, ""), Code::InvalidArgument);
    check_code(read(&kind, "none-such"), Code::NotFound);
    check_code(read(&kind, "../../etc"), Code::NotFound);
    check_code(read(&kind, "中文字符"), Code::NotFound);
}

#[test]
fn a_damaged_note_is_told_as_damaged_and_not_as_missing() {
    let home = Home::new();
    let kind = open(&home);
    let id = write(&kind, "x");
    let text = read_file(file(&home, &id)).replace("created_at: 2026", "created_at: nonsense");
    std::fs::write(file(&home, &id), text).unwrap();
    for tool in ["memory_read", "memory_delete", "upgrade", "backlinks"] {
        check_code(call(&kind, tool, json!({ "id": &id[..8] })), Code::Corrupted);
    }
}
