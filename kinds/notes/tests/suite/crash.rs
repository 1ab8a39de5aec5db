//! Wherever the disk breaks, a change has happened or not, and nothing is left half done.

use std::collections::BTreeMap;
use std::sync::Arc;

use memory_core::{Kind, Result};
use memory_files::{Breakage, Brittle};
use memory_testkit::{Home, clock};
use serde_json::{Value, json};

use crate::common::*;

/// What each operation starts from: known notes, two of them linked, one deleted, one ingested.
fn prepare(home: &Home) {
    let kind = open(home);
    let line = |id: &str, content: &str, links: &[&str], category: &str| {
        json!({
            "id": id, "content": content, "links": links, "category": category,
            "created_at": "2026-05-01T10:00:00Z", "access_count": 1,
        })
        .to_string()
    };
    let lines = [
        line(
            "aaaa-inbox",
            "prefers tea [[people of note]]",
            &["bbbb-linked", "dddd-gone"],
            "inbox",
        ),
        line("bbbb-linked", "people of note", &["aaaa-inbox"], "people"),
        line("cccc-twin", "PREFERS  tea [[people of note]]", &[], "inbox"),
        line("dddd-gone", "gone for now", &["aaaa-inbox"], "knowledge"),
        line("eeee-alone", "stands alone", &[], "knowledge"),
    ];
    call(&kind, "import", json!({ "lines": lines.join("\n") })).unwrap();
    delete(&kind, "dddd-gone");
    for (name, content) in [
        ("one", "# one\nsee [[two]]"),
        ("two", "# two\nback to [[one]]"),
        ("three", "third"),
    ] {
        let vault = home.path().join("vault");
        std::fs::create_dir_all(&vault).unwrap();
        std::fs::write(vault.join(format!("{name}.md")), content).unwrap();
    }
}

/// A home with the same files, made without waiting for the disk.
fn copy(start: &Home) -> Home {
    let home = Home::new();
    for (path, bytes) in start.snapshot() {
        let to = home.path().join(path.strip_prefix(start.path()).unwrap());
        std::fs::create_dir_all(to.parent().unwrap()).unwrap();
        std::fs::write(to, bytes).unwrap();
    }
    home
}

type State = (BTreeMap<String, Value>, usize);

/// Returns what every note says under its id, or under its content if its id is new each time; and
/// how many steps can be taken back.
fn state(home: &Home) -> State {
    let kind = open(home);
    let all = notes(&kind);
    let name = |id: &str| match id.as_bytes()[4] {
        b'-' => id.to_owned(),
        _ => text(&all[id]["content"]),
    };
    let shown = all.iter().map(|(id, note)| {
        let mut note = note.clone();
        note.as_object_mut().unwrap().remove("source_path");
        // Accesses are counted beside the files, and may be lost.
        note.as_object_mut().unwrap().remove("access_count");
        note["id"] = name(id).into();
        note["links"] = texts(&note["links"]).iter().map(|to| name(to)).collect();
        (name(id), note)
    });
    (shown.collect(), kind.steps().good.len())
}

#[track_caller]
fn check(operation: impl Fn(&dyn Kind, &Home) -> Result<()>) {
    let start = Home::new();
    prepare(&start);
    let before = state(&start);
    let run = |breakage, step| {
        let home = copy(&start);
        let brittle = Arc::new(Brittle::new(breakage, step));
        let ended = operation(&open_on(&home, brittle.clone()), &home);
        (home, brittle.has_broken(), ended)
    };
    let (whole, _, ended) = run(Breakage::Fails, usize::MAX);
    ended.expect("the operation works");
    let after = state(&whole);
    assert_ne!(before.0, after.0, "the operation does something");
    for breakage in [Breakage::Fails, Breakage::Dies, Breakage::FailsReading] {
        for step in 0.. {
            let (home, broke, ended) = run(breakage, step);
            check_broken(
                &home,
                (&before, &after),
                ended,
                &format!("{breakage:?} at step {step}"),
            );
            operation(&open(&home), &home).ok();
            // Whatever it was, the next change works, and sweeps.
            write(&open(&home), "written since");
            check_order(&home);
            if !broke {
                break;
            }
        }
    }
}

#[track_caller]
fn check_broken(home: &Home, (before, after): (&State, &State), ended: Result<()>, place: &str) {
    let now = state(home);
    assert!(
        now.0 == before.0 || now.0 == after.0,
        "{place}: a third state\n{:#?}",
        now.0
    );
    if ended.is_ok() {
        assert_eq!(now.0, after.0, "{place}: done, but not there");
    }
    // What can be seen can be taken back, whatever its caller was told.
    if now.0 == after.0 {
        assert!(now.1 >= after.1, "{place}: done, and beyond recall");
    }
    // A process that lives on leaves no step for what it did not do.
    if place.starts_with("Fails") && now.0 == before.0 {
        assert!(
            now.1 <= before.1,
            "{place}: a step is left for what did not happen"
        );
    }
}

#[test]
fn a_written_note_is_there_or_not() {
    check(|kind, _| {
        call(
            kind,
            "memory_write",
            json!({"content": "new", "category": "soul", "tags": ["x"]}),
        )
        .map(drop)
    });
}

