//! Wherever the disk breaks, nothing is half done.

use std::sync::Arc;

use memory_core::{Kind, Result};
use memory_files::{Breakage, Brittle};
use memory_testkit::{Home, clock};
use serde_json::json;

use crate::common::{aside, call, file, open, open_on, put, save};

fn prepare(home: &Home) {
    let kind = open(home);
    save(&kind, "session", "stays");
    save(&kind, "session", "old");
    save(&kind, "run", "of the run");
    save(&kind, "plan", "was cleared");
    call(&kind, "clear_memory", json!({"compartment": "plan"})).unwrap();
}

/// Returns what the file says without its ids, and how many steps can be taken back.
fn state(home: &Home) -> (Vec<String>, usize) {
    let kind = open(home);
    let lines = std::fs::read_to_string(file(home)).unwrap_or_default();
    let said = lines
        .lines()
        .filter(|line| !line.contains("\"id\""))
        .map(str::to_owned)
        .collect();
    (said, kind.steps().good.len())
}

#[track_caller]
fn check(operation: impl Fn(&dyn Kind) -> Result<()>) {
    let run = |breakage, step| {
        let home = Home::new();
        prepare(&home);
        let brittle = Arc::new(Brittle::new(breakage, step));
        let ended = operation(&open_on(&home, brittle.clone()));
        (home, brittle.has_broken(), ended)
    };
    let before = {
        let home = Home::new();
        prepare(&home);
        state(&home)
    };
    let after = state(&run(Breakage::Fails, usize::MAX).0);
    assert_ne!(before, after, "the operation does something");
    for breakage in [Breakage::Fails, Breakage::Dies, Breakage::FailsReading] {
        for step in 0.. {
            let (home, broke, ended) = run(breakage, step);
            let now = state(&home);
            assert!(
                now.0 == before.0 || now.0 == after.0,
                "{breakage:?} at step {step}: a third state"
            );
            if ended.is_ok() && breakage == Breakage::Fails {
                assert!(now.0 == after.0, "step {step}: done, but not there");
            }
            // What can be seen can be taken back, whatever its caller was told.
            if now.0 == after.0 {
                assert!(
                    now.1 >= after.1,
                    "{breakage:?} at step {step}: done, and beyond recall"
                );
            }
            if breakage == Breakage::Fails && now.0 == before.0 {
                assert!(
                    now.1 <= before.1,
                    "step {step}: a step is left for what did not happen"
                );
            }
            save(&open(&home), "plan", "the next write works");
            if !broke {
                break;
            }
        }
    }
}

#[test]
fn an_entry_is_saved_or_not() {
    check(|kind| {
        call(
            kind,
            "save_memory",
            json!({"compartment": "session", "content": "new"}),
        )
        .map(drop)
    });
}

#[test]
fn entries_are_cleared_or_not() {
    check(|kind| call(kind, "clear_memory", json!({"compartment": "session"})).map(drop));
}

#[test]
fn a_run_has_ended_or_not() {
    check(|kind| call(kind, "end_run", json!({})).map(drop));
}

#[test]
fn an_undo_is_done_or_can_be_done_again() {
    check(|kind| {
        let steps = kind.steps().complete()?;
        steps.first().map_or(Ok(()), |step| {
            kind.undo(step, memory_core::Actor::Person, clock().now())
                .map(drop)
        })
    });
}

#[test]
fn getting_answers_even_if_the_count_can_not_be_kept() {
    for step in 0..20 {
        let home = Home::new();
        save(&open(&home), "session", "told");
        let brittle = Arc::new(Brittle::new(Breakage::Fails, step));
        let reply = call(
            &open_on(&home, brittle),
            "get_memory",
            json!({"compartment": "session"}),
        );
        assert_eq!(
            reply.unwrap()["entries"][0]["content"],
            "told",
            "at step {step}"
        );
        assert_eq!(
            state(&home)
                .0
                .iter()
                .filter(|line| line.contains("told"))
                .count(),
            1
        );
    }
}

#[test]
fn a_damaged_file_is_never_lost_wherever_the_disk_breaks() {
    const DAMAGED: &str =
        "{\"session\": [{\"id\": \"a\", \"content\": \"whole\"}, {\"id\": \"b\", \"con";
    for breakage in [Breakage::Fails, Breakage::Dies, Breakage::FailsReading] {
        for step in 0.. {
            let home = Home::new();
            put(&home, DAMAGED);
            let brittle = Arc::new(Brittle::new(breakage, step));
            let kind = open_on(&home, brittle.clone());
            let ended = call(
                &kind,
                "save_memory",
                json!({"compartment": "plan", "content": "new"}),
            );
            let is_there = std::fs::read(file(&home)).unwrap() == DAMAGED.as_bytes();
            let is_aside = aside(&home)
                .iter()
                .any(|(_, bytes)| bytes == DAMAGED.as_bytes());
            assert!(is_there || is_aside, "{breakage:?} at step {step}");
            if ended.is_ok() && breakage == Breakage::Fails {
                assert!(is_aside && open(&home).documents(clock().now()).good.len() == 2);
            }
            if !brittle.has_broken() {
                break;
            }
        }
    }
}
