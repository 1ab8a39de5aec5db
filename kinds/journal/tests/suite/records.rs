//! What a record may be, row by row of the specification's table.

use memory_core::Code;
use memory_testkit::Home;
use serde_json::{Value, json};

use crate::common::{add, call, call_at, check_code, core, get, open, put, text};

#[track_caller]
fn check(params: Value, code: Option<Code>) {
    let home = Home::new();
    let ended = call(&open(&home), "store_memory", params);
    match code {
        None => drop(ended.unwrap()),
        Some(code) => {
            check_code(ended, code);
            assert!(
                home.snapshot().is_empty(),
                "a refused record leaves nothing"
            );
        }
    }
}

#[test]
fn each_field_is_taken_at_its_edge_and_refused_beyond() {
    let core = |changes: Value| {
        let mut params = json!({"type": "core", "content": "x"});
        for (name, value) in changes.as_object().unwrap() {
            params[name] = value.clone();
        }
        params
    };
    let many = |count: usize| (0..count).map(|n| format!("t{n}")).collect::<Vec<_>>();
    let (limit, bad) = (Some(Code::LimitExceeded), Some(Code::InvalidArgument));
    check(core(json!({"content": "中".repeat(5000)})), None);
    check(core(json!({"content": "中".repeat(5001)})), limit);
    check(core(json!({"content": ""})), bad);
    check(core(json!({"category": "c".repeat(50)})), None);
    check(core(json!({"category": "c".repeat(51)})), limit);
    check(core(json!({"tags": many(10)})), None);
    check(core(json!({"tags": many(11)})), limit);
    check(core(json!({"tags": ["t".repeat(30)]})), None);
    check(core(json!({"tags": ["t".repeat(31)]})), limit);
    check(core(json!({"importance": "low"})), None);
    check(core(json!({"importance": "urgent"})), bad);
    check(core(json!({"type": "fact"})), bad);
    check(core(json!({"status": "completed"})), bad);
    check(core(json!({"colour": "red"})), bad);
}

#[test]
fn a_record_is_one_line_with_the_specifications_fields() {
    let home = Home::new();
    let journal = open(&home);
    let params = json!({"type": "core", "content": "two\nlines", "category": "fact", "tags": ["a", "b"], "importance": "high"});
    let id = add(&journal, params);
    let line = format!(
        r#"{{"id":"{id}","type":"core","content":"two\nlines","category":"fact","created_at":"2026-05-07T10:00:00Z","updated_at":"2026-05-07T10:00:00Z","accessed_at":"2026-05-07T10:00:00Z","access_count":0,"tags":["a","b"],"importance":"high","archived":false}}"#
    );
    assert_eq!(text(&home, "core_memories.jsonl"), format!("{line}\n"));
}

#[test]
fn the_status_of_a_task_brings_what_belongs_to_it() {
    let home = Home::new();
    let journal = open(&home);
    let task = |changes: Value| {
        let mut params = json!({"type": "task", "content": "x"});
        for (name, value) in changes.as_object().unwrap() {
            params[name] = value.clone();
        }
        call(&journal, "store_memory", params).map(|record| record["task_metadata"].clone())
    };
    let now = "2026-05-07T10:00:00Z";
    assert_eq!(task(json!({})).unwrap(), Value::Null);
    assert_eq!(
        task(json!({"status": "in-progress"})).unwrap(),
        json!({"status": "in-progress"})
    );
    let done = json!({"status": "completed", "completed_at": now, "outcome": "ok"});
    assert_eq!(
        task(json!({"status": "completed", "outcome": "ok"})).unwrap(),
        done
    );
    assert_eq!(task(json!({"outcome": "ok"})).unwrap(), done);
    let blocked = json!({"status": "blocked", "blockers": ["a", "b"]});
    assert_eq!(task(json!({"blockers": ["a", "b"]})).unwrap(), blocked);
    check_code(task(json!({"status": "blocked"})), Code::InvalidArgument);
    check_code(
        task(json!({"status": "blocked", "blockers": [""]})),
        Code::InvalidArgument,
    );
    check_code(
        task(json!({"status": "completed", "blockers": ["a"]})),
        Code::InvalidArgument,
    );
    check_code(
        task(json!({"status": "in-progress", "outcome": "ok"})),
        Code::InvalidArgument,
    );
}

