//! What was taken away comes back, byte for byte, and what others did since stays.

use memory_core::{Code, Kind};
use memory_testkit::{Home, clock};
use serde_json::json;

use crate::common::*;

/// Files as people and other programs write them.
fn odd_files(home: &Home) {
    put(
        home,
        "categories/people/no head.md",
        "just text\r\nwith lines\r\n",
    );
    put(
        home,
        "categories/people/中文 名字.md",
        "\u{feff}---\r\ntags: [a, b]\r\nmood: good\r\n---\r\n\r\n# 标题\r\n",
    );
    put(
        home,
        "categories/soul/order.md",
        "---\nversion: 7\nid: order-1\n# remark\nlinks: [\"see me\"]\n---\nno end",
    );
    put(
        home,
        "categories/inbox/rule.MD",
        "---\nnot yaml at all\n---\ntext\n\n---\n\nmore\n",
    );
}

#[test]
fn a_deletion_is_undone_byte_for_byte_whoever_wrote_the_file() {
    let home = Home::new();
    let kind = open(&home);
    odd_files(&home);
    let before = bytes(&home);
    let ids: Vec<String> = notes(&kind).into_keys().collect();
    assert_eq!(ids.len(), 4);
    ids.iter().for_each(|id| delete(&kind, id));
    assert!(files(&home).is_empty());
    check_order(&home);
    ids.iter().for_each(|_| undo(&kind));
    assert_eq!(bytes(&home), before);
    assert!(kind.steps().good.is_empty());
    check_order(&home);
}

#[test]
fn a_dream_over_odd_files_is_undone_byte_for_byte_even_if_they_were_read_since() {
    let home = Home::new();
    let kind = open(&home);
    odd_files(&home);
    put(
        &home,
        "categories/inbox/see.md",
        "see [[order]], call tomorrow at 9am\n",
    );
    let before = bytes(&home);
    call(&kind, "dream", json!({"level": 3})).unwrap();
    check_order(&home);
    for id in notes(&kind).into_keys() {
        call(&kind, "memory_read", json!({ "id": id })).unwrap();
    }
    undo(&kind);
    for (path, bytes) in &before {
        let touched = read_file(path).contains("access_count: 1");
        assert!(
            touched || std::fs::read(path).unwrap() == *bytes,
            "{}",
            path.display()
        );
    }
    assert_eq!(files(&home).len(), before.len());
    check_order(&home);
}

#[test]
fn reading_a_note_does_not_stop_an_undo() {
    let home = Home::new();
    let kind = open(&home);
    let id = write(&kind, "she prefers tea");
    let before = bytes(&home);
    call(&kind, "upgrade", json!({ "id": id })).unwrap();
    call(&kind, "memory_read", json!({ "id": id })).unwrap();
    undo(&kind);
    assert_eq!(bytes(&home), before);
    check_order(&home);
}

#[test]
fn what_was_changed_since_stays_and_links_fit() {
    let home = Home::new();
    let kind = open(&home);
    let (a, b) = (write(&kind, "a"), write(&kind, "b"));
    link(&kind, &a, &b);
    delete(&kind, &a);
    call(&kind, "memory_tag", json!({"id": b, "tags": ["since"]})).unwrap();
    undo(&kind);
    assert_eq!(note(&kind, &b)["tags"], json!(["since"]));
    assert_eq!(
        (links(&kind, &a), links(&kind, &b)),
        (vec![b.clone()], vec![a.clone()])
    );
    check_order(&home);
}

#[test]
fn a_note_that_comes_back_does_not_link_to_what_is_gone() {
    let home = Home::new();
    let kind = open(&home);
    let (a, b) = (write(&kind, "a"), write(&kind, "b"));
    link(&kind, &a, &b);
    delete(&kind, &a);
    delete(&kind, &b);
    call(&kind, "restore", json!({ "id": a })).unwrap();
    assert!(links(&kind, &a).is_empty());
    check_order(&home);
    call(&kind, "restore", json!({ "id": b })).unwrap();
    check_order(&home);
}

#[test]
fn a_dream_is_undone_although_a_note_of_it_has_changed() {
    let home = Home::new();
    let kind = open(&home);
    let source = write_in(&kind, "people", "call Bob tomorrow at 9am, see [[Plan]]");
    let plan = write_in(&kind, "project", "Plan\nthings");
    call(&kind, "dream", json!({"level": 3})).unwrap();
    assert_eq!(notes(&kind).len(), 3);
    call(
        &kind,
        "memory_tag",
        json!({"id": source, "tags": ["since"]}),
    )
    .unwrap();
    undo(&kind);
    assert_eq!(notes(&kind).len(), 2);
    assert!(links(&kind, &plan).is_empty());
    check_order(&home);
}

#[test]
fn a_merge_is_undone_although_its_survivor_has_changed() {
    let home = Home::new();
    let kind = open(&home);
    let (kept, gone) = (
        write_in(&kind, "soul", "Same words here!"),
        write_in(&kind, "soul", "same  words here!"),
    );
    let friend = write_in(&kind, "people", "a friend");
    call(&kind, "memory_read", json!({ "id": kept })).unwrap();
    link(&kind, &gone, &friend);
    call(&kind, "consolidate", json!({})).unwrap();
    assert_eq!(links(&kind, &friend), std::slice::from_ref(&kept));
    call(&kind, "memory_tag", json!({"id": kept, "tags": ["since"]})).unwrap();
    undo(&kind);
    assert!(links(&kind, &gone).contains(&friend));
    check_order(&home);
}

