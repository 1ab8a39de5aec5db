//! Upgrade, expire, decay and consolidate: the rules of the daemon, run by hand.

use memory_core::{Code, Kind};
use memory_testkit::Home;
use serde_json::{Value, json};

use crate::common::*;

fn import(kind: &dyn Kind, note: Value) {
    call(kind, "import", json!({ "lines": note.to_string() })).unwrap();
}

fn consolidate_at(kind: &dyn Kind, seconds: i64) -> Vec<(String, String)> {
    let dry = call_at(kind, "consolidate", json!({"dry_run": true}), seconds).unwrap();
    let real = call_at(kind, "consolidate", json!({}), seconds).unwrap();
    assert_eq!(
        deeds(&dry),
        deeds(&real),
        "a dry run names what will be done"
    );
    assert!(
        real["deeds"]
            .as_array()
            .unwrap()
            .iter()
            .all(|deed| !text(&deed["why"]).is_empty())
    );
    deeds(&real)
}

#[test]
fn an_upgraded_note_moves_and_keeps_everything_else() {
    let home = Home::new();
    let kind = open(&home);
    let id = write_with(&kind, json!({"content": "she prefers tea", "tags": ["a"]}));
    let other = write(&kind, "other");
    link(&kind, &id, &other);
    call(&kind, "memory_read", json!({ "id": id })).unwrap();
    let before = note(&kind, &id);
    let dry = call_at(&kind, "upgrade", json!({"id": id, "dry_run": true}), 60).unwrap();
    assert_eq!(note(&kind, &id), before);
    let reply = call_at(&kind, "upgrade", json!({ "id": id }), 60).unwrap();
    assert_eq!(
        (&reply["category"], &reply["path"]),
        (&dry["category"], &dry["path"])
    );
    assert_eq!(reply["category"], "preferences");
    assert_eq!(text(&reply["path"]), file(&home, &id).to_str().unwrap());
    let now = note(&kind, &id);
    for field in [
        "id",
        "content",
        "created_at",
        "access_count",
        "tags",
        "links",
        "scope",
    ] {
        assert_eq!(now[field], before[field], "{field}");
    }
    assert!(now["expires_at"].is_null() && now["phase"] == "organized");
    check_code(
        call(&kind, "upgrade", json!({ "id": id })),
        Code::InvalidArgument,
    );
    call(&kind, "upgrade", json!({"id": id, "category": "people"})).unwrap();
    assert_eq!(files(&home).len(), 2);
    check_code(
        call(&kind, "upgrade", json!({"id": id, "category": "inbox"})),
        Code::InvalidArgument,
    );
    check_order(&home);
}

#[test]
fn a_note_expires_after_its_time_in_the_inbox() {
    let home = Home::new();
    let kind = open(&home);
    let (inbox, kept) = (write(&kind, "waits"), write_in(&kind, "soul", "stays"));
    assert!(consolidate_at(&kind, 7 * DAY - 1).is_empty());
    assert_eq!(
        consolidate_at(&kind, 7 * DAY),
        [("expire".to_owned(), inbox.clone())]
    );
    assert_eq!(notes(&kind).into_keys().collect::<Vec<_>>(), [kept]);
    check_order(&home);
    undo(&kind);
    assert!(notes(&kind).contains_key(&inbox));
}

#[test]
fn only_old_unread_sorted_notes_decay_and_reminders_stay() {
    let home = Home::new();
    let kind = open(&home);
    let (unread, read) = (
        write_in(&kind, "soul", "unread"),
        write_in(&kind, "soul", "read"),
    );
    let reminder = write_in(&kind, "reminders", "call Bob tomorrow at 9am");
    call(&kind, "memory_read", json!({ "id": read })).unwrap();
    let decay = |seconds| deeds(&call_at(&kind, "decay", json!({}), seconds).unwrap());
    assert!(
        decay(30 * DAY).is_empty(),
        "older than the threshold, not as old"
    );
    assert_eq!(decay(30 * DAY + 1), [("decay".to_owned(), unread)]);
    call_at(&kind, "notify", json!({"ack": reminder}), 30 * DAY).unwrap();
    assert_eq!(
        decay(31 * DAY),
        [("decay".to_owned(), reminder)],
        "acknowledged, it goes like others"
    );
    assert_eq!(notes(&kind).len(), 1);
    check_order(&home);
}

#[test]
fn a_note_that_is_read_three_times_is_sorted() {
    let home = Home::new();
    let kind = open(&home);
    let id = write(&kind, "I learned a lesson");
    for _ in 0..2 {
        call(&kind, "memory_read", json!({ "id": id })).unwrap();
    }
    assert!(consolidate_at(&kind, 60).is_empty());
    call(&kind, "memory_read", json!({ "id": id })).unwrap();
    assert_eq!(
        consolidate_at(&kind, 60),
        [("upgrade".to_owned(), id.clone())]
    );
    assert_eq!(note(&kind, &id)["category"], "lessons");
    check_order(&home);
}

