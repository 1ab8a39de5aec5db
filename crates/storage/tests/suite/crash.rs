//! A process that dies, a disk that fails and a power cut between any two system calls.

use std::sync::Arc;

use memory_core::Timestamp;
use memory_files::RealDisk;
use memory_storage::{ChangeSet, Durable, LocalStorage, Op, Storage, StorageError, update};
use memory_testkit::{Breakage, Brittle, ForgetfulDisk, Home, Loss};

use crate::changes::{WAIT, change, entry, leftovers, path, record, set_of, store_on, text};

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

/// Ways in which a power cut loses what was not synced.
fn losses(step: usize) -> impl Iterator<Item = Loss> {
    let halves = (0..4).map(move |seed| Loss::Half {
        seed: seed + 4 * step as u64,
    });
    halves.chain([Loss::Everything])
}

/// Two of them, for tests with many combinations.
fn two_losses(step: usize) -> [Loss; 2] {
    [Loss::Everything, Loss::Half { seed: step as u64 }]
}

/// A store on a disk whose power is cut.
struct Machine {
    home: Home,
    disk: Arc<ForgetfulDisk>,
}

impl Machine {
    fn new() -> Self {
        let home = Home::new();
        let disk = Arc::new(ForgetfulDisk::new(home.path()));
        Machine { home, disk }
    }

    fn store(&self) -> LocalStorage {
        store_on(&self.home, Arc::new(RealDisk::over(self.disk.clone())))
    }

    /// Returns the store for a process that has a fault at a step.
    fn broken_store(&self, breakage: Breakage, step: usize) -> (LocalStorage, Arc<Brittle>) {
        let disk = Arc::new(Brittle::over(self.disk.clone(), breakage, step));
        (store_on(&self.home, disk.clone()), disk)
    }
}

#[test]
fn what_recovery_has_completed_stays_wherever_the_power_is_cut_again() {
    for (n, (before, after)) in CHANGES.iter().enumerate().skip(1) {
        for step in 0.. {
            let mut has_broken = false;
            // A process that dies loses nothing of what the system was given.
            for first in [None, Some(Loss::Half { seed: step as u64 })] {
                for second in two_losses(step) {
                    let machine = Machine::new();
                    let storage = machine.store();
                    prepare(&storage, before);
                    let (broken, disk) = machine.broken_store(Breakage::Dies, step);
                    let ended = change(&broken, after);
                    has_broken = disk.has_broken();
                    if let Some(loss) = first {
                        machine.disk.cut(loss);
                    }
                    drop(storage.begin(WAIT).unwrap());
                    let was_new = holds(&storage, after);
                    machine.disk.cut(second);
                    let context = format!("change {n}, {first:?} {second:?} at step {step}");
                    assert!(!was_new || holds(&storage, after), "{context}");
                    check(
                        &storage,
                        &machine.home,
                        before,
                        after,
                        ended.is_ok(),
                        &context,
                    );
                }
            }
            if !has_broken {
                break;
            }
        }
    }
}

#[test]
fn recovery_can_be_interrupted_by_a_power_cut_at_each_step() {
    let (before, after) = CHANGES[4];
    for step in 8..30 {
        for again in 0.. {
            let machine = Machine::new();
            let storage = machine.store();
            prepare(&storage, before);
            let (broken, _) = machine.broken_store(Breakage::Dies, step);
            let ended = change(&broken, after);
            let seed = (100 * step + again) as u64;
            machine.disk.cut(Loss::Half { seed });
            let (broken, disk) = machine.broken_store(Breakage::Dies, again);
            let recovered = broken.begin(WAIT).map(drop);
            let is_new = recovered.is_ok() && holds(&storage, after);
            machine.disk.cut(Loss::Half { seed: seed + 50 });
            let context = format!("step {step} and {again}");
            let is_kept = ended.is_ok() || is_new;
            check(&storage, &machine.home, before, after, is_kept, &context);
            if !disk.has_broken() {
                break;
            }
        }
    }
}

/// Puts the lines of files, each line being an entry.
fn put_lines(storage: &LocalStorage, names: &[&str], texts: [&str; 2]) -> Result<(), StorageError> {
    update(storage, WAIT, |read| {
        let (mut set, mut entries) = (ChangeSet::default(), Vec::new());
        for name in names {
            let found = read.read(&path(name), 1 << 20)?;
            set.expect
                .push((path(name), found.map(|object| object.version)));
            set.ops
                .push(Op::Put(path(name), texts.join("\n").into_bytes()));
            entries.extend(texts.map(|text| entry(name, Some("before"), Some(text))));
        }
        set.record = Some(record(entries));
        Ok(((), set))
    })
    .map(drop)
}

