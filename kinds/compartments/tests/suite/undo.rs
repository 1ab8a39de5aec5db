//! What was cleared comes back.

use memory_compartments::Compartments;
use memory_core::{Actor, Clock, Kind, Step};
use memory_testkit::{Home, clock};
use serde_json::json;

use crate::common::{call, contents, file, open, save, text, undo};

#[test]
fn what_was_cleared_comes_back_to_its_place_byte_for_byte() {
    let home = Home::new();
    let kind = open(&home);
    for (content, tag) in [("one", "a"), ("two", "b"), ("three", "a"), ("four", "b")] {
        let params = json!({"compartment": "session", "content": content, "tags": [tag]});
        call(&kind, "save_memory", params).unwrap();
    }
    let before = text(&home);
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
    assert_eq!(text(&home), before);
    assert_eq!(kind.steps().good.len(), 4, "the steps before it");
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
    let clearings = |kind: &Compartments| {
        let mut steps = kind.steps().good;
        steps.retain(|step| step.what.starts_with("clear"));
        steps
    };
    let undo = |step: &Step| {
        kind.undo(step, Actor::Person, clock().now())
            .unwrap()
            .unwrap()
    };
    undo(&clearings(&kind)[1]);
    assert_eq!(
        contents(&kind, json!({"compartment": "plan"})),
        ["one", "since"]
    );
    undo(&clearings(&kind)[0]);
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
                        .filter(|step| step.what.starts_with("clear"))
                        .filter(|step| {
                            kind.undo(step, Actor::Person, clock().now())
                                .unwrap()
                                .is_some()
                        })
                        .count()
                })
            })
            .collect();
        takers.into_iter().map(|taker| taker.join().unwrap()).sum()
    });
    assert_eq!(taken, 10);
    assert_eq!(contents(&kind, json!({"compartment": "session"})).len(), 10);
}

#[test]
fn a_saved_entry_is_removed_by_undo_and_comes_back_by_undoing_the_undo() {
    let home = Home::new();
    let kind = open(&home);
    save(&kind, "plan", "one");
    let one = text(&home);
    save(&kind, "plan", "two");
    let two = text(&home);
    undo(&kind);
    assert_eq!(text(&home), one);
    let redo = kind.undos().good.remove(0);
    kind.undo(&redo, Actor::Person, clock().now())
        .unwrap()
        .unwrap();
    assert_eq!(text(&home), two);
    assert!(kind.undos().good.is_empty(), "a redo is not redone");
    assert_eq!(kind.steps().good.len(), 2);
}

#[test]
fn an_entry_that_has_changed_since_stays_and_is_named() {
    let home = Home::new();
    let kind = open(&home);
    save(&kind, "plan", "one");
    std::fs::write(file(&home), text(&home).replace("one", "edited")).unwrap();
    let step = kind.steps().good[0].clone();
    let undone = kind
        .undo(&step, Actor::Person, clock().now())
        .unwrap()
        .unwrap();
    assert_eq!((undone.changes.len(), undone.conflicts.len()), (0, 1));
    assert!(text(&home).contains("edited"));
    assert_eq!(kind.steps().good.len(), 1, "the step can still be undone");
}

#[test]
fn the_trash_of_an_earlier_version_is_imported_once() {
    let home = Home::new();
    let kind = open(&home);
    save(&kind, "session", "stays");
    let trash = home
        .path()
        .join("work/.memory.json.trash/20260507T100000Z-000001-ab");
    std::fs::create_dir_all(&trash).unwrap();
    let entry = r#"{"id": "old", "content": "removed before", "access_count": 3}"#;
    let removed = format!(r#"[{{"compartment": "session", "place": 0, "entry": {entry}}}]"#);
    std::fs::write(trash.join("removed.json"), removed).unwrap();
    let now = Clock::system().now();
    let step = json!({
        "id": "20260507T100000Z-000001-ab", "kind": "compartments", "what": "clear 1 entry", "at": now,
    });
    std::fs::write(trash.join("step.json"), step.to_string()).unwrap();
    let imported = kind
        .steps()
        .good
        .into_iter()
        .find(|step| step.what == "clear 1 entry");
    assert!(!trash.exists() && kind.steps().good.len() == 2);
    kind.undo(&imported.unwrap(), Actor::Person, clock().now())
        .unwrap()
        .unwrap();
    let now = contents(&kind, json!({"compartment": "session"}));
    assert_eq!(now, ["removed before", "stays"]);
}
