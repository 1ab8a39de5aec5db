//! What is damaged is told, mended, and kept as it was.

use memory_core::{Kind, Rehearsal};
use memory_testkit::{Home, clock};

use crate::common::*;

fn repair(kind: &dyn Kind, how: Rehearsal) -> usize {
    kind.repair(clock().now(), how).unwrap().len()
}

#[test]
fn damaged_files_are_mended_and_their_originals_kept() {
    let home = Home::new();
    let kind = open(&home);
    let content = "x".repeat(600_000);
    let damaged =
        format!("---\nid: aaaa-1\ncreated_at: nonsense\ntags: [a]\nmood: good\n---\n{content}\n");
    let path = put(&home, "categories/people/a.md", &damaged);
    put(
        &home,
        "categories/people/b.md",
        b"---\nid: bbbb-1\n---\nbad \xff byte\n",
    );
    assert_eq!(repair(&kind, Rehearsal::Dry), 2);
    assert_eq!(read_file(&path), damaged);
    assert_eq!(repair(&kind, Rehearsal::Real), 2);
    let mended = note(&kind, "aaaa-1");
    assert_eq!(
        (&mended["tags"][0], text(&mended["content"]).len()),
        (&serde_json::json!("a"), content.len())
    );
    assert!(read_file(&path).contains("mood: good"));
    assert!(text(&note(&kind, "bbbb-1")["content"]).starts_with("bad "));
    let originals = bytes(&home)
        .into_iter()
        .filter(|(path, _)| path.to_string_lossy().contains(".corrupt-"));
    assert_eq!(
        originals
            .filter(|(_, bytes)| *bytes == damaged.as_bytes())
            .count(),
        1
    );
    assert_eq!(repair(&kind, Rehearsal::Real), 0);
}

#[test]
fn a_file_damaged_twice_in_one_second_is_kept_twice() {
    let home = Home::new();
    let kind = open(&home);
    for round in ["first", "second"] {
        put(
            &home,
            "categories/people/a.md",
            format!("---\nversion: {round}\n---\nx\n"),
        );
        assert_eq!(repair(&kind, Rehearsal::Real), 1);
    }
    let kept: Vec<Vec<u8>> = bytes(&home)
        .into_iter()
        .filter(|(path, _)| path.to_string_lossy().contains(".corrupt-"))
        .map(|(_, bytes)| bytes)
        .collect();
    assert_eq!(kept.len(), 2);
}

#[test]
fn a_mended_note_overwrites_no_other_where_it_belongs() {
    let home = Home::new();
    let kind = open(&home);
    put(&home, "categories/people/plan.md", "the people's plan\n");
    put(
        &home,
        "categories/soul/plan.md",
        "---\ncategory: people\nversion: x\n---\nthe soul's plan\n",
    );
    repair(&kind, Rehearsal::Real);
    let mut all: Vec<String> = notes(&kind)
        .values()
        .map(|note| text(&note["content"]))
        .collect();
    all.sort();
    assert_eq!(all, ["the people's plan", "the soul's plan"]);
    assert_eq!(repair(&kind, Rehearsal::Dry), 0);
}

#[test]
fn links_are_made_to_stand_on_both_sides_and_notes_in_their_folders() {
    let home = Home::new();
    let kind = open(&home);
    put(
        &home,
        "categories/people/a.md",
        "---\nid: aaaa-1\nlinks: [bbbb-1, gone-1]\n---\na\n",
    );
    put(
        &home,
        "categories/people/b.md",
        "---\nid: bbbb-1\ncategory: soul\n---\nb\n",
    );
    assert_eq!(repair(&kind, Rehearsal::Dry), 3);
    assert_eq!(repair(&kind, Rehearsal::Real), 3);
    assert!(root(&home).join("categories/soul/b.md").exists());
    assert_eq!(links(&kind, "bbbb-1"), ["aaaa-1"]);
    check_order(&home);
}

#[test]
fn a_twin_becomes_a_note_of_its_own() {
    let home = Home::new();
    let kind = open(&home);
    let id = write_in(&kind, "people", "the first");
    let copy = read_file(file(&home, &id)).replace("the first", "the copy");
    put(&home, "categories/people/copy.md", copy);
    assert_eq!(repair(&kind, Rehearsal::Real), 1);
    let mut all: Vec<String> = notes(&kind)
        .values()
        .map(|note| text(&note["content"]))
        .collect();
    all.sort();
    assert_eq!(all, ["the copy", "the first"]);
}