#[test]
fn a_record_of_a_change_that_was_lost_does_not_count_after_another_power_cut() {
    let mut has_been_lost = false;
    for step in 0.. {
        let mut has_broken = false;
        for loss in two_losses(step) {
            for second in losses(step + 100) {
                let machine = Machine::new();
                let storage = machine.store();
                put_lines(&storage, &["a"], ["old", "first"]).unwrap();
                let (broken, disk) = machine.broken_store(Breakage::Dies, step);
                let ended = put_lines(&broken, &["a"], ["new", "second"]);
                has_broken = disk.has_broken();
                machine.disk.cut(loss);
                let log = machine
                    .home
                    .path()
                    .join("store/.memory-history/machine-2026-05.jsonl");
                let context = format!("{loss:?} {second:?} at step {step}");
                drop(storage.begin(WAIT).unwrap());
                let found = text(&storage, "a");
                machine.disk.cut(second);
                let records = storage.records().unwrap();
                assert_eq!(text(&storage, "a"), found, "{context}");
                let is_new = found.as_deref() == Some("new\nsecond");
                assert!(
                    is_new || found.as_deref() == Some("old\nfirst"),
                    "{context}"
                );
                assert!(is_new || ended.is_err(), "{context}");
                assert_eq!(records.len(), 1 + usize::from(is_new), "{context}");
                has_been_lost |= std::fs::read_to_string(log).unwrap().contains("cancel");
            }
        }
        if !has_broken {
            break;
        }
    }
    assert!(has_been_lost, "a change is lost after its record");
}

/// The texts of such files cannot be restored from the record. The disk loses the two names of a rename separately; file
/// systems with a journal do not, so this power cut loses both or none.
#[test]
fn files_of_several_entries_change_together_wherever_the_power_is_cut() {
    for step in 0.. {
        let machine = Machine::new();
        let storage = machine.store();
        put_lines(&storage, &["a", "folder/b"], ["old", "first"]).unwrap();
        machine.disk.record_all();
        let (broken, disk) = machine.broken_store(Breakage::Dies, step);
        let ended = put_lines(&broken, &["a", "folder/b"], ["new", "second"]);
        machine.disk.cut(Loss::Everything);
        drop(storage.begin(WAIT).unwrap());
        let found = ["a", "folder/b"].map(|name| text(&storage, name).unwrap());
        let context = format!("step {step}: {found:?}");
        assert!(
            found == ["new\nsecond"; 2] || ended.is_err() && found == ["old\nfirst"; 2],
            "{context}"
        );
        machine.disk.cut(Loss::Everything);
        assert_eq!(
            ["a", "folder/b"].map(|name| text(&storage, name).unwrap()),
            found,
            "{context}"
        );
        if !disk.has_broken() {
            break;
        }
    }
}

fn append(storage: &LocalStorage, line: &str) -> Result<(), StorageError> {
    let set = ChangeSet {
        ops: vec![Op::Append(path("log"), format!("{line}\n").into_bytes())],
        record: Some(record(vec![entry("log", None, Some(line))])),
        ..ChangeSet::default()
    };
    storage.begin(WAIT)?.commit(set).map(drop)
}

#[test]
fn a_line_is_appended_once_or_not_wherever_the_power_is_cut() {
    for is_first in [true, false] {
        for step in 0.. {
            let mut has_broken = false;
            let cuts = two_losses(step).map(Some).into_iter().chain([None]);
            for (first, second) in
                cuts.flat_map(|first| losses(step).map(move |loss| (first, loss)))
            {
                let machine = Machine::new();
                let storage = machine.store();
                change(&storage, &[("other", Some("stays"))]).unwrap();
                if !is_first {
                    append(&storage, "first").unwrap();
                }
                let (broken, disk) = machine.broken_store(Breakage::Dies, step);
                let ended = append(&broken, "second");
                has_broken = disk.has_broken();
                if let Some(loss) = first {
                    machine.disk.cut(loss);
                }
                drop(storage.begin(WAIT).unwrap());
                let lines = text(&storage, "log").unwrap_or_default();
                let context = format!("{first:?} {second:?} at step {step}: {lines:?}");
                let before = if is_first { "" } else { "first\n" };
                let rest = lines.strip_prefix(before).expect(&context);
                assert!(rest == "second\n" || ended.is_err(), "{context}");
                machine.disk.cut(second);
                drop(storage.begin(WAIT).unwrap());
                let found = text(&storage, "log").unwrap_or_default();
                assert!(rest != "second\n" || found == lines, "{context}: {found:?}");
            }
            if !has_broken {
                break;
            }
        }
    }
}