#[test]
fn a_task_moves_from_blocked_to_completed_and_its_completion_is_told_once() {
    let home = Home::new();
    let journal = open(&home);
    let id = add(
        &journal,
        json!({"type": "task", "content": "x", "blockers": ["a"]}),
    );
    let update = |changes: Value, seconds: i64| {
        let mut params = json!({"id": id});
        for (name, value) in changes.as_object().unwrap() {
            params[name] = value.clone();
        }
        call_at(&journal, "update_memory", params, seconds).unwrap()["task_metadata"].clone()
    };
    let completed = json!({"status": "completed", "completed_at": "2026-05-07T10:01:00Z"});
    assert_eq!(update(json!({"status": "completed"}), 60), completed);
    let told =
        json!({"status": "completed", "completed_at": "2026-05-07T10:01:00Z", "outcome": "fine"});
    assert_eq!(update(json!({"outcome": "fine"}), 120), told);
    assert_eq!(
        update(json!({"status": "in-progress"}), 180),
        json!({"status": "in-progress"})
    );
}

#[test]
fn an_update_changes_what_it_names_and_no_other_line() {
    let home = Home::new();
    let journal = open(&home);
    let newer = r#"{"id":"550e8400-e29b-41d4-a716-446655440000","type":"core","content":"x","created_at":"2026-01-01T12:00:00+02:00","updated_at":"2026-01-01T10:00:00Z","accessed_at":"2026-01-01T10:00:00Z","access_count":0,"tags":[],"importance":"medium","archived":false,"weight":1.00000000000000000000001}"#;
    put(
        &home,
        "core_memories.jsonl",
        &format!("{newer}\nnot a record\n{{\"id\":\"half"),
    );
    let id = core(&journal, "second");
    let reply = call_at(
        &journal,
        "update_memory",
        json!({"id": &id[..8], "content": "third", "tags": ["t"], "category": "c"}),
        60,
    )
    .unwrap();
    assert_eq!(
        (reply["content"].as_str(), reply["updated_at"].as_str()),
        (Some("third"), Some("2026-05-07T10:01:00Z"))
    );
    let now = text(&home, "core_memories.jsonl");
    assert!(
        now.starts_with(&format!(
            "{newer}\nnot a record\n{{\"id\":\"half\n{{\"id\":\"{id}\""
        )),
        "{now}"
    );
    let cleared = call(&journal, "update_memory", json!({"id": id, "category": ""})).unwrap();
    assert_eq!(cleared.get("category"), None);
    let touched = call(
        &journal,
        "update_memory",
        json!({"id": "550e8400", "importance": "high"}),
    )
    .unwrap();
    assert!(touched["weight"].is_number());
    assert!(text(&home, "core_memories.jsonl").contains("1.00000000000000000000001"));
    check_code(
        call(&journal, "update_memory", json!({"id": id})),
        Code::InvalidArgument,
    );
}

#[test]
fn ids_may_be_shortened_but_not_guessed() {
    let home = Home::new();
    let journal = open(&home);
    let (a, b) = (
        "550e8400-e29b-41d4-a716-446655440000",
        "550e8400-e29b-41d4-a716-446655440001",
    );
    let id = core(&journal, "x");
    let line = text(&home, "core_memories.jsonl");
    put(
        &home,
        "core_memories.jsonl",
        &[line.replace(&id, a), line.replace(&id, b)].concat(),
    );
    assert_eq!(get(&journal, a)["id"], a);
    assert_eq!(get(&journal, &a.to_uppercase())["id"], a);
    check_code(
        call(&journal, "get", json!({"id": "550e8400"})),
        Code::AmbiguousId,
    );
    check_code(
        call(&journal, "get", json!({"id": "550"})),
        Code::InvalidArgument,
    );
    check_code(
        call(&journal, "get", json!({"id": "ffff0000"})),
        Code::NotFound,
    );
    check_code(
        call(
            &journal,
            "update_memory",
            json!({"id": "ffff0000", "content": "y"}),
        ),
        Code::NotFound,
    );
    check_code(
        call(&journal, "delete_memory", json!({"id": "ffff0000"})),
        Code::NotFound,
    );
}
