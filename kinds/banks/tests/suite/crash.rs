//! Wherever the disk breaks in a longer operation, nothing is half done.

use std::sync::Arc;

use memory_core::{Kind, Result};
use memory_files::{Breakage, Brittle, RealDisk};
use memory_testkit::{Home, clock};
use serde_json::{Value, json};

use crate::common::{call, call_at, open_on, write};

/// What each operation starts from: a bank, another that was deleted, and one of about this size.
fn prepare(home: &Home, size: usize) {
    let banks = open_on(home, Arc::new(RealDisk::default()), true, true);
    write(&banks, "a", "k", json!("old")).unwrap();
    write(&banks, "a", "other", json!(1)).unwrap();
    write(&banks, "big", "one", json!("x".repeat(size))).unwrap();
    write(&banks, "gone", "k", json!("old")).unwrap();
    call(&banks, "memory_delete", json!({"bank": "gone"})).unwrap();
}

/// Returns every live entry of every bank, and what can be taken back.
fn state(home: &Home) -> (Vec<Value>, usize) {
    let banks = open_on(home, Arc::new(RealDisk::default()), true, true);
    let read = |bank: &str| {
        call_at(
            &banks,
            "memory_read",
            json!({"bank": bank, "default": null}),
            1,
        )
        .unwrap()
    };
    // Completes an interrupted change.
    let steps = banks.steps().good.len();
    let entries = ["a", "big", "gone", "new"]
        .iter()
        .map(|bank| read(bank))
        .collect();
    (entries, steps)
}

#[track_caller]
fn check(size: usize, operation: impl Fn(&dyn Kind) -> Result<()>) {
    let run = |breakage, step| {
        let home = Home::new();
        prepare(&home, size);
        let brittle = Arc::new(Brittle::new(breakage, step));
        let ended = operation(&open_on(&home, brittle.clone(), true, true));
        (home, brittle.has_broken(), ended)
    };
    let before = {
        let home = Home::new();
        prepare(&home, size);
        state(&home)
    };
    let (whole, _, _) = run(Breakage::Fails, usize::MAX);
    let after = state(&whole);
    assert_ne!(before, after, "the operation does something");
    for breakage in [Breakage::Fails, Breakage::Dies, Breakage::FailsReading] {
        for step in 0.. {
            let (home, broke, ended) = run(breakage, step);
            let now = state(&home);
            assert!(
                now.0 == before.0 || now.0 == after.0,
                "{breakage:?} at step {step}: a third state"
            );
            if ended.is_ok() {
                assert_eq!(
                    now.0, after.0,
                    "{breakage:?} at step {step}: done, but not there"
                );
            }
            // What can be seen can be taken back, whatever its caller was told.
            if now.0 == after.0 {
                assert!(
                    now.1 >= after.1,
                    "{breakage:?} at step {step}: done, and beyond recall"
                );
            }
            // A process that lives on leaves no step for what it did not do.
            if breakage == Breakage::Fails && now.0 == before.0 {
                assert!(
                    now.1 <= before.1,
                    "step {step}: a step is left for what did not happen"
                );
            }
            operation(&open_on(&home, Arc::new(RealDisk::default()), true, true)).ok();
            if !broke {
                break;
            }
        }
    }
}

#[test]
fn a_deleted_key_is_there_or_gone() {
    check(10, |banks| {
        call(banks, "memory_delete", json!({"bank": "a", "key": "k"})).map(drop)
    });
}

#[test]
fn a_deleted_bank_is_there_or_gone() {
    check(10, |banks| {
        call(banks, "memory_delete", json!({"bank": "a"})).map(drop)
    });
}

#[test]
fn an_import_is_done_or_not() {
    let document =
        json!({"_meta": {}, "entries": {"k": {"value": "imported"}, "new": {"value": 2}}});
    check(10, |banks| {
        call(banks, "import", json!({"bank": "a", "document": document})).map(drop)
    });
}

#[test]
fn a_bank_that_becomes_compressed_is_old_or_new() {
    check(900 << 10, |banks| {
        write(banks, "big", "two", json!("y".repeat(300 << 10))).map(drop)
    });
}

#[test]
fn an_undo_is_done_or_can_be_done_again() {
    check(10, |banks| {
        let steps = banks.steps().complete()?;
        steps.first().map_or(Ok(()), |step| {
            banks
                .undo(step, memory_core::Actor::Person, clock().now())
                .map(drop)
        })
    });
}

#[test]
fn a_gc_that_can_not_read_every_bank_fails() {
    for step in 0.. {
        let home = Home::new();
        let banks = open_on(&home, Arc::new(RealDisk::default()), true, true);
        for bank in ["a", "b"] {
            let expired = json!({"bank": bank, "key": "k", "value": 1, "ttl": 10});
            call(&banks, "memory_write", expired).unwrap();
        }
        let brittle = Arc::new(Brittle::new(Breakage::FailsReading, step));
        let ended = call_at(
            &open_on(&home, brittle.clone(), true, true),
            "gc",
            json!({"dry_run": false}),
            60,
        );
        let left = call_at(&banks, "gc", json!({"dry_run": true}), 60).unwrap()["count"].clone();
        if let Ok(reply) = ended {
            assert_eq!(
                (&reply["count"], &left),
                (&json!(2), &json!(0)),
                "step {step}: {reply}"
            );
        }
        if !brittle.has_broken() {
            break;
        }
    }
}