#[test]
fn texts_are_removed_from_the_history_wherever_the_power_is_cut() {
    let at = |seconds: i64| Timestamp::from_second(seconds).unwrap();
    let expiry = |_: &str, text: &str| (text == "expires").then(|| at(100));
    for step in 0.. {
        let mut has_broken = false;
        for loss in losses(step) {
            let machine = Machine::new();
            let storage = machine.store();
            storage.note_expiry(at(100));
            for value in ["expires", "stays", "last"] {
                change(&storage, &[("a", Some(value))]).unwrap();
            }
            machine.disk.record_all();
            let (broken, disk) = machine.broken_store(Breakage::Dies, step);
            let ended = broken.forget_expired(at(200), &expiry);
            has_broken = disk.has_broken();
            machine.disk.cut(loss);
            let context = format!("{loss:?} at step {step}: {ended:?}");
            let records = storage.records().unwrap();
            let texts: Vec<Option<&str>> = records
                .iter()
                .map(|stored| stored.record.entries[0].text.as_deref())
                .collect();
            let is_forgotten = texts == [None, Some("stays"), Some("last")];
            assert!(
                is_forgotten || texts == [Some("expires"), Some("stays"), Some("last")],
                "{context}: {texts:?}"
            );
            assert!(is_forgotten || ended.is_err(), "{context}");
            change(&storage, &[("a", Some("next"))]).unwrap();
            assert_eq!(storage.records().unwrap().len(), 4, "{context}");
        }
        if !has_broken {
            break;
        }
    }
}

#[test]
fn a_change_that_was_refused_does_not_happen_after_a_power_cut() {
    for (n, (before, after)) in CHANGES.iter().enumerate() {
        for step in 0.. {
            let mut has_broken = false;
            for loss in two_losses(step) {
                let machine = Machine::new();
                let storage = machine.store();
                prepare(&storage, before);
                let (broken, disk) = machine.broken_store(Breakage::Fails, step);
                let ended = change(&broken, after);
                has_broken = disk.has_broken();
                machine.disk.cut(loss);
                let context = format!("change {n}, {loss:?} at step {step}: {ended:?}");
                check(
                    &storage,
                    &machine.home,
                    before,
                    after,
                    ended.is_ok(),
                    &context,
                );
                if let Err(error) = ended
                    && !matches!(error, StorageError::Incomplete { .. })
                {
                    assert!(holds(&storage, &state_before(before, after)), "{context}");
                }
            }
            if !has_broken {
                break;
            }
        }
    }
}

#[test]
fn a_first_change_that_was_refused_does_not_happen_after_a_power_cut() {
    for step in 0.. {
        let mut has_broken = false;
        for loss in losses(step).chain(losses(step + 100)) {
            let machine = Machine::new();
            let (broken, disk) = machine.broken_store(Breakage::Fails, step);
            let ended = change(&broken, &[("a", Some("1")), ("b", Some("1"))]);
            has_broken = disk.has_broken();
            machine.disk.cut(loss);
            let storage = machine.store();
            drop(storage.begin(WAIT).unwrap());
            let found = ["a", "b"].map(|name| text(&storage, name));
            let context = format!("{loss:?} at step {step}: {ended:?} {found:?}");
            match ended {
                Ok(()) => assert!(found.iter().all(Option::is_some), "{context}"),
                Err(StorageError::Incomplete { .. }) => assert_eq!(found[0], found[1], "{context}"),
                Err(_) => assert_eq!(found, [None, None], "{context}"),
            }
        }
        if !has_broken {
            break;
        }
    }
}

