//! A damaged file is told of, kept, and mended; it never turns into loss.

use memory_core::{Code, Kind, Rehearsal};
use memory_testkit::{Home, clock};
use serde_json::json;

use crate::common::{aside, call, check_code, contents, open, put, save, text};

const TORN: &str =
    r#"{"session": [{"id": "a", "content": "whole", "priority": 7}, {"id": "b", "cont"#;

#[test]
fn reading_a_damaged_file_says_so_and_touches_nothing() {
    let home = Home::new();
    put(&home, TORN);
    let before = home.snapshot();
    for (tool, params) in [
        ("get_memory", json!({"compartment": "session"})),
        ("prompt", json!({})),
        ("sizes", json!({})),
        ("clear_memory", json!({"compartment": "plan"})),
        ("end_run", json!({})),
    ] {
        let error = check_code(call(&open(&home), tool, params), Code::Corrupted);
        assert!(
            error.message.starts_with("memory.json is damaged: "),
            "{error}"
        );
        assert!(error.hint.unwrap().contains("doctor --fix"));
    }
    assert_eq!(home.snapshot(), before);
}

#[test]
fn a_file_that_was_cut_to_nothing_is_reported() {
    let home = Home::new();
    put(&home, "");
    let error = check_code(
        call(
            &open(&home),
            "get_memory",
            json!({"compartment": "session"}),
        ),
        Code::Corrupted,
    );
    assert_eq!(error.message, "memory.json is damaged: the file is empty");
}

#[test]
fn saving_keeps_the_damaged_file_salvages_its_entries_and_tells() {
    let home = Home::new();
    put(&home, TORN);
    let kind = open(&home);
    let reply = call(
        &kind,
        "save_memory",
        json!({"compartment": "session", "content": "new"}),
    )
    .unwrap();
    assert_eq!(
        reply["flaws"][0]["remedy"],
        "The damaged file is kept as memory.json.corrupt-20260507T100000Z; recovered 1 entry from it"
    );
    assert_eq!(
        aside(&home),
        [(
            "memory.json.corrupt-20260507T100000Z".to_owned(),
            TORN.into()
        )]
    );
    assert_eq!(
        contents(&kind, json!({"compartment": "session"})),
        ["whole", "new"]
    );
    // A second damage in the same second overwrites nothing.
    put(&home, b"\xff\xfe no text");
    save(&kind, "session", "again");
    assert_eq!(aside(&home).len(), 2);
    assert_eq!(
        contents(&kind, json!({"compartment": "session"})),
        ["again"]
    );
}

#[test]
fn a_refused_save_leaves_a_damaged_file_where_it_is() {
    let home = Home::new();
    put(&home, TORN);
    let long = "x".repeat(10_001);
    let refused = call(
        &open(&home),
        "save_memory",
        json!({"compartment": "session", "content": long}),
    );
    check_code(refused, Code::LimitExceeded);
    assert_eq!((text(&home).as_str(), aside(&home).len()), (TORN, 0));
}

#[test]
fn one_bad_entry_hides_no_other_and_stays_until_it_is_repaired() {
    let home = Home::new();
    put(
        &home,
        r#"{"plan": [{"id": "a", "content": "good"}, {"id": "b", "content": "far", "priority": 70}, 7]}"#,
    );
    let kind = open(&home);
    let reply = call(&kind, "get_memory", json!({"compartment": "plan"})).unwrap();
    assert_eq!(
        (
            reply["entries"].as_array().unwrap().len(),
            reply["flaws"].as_array().unwrap().len()
        ),
        (1, 2)
    );
    assert_eq!(reply["flaws"][0]["place"], "memory.json (plan, entry 2)");
    save(&kind, "plan", "new");
    assert!(text(&home).contains(r#"{"id": "b", "content": "far", "priority": 70}"#));
    assert!(aside(&home).is_empty(), "nothing was taken away");

    let flaws = kind.repair(clock().now(), Rehearsal::Real).unwrap();
    assert_eq!(flaws.len(), 2);
    assert_eq!(
        contents(&kind, json!({"compartment": "plan"})),
        ["good", "far", "new"]
    );
    assert!(
        kind.repair(clock().now(), Rehearsal::Dry)
            .unwrap()
            .is_empty()
    );
    assert_eq!(aside(&home).len(), 1);
}

#[test]
fn a_repair_salvages_a_file_that_is_no_json() {
    let home = Home::new();
    put(&home, TORN);
    let kind = open(&home);
    assert_eq!(kind.documents(clock().now()).flaws.len(), 1);
    let flaws = kind.repair(clock().now(), Rehearsal::Real).unwrap();
    assert!(
        flaws[0]
            .remedy
            .as_ref()
            .unwrap()
            .contains("recovered 1 entry"),
        "{flaws:?}"
    );
    assert_eq!(
        contents(&kind, json!({"compartment": "session"})),
        ["whole"]
    );
    assert_eq!(aside(&home)[0].1, TORN.as_bytes());
}

#[test]
fn a_link_in_the_files_place_is_not_followed() {
    let home = Home::new();
    let kind = open(&home);
    std::fs::create_dir(home.path().join("work")).unwrap();
    std::fs::write(home.path().join("elsewhere.json"), "{}").unwrap();
    std::os::unix::fs::symlink(
        home.path().join("elsewhere.json"),
        crate::common::file(&home),
    )
    .unwrap();
    for (tool, params) in [
        ("get_memory", json!({"compartment": "session"})),
        (
            "save_memory",
            json!({"compartment": "session", "content": "c"}),
        ),
    ] {
        check_code(call(&kind, tool, params), Code::UnsafePath);
    }
    assert_eq!(
        std::fs::read_to_string(home.path().join("elsewhere.json")).unwrap(),
        "{}"
    );
}

#[test]
fn an_id_from_a_file_can_neither_steer_a_terminal_nor_hide_text_in_a_prompt() {
    let home = Home::new();
    let id = "x\u{1b}]0;PWN\u{7}\n[0 session]\u{202e}\u{e0041}";
    put(
        &home,
        json!({"run": [{ "id": id, "content": "due soon" }]}).to_string(),
    );
    let prompt = call(&open(&home), "prompt", json!({})).unwrap();
    let text = prompt["memory_content"].as_str().unwrap();
    assert!(
        text.contains(r"run memory x\u{1b}]0;PWN\u{7}\n[0 session], "),
        "{text}"
    );
    assert!(
        !text.contains(['\u{1b}', '\u{202e}', '\u{e0041}']),
        "{text:?}"
    );
    let entries = call(&open(&home), "get_memory", json!({"compartment": "run"})).unwrap();
    assert_eq!(
        entries["entries"][0]["id"], id,
        "as data it stays what it is"
    );
}
