//! What was cleared comes back.

use memory_core::Kind;
use memory_testkit::{Home, clock};
use serde_json::json;

use crate::common::{call, contents, open, save, text, undo};

#[test]
fn what_was_cleared_comes_back_to_its_place_byte_for_byte() {
    let home = Home::new();
    let kind = open(&home);
    for (content, tag) in [("one", "a"), ("two", "b"), ("three", "a"), ("four", "b")] {
        let params = json!({"compartment": "session", "content": content, "tags": [tag]});
        call(&kind, "save_memory", params).unwrap();
    }
    let before = home.snapshot();
    call(
        &kind,
        "clear_memory",
        json!({"compartment": "session", "tags": ["a"]}),
    )
    .unwrap();
    assert_eq!(
        kind.steps().good[0].what,
        "clear 2 entries from the session memory"
    );
    undo(&kind);
    assert_eq!(home.snapshot(), before);
    assert!(kind.steps().good.is_empty());
}

#[test]
fn what_was_saved_since_stays_and_steps_do_not_bring_back_each_others_entries() {
    let home = Home::new();
    let kind = open(&home);
    let (one, two) = (save(&kind, "plan", "one"), save(&kind, "plan", "two"));
    call(
        &kind,
        "clear_memory",
        json!({"compartment": "plan", "id": one}),
    )
    .unwrap();
    call(
        &kind,
        "clear_memory",
        json!({"compartment": "plan", "id": two}),
    )
    .unwrap();
    save(&kind, "plan", "since");
    let first = kind
        .steps()
        .good
        .into_iter()
        .find(|step| step.id.contains("-000001-"))
        .unwrap();
    kind.undo(&first, clock().now()).unwrap().unwrap();
    assert_eq!(
        contents(&kind, json!({"compartment": "plan"})),
        ["one", "since"]
    );
    undo(&kind);
    assert_eq!(contents(&kind, json!({"compartment": "plan"})).len(), 3);
}

#[test]
fn a_run_that_was_ended_by_mistake_comes_back() {
    let home = Home::new();
    let kind = open(&home);
    call(
        &kind,
        "save_memory",
        json!({"compartment": "run", "content": "c", "run": "r"}),
    )
    .unwrap();
    let before = text(&home);
    call(&kind, "end_run", json!({"run": "r"})).unwrap();
    assert_eq!(kind.steps().good[0].what, "end run 'r', 1 entry");
    undo(&kind);
    assert_eq!(text(&home), before);
}

#[test]
fn clearing_nothing_leaves_no_step_and_writes_nothing() {
    let home = Home::new();
    let kind = open(&home);
    save(&kind, "session", "c");
    let before = home.snapshot();
    call(&kind, "clear_memory", json!({"compartment": "plan"})).unwrap();
    call(&kind, "end_run", json!({})).unwrap();
    assert_eq!(home.snapshot(), before);
}

#[test]
fn a_step_is_taken_back_once() {
    let home = Home::new();
    let kind = open(&home);
    for n in 0..10 {
        save(&kind, "session", &format!("{n}"));
        call(&kind, "clear_memory", json!({"compartment": "session"})).unwrap();
    }
    let taken: usize = std::thread::scope(|scope| {
        let takers: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    let kind = open(&home);
                    let steps = kind.steps().good;
                    steps
                        .iter()
                        .filter(|step| kind.undo(step, clock().now()).unwrap().is_some())
                        .count()
                })
            })
            .collect();
        takers.into_iter().map(|taker| taker.join().unwrap()).sum()
    });
    assert_eq!(taken, 10);
    assert_eq!(contents(&kind, json!({"compartment": "session"})).len(), 10);
}