#[test]
fn a_change_that_is_durable_by_its_record_stays_wherever_the_power_is_cut() {
    for step in 0.. {
        let mut has_broken = false;
        let cuts = two_losses(step).map(Some).into_iter().chain([None]);
        for (first, second) in cuts.flat_map(|first| losses(step).map(move |loss| (first, loss))) {
            let machine = Machine::new();
            let storage = machine.store();
            change(&storage, &[("a", Some("old")), ("b", Some("old"))]).unwrap();
            let (broken, disk) = machine.broken_store(Breakage::Dies, step);
            let set = ChangeSet {
                durable: Durable::Log,
                ..set_of(&storage, &[("a", Some("new")), ("b", Some("new"))])
            };
            let ended = broken
                .begin(WAIT)
                .and_then(|transaction| transaction.commit(set));
            has_broken = disk.has_broken();
            if let Some(loss) = first {
                machine.disk.cut(loss);
                drop(storage.begin(WAIT).unwrap());
            } else if ended.is_err() {
                drop(storage.begin(WAIT).unwrap());
            }
            let state = || ["a", "b"].map(|name| text(&storage, name).unwrap());
            let found = state();
            let context = format!("{first:?} {second:?} at step {step}: {found:?}");
            assert!(found == ["new"; 2] || found == ["old"; 2], "{context}");
            assert!(found == ["new"; 2] || ended.is_err(), "{context}");
            machine.disk.cut(second);
            drop(storage.begin(WAIT).unwrap());
            assert_eq!(state(), found, "{context}");
        }
        if !has_broken {
            break;
        }
    }
}

#[test]
fn the_history_is_hidden_from_version_control_wherever_the_power_is_cut() {
    for step in 0.. {
        let mut has_broken = false;
        for loss in losses(step).map(Some).chain([None]) {
            let machine = Machine::new();
            let (broken, disk) = machine.broken_store(Breakage::Dies, step);
            let _ = change(&broken.ignored(), &[("a", Some("1"))]);
            has_broken = disk.has_broken();
            if let Some(loss) = loss {
                machine.disk.cut(loss);
            }
            change(&machine.store().ignored(), &[("a", Some("2"))]).unwrap();
            machine.disk.cut(Loss::Everything);
            let ignore = machine.home.path().join("store/.memory-history/.gitignore");
            let found = std::fs::read_to_string(ignore).ok();
            assert_eq!(found.as_deref(), Some("*\n"), "{loss:?} at step {step}");
        }
        if !has_broken {
            break;
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
fn a_store_that_a_dead_process_has_created_is_made_durable() {
    for step in 0..20 {
        let machine = Machine::new();
        let (broken, _) = machine.broken_store(Breakage::Dies, step);
        let _ = change(&broken, &[("a", Some("1"))]);
        let storage = machine.store();
        change(&storage, &[("b", Some("2"))]).unwrap();
        change(&storage, &[("b", Some("3"))]).unwrap();
        machine.disk.cut(Loss::Everything);
        assert_eq!(text(&storage, "b").as_deref(), Some("3"), "step {step}");
        let records = storage.records().unwrap();
        let last = records.last().expect("the record of a replaced text stays");
        let before = last.record.entries[0].before.as_deref();
        assert_eq!(before, Some("2"), "step {step}");
    }
}

#[test]
fn the_history_shows_no_change_that_is_not_complete() {
    let (before, after) = CHANGES[5];
    let mut was_interrupted = false;
    for step in 0.. {
        let machine = Machine::new();
        let storage = machine.store();
        prepare(&storage, before);
        let (broken, disk) = machine.broken_store(Breakage::Dies, step);
        let _ = change(&broken, after);
        was_interrupted |= !holds(&storage, after) && !holds(&storage, before);
        let records = storage.records().unwrap().len();
        let expected = if records == 3 { after } else { before };
        assert!(holds(&storage, expected), "step {step}: {records}");
        if !disk.has_broken() {
            break;
        }
    }
    assert!(was_interrupted, "one of two files was changed");
}

#[test]
fn a_file_that_was_removed_by_hand_is_not_restored_after_a_crash() {
    for step in 0.. {
        let machine = Machine::new();
        let storage = machine.store();
        change(&storage, &[("a", Some("1"))]).unwrap();
        std::fs::remove_file(machine.home.path().join("store/a")).unwrap();
        let (broken, disk) = machine.broken_store(Breakage::Dies, step);
        let _ = change(&broken, &[("b", Some("2"))]);
        drop(storage.begin(WAIT).unwrap());
        assert_eq!(text(&storage, "a"), None, "step {step}");
        if !disk.has_broken() {
            break;
        }
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
