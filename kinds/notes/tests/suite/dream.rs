//! Dreams: what each level does, what a dry run tells, and what is never done twice.

use memory_core::{Code, Kind};
use memory_testkit::Home;
use serde_json::{Value, json};

use crate::common::*;

fn dream(kind: &dyn Kind, level: u64, seconds: i64) -> Value {
    call_at(kind, "dream", json!({ "level": level }), seconds).unwrap()
}

fn count(reply: &Value, action: &str) -> usize {
    deeds(reply)
        .iter()
        .filter(|(done, _)| done == action)
        .count()
}

fn reminders(kind: &dyn Kind) -> Vec<Value> {
    notes(kind)
        .into_values()
        .filter(|note| note["category"] == "reminders")
        .collect()
}

#[test]
fn level_one_sorts_the_inbox_by_words() {
    let home = Home::new();
    let kind = open(&home);
    let expected = [
        ("the user prefers tabs", "preferences"),
        ("我的偏好是深色", "preferences"),
        ("I learned that the hard way", "lessons"),
        ("教训：先备份", "lessons"),
        ("xyzzy", "knowledge"),
    ];
    let ids: Vec<String> = expected
        .iter()
        .map(|(content, _)| write(&kind, content))
        .collect();
    let dry = call(&kind, "dream", json!({"level": 1, "dry_run": true})).unwrap();
    assert!(notes(&kind).values().all(|note| note["phase"] == "inbox"));
    let reply = dream(&kind, 1, 60);
    assert_eq!(deeds(&reply), deeds(&dry));
    for (id, (content, category)) in ids.iter().zip(expected) {
        assert_eq!(note(&kind, id)["category"], category, "{content}");
    }
    assert!(deeds(&dream(&kind, 1, 120)).is_empty());
    check_order(&home);
}

#[test]
fn level_two_also_merges_and_links() {
    let home = Home::new();
    let kind = open(&home);
    let plan = write(&kind, "Plan\nship the parser");
    let see = write(&kind, "see [[plan]] and [[nowhere]]");
    write_in(
        &kind,
        "knowledge",
        "The deploy script lives in tools/deploy and needs the staging token to run",
    );
    write_in(
        &kind,
        "knowledge",
        "the deploy script lives in tools/deploy, and needs the staging token to run",
    );
    let dry = call(&kind, "dream", json!({"level": 2, "dry_run": true})).unwrap();
    let before = bytes(&home);
    let reply = dream(&kind, 2, 60);
    assert_eq!(deeds(&reply), deeds(&dry));
    assert_eq!(
        (
            count(&reply, "classify"),
            count(&reply, "merge"),
            count(&reply, "link")
        ),
        (2, 1, 1)
    );
    assert_eq!(reply["unresolved"][0]["name"], "nowhere");
    assert_eq!(links(&kind, &plan), [see]);
    check_order(&home);
    assert!(deeds(&dream(&kind, 2, 120)).is_empty());
    undo(&kind);
    assert_eq!(bytes(&home), before);
}

#[test]
fn level_three_makes_each_reminder_once_only() {
    let home = Home::new();
    let kind = in_zone(&home, "Asia/Shanghai");
    let id = write_in(&kind, "people", "Call Bob tomorrow at 9am. Nothing else.");
    let dry = call(&kind, "dream", json!({"level": 3, "dry_run": true})).unwrap();
    assert_eq!(count(&dry, "remind"), 1);
    assert!(reminders(&kind).is_empty());
    let reply = dream(&kind, 3, 60);
    assert_eq!(count(&reply, "remind"), 1);
    let made = reminders(&kind);
    assert_eq!(made.len(), 1);
    // Nine in the morning in Shanghai.
    assert_eq!(made[0]["due_at"], "2026-05-08T01:00:00Z");
    assert_eq!(made[0]["links"], json!([id]));
    assert_eq!(links(&kind, &id), [text(&made[0]["id"])]);
    check_order(&home);
    for seconds in [120, DAY, 3 * DAY] {
        assert_eq!(count(&dream(&kind, 3, seconds), "remind"), 0);
    }
    delete(&kind, &text(&made[0]["id"]));
    assert_eq!(
        count(&dream(&kind, 3, 180), "remind"),
        0,
        "not even when it was deleted"
    );
    // Another zone means another moment, but no other phrase.
    assert_eq!(count(&dream(&open(&home), 3, 240), "remind"), 0);
    check_order(&home);
}

