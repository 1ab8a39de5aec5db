//! Finding a note by its id, and what reading does to it.

use memory_core::{Code, Kind};
use memory_testkit::Home;
use serde_json::json;

use crate::common::*;

fn read(kind: &dyn Kind, id: &str) -> memory_core::Result<serde_json::Value> {
    call_at(kind, "memory_read", json!({ "id": id }), DAY)
}

/// Returns the lines of a note that being used does not change, in the categories it may move to.
fn front(text: &str) -> Vec<&str> {
    let changes = ["phase", "category", "updated_at", "expires_at", "version"];
    text.lines()
        .filter(|line| !changes.iter().any(|name| line.starts_with(name)))
        .collect()
}

#[test]
fn reading_counts_one_access_and_changes_nothing_else() {
    let home = Home::new();
    let kind = open(&home);
    let id = write_with(&kind, json!({"content": "x", "tags": ["a"]}));
    let before = read_file(file(&home, &id));
    assert_eq!(read(&kind, &id).unwrap()["access_count"], 1);
    assert_eq!(read(&kind, &id).unwrap()["access_count"], 2);
    assert_eq!(
        read_file(file(&home, &id)),
        before,
        "a read rewrites no note"
    );
    call(&kind, "memory_list", json!({})).unwrap();
    assert_eq!(
        note(&kind, &id)["access_count"],
        2,
        "a list shows the sum, and does not count"
    );
    call(&kind, "memory_search", json!({"query": "x"})).unwrap();
    call(&kind, "memory_smart_search", json!({"query": "x"})).unwrap();
    kind.record_access(&[&id]);
    assert_eq!(
        note(&kind, &id)["access_count"],
        5,
        "being found or delivered counts"
    );
    assert!(kind.steps().good.is_empty(), "reading is no step");
    check_order(&home);
    call_at(&kind, "consolidate", json!({}), DAY).unwrap();
    let merged = before.replace("access_count: 0", "access_count: 5");
    assert_eq!(
        front(&read_file(file(&home, &id))),
        front(&merged),
        "maintenance merges the counts"
    );
    assert_eq!(note(&kind, &id)["access_count"], 5);
    read(&kind, &id).unwrap();
    call_at(&kind, "consolidate", json!({}), DAY + 60).unwrap();
    assert!(
        read_file(file(&home, &id)).contains("access_count: 5"),
        "at most once a day"
    );
    call_at(&kind, "consolidate", json!({}), 2 * DAY).unwrap();
    assert!(read_file(file(&home, &id)).contains("access_count: 6"));
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
    assert_eq!(
        read(&kind, "ab").unwrap()["id"],
        "ab",
        "a whole id is never too short"
    );
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
        check_code(
            call(&kind, tool, json!({ "id": &id[..8] })),
            Code::Corrupted,
        );
    }
}
