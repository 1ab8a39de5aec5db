//! What was changed or taken away comes back, unless someone has changed it since.

use memory_core::{Code, Kind};
use memory_testkit::{Home, clock};
use serde_json::json;

use crate::common::{DAY, add, call, call_at, contents, core, get, open, query, text};

fn undo(kind: &dyn Kind) -> memory_core::Result<usize> {
    let step = kind
        .steps()
        .good
        .into_iter()
        .next()
        .expect("there is a step");
    kind.undo(&step, memory_core::Actor::Person, clock().now())
        .map(|changes| changes.expect("nobody else took it back").changes.len())
}

#[test]
fn a_delete_an_update_and_an_archive_can_be_taken_back() {
    let home = Home::new();
    let journal = open(&home);
    core(&journal, "first");
    let id = core(&journal, "second");
    core(&journal, "third");
    let before = text(&home, "core_memories.jsonl");
    for (tool, params) in [
        ("delete_memory", json!({"id": id})),
        ("delete_memory", json!({"id": id, "permanent": true})),
        ("update_memory", json!({"id": id, "content": "changed"})),
    ] {
        call(&journal, tool, params.clone()).unwrap();
        assert_ne!(text(&home, "core_memories.jsonl"), before);
        assert_eq!(undo(&journal).unwrap(), 1);
        assert_eq!(
            text(&home, "core_memories.jsonl"),
            before,
            "{tool} {params}"
        );
        assert_eq!(text(&home, "archive/2026/core_memories_2026_Q2.jsonl"), "");
        assert!(journal.steps().good.is_empty());
    }
    add(&journal, json!({"type": "learning", "content": "one"}));
    add(&journal, json!({"type": "learning", "content": "two"}));
    call_at(&journal, "archive", json!({}), 100 * DAY).unwrap();
    assert_eq!(undo(&journal).unwrap(), 2);
    assert_eq!(
        contents(&journal, json!({"type": "learning"})),
        ["two", "one"]
    );
    assert_eq!(query(&journal, json!({"archived": true}))["total"], 0);
}

#[test]
fn what_was_removed_from_the_archive_comes_back_into_it() {
    let home = Home::new();
    let journal = open(&home);
    let id = core(&journal, "x");
    call(&journal, "delete_memory", json!({"id": id})).unwrap();
    call_at(
        &journal,
        "delete_memory",
        json!({"id": id, "permanent": true}),
        1,
    )
    .unwrap();
    undo(&journal).unwrap();
    assert_eq!(get(&journal, &id)["archived"], true);
    undo(&journal).unwrap();
    assert_eq!(get(&journal, &id)["archived"], false);
}

#[test]
fn being_read_is_no_change_but_another_update_is() {
    let home = Home::new();
    let journal = open(&home);
    let id = core(&journal, "one");
    call(
        &journal,
        "update_memory",
        json!({"id": id, "content": "two"}),
    )
    .unwrap();
    query(&journal, json!({}));
    undo(&journal).unwrap();
    let record = get(&journal, &id);
    assert_eq!(
        (&record["content"], &record["access_count"]),
        (&json!("one"), &json!(1))
    );
    call(
        &journal,
        "update_memory",
        json!({"id": id, "content": "two"}),
    )
    .unwrap();
    let step = journal.steps().good.remove(0);
    call_at(
        &journal,
        "update_memory",
        json!({"id": id, "content": "three"}),
        1,
    )
    .unwrap();
    let error = journal
        .undo(&step, memory_core::Actor::Person, clock().now())
        .unwrap_err();
    assert_eq!(error.code, Code::Conflict);
    assert_eq!(get(&journal, &id)["content"], "three");
}
