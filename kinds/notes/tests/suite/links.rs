//! Links stand on both sides, whoever makes them and whoever goes.

use memory_core::Code;
use memory_testkit::Home;
use serde_json::{Value, json};

use crate::common::*;

#[test]
fn a_link_is_made_and_taken_away_on_both_sides() {
    let home = Home::new();
    let kind = open(&home);
    let (a, b) = (write(&kind, "a note"), write_in(&kind, "people", "b note"));
    let reply = call(&kind, "link", json!({"source": &a[..8], "target": b})).unwrap();
    assert_eq!(reply["changed"], true);
    assert_eq!(
        (links(&kind, &a), links(&kind, &b)),
        (vec![b.clone()], vec![a.clone()])
    );
    assert_eq!(
        call(&kind, "link", json!({"source": b, "target": a})).unwrap()["changed"],
        false
    );
    assert_eq!(note(&kind, &a)["version"], 2);
    let reply = call(
        &kind,
        "link",
        json!({"source": b, "target": a, "remove": true}),
    )
    .unwrap();
    assert_eq!(reply["changed"], true);
    assert!(links(&kind, &a).is_empty() && links(&kind, &b).is_empty());
    check_order(&home);
    undo(&kind);
    assert_eq!(links(&kind, &a), [b]);
    check_order(&home);
}

#[test]
fn what_can_not_be_linked_is_told() {
    let home = Home::new();
    let kind = open(&home);
    let a = write(&kind, "a note");
    check_code(
        call(&kind, "link", json!({"source": a, "target": a})),
        Code::InvalidArgument,
    );
    check_code(
        call(&kind, "link", json!({"source": a, "target": "nothing"})),
        Code::NotFound,
    );
}

#[test]
fn a_deleted_note_leaves_no_link_to_it() {
    let home = Home::new();
    let kind = open(&home);
    let (a, b, c) = (write(&kind, "a"), write(&kind, "b"), write(&kind, "c"));
    link(&kind, &a, &b);
    link(&kind, &b, &c);
    delete(&kind, &b);
    assert!(links(&kind, &a).is_empty() && links(&kind, &c).is_empty());
    check_order(&home);
}

#[track_caller]
fn check_name(name: &str, is_found: bool) {
    let home = Home::new();
    let kind = open(&home);
    let target = "---\nid: 77aa-target\naliases: [Roadmap, 路线图]\n---\n# Project Plan\n\ntext\n";
    put(&home, "categories/project/my file.md", target);
    let source = write(&kind, &format!("see [[{name}]] for more"));
    let reply = call(&kind, "resolve_links", json!({})).unwrap();
    if is_found {
        assert_eq!(links(&kind, &source), ["77aa-target"], "{name}")
    } else {
        assert!(links(&kind, &source).is_empty(), "{name}");
        assert_eq!(reply["unresolved"][0]["id"], source);
    }
    check_order(&home);
    let before = home.snapshot();
    let again = call_at(&kind, "resolve_links", json!({}), 60).unwrap();
    assert_eq!(
        (&again["deeds"], &again["unresolved"]),
        (&json!([]), &reply["unresolved"])
    );
    assert_eq!(home.snapshot(), before, "twice changes nothing");
}

#[test]
fn a_wikilink_names_a_note_by_title_alias_file_name_or_the_beginning_of_its_id() {
    for name in [
        "Project Plan",
        "project plan",
        "Roadmap",
        "路线图",
        "my file",
        "77aa",
        "77aa-target",
    ] {
        check_name(name, true);
    }
    for name in [
        "Project Plan|the plan",
        "Project Plan#part",
        "Project Plan#part|x",
        "my file.md",
    ] {
        check_name(name, true);
    }
    for name in ["nobody", "77a", "Project"] {
        check_name(name, false);
    }
}

#[test]
fn what_does_not_resolve_stays_as_written_and_is_listed_once() {
    let home = Home::new();
    let kind = open(&home);
    let id = write(&kind, "[[Missing]] and [[other]] and [[Missing]]");
    let reply = call(&kind, "resolve_links", json!({})).unwrap();
    let names: Vec<Value> = reply["unresolved"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["name"].clone())
        .collect();
    assert_eq!(names, ["Missing", "other"]);
    assert_eq!(
        note(&kind, &id)["content"],
        "[[Missing]] and [[other]] and [[Missing]]"
    );
}

#[test]
fn two_notes_that_name_each_other_are_linked_by_one_deed() {
    let home = Home::new();
    let kind = open(&home);
    let a = write(&kind, "Alpha\nsee [[Beta]] and again [[beta]]");
    let b = write(&kind, "Beta\nsee [[Alpha]] and [[Beta]] itself");
    let dry = call(&kind, "resolve_links", json!({"dry_run": true})).unwrap();
    assert!(links(&kind, &a).is_empty());
    let reply = call(&kind, "resolve_links", json!({})).unwrap();
    assert_eq!(reply["deeds"], dry["deeds"]);
    assert_eq!(deeds(&reply).len(), 1);
    assert_eq!(
        (links(&kind, &a), links(&kind, &b)),
        (vec![b.clone()], vec![a.clone()])
    );
    check_order(&home);
    undo(&kind);
    assert!(links(&kind, &a).is_empty() && links(&kind, &b).is_empty());
    check_order(&home);
}

#[test]
fn backlinks_are_all_notes_that_link_to_one() {
    let home = Home::new();
    let kind = open(&home);
    let (a, b) = (write(&kind, "Alpha"), write(&kind, "b linked"));
    let c = write(&kind, "c says [[alpha]] without a link yet");
    write(&kind, "d is somewhere else");
    link(&kind, &a, &b);
    let reply = call(&kind, "backlinks", json!({"id": &a[..6]})).unwrap();
    let mut found: Vec<String> = reply["backlinks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| text(&line["id"]))
        .collect();
    found.sort();
    let mut expected = vec![b, c];
    expected.sort();
    assert_eq!(found, expected);
}

#[test]
fn code_is_no_link() {
    let home = Home::new();
    let kind = open(&home);
    write(&kind, "Alpha");
    write(&kind, "in code `[[Alpha]]` and\n```\n[[Alpha]]\n```");
    assert!(deeds(&call(&kind, "resolve_links", json!({})).unwrap()).is_empty());
}