#[test]
fn a_tag_is_there_or_not() {
    check(|kind, _| {
        call(
            kind,
            "memory_tag",
            json!({"id": "aaaa-inbox", "tags": ["x"]}),
        )
        .map(drop)
    });
}

#[test]
fn a_link_stands_on_both_sides_or_on_none() {
    check(|kind, _| {
        call(
            kind,
            "link",
            json!({"source": "aaaa-inbox", "target": "eeee-alone"}),
        )
        .map(drop)
    });
}

#[test]
fn an_unlinking_is_done_on_both_sides_or_on_none() {
    check(|kind, _| {
        let ends = json!({"source": "aaaa-inbox", "target": "bbbb-linked", "remove": true});
        call(kind, "link", ends).map(drop)
    });
}

#[test]
fn a_deleted_note_is_there_or_gone_with_the_links_to_it() {
    check(|kind, _| call(kind, "memory_delete", json!({"id": "aaaa-inbox"})).map(drop));
}

#[test]
fn a_deleted_note_that_nobody_links_to_is_there_or_in_the_trash() {
    check(|kind, _| call(kind, "memory_delete", json!({"id": "eeee-alone"})).map(drop));
}

#[test]
fn an_upgraded_note_is_in_one_folder() {
    check(|kind, _| call(kind, "upgrade", json!({"id": "aaaa-inbox"})).map(drop));
}

#[test]
fn a_consolidation_skips_a_note_that_was_deleted_meanwhile() {
    let start = Home::new();
    prepare(&start);
    for step in 0.. {
        let home = copy(&start);
        let brittle = Arc::new(Brittle::new(Breakage::Deletes, step));
        let ended = call(&open_on(&home, brittle.clone()), "consolidate", json!({}));
        assert!(ended.is_ok(), "step {step}: {ended:?}");
        if !brittle.has_broken() {
            assert!(step > 3);
            break;
        }
    }
}

#[test]
fn a_consolidation_is_done_or_not() {
    check(|kind, _| call(kind, "consolidate", json!({})).map(drop));
}

#[test]
fn a_dream_is_dreamt_or_not() {
    check(|kind, _| call(kind, "dream", json!({"level": 2})).map(drop));
}

#[test]
fn an_import_is_done_or_not() {
    let lines = ["aaaa-inbox", "ffff-more"].map(|id| {
        let links = json!(["bbbb-linked", if id == "aaaa-inbox" { "ffff-more" } else { "aaaa-inbox" }]);
        json!({"id": id, "content": format!("{id} imported"), "links": links, "created_at": "2026-05-01T10:00:00Z"})
            .to_string()
    });
    check(|kind, _| call(kind, "import", json!({"lines": lines.join("\n")})).map(drop));
}

#[test]
fn an_ingestion_is_done_or_not() {
    check(|kind, home| {
        let source = json!({"source": "obsidian", "path": home.path().join("vault")});
        call(kind, "ingest", json!({"sources": [source]})).map(drop)
    });
}

#[test]
fn an_undo_is_done_or_can_be_done_again() {
    check(|kind, _| {
        let steps = kind.steps().complete()?;
        steps.first().map_or(Ok(()), |step| {
            kind.undo(step, memory_core::Actor::Person, clock().now())
                .map(drop)
        })
    });
}

#[test]
fn an_undo_that_broke_can_be_finished() {
    let start = Home::new();
    prepare(&start);
    for breakage in [Breakage::Fails, Breakage::Dies, Breakage::FailsReading] {
        for step in 0.. {
            let home = copy(&start);
            let brittle = Arc::new(Brittle::new(breakage, step));
            let kind = open_on(&home, brittle.clone());
            let newest = open(&home).steps().good[0].clone();
            let ended = kind.undo(&newest, memory_core::Actor::Person, clock().now());
            // A step that is still shown can be taken back; one that is not, was.
            if ended.is_err() && open(&home).steps().good.contains(&newest) {
                open(&home)
                    .undo(&newest, memory_core::Actor::Person, clock().now())
                    .unwrap()
                    .expect("no one else has it");
            }
            assert!(
                notes(&open(&home)).contains_key("dddd-gone"),
                "{breakage:?} at step {step}"
            );
            assert!(
                !open(&home).steps().good.contains(&newest),
                "{breakage:?} at step {step}"
            );
            check_order(&home);
            if !brittle.has_broken() {
                break;
            }
        }
    }
}

#[test]
fn a_restored_note_is_there_with_its_links_or_not() {
    check(|kind, _| call(kind, "restore", json!({"id": "dddd-gone"})).map(drop));
}

#[test]
fn a_restore_that_can_not_read_the_newest_step_brings_back_no_older_text() {
    for step in 0.. {
        let home = Home::new();
        let kind = open(&home);
        let id = write(&kind, "the older text");
        delete(&kind, &id);
        let line =
            json!({"id": id, "content": "the newer text", "updated_at": "2026-06-20T10:00:00Z"})
                .to_string();
        call(&kind, "import", json!({"lines": line})).unwrap();
        delete(&kind, &id);
        let brittle = Arc::new(Brittle::new(Breakage::FailsReading, step));
        if call(
            &open_on(&home, brittle.clone()),
            "restore",
            json!({ "id": id }),
        )
        .is_ok()
        {
            assert_eq!(note(&kind, &id)["content"], "the newer text", "step {step}");
        }
        if !brittle.has_broken() {
            break;
        }
    }
}
