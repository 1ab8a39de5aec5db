//! Many at once lose nothing, and links stay on both sides.

use memory_testkit::Home;
use serde_json::json;

use crate::common::*;

#[test]
fn eight_writers_and_taggers_lose_nothing() {
    let home = Home::new();
    let shared = write(&open(&home), "shared");
    std::thread::scope(|scope| {
        for writer in 0..8 {
            let (home, shared) = (&home, &shared);
            scope.spawn(move || {
                let kind = open(home);
                for n in 0..8 {
                    let id = write(&kind, &format!("writer {writer} note {n}"));
                    let tag = format!("w{writer}-{n}");
                    call(&kind, "memory_tag", json!({"id": shared, "tags": [tag]})).unwrap();
                    call(&kind, "memory_read", json!({"id": shared})).unwrap();
                    call(&kind, "memory_tag", json!({"id": id, "tags": ["mine"]})).unwrap();
                }
            });
        }
    });
    let kind = open(&home);
    assert_eq!(notes(&kind).len(), 65);
    assert_eq!(texts(&note(&kind, &shared)["tags"]).len(), 64);
    assert_eq!(note(&kind, &shared)["access_count"], 64);
    assert_eq!(
        call(&kind, "memory_list", json!({"tags": ["mine"]})).unwrap()["total"],
        64
    );
    check_order(&home);
}

#[test]
fn links_between_the_same_notes_stay_on_both_sides() {
    let home = Home::new();
    let ids: Vec<String> = (0..5)
        .map(|n| write(&open(&home), &format!("note {n}")))
        .collect();
    std::thread::scope(|scope| {
        for worker in 0..8_usize {
            let (home, ids) = (&home, &ids);
            scope.spawn(move || {
                let kind = open(home);
                for n in 0..25 {
                    let (a, b) = ((worker + n) % 5, (worker + n * 3 + 1) % 5);
                    if a != b {
                        let ends =
                            json!({"source": ids[a], "target": ids[b], "remove": n % 3 == 2});
                        call(&kind, "link", ends).unwrap();
                    }
                }
            });
        }
    });
    check_order(&home);
}

#[test]
fn the_same_content_written_by_many_is_one_note() {
    let home = Home::new();
    std::thread::scope(|scope| {
        for writer in 0..8 {
            let home = &home;
            scope.spawn(move || {
                write_with(
                    &open(home),
                    json!({"content": "the same", "tags": [format!("w{writer}")]}),
                );
            });
        }
    });
    let all = notes(&open(&home));
    assert_eq!(all.len(), 1);
    assert_eq!(texts(&all.values().next().unwrap()["tags"]).len(), 8);
    check_order(&home);
}

#[test]
fn readers_see_whole_notes_while_others_move_them() {
    let home = Home::new();
    let ids: Vec<String> = (0..4)
        .map(|n| write(&open(&home), &format!("note {n}")))
        .collect();
    std::thread::scope(|scope| {
        let mover = scope.spawn(|| {
            let kind = open(&home);
            for category in ["soul", "people", "habits", "skills", "date"] {
                for id in &ids {
                    call(&kind, "upgrade", json!({"id": id, "category": category})).unwrap();
                }
            }
        });
        let kind = open(&home);
        while !mover.is_finished() {
            let listed = call(&kind, "memory_list", json!({"brief": true})).unwrap();
            assert_eq!(listed["total"], 4, "{listed}");
        }
    });
    check_order(&home);
}
