//! Wherever the disk breaks, a record is as it was or as it should be, and nothing is half done.

use std::sync::Arc;

use memory_core::{Kind, Result};
use memory_files::{Breakage, Brittle};
use memory_testkit::{Home, clock};
use serde_json::{Value, json};

use crate::common::{
    DAY, add, call, call_at, contents, core, index, line, open, open_on, path, put,
};

/// A core memory, a learning that rests, and a core memory that was deleted.
fn prepare(home: &Home) {
    let journal = open(home);
    core(&journal, "kept");
    add(&journal, json!({"type": "learning", "content": "idle"}));
    let gone = core(&journal, "gone");
    call(&journal, "delete_memory", json!({"id": gone})).unwrap();
}

/// The live contents, the archived ones, and how many steps can be taken back.
fn state(home: &Home) -> (Vec<String>, Vec<String>, usize) {
    // Looking at a copy of the question: no access is counted, so that nothing is written here.
    let journal = open_on(home, Arc::new(memory_files::LookingDisk::default()));
    let mut live = contents(&journal, json!({}));
    let mut archived = contents(&journal, json!({"archived": true}));
    live.sort();
    archived.sort();
    (live, archived, journal.steps().good.len())
}

fn id_of(journal: &dyn Kind, content: &str) -> Result<Option<String>> {
    let documents = journal.documents(clock().now()).complete()?;
    let found = documents
        .into_iter()
        .find(|document| document.text == content);
    Ok(found.map(|document| document.address.id))
}

#[track_caller]
fn check(operation: impl Fn(&dyn Kind) -> Result<Value>) {
    let run = |breakage, step| {
        let home = Home::new();
        prepare(&home);
        let brittle = Arc::new(Brittle::new(breakage, step));
        let ended = operation(&open_on(&home, brittle.clone()));
        (home, brittle.has_broken(), ended)
    };
    let home = Home::new();
    prepare(&home);
    let before = state(&home);
    let (whole, _, ended) = run(Breakage::Fails, usize::MAX);
    ended.unwrap();
    let after = state(&whole);
    assert_ne!(before, after, "the operation does something");
    for breakage in [Breakage::Fails, Breakage::Dies, Breakage::FailsReading] {
        for step in 0.. {
            let (home, broke, ended) = run(breakage, step);
            let now = state(&home);
            let (old, new) = (now.0 == before.0, now.0 == after.0 && now.1 == after.1);
            assert!(old || new, "{breakage:?} at step {step}: {now:?}");
            if ended.is_ok() {
                assert!(
                    new,
                    "{breakage:?} at step {step}: done, but not there: {now:?}"
                );
            }
            if new {
                assert!(
                    now.2 >= after.2.min(before.2 + 1),
                    "{breakage:?} at step {step}: beyond recall"
                );
            }
            if breakage == Breakage::Fails && old && before.0 != after.0 {
                assert!(
                    now.2 <= before.2,
                    "step {step}: a step is left for what did not happen"
                );
            }
            // The next one finds the journal usable, and the index true again.
            core(&open(&home), "next");
            let total = state(&home).0.len();
            assert_eq!(
                index(&home)["statistics"]["total_memories"],
                total,
                "{breakage:?} at step {step}"
            );
            assert!(!path(&home, ".lock").exists());
            if !broke {
                assert!(step > 2);
                break;
            }
        }
    }
}

#[test]
fn an_added_record_is_there_or_not() {
    check(|journal| {
        call(
            journal,
            "store_memory",
            json!({"type": "core", "content": "new", "tags": ["a"]}),
        )
    });
}

/// The index is written in place there, in two steps, and counts only when both are done.
#[test]
fn a_large_index_is_never_half_true() {
    let lines: String = (0..400)
        .map(|n| line(n, "core", json!({"tags": ["all"]})))
        .collect();
    for step in 0.. {
        let home = Home::new();
        put(&home, "core_memories.jsonl", &lines);
        call(&open(&home), "get_memory_stats", json!({})).unwrap();
        let brittle = Arc::new(Brittle::new(Breakage::Dies, step));
        let record = json!({"type": "core", "content": "new", "tags": ["all", "new"]});
        let _ = call(&open_on(&home, brittle.clone()), "store_memory", record);
        core(&open(&home), "next");
        let statistics = index(&home)["statistics"]["total_memories"]
            .as_u64()
            .unwrap();
        let tagged = index(&home)["tags_index"]["all"].as_array().unwrap().len() as u64;
        assert_eq!(
            tagged + 1,
            statistics,
            "step {step}: all but the last have the tag"
        );
        if !brittle.has_broken() {
            assert!(step > 3);
            break;
        }
    }
}

#[test]
fn an_updated_record_is_old_or_new() {
    check(|journal| match id_of(journal, "kept")? {
        Some(id) => call(
            journal,
            "update_memory",
            json!({"id": id, "content": "changed"}),
        ),
        None => Ok(Value::Null),
    });
}

#[test]
fn a_deleted_record_is_live_or_archived() {
    check(|journal| match id_of(journal, "kept")? {
        Some(id) => call(journal, "delete_memory", json!({"id": id})),
        None => Ok(Value::Null),
    });
}

#[test]
fn an_archived_record_is_live_or_archived() {
    check(|journal| call_at(journal, "archive", json!({}), 100 * DAY));
}

#[test]
fn an_undo_is_done_or_can_be_done_again() {
    let undo = |journal: &dyn Kind| match journal.steps().complete()?.first() {
        Some(step) => journal
            .undo(step, memory_core::Actor::Person, clock().now())
            .map(drop),
        None => Ok(()),
    };
    for breakage in [Breakage::Fails, Breakage::Dies, Breakage::FailsReading] {
        for step in 0.. {
            let home = Home::new();
            prepare(&home);
            let brittle = Arc::new(Brittle::new(breakage, step));
            let _ = undo(&open_on(&home, brittle.clone()));
            let now = state(&home);
            assert!(
                now.0.contains(&"gone".to_owned()) != now.1.contains(&"gone".to_owned()),
                "{breakage:?} at step {step}: {now:?}"
            );
            undo(&open(&home)).unwrap();
            assert_eq!(
                state(&home).0,
                ["gone", "idle", "kept"],
                "{breakage:?} at step {step}"
            );
            if !brittle.has_broken() {
                break;
            }
        }
    }
}

#[test]
fn a_repair_that_can_not_read_the_backups_changes_nothing() {
    for step in 0.. {
        let home = Home::new();
        let journal = open(&home);
        let id = core(&journal, "precious");
        core(&journal, "other");
        call(
            &journal,
            "update_memory",
            json!({"id": id, "category": "changed"}),
        )
        .unwrap();
        let damaged = crate::common::text(&home, "core_memories.jsonl")
            .replace("\"content\":\"precious\"", "\"content\":\"prec");
        put(&home, "core_memories.jsonl", &damaged);
        let brittle = Arc::new(Brittle::new(Breakage::FailsReading, step));
        let ended =
            open_on(&home, brittle.clone()).repair(clock().now(), memory_core::Rehearsal::Real);
        if ended.is_ok() && crate::common::text(&home, "core_memories.jsonl") != damaged {
            assert_eq!(
                contents(&open(&home), json!({})),
                ["other", "precious"],
                "step {step}"
            );
        }
        if !brittle.has_broken() {
            break;
        }
    }
}
