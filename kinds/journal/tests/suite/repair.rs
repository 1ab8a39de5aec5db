//! Each kind of damage is told with its line, and mended without a loss.

use memory_core::{Code, Kind, Rehearsal};
use memory_testkit::{Home, clock};
use serde_json::{Value, json};

use crate::common::{call, check_code, contents, core, index, line, names, open, path, put, text};

fn look(home: &Home) -> Vec<(String, String)> {
    let flaws = open(home).repair(clock().now(), Rehearsal::Dry).unwrap();
    flaws
        .into_iter()
        .map(|flaw| (flaw.place, flaw.problem))
        .collect()
}

fn mend(home: &Home) -> Value {
    let reply = call(&open(home), "repair", json!({})).unwrap();
    assert_eq!(reply["healthy"], true, "{reply}");
    assert_eq!(look(home), []);
    reply
}

fn corrupt_copies(home: &Home) -> Vec<String> {
    names(home, "")
        .into_iter()
        .filter(|name| name.contains(".corrupt-"))
        .collect()
}

#[test]
fn syntax_schema_and_duplicates_are_each_seen_to() {
    let home = Home::new();
    let good = line(1, "task", json!({}));
    let damaged = [
        good.as_str(),
        "{\"id\": oops\n",
        &line(2, "task", json!({"importance": "top", "tags": null})),
        &line(1, "task", json!({"content": "a duplicate"})),
        "{\"id\":\"x\"}\n",
    ]
    .concat();
    put(&home, "tasks.jsonl", &damaged);
    let told = look(&home);
    let places: Vec<&str> = told.iter().map(|(place, _)| place.as_str()).collect();
    assert_eq!(
        places,
        [
            "tasks.jsonl:2",
            "tasks.jsonl:3",
            "tasks.jsonl:4",
            "tasks.jsonl:5"
        ]
    );
    assert!(
        told[0].1.starts_with("Invalid JSON") && told[1].1.starts_with("Invalid schema"),
        "{told:?}"
    );
    assert_eq!(
        told[2].1,
        "Duplicate id 550e8400-e29b-41d4-a716-000000000001"
    );
    assert_eq!(
        text(&home, "tasks.jsonl"),
        damaged,
        "a look changes nothing"
    );
    let reply = mend(&home);
    assert_eq!(reply["files"][2]["status"], "repaired");
    let copy = reply["files"][2]["original"].as_str().unwrap().to_owned();
    assert_eq!(
        (copy.as_str(), text(&home, &copy)),
        ("tasks.jsonl.corrupt-20260507T100000Z", damaged)
    );
    let now = text(&home, "tasks.jsonl");
    assert!(
        now.starts_with(&good)
            && now.lines().count() == 2
            && now.contains("\"importance\":\"medium\""),
        "{now}"
    );
    assert_eq!(index(&home)["statistics"]["total_memories"], 2);
}

#[test]
fn a_line_that_is_no_json_comes_back_from_a_backup() {
    let home = Home::new();
    let journal = open(&home);
    let id = core(&journal, "precious");
    let other = core(&journal, "other");
    call(
        &journal,
        "update_memory",
        json!({"id": other, "content": "changed"}),
    )
    .unwrap();
    let now = text(&home, "core_memories.jsonl");
    put(
        &home,
        "core_memories.jsonl",
        &now.replace("\"content\":\"precious\"", "\"content\":\"prec"),
    );
    mend(&home);
    assert_eq!(contents(&journal, json!({})), ["changed", "precious"]);
    assert_eq!(
        call(&journal, "get", json!({"id": id})).unwrap()["content"],
        "precious"
    );
}