#[test]
fn the_links_in_a_reminders_sentence_are_made_by_the_same_dream() {
    let home = Home::new();
    let kind = open(&home);
    let plan = write_in(&kind, "project", "Plan\nship the parser");
    write_in(&kind, "knowledge", "Show [[plan]] to Ann tomorrow at 9am");
    dream(&kind, 3, 60);
    let reminder = reminders(&kind).remove(0);
    assert!(reminder["links"].as_array().unwrap().contains(&json!(plan)));
    assert!(deeds(&dream(&kind, 3, 120)).is_empty());
    check_order(&home);
}

#[test]
fn a_note_full_of_times_reminds_of_the_next_twenty() {
    let home = Home::new();
    let kind = open(&home);
    let day = |n: u32| format!("2026-{:02}-{:02}", 6 + n / 28, 1 + n % 28);
    // The last one stands first: what counts is when it is.
    let calendar: String = (0..60)
        .rev()
        .map(|n| format!("Call Ann on {} at 10:00.\n", day(n)))
        .collect();
    let id = write_in(&kind, "project", &calendar);
    assert_eq!(count(&dream(&kind, 3, 60), "remind"), 20);
    let mut due: Vec<String> = reminders(&kind)
        .iter()
        .map(|note| text(&note["due_at"]))
        .collect();
    due.sort();
    assert_eq!(
        due,
        (0..20)
            .map(|n| format!("{}T10:00:00Z", day(n)))
            .collect::<Vec<_>>()
    );
    assert_eq!(count(&dream(&kind, 3, 120), "remind"), 0);
    // The fixed clock says 7 May: on 14 June six of them have passed for more than a week.
    assert_eq!(count(&dream(&kind, 3, 38 * DAY), "remind"), 6);
    assert_eq!(links(&kind, &id).len(), 26);
    check_order(&home);
}

#[test]
fn a_sentence_that_stands_in_a_note_several_times_reminds_once() {
    let home = Home::new();
    let kind = open(&home);
    let call_ann = "Call Ann on 2026-06-01 at 10:00.\n";
    let content = format!("{}Call Bob on 2026-06-01 at 10:00.\n", call_ann.repeat(30));
    write_in(&kind, "project", &content);
    assert_eq!(count(&dream(&kind, 3, 60), "remind"), 2);
    assert_eq!(count(&dream(&kind, 3, 120), "remind"), 0);
}

#[test]
fn no_reminder_is_made_of_a_reminder() {
    let home = Home::new();
    let kind = open(&home);
    let id = write_in(&kind, "reminders", "pay the rent on 2026-06-01 at 14:30");
    assert_eq!(note(&kind, &id)["due_at"], "2026-06-01T14:30:00Z");
    assert_eq!(count(&dream(&kind, 3, 60), "remind"), 0);
    call(&kind, "upgrade", json!({"id": id, "category": "date"})).unwrap();
    assert_eq!(
        count(&dream(&kind, 3, 60), "remind"),
        0,
        "wherever it was moved"
    );
}

#[test]
fn what_is_merged_reminds_no_second_time() {
    let home = Home::new();
    let kind = open(&home);
    let old = json!({"id": "older", "content": "Meet tomorrow at noon", "category": "people",
                     "created_at": "2026-05-06T10:00:00Z"});
    call(&kind, "import", json!({ "lines": old.to_string() })).unwrap();
    write_in(&kind, "people", "meet  tomorrow at noon");
    let first = dream(&kind, 3, 60);
    assert_eq!(count(&first, "merge"), 1);
    let made = reminders(&kind).len();
    assert_eq!(count(&dream(&kind, 3, 120), "remind"), 0);
    assert_eq!(reminders(&kind).len(), made);
    check_order(&home);
}

#[test]
fn there_are_three_levels() {
    let home = Home::new();
    let kind = open(&home);
    for level in [0, 4, 99] {
        check_code(
            call(&kind, "dream", json!({ "level": level })),
            Code::InvalidArgument,
        );
    }
}
