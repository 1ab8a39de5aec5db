//! A process that dies, a disk that fails and a power cut between any two system calls.

use std::sync::Arc;

use memory_files::RealDisk;
use memory_storage::{LocalStorage, Storage, StorageError};
use memory_testkit::{Breakage, Brittle, ForgetfulDisk, Home, Loss};

use crate::changes::{WAIT, change, leftovers, store_on, text};

type Files<'a> = &'a [(&'a str, Option<&'a str>)];

/// What a change begins with, and what it puts.
const CHANGES: [(Files<'_>, Files<'_>); 6] = [
    (&[], &[("a", Some("new"))]),
    (&[], &[("folder/sub/a", Some("new"))]),
    (&[("a", Some("old"))], &[("a", Some("new"))]),
    (&[("a", Some("old"))], &[("a", None)]),
    (
        &[("a", Some("old")), ("folder/b", Some("old"))],
        &[
            ("a", Some("new")),
            ("folder/b", None),
            ("folder/c", Some("new")),
        ],
    ),
    (
        &[("a", Some("old a")), ("b", Some("old b"))],
        &[("a", Some("new a")), ("b", Some("new b"))],
    ),
];

/// Returns whether the files are those of a state.
fn holds(storage: &LocalStorage, files: Files<'_>) -> bool {
    files
        .iter()
        .all(|(name, expected)| text(storage, name).as_deref() == *expected)
}

fn prepare(storage: &LocalStorage, before: Files<'_>) {
    change(storage, &[("other", Some("stays"))]).unwrap();
    if !before.is_empty() {
        change(storage, before).unwrap();
    }
}

/// The state before, for the files that a change touches.
fn state_before<'a>(before: Files<'a>, after: Files<'a>) -> Vec<(&'a str, Option<&'a str>)> {
    let text = |name: &str| {
        before
            .iter()
            .find(|(known, _)| *known == name)
            .and_then(|(_, text)| *text)
    };
    after.iter().map(|(name, _)| (*name, text(name))).collect()
}

#[track_caller]
fn check(
    storage: &LocalStorage,
    home: &Home,
    before: Files<'_>,
    after: Files<'_>,
    is_acknowledged: bool,
    context: &str,
) {
    // The next writer completes what was interrupted.
    drop(storage.begin(WAIT).unwrap());
    let (is_old, is_new) = (
        holds(storage, &state_before(before, after)),
        holds(storage, after),
    );
    assert!(is_new || is_old && !is_acknowledged, "{context}");
    assert_eq!(
        text(storage, "other").as_deref(),
        Some("stays"),
        "{context}"
    );
    assert!(
        leftovers(home).is_empty(),
        "{context}: {:?}",
        leftovers(home)
    );
    // A power cut may lose the record of an added text, and never one that is needed for undo.
    let records = storage.records().unwrap();
    let replaced = after
        .iter()
        .any(|(name, _)| before.iter().any(|(known, _)| known == name));
    let recorded = records
        .iter()
        .filter(|stored| {
            stored.record.entries.len() == after.len()
                && stored
                    .record
                    .entries
                    .iter()
                    .zip(after)
                    .all(|(entry, (_, text))| entry.text.as_deref() == *text)
        })
        .count();
    assert!(
        recorded <= 1 && (recorded == 1 || !(is_new && replaced)),
        "{context}: {recorded}"
    );
    assert!(
        is_new || recorded == 0,
        "{context}: a record of a change that did not happen"
    );
    change(storage, &[("next", Some("1"))]).unwrap();
    assert_eq!(text(storage, "next").as_deref(), Some("1"), "{context}");
}

