//! Reminders fire once, wait in `pending.md`, and are acknowledged.

use memory_core::{Code, Kind};
use memory_testkit::Home;
use serde_json::{Value, json};

use crate::common::*;

fn notify(kind: &dyn Kind, params: Value, seconds: i64) -> Value {
    call_at(kind, "notify", params, seconds).unwrap()
}

fn count(reply: &Value, list: &str) -> usize {
    reply[list].as_array().unwrap().len()
}

fn pending(home: &Home) -> String {
    std::fs::read_to_string(root(home).join("pending.md")).unwrap_or_default()
}

fn prepare(home: &Home) -> (memory_notes::Notes, String, String) {
    let kind = open(home);
    let soon = write_in(&kind, "reminders", "stretch in 30 minutes");
    let later = write_in(&kind, "reminders", "call Bob tomorrow at 9am");
    (kind, soon, later)
}

#[test]
fn a_reminder_fires_once_when_it_is_due() {
    let home = Home::new();
    let (kind, soon, _) = prepare(&home);
    assert_eq!(count(&notify(&kind, json!({}), 1799), "fired"), 0);
    let dry = notify(&kind, json!({"dry_run": true}), 1800);
    assert_eq!((count(&dry, "fired"), pending(&home).as_str()), (1, ""));
    let reply = notify(&kind, json!({}), 1800);
    assert_eq!(reply["fired"][0]["id"], soon);
    assert!(pending(&home).contains(&soon[..8]), "{}", pending(&home));
    let again = notify(&kind, json!({}), 1900);
    assert_eq!((count(&again, "fired"), count(&again, "pending")), (0, 1));
    assert_eq!(count(&notify(&kind, json!({}), DAY), "fired"), 1);
    assert_eq!(pending(&home).matches("- [ ]").count(), 2);
    check_order(&home);
}

#[test]
fn one_or_all_are_acknowledged_and_leave_the_page() {
    let home = Home::new();
    let (kind, soon, later) = prepare(&home);
    notify(&kind, json!({}), DAY);
    let reply = notify(&kind, json!({"ack": &soon[..6]}), DAY);
    assert_eq!(
        (count(&reply, "acknowledged"), count(&reply, "pending")),
        (1, 1)
    );
    assert!(!pending(&home).contains(&soon[..8]) && pending(&home).contains(&later[..8]));
    let reply = notify(&kind, json!({"ack_all": true}), DAY);
    assert_eq!(
        (count(&reply, "acknowledged"), count(&reply, "pending")),
        (1, 0)
    );
    assert!(!pending(&home).contains("- [ ]"));
    assert_eq!(count(&notify(&kind, json!({}), 2 * DAY), "fired"), 0);
    check_order(&home);
}

#[test]
fn what_is_no_reminder_is_told() {
    let home = Home::new();
    let kind = open(&home);
    let id = write(&kind, "no reminder");
    check_code(
        call(&kind, "notify", json!({ "ack": id })),
        Code::InvalidArgument,
    );
    check_code(
        call(&kind, "notify", json!({"ack": "nothing"})),
        Code::NotFound,
    );
}

#[test]
fn a_page_that_was_removed_or_changed_by_hand_tells_the_truth_again() {
    let home = Home::new();
    let (kind, soon, _) = prepare(&home);
    notify(&kind, json!({}), 1800);
    let page = pending(&home);
    std::fs::remove_file(root(&home).join("pending.md")).unwrap();
    notify(&kind, json!({}), 1900);
    assert_eq!(pending(&home), page);
    delete(&kind, &soon);
    assert!(!pending(&home).contains(&soon[..8]));
}