#[test]
fn a_file_without_a_record_comes_back_from_the_newest_backup() {
    for ruin in ["\u{0}\u{0}\u{0}garbage\n", ""] {
        let home = Home::new();
        let journal = open(&home);
        let id = core(&journal, "one");
        call(
            &journal,
            "update_memory",
            json!({"id": id, "content": "two"}),
        )
        .unwrap();
        call(
            &journal,
            "update_memory",
            json!({"id": id, "content": "three"}),
        )
        .unwrap();
        put(&home, "core_memories.jsonl", ruin);
        assert_eq!(look(&home).len(), 1, "{ruin:?}");
        mend(&home);
        assert_eq!(contents(&journal, json!({})), ["two"], "{ruin:?}");
        assert_eq!(corrupt_copies(&home).len(), 1);
    }
}

#[test]
fn without_a_backup_a_file_is_built_from_the_archive() {
    let home = Home::new();
    put(
        &home,
        "archive/2025/learnings_2025_Q4.jsonl",
        &line(1, "learning", json!({"archived": true})),
    );
    put(&home, "learnings.jsonl", "garbage\n");
    mend(&home);
    assert_eq!(contents(&open(&home), json!({})), ["memory 1"]);
    assert_eq!(
        text(&home, "learnings.jsonl.corrupt-20260507T100000Z"),
        "garbage\n"
    );
}

#[test]
fn a_file_that_was_lost_comes_back() {
    let home = Home::new();
    let journal = open(&home);
    let id = core(&journal, "one");
    call(
        &journal,
        "update_memory",
        json!({"id": id, "content": "two"}),
    )
    .unwrap();
    std::fs::remove_file(path(&home, "core_memories.jsonl")).unwrap();
    assert_eq!(
        look(&home),
        [(
            "core_memories.jsonl".to_owned(),
            "The records are missing".to_owned()
        )]
    );
    mend(&home);
    assert_eq!(contents(&journal, json!({})), ["one"]);
}

#[test]
fn half_a_line_at_the_end_is_set_aside() {
    let home = Home::new();
    put(
        &home,
        "tasks.jsonl",
        &(line(1, "task", json!({})) + "{\"id\":\"550e"),
    );
    assert_eq!(
        look(&home),
        [(
            "tasks.jsonl".to_owned(),
            "The last line is incomplete".to_owned()
        )]
    );
    mend(&home);
    assert_eq!(text(&home, "tasks.jsonl"), line(1, "task", json!({})));
    assert_eq!(corrupt_copies(&home).len(), 1);
}

#[test]
fn five_backups_are_kept_and_any_of_them_can_be_restored() {
    let home = Home::new();
    let journal = open(&home);
    let id = core(&journal, "0");
    for n in 1..=7 {
        call(
            &journal,
            "update_memory",
            json!({"id": id, "content": n.to_string()}),
        )
        .unwrap();
    }
    let backups = call(&journal, "backups", json!({})).unwrap();
    let listed: Vec<&str> = backups["backups"]
        .as_array()
        .unwrap()
        .iter()
        .map(|b| b["name"].as_str().unwrap())
        .collect();
    let name = |n: usize| format!("core_memories.jsonl.backup.20260507_100000_{n:03}");
    assert_eq!(listed, [name(6), name(5), name(4), name(3), name(2)]);
    // The oldest makes room for the copy of what is there, and is restored all the same.
    let reply = call(&journal, "restore_backup", json!({"name": name(2)})).unwrap();
    assert_eq!(
        (&reply["records"], &reply["backup"]),
        (&json!(1), &json!(name(7)))
    );
    assert_eq!(contents(&journal, json!({})), ["2"]);
    assert_eq!(names(&home, ".backup").len(), 5);
    call(&journal, "restore_backup", json!({"name": name(7)})).unwrap();
    assert_eq!(contents(&journal, json!({})), ["7"]);
    for bad in [
        "nothing",
        "core_memories.jsonl.backup.x",
        "../core_memories.jsonl",
        "core_memories.jsonl.backup./../../x",
    ] {
        check_code(
            call(&journal, "restore_backup", json!({"name": bad})),
            Code::NotFound,
        );
    }
}
