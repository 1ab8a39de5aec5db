//! A note that a command adds to very many: it costs no look at them, and all else is as ever.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use memory_core::Kind;
use memory_files::{Breakage, Brittle};
use memory_notes::limits::MANY_NOTES;
use memory_testkit::Home;
use serde_json::json;

use crate::common::*;

/// Very many notes, and one that a command has written.
fn large() -> Home {
    let home = Home::new();
    for n in 0..MANY_NOTES {
        let category = ["knowledge", "inbox", "people", "lessons"][n % 4];
        let body = format!("---\nid: note-{n}\n---\nnumber {n}\n");
        let path = put(&home, &format!("categories/{category}/note-{n}.md"), body);
        let old = SystemTime::now() - Duration::from_secs(3600);
        std::fs::File::options()
            .write(true)
            .open(path)
            .unwrap()
            .set_modified(old)
            .unwrap();
    }
    write(&open(&home), "the first");
    home
}

/// How many files say something, as anyone can see.
fn say(home: &Home, content: &str) -> usize {
    let categories = std::fs::read_dir(root(home).join("categories")).unwrap();
    let files =
        categories.flat_map(|category| std::fs::read_dir(category.unwrap().path()).unwrap());
    let says = |path: &std::path::PathBuf| {
        path.extension().is_some_and(|ending| ending == "md")
            && read_file(path).ends_with(&format!("\n{content}\n"))
    };
    files.map(|file| file.unwrap().path()).filter(says).count()
}

#[test]
fn it_is_listed_and_found_like_any_other() {
    let home = large();
    for n in 0..4 {
        let id = write(&open(&home), &format!("one more {n}"));
        write_in(&open(&home), "people", &format!("someone {n}"));
        assert_eq!(note(&open(&home), &id)["content"], format!("one more {n}"));
    }
    write_in(&open(&home), "reminders", "call Ann tomorrow at 9:00");
    write_in(&open(&home), "soul", "the first of its category");
    check_order(&home);
    let page = root(&home).join("memory.md");
    let before = read_file(&page);
    std::fs::remove_file(&page).unwrap();
    call(&open(&home), "memory_list", json!({"limit": 1})).unwrap();
    assert_eq!(read_file(&page), before);
}

#[test]
fn no_second_note_of_a_content_is_made_whoever_wrote_the_first() {
    let home = large();
    let (old, new) = (
        note(&open(&home), "note-7").clone(),
        write(&open(&home), "something new"),
    );
    assert_eq!(write(&open(&home), "number 7"), text(&old["id"]));
    assert_eq!(write(&open(&home), "something new"), new);
    put(&home, "categories/inbox/by-hand.md", "by hand\n");
    write(&open(&home), "by hand");
    let reply = call(
        &open(&home),
        "memory_write",
        json!({"content": "by hand", "tags": ["x"]}),
    )
    .unwrap();
    assert_eq!(reply["created"], false);
    std::fs::remove_file(root(&home).join("categories/inbox/by-hand.md")).unwrap();
    assert_eq!(
        call(&open(&home), "memory_write", json!({"content": "by hand"})).unwrap()["created"],
        true
    );
    let insisted = write_with(
        &open(&home),
        json!({"content": "something new", "new": true}),
    );
    assert_ne!(insisted, new);
    assert_eq!(
        [
            say(&home, "by hand"),
            say(&home, "number 7"),
            say(&home, "something new")
        ],
        [1, 1, 2]
    );
    check_order(&home);
}

#[test]
fn the_others_are_not_looked_at() {
    let home = large();
    // Written in its place: the folder does not show it, and only a look would.
    let path = root(&home).join("categories/people/note-2.md");
    std::fs::write(
        &path,
        read_file(&path).replace("number 2", "changed in its place"),
    )
    .unwrap();
    write(&open(&home), "changed in its place");
    assert_eq!(say(&home, "changed in its place"), 2);
    check_order(&home);
}

#[test]
fn whatever_becomes_of_what_is_derived_the_notes_are_right() {
    let home = large();
    let recent = root(&home).join(".index/notes.recent");
    let whole = std::fs::read(&recent).unwrap();
    let flipped = |at: usize| {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x55;
        bytes
    };
    let halves = [
        vec![],
        whole[..10].to_vec(),
        whole[..whole.len() / 2].to_vec(),
        flipped(3),
        flipped(40),
    ];
    for (n, bytes) in halves.into_iter().enumerate() {
        std::fs::write(&recent, bytes).unwrap();
        write(&open(&home), &format!("after damage {n}"));
        assert_eq!(
            write(&open(&home), "number 9"),
            text(&note(&open(&home), "note-9")["id"])
        );
    }
    std::fs::write(root(&home).join(".index/notes.catalog"), "no catalogue").unwrap();
    write(&open(&home), "the first");
    std::fs::write(root(&home).join("memory.md"), "scribbled").unwrap();
    write(&open(&home), "after a scribble");
    check_order(&home);
    std::fs::remove_dir_all(root(&home).join(".index")).unwrap();
    write(&open(&home), "after all");
    assert_eq!(say(&home, "the first"), 1);
    check_order(&home);
}

#[test]
fn wherever_the_disk_breaks_it_is_there_or_not() {
    let home = large();
    for breakage in [Breakage::Fails, Breakage::Dies, Breakage::FailsReading] {
        for step in 0.. {
            write(&open(&home), &format!("before {breakage:?} {step}"));
            let content = format!("{breakage:?} {step}");
            let brittle = Arc::new(Brittle::new(breakage, step));
            let ended = call(
                &open_on(&home, brittle.clone()),
                "memory_write",
                json!({"content": content}),
            );
            let found = say(&home, &content);
            assert!(
                found == 1 || (found == 0 && ended.is_err()),
                "{content}: {found}, {ended:?}"
            );
            write(&open(&home), &content);
            assert_eq!(say(&home, &content), 1);
            if !brittle.has_broken() {
                break;
            }
        }
        // What a crash has left is removed by whoever looks.
        delete(&open(&home), "note-1");
        undo(&open(&home));
        check_order(&home);
    }
}

#[test]
fn a_process_that_stays_adds_its_first_note_before_it_has_looked() {
    let home = large();
    let kind = open(&home);
    kind.stay();
    let path = root(&home).join("categories/people/note-2.md");
    std::fs::write(
        &path,
        read_file(&path).replace("number 2", "changed in its place"),
    )
    .unwrap();
    write(&kind, "changed in its place");
    assert_eq!(say(&home, "changed in its place"), 2);
    kind.settle();
    // By now it has looked.
    std::fs::write(&path, read_file(&path).replace("changed", "changed again")).unwrap();
    assert_eq!(write(&kind, "changed again in its place"), "note-2");
    check_order(&home);
}

#[test]
fn two_who_write_at_once_lose_nothing() {
    let home = large();
    std::thread::scope(|scope| {
        for who in ["one", "other"] {
            let home = &home;
            scope.spawn(move || {
                for n in 0..10 {
                    write(&open(home), &format!("{who} writes {n}"));
                    write(&open(home), &format!("both write {n}"));
                }
            });
        }
    });
    assert_eq!(notes(&open(&home)).len(), MANY_NOTES + 31);
    check_order(&home);
}