#[test]
fn a_change_happens_or_not_wherever_the_process_dies_or_the_disk_fails() {
    for (n, (before, after)) in CHANGES.iter().enumerate() {
        for breakage in [Breakage::Fails, Breakage::Dies] {
            for step in 0.. {
                let home = Home::new();
                let storage = store_on(&home, Arc::new(RealDisk::default()));
                prepare(&storage, before);
                let disk = Arc::new(Brittle::new(breakage, step));
                let ended = change(&store_on(&home, disk.clone()), after);
                let context = format!("change {n}, {breakage:?} at step {step}: {ended:?}");
                if let (Breakage::Fails, Err(error)) = (breakage, &ended)
                    && !matches!(error, StorageError::Incomplete { .. })
                {
                    assert!(holds(&storage, &state_before(before, after)), "{context}");
                }
                check(&storage, &home, before, after, ended.is_ok(), &context);
                if !disk.has_broken() {
                    ended.unwrap();
                    assert!(step > 3, "{step}");
                    break;
                }
            }
        }
    }
}

#[test]
fn a_change_happens_or_not_wherever_the_power_is_cut() {
    for (n, (before, after)) in CHANGES.iter().enumerate() {
        for step in 0.. {
            let mut has_broken = false;
            let losses = (0..6).map(|seed| Loss::Half {
                seed: seed + 6 * step as u64,
            });
            for loss in losses.chain([Loss::Everything]) {
                let home = Home::new();
                let forgetful = Arc::new(ForgetfulDisk::new(home.path()));
                let storage = store_on(&home, Arc::new(RealDisk::over(forgetful.clone())));
                prepare(&storage, before);
                let disk = Arc::new(Brittle::over(forgetful.clone(), Breakage::Dies, step));
                let ended = change(&store_on(&home, disk.clone()), after);
                forgetful.cut(loss);
                let context = format!("change {n}, {loss:?} at step {step}: {ended:?}");
                check(&storage, &home, before, after, ended.is_ok(), &context);
                forgetful.cut(loss);
                assert!(holds(&storage, &[("next", Some("1"))]), "{context}");
                has_broken = disk.has_broken();
            }
            if !has_broken {
                break;
            }
        }
    }
}

/// A process that dies while it creates a folder leaves a folder whose name is not durable.
#[test]
fn a_folder_that_a_dead_process_has_created_is_made_durable() {
    for step in 0..20 {
        let home = Home::new();
        let forgetful = Arc::new(ForgetfulDisk::new(home.path()));
        let storage = store_on(&home, Arc::new(RealDisk::over(forgetful.clone())));
        prepare(&storage, &[]);
        let disk = Arc::new(Brittle::over(forgetful.clone(), Breakage::Dies, step));
        let _ = change(&store_on(&home, disk), &[("folder/sub/a", Some("1"))]);
        change(&storage, &[("folder/sub/b", Some("2"))]).unwrap();
        forgetful.cut(Loss::Everything);
        assert_eq!(
            text(&storage, "folder/sub/b").as_deref(),
            Some("2"),
            "step {step}"
        );
    }
}

#[test]
fn a_file_that_was_edited_after_a_crash_stays_as_it_was_edited() {
    let home = Home::new();
    let storage = store_on(&home, Arc::new(RealDisk::default()));
    prepare(&storage, &[("a", Some("old")), ("b", Some("old"))]);
    let after: Files<'_> = &[("a", Some("new")), ("b", Some("new"))];
    let mut was_edited = false;
    for step in 0.. {
        let disk = Arc::new(Brittle::new(Breakage::Dies, step));
        let ended = change(&store_on(&home, disk.clone()), after);
        std::fs::write(home.path().join("store/a"), "edited").unwrap();
        drop(storage.begin(WAIT).unwrap());
        assert_eq!(
            text(&storage, "a").as_deref(),
            Some("edited"),
            "step {step}"
        );
        was_edited |= text(&storage, "b").as_deref() == Some("new");
        change(&storage, &[("a", Some("old")), ("b", Some("old"))]).unwrap();
        if ended.is_ok() {
            break;
        }
    }
    assert!(was_edited, "the other file is completed");
}
