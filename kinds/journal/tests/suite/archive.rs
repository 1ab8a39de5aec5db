//! What is archived, when, and by whom.

use memory_core::{Code, Kind, Rehearsal, parse_instant};
use memory_testkit::Home;
use serde_json::{Value, json};

use crate::common::{
    DAY, add, call, call_at, check_code, contents, core, get, names, open, query, text,
};

fn archived_at(kind: &dyn Kind, day: i64) -> Vec<Value> {
    let reply = call_at(kind, "archive", json!({}), day * DAY).unwrap();
    reply["archived"]
        .as_array()
        .unwrap()
        .iter()
        .map(|moved| moved["title"].clone())
        .collect()
}

#[test]
fn a_learning_rests_90_days_after_its_last_access() {
    let home = Home::new();
    let journal = open(&home);
    add(&journal, json!({"type": "learning", "content": "idle"}));
    add(&journal, json!({"type": "learning", "content": "used"}));
    call_at(
        &journal,
        "query_memories",
        json!({"text": "used"}),
        10 * DAY,
    )
    .unwrap();
    assert_eq!(archived_at(&journal, 89), Vec::<Value>::new());
    assert_eq!(archived_at(&journal, 90), ["idle"]);
    assert_eq!(archived_at(&journal, 99), Vec::<Value>::new());
    assert_eq!(archived_at(&journal, 100), ["used"]);
    assert_eq!(names(&home, "archive/2026"), ["learnings_2026_Q3.jsonl"]);
    assert_eq!(
        contents(&journal, json!({"archived": true})),
        ["used", "idle"]
    );
    assert_eq!(text(&home, "learnings.jsonl"), "");
}

#[test]
fn a_task_rests_30_days_after_its_completion_and_an_open_one_never() {
    let home = Home::new();
    let journal = open(&home);
    for (content, status) in [("done", "completed"), ("going", "in-progress")] {
        add(
            &journal,
            json!({"type": "task", "content": content, "status": status}),
        );
    }
    add(
        &journal,
        json!({"type": "task", "content": "stuck", "blockers": ["x"]}),
    );
    add(&journal, json!({"type": "task", "content": "vague"}));
    core(&journal, "stays");
    assert_eq!(archived_at(&journal, 29), Vec::<Value>::new());
    assert_eq!(archived_at(&journal, 30), ["done"]);
    assert_eq!(archived_at(&journal, 5000), Vec::<Value>::new());
}

#[test]
fn the_daemons_task_is_the_same_work_and_a_dry_run_only_tells() {
    let home = Home::new();
    let journal = open(&home);
    add(
        &journal,
        json!({"type": "task", "content": "done", "status": "completed"}),
    );
    let later = parse_instant("2026-12-31T00:00:00Z").unwrap();
    let task = &journal.tasks()[0];
    let before = home.snapshot();
    let (report, changes) = task.run(later, Rehearsal::Dry).unwrap();
    assert!(report.lines[0].contains("done") && changes.is_empty());
    assert_eq!(home.snapshot(), before);
    let (report, changes) = task.run(later, Rehearsal::Real).unwrap();
    assert_eq!((report.lines.len(), changes.len()), (1, 1));
    assert_eq!(names(&home, "archive/2026"), ["tasks_2026_Q4.jsonl"]);
}

#[test]
fn a_deleted_record_goes_to_the_archive_of_the_quarter() {
    let home = Home::new();
    let journal = open(&home);
    let id = core(&journal, "old news");
    let reply = call(&journal, "delete_memory", json!({"id": id})).unwrap();
    assert_eq!(reply["path"], "archive/2026/core_memories_2026_Q2.jsonl");
    assert_eq!(query(&journal, json!({}))["total"], 0);
    let archived = query(&journal, json!({"archived": true}));
    assert_eq!(
        (
            &archived["records"][0]["id"],
            &archived["records"][0]["archived"]
        ),
        (&json!(id), &json!(true))
    );
    assert_eq!(get(&journal, &id)["archived"], true);
    check_code(
        call(&journal, "update_memory", json!({"id": id, "content": "x"})),
        Code::InvalidArgument,
    );
    check_code(
        call(&journal, "delete_memory", json!({"id": id})),
        Code::InvalidArgument,
    );
    call(
        &journal,
        "delete_memory",
        json!({"id": id, "permanent": true}),
    )
    .unwrap();
    check_code(call(&journal, "get", json!({"id": id})), Code::NotFound);
    let next = core(&journal, "gone at once");
    call(
        &journal,
        "delete_memory",
        json!({"id": next, "permanent": true}),
    )
    .unwrap();
    check_code(call(&journal, "get", json!({"id": next})), Code::NotFound);
}