#[test]
fn a_file_that_stands_in_the_old_place_is_not_overwritten() {
    let home = Home::new();
    let kind = open(&home);
    put(&home, "categories/inbox/ideas.md", "the first ideas\n");
    let id = notes(&kind).into_keys().next().unwrap();
    call(&kind, "upgrade", json!({"id": id, "category": "soul"})).unwrap();
    let new = put(&home, "categories/inbox/ideas.md", "written since\n");
    undo(&kind);
    assert_eq!(read_file(&new), "written since\n");
    assert_eq!(note(&kind, &id)["category"], "inbox");
    check_order(&home);
}

#[test]
fn what_was_deleted_comes_back_beside_a_file_that_has_its_name_now() {
    let home = Home::new();
    let kind = open(&home);
    put(
        &home,
        "categories/soul/ideas.md",
        "---\nid: ideas-1\n---\nthe first ideas\n",
    );
    delete(&kind, "ideas-1");
    put(
        &home,
        "categories/soul/ideas.md",
        "---\nid: ideas-2\n---\nwritten since\n",
    );
    call(&kind, "restore", json!({"id": "ideas-1"})).unwrap();
    assert_eq!(note(&kind, "ideas-2")["content"], "written since");
    assert_eq!(note(&kind, "ideas-1")["content"], "the first ideas");
    check_order(&home);
}

#[test]
fn a_step_whose_notes_all_changed_is_refused_and_nothing_happens() {
    let home = Home::new();
    let kind = open(&home);
    let id = write(&kind, "she prefers tea");
    call(&kind, "upgrade", json!({ "id": id })).unwrap();
    call(&kind, "memory_tag", json!({"id": id, "tags": ["since"]})).unwrap();
    let before = bytes(&home);
    let step = kind.steps().good[0].clone();
    assert_eq!(
        kind.undo(&step, memory_core::Actor::Person, clock().now())
            .unwrap_err()
            .code,
        Code::Conflict
    );
    assert_eq!(bytes(&home), before);
}

#[test]
fn a_restored_note_comes_back_byte_for_byte_with_its_links_and_its_step_is_done() {
    let home = Home::new();
    let kind = open(&home);
    let (a, b) = (write(&kind, "a"), write(&kind, "b"));
    link(&kind, &a, &b);
    let before = bytes(&home);
    delete(&kind, &a);
    let trash = call(&kind, "trash", json!({})).unwrap();
    assert_eq!(
        (
            &trash["removed"][0]["id"],
            trash["removed"].as_array().unwrap().len()
        ),
        (&json!(a), 1)
    );
    let reply = call(&kind, "restore", json!({"id": a[..8].to_uppercase()})).unwrap();
    assert_eq!((&reply["id"], &reply["title"]), (&json!(a), &json!("a")));
    check_index_now(&home);
    assert_eq!(
        std::fs::read(file(&home, &a)).unwrap(),
        before[&file(&home, &a)]
    );
    check_order(&home);
    assert_eq!(
        call(&kind, "trash", json!({})).unwrap()["removed"],
        json!([])
    );
    // What it would take back is back: it blocks no older step.
    undo(&kind);
    assert!(kind.steps().good.is_empty());
    check_code(
        call(&kind, "restore", json!({ "id": a })),
        Code::InvalidArgument,
    );
    check_code(
        call(&kind, "restore", json!({"id": "zzzz-none"})),
        Code::NotFound,
    );
}

#[test]
fn an_import_and_an_ingestion_that_only_add_can_be_undone() {
    let home = Home::new();
    let kind = open(&home);
    let kept = write(&kind, "kept");
    let lines: Vec<String> = (0..5)
        .map(|n| json!({"content": format!("n {n}")}).to_string())
        .collect();
    call(&kind, "import", json!({"lines": lines.join("\n")})).unwrap();
    assert_eq!(notes(&kind).len(), 6);
    undo(&kind);
    assert_eq!(notes(&kind).into_keys().collect::<Vec<_>>(), [kept]);
    check_order(&home);
}

#[test]
fn the_trash_keeps_what_was_removed_until_it_is_emptied() {
    let home = Home::new();
    let kind = open(&home);
    let (a, b, c) = (write(&kind, "a"), write(&kind, "b"), write(&kind, "c"));
    delete(&kind, &a);
    call_at(&kind, "memory_delete", json!({ "id": b }), 29 * DAY).unwrap();
    assert_eq!(kind.steps().good.len(), 2);
    call_at(&kind, "memory_delete", json!({ "id": c }), 31 * DAY).unwrap();
    assert_eq!(kind.steps().good.len(), 3, "time alone removes nothing");
    assert_eq!(
        call(&kind, "trash", json!({"empty": true})).unwrap()["emptied"],
        3
    );
    assert!(kind.steps().good.is_empty());
    check_code(call(&kind, "restore", json!({ "id": b })), Code::NotFound);
}

#[test]
fn a_step_is_taken_back_once() {
    let home = Home::new();
    let kind = open(&home);
    let ids: Vec<String> = (0..6).map(|n| write(&kind, &format!("note {n}"))).collect();
    ids.iter().for_each(|id| delete(&kind, id));
    let taken: usize = std::thread::scope(|scope| {
        let takers: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    let kind = open(&home);
                    let steps = kind.steps().good;
                    steps
                        .iter()
                        .filter(|step| {
                            kind.undo(step, memory_core::Actor::Person, clock().now())
                                .unwrap()
                                .is_some()
                        })
                        .count()
                })
            })
            .collect();
        takers.into_iter().map(|taker| taker.join().unwrap()).sum()
    });
    assert_eq!((taken, notes(&kind).len()), (6, 6));
    check_order(&home);
}
