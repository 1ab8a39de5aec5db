//! Facts that are given by hand.

use memory_core::Code;
use memory_testkit::Home;
use serde_json::json;

use crate::common::{add, call, check_code, drain, facts, files, open, paths};

#[test]
fn a_fact_is_a_file_in_the_layout_of_the_specification() {
    let home = Home::new();
    let id = add(&open(&home), "work", &["User lives in San Francisco"]).remove(0);
    let path = format!("entries/work/facts/2026-05-07T10-00-00.000Z__{id}.md");
    let text = format!(
        "---\nid: {id}\nrole: memory\nconversation_id: work\ncreated_at: 2026-05-07T10:00:00Z\n---\n\
         User lives in San Francisco\n"
    );
    assert_eq!(files(&home)[&path], text);
}

#[test]
fn facts_keep_their_order_and_are_kept_once() {
    let home = Home::new();
    let kind = open(&home);
    add(&kind, "a", &["one", "two", "three"]);
    assert!(add(&kind, "a", &["two"]).is_empty());
    assert_eq!(facts(&kind, "a"), ["one", "two", "three"]);
}

#[test]
fn conversations_are_told_apart_whatever_their_names() {
    let home = Home::new();
    let kind = open(&home);
    let long = "x/".repeat(200);
    let names = ["a/b", "a_b", "a%2Fb", "deleted", "..", "猫", long.as_str()];
    for name in names {
        add(&kind, name, &[&format!("fact of {name}")]);
    }
    for name in names {
        assert_eq!(facts(&kind, name), [format!("fact of {name}")]);
    }
    let listed = call(&kind, "conversation_list", json!({})).unwrap();
    let mut ids: Vec<&str> = listed["conversations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|c| c["id"].as_str().unwrap())
        .collect();
    let mut expected = names.to_vec();
    ids.sort_unstable();
    expected.sort_unstable();
    assert_eq!(ids, expected);
    assert!(
        paths(&home, "")
            .iter()
            .all(|path| path.starts_with("entries/") || path == "memory_index.json")
    );
}

#[test]
fn each_fact_may_name_its_conversation() {
    let home = Home::new();
    let kind = open(&home);
    let memories = json!([{ "content": "here" }, { "content": "there", "conversation_id": "b" }]);
    call(&kind, "conversation_add", json!({ "memories": memories })).unwrap();
    assert_eq!(
        (facts(&kind, "default"), facts(&kind, "b")),
        (vec!["here".into()], vec!["there".into()])
    );
}

#[test]
fn what_can_not_be_kept_is_refused_and_nothing_is() {
    let home = Home::new();
    let kind = open(&home);
    let try_to = |memories| call(&kind, "conversation_add", json!({ "memories": memories }));
    let key = ["sk-", "proj-", "a1B2c3D4e5a1B2c3D4e5"].concat();
    check_code(
        try_to(json!([{ "content": "fine" }, { "content": format!("my key is {key}") }])),
        Code::SecretDetected,
    );
    check_code(
        try_to(json!([{ "content": "fine", "conversation_id": key }])),
        Code::SecretDetected,
    );
    check_code(try_to(json!([{ "content": " " }])), Code::InvalidArgument);
    check_code(try_to(json!([])), Code::InvalidArgument);
    check_code(
        try_to(json!([{ "content": "x".repeat((4 << 20) + 1) }])),
        Code::LimitExceeded,
    );
    check_code(
        try_to(json!([{ "content": "x", "conversation_id": "a\nb" }])),
        Code::InvalidArgument,
    );
    assert!(files(&home).is_empty());
    drain(&kind);
    assert!(
        !home.path().join("memory_db").exists(),
        "who only looks makes no folder"
    );
}

#[test]
fn new_files_are_private() {
    use std::os::unix::fs::PermissionsExt;
    let home = Home::new();
    add(&open(&home), "a", &["one"]);
    let mode = |path: &str| {
        std::fs::metadata(home.path().join("memory_db").join(path))
            .unwrap()
            .permissions()
            .mode()
            & 0o777
    };
    assert_eq!(mode("entries/a/facts"), 0o700);
    assert_eq!(mode(&paths(&home, "entries/a/facts")[0]), 0o600);
    assert_eq!(mode("memory_index.json"), 0o600);
}
