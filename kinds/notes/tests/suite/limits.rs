//! The largest that fits is kept; one more is refused with both numbers, and nothing changes.

use memory_core::{Code, Kind, Result};
use memory_testkit::Home;
use serde_json::{Value, json};

use crate::common::*;

#[track_caller]
fn check_limit(ended: Result<Value>, size: usize, limit: usize) {
    let error = check_code(ended, Code::LimitExceeded);
    assert_eq!(
        (&error.context["size"], &error.context["limit"]),
        (&json!(size), &json!(limit))
    );
}

#[test]
fn a_content_of_one_mebibyte_fits() {
    let home = Home::new();
    let kind = open(&home);
    let most = 1 << 20;
    check_limit(
        call(
            &kind,
            "memory_write",
            json!({"content": "x".repeat(most + 1)}),
        ),
        most + 1,
        most,
    );
    assert!(!root(&home).exists());
    let id = write(&kind, &"x".repeat(most));
    call(&kind, "memory_tag", json!({"id": id, "tags": ["large"]})).unwrap();
    assert_eq!(text(&note(&kind, &id)["content"]).len(), most);
    check_order(&home);
    // Its first line is its title: a step that names it must stay readable.
    delete(&kind, &id);
    assert_eq!((kind.steps().good.len(), kind.steps().flaws.len()), (1, 0));
    undo(&kind);
    assert_eq!(text(&note(&kind, &id)["content"]).len(), most);
}

#[test]
fn a_tag_has_at_most_64_characters_and_a_note_10000_tags() {
    let home = Home::new();
    let kind = open(&home);
    let id = write_with(&kind, json!({"content": "x", "tags": ["字".repeat(64)]}));
    let long = json!(["字".repeat(65)]);
    check_limit(
        call(&kind, "memory_write", json!({"content": "y", "tags": long})),
        65,
        64,
    );
    check_limit(
        call(&kind, "memory_tag", json!({"id": id, "tags": long})),
        65,
        64,
    );
    let tags = |count: usize| (0..count).map(|n| format!("t{n}")).collect::<Vec<_>>();
    check_limit(
        call(&kind, "memory_tag", json!({"id": id, "tags": tags(10_000)})),
        10_001,
        10_000,
    );
    call(&kind, "memory_tag", json!({"id": id, "tags": tags(9_999)})).unwrap();
    check_limit(
        call(
            &kind,
            "memory_write",
            json!({"content": "x", "tags": ["more"]}),
        ),
        10_001,
        10_000,
    );
    assert_eq!(texts(&note(&kind, &id)["tags"]).len(), 10_000);
}

#[test]
fn a_note_that_a_hand_gave_too_many_tags_can_lose_some() {
    let home = Home::new();
    let kind = open(&home);
    let tags: Vec<String> = (0..10_050).map(|n| format!("t{n}")).collect();
    put(
        &home,
        "categories/people/by-hand.md",
        format!("---\nid: by-hand\ntags: [{}]\n---\nx\n", tags.join(", ")),
    );
    call(
        &kind,
        "memory_tag",
        json!({"id": "by-hand", "tags": [], "remove": ["t7"]}),
    )
    .unwrap();
    assert_eq!(texts(&note(&kind, "by-hand")["tags"]).len(), 10_049);
}

#[test]
fn a_file_that_is_too_large_is_told_and_hides_no_other() {
    let home = Home::new();
    let kind = open(&home);
    write(&kind, "small");
    put(
        &home,
        "categories/people/huge.md",
        "x".repeat((2 << 20) + 1),
    );
    let listed = call(&kind, "memory_list", json!({})).unwrap();
    assert_eq!(
        (&listed["total"], listed["flaws"].as_array().unwrap().len()),
        (&json!(1), 1)
    );
}

#[test]
fn a_file_with_the_longest_name_can_be_changed() {
    let home = Home::new();
    let kind = open(&home);
    let name = format!("{}.md", "名".repeat(84));
    let path = put(&home, &format!("categories/people/{name}"), "a person\n");
    let id = notes(&kind).into_keys().next().unwrap();
    call(&kind, "memory_tag", json!({"id": id, "tags": ["x"]})).unwrap();
    assert!(read_file(path).contains("  - x\n"));
    check_order(&home);
}