#[test]
fn notes_that_share_their_first_hundred_characters_become_one() {
    let home = Home::new();
    let kind = open(&home);
    let start = "字".repeat(99);
    let one = |id: &str, content: String, extra: Value| {
        let mut line = json!({"id": id, "content": content, "category": "soul"});
        line.as_object_mut()
            .unwrap()
            .extend(extra.as_object().unwrap().clone());
        import(&kind, line);
    };
    one("friend-1", "a friend".into(), json!({"category": "people"}));
    one(
        "friend-2",
        "another friend".into(),
        json!({"category": "people"}),
    );
    one(
        "least",
        format!("{start}A and more"),
        json!({
        "access_count": 2, "tags": ["x", "y"], "links": ["friend-1"], "created_at": "2026-05-01T00:00:00Z"}),
    );
    one(
        "most",
        format!("  {start}a\nand less"),
        json!({
        "access_count": 5, "tags": ["y", "z"], "links": ["friend-2", "least"], "created_at": "2026-05-06T00:00:00Z"}),
    );
    one(
        "other",
        format!("{start}b differs at the hundredth"),
        json!({}),
    );
    assert_eq!(
        consolidate_at(&kind, 60),
        [("join".to_owned(), "least".to_owned())]
    );
    let kept = note(&kind, "most");
    assert_eq!(
        text(&kept["content"]),
        format!("  {start}a\nand less\n\n2026-05-01: … more"),
        "what only the other one says is appended with its date"
    );
    assert_eq!(kept["tags"], json!(["y", "z", "x"]));
    assert_eq!(
        (&kept["access_count"], &kept["created_at"]),
        (&json!(7), &json!("2026-05-01T00:00:00Z"))
    );
    assert_eq!(kept["links"], json!(["friend-2", "friend-1"]));
    assert_eq!(links(&kind, "friend-1"), ["most"]);
    assert_eq!(notes(&kind).len(), 4);
    check_order(&home);
    assert!(
        consolidate_at(&kind, 120).is_empty(),
        "a second time nothing is left to do"
    );
    let removed = call(&kind, "trash", json!({})).unwrap();
    assert_eq!(removed["removed"][0]["id"], "least");
}

#[test]
fn notes_of_other_scopes_and_phases_stay_apart() {
    let home = Home::new();
    let kind = open(&home);
    write_with(&kind, json!({"content": "Same words", "category": "soul"}));
    write_with(
        &kind,
        json!({"content": "same  words", "category": "soul", "scope": "agent:claude"}),
    );
    write_with(&kind, json!({"content": "same words "}));
    assert!(consolidate_at(&kind, 60).is_empty());
    assert_eq!(notes(&kind).len(), 3);
    // Another category is no other phase.
    write_with(
        &kind,
        json!({"content": "SAME words", "category": "people"}),
    );
    assert_eq!(consolidate_at(&kind, 60).len(), 1);
}

#[test]
fn all_of_a_consolidation_is_one_step() {
    let home = Home::new();
    let kind = open(&home);
    write(&kind, "expires");
    for content in ["Twin note", "twin  note"] {
        write_in(&kind, "soul", content);
    }
    let before = bytes(&home);
    assert_eq!(consolidate_at(&kind, 8 * DAY).len(), 2);
    assert_eq!(kind.steps().good.len(), 1);
    undo(&kind);
    assert_eq!(bytes(&home), before);
    check_order(&home);
}

#[test]
fn two_files_of_one_name_that_move_to_one_folder_stay_two() {
    let home = Home::new();
    let kind = open(&home);
    put(&home, "categories/inbox/plan.md", "the first thing\n");
    put(
        &home,
        "categories/people/plan.md",
        "---\ncategory: inbox\n---\nthe second matter\n",
    );
    put(&home, "categories/knowledge/plan.md", "a third one\n");
    call(&kind, "dream", json!({"level": 1})).unwrap();
    let mut all: Vec<String> = notes(&kind)
        .values()
        .map(|note| text(&note["content"]))
        .collect();
    all.sort();
    assert_eq!(all, ["a third one", "the first thing", "the second matter"]);
    check_order(&home);
}

#[test]
fn a_moved_note_overwrites_no_file_that_has_its_name() {
    let home = Home::new();
    let kind = open(&home);
    let id = write(&kind, "the note");
    let copy = read_file(file(&home, &id)).replace("the note", "an old copy");
    let twin = put(&home, &format!("categories/soul/{id}.md"), &copy);
    let damaged = put(
        &home,
        "categories/people/damaged.md",
        "---\ncreated_at: nonsense\n---\nx\n",
    );
    call(&kind, "upgrade", json!({"id": id, "category": "soul"})).ok();
    assert_eq!(read_file(&twin), copy);
    import(
        &kind,
        json!({"id": "damaged", "content": "another", "category": "people"}),
    );
    assert!(
        read_file(&damaged).contains("nonsense"),
        "damage never turns into loss"
    );
    assert!(notes(&kind).contains_key("damaged"));
}
