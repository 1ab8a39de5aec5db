//! Changes on a disk that works.

use std::sync::Arc;
use std::time::Duration;

use memory_core::{Actor, Code, Ids, Timestamp};
use memory_files::{Costs, Disk, Files, RealDisk};
use memory_storage::{
    ChangeSet, Durable, EntryChange, FileVersion, LocalStorage, Machine, Object, Op, Read, Record,
    Storage, StorageError, StorePath, Updated, update,
};
use memory_testkit::Home;

pub(crate) const WAIT: Duration = Duration::from_secs(5);

pub(crate) fn path(path: &str) -> StorePath {
    StorePath::new(path).unwrap()
}

pub(crate) fn store_on(home: &Home, disk: Arc<dyn Disk>) -> LocalStorage {
    on_machine(home, disk, "machine")
}

fn on_machine(home: &Home, disk: Arc<dyn Disk>, id: &str) -> LocalStorage {
    let files = Files::new(disk, Ids::random());
    LocalStorage::new(
        &files,
        home.spot().join("store"),
        Machine::fixed(&files, id),
    )
}

pub(crate) fn store(home: &Home) -> LocalStorage {
    store_on(home, Arc::new(RealDisk::default()))
}

pub(crate) fn record(entries: Vec<EntryChange>) -> Record {
    Record {
        at: "2026-05-07T10:00:00Z".parse::<Timestamp>().unwrap(),
        by: Actor::Person,
        action: "write".to_owned(),
        summary: "test".to_owned(),
        reverts: None,
        entries,
    }
}

/// Returns the change of a file that is one entry.
pub(crate) fn entry(name: &str, before: Option<&str>, text: Option<&str>) -> EntryChange {
    let owned = |text: Option<&str>| text.map(str::to_owned);
    EntryChange::new(
        format!("test:{name}"),
        path(name),
        owned(before),
        owned(text),
    )
}

pub(crate) fn text(read: &(impl Read + ?Sized), name: &str) -> Option<String> {
    let object = read.read(&path(name), 1 << 20).unwrap()?;
    Some(String::from_utf8(object.bytes).unwrap())
}

/// Returns a change that puts texts (`None` removes the file), each file being an entry.
pub(crate) fn set_of(read: &dyn Read, files: &[(&str, Option<&str>)]) -> ChangeSet {
    let mut set = ChangeSet::default();
    let mut entries = Vec::new();
    for (name, after) in files {
        let before = read.read(&path(name), 1 << 20).unwrap();
        let version = before
            .as_ref()
            .map(|object: &Object| object.version.clone());
        set.expect.push((path(name), version));
        let before = before.map(|object| String::from_utf8(object.bytes).unwrap());
        entries.push(entry(name, before.as_deref(), *after));
        set.ops.push(match after {
            Some(after) => Op::Put(path(name), after.as_bytes().to_vec()),
            None => Op::Remove(path(name)),
        });
    }
    set.record = Some(record(entries));
    set
}

pub(crate) fn change(
    storage: &LocalStorage,
    files: &[(&str, Option<&str>)],
) -> Result<(), StorageError> {
    update(storage, WAIT, |read| Ok(((), set_of(read, files)))).map(drop)
}

/// Returns the temporary files of the store.
pub(crate) fn leftovers(home: &Home) -> Vec<String> {
    let folder = std::fs::read_dir(home.path().join("store/.memory-history"));
    let names = folder
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.file_name());
    let names = names.map(|name| name.to_string_lossy().into_owned());
    names.filter(|name| name.ends_with(".tmp")).collect()
}

#[test]
fn files_are_put_replaced_and_removed_and_each_step_is_recorded() {
    let home = Home::new();
    let storage = store(&home);
    change(&storage, &[("a", Some("1")), ("folder/b", Some("2"))]).unwrap();
    change(&storage, &[("a", Some("3")), ("folder/b", None)]).unwrap();
    assert_eq!(text(&storage, "a").as_deref(), Some("3"));
    assert_eq!(text(&storage, "folder/b"), None);
    let records = storage.records().unwrap();
    assert_eq!(records.len(), 2);
    assert!(records[0].step != records[1].step && !records[1].is_foreign);
    assert!(records[0].written > 0 && records[1].written >= records[0].written);
    let [a, b] = &records[1].record.entries[..] else {
        panic!("two entries changed");
    };
    assert_eq!(
        (a.before.as_deref(), a.text.as_deref()),
        (Some("1"), Some("3"))
    );
    assert_eq!((b.before.as_deref(), b.text.as_deref()), (Some("2"), None));
    assert_eq!(a.base, records[0].record.entries[0].version);
    assert!(leftovers(&home).is_empty());
}

#[test]
fn bytes_are_appended() {
    let home = Home::new();
    let storage = store(&home);
    for line in ["1", "2"] {
        let set = ChangeSet {
            ops: vec![Op::Append(path("log"), format!("{line}\n").into_bytes())],
            record: Some(record(vec![entry("log", None, Some(line))])),
            ..ChangeSet::default()
        };
        storage.begin(WAIT).unwrap().commit(set).unwrap();
    }
    assert_eq!(text(&storage, "log").as_deref(), Some("1\n2\n"));
}

#[test]
fn a_file_in_another_state_is_a_conflict_and_nothing_changes() {
    let home = Home::new();
    let storage = store(&home);
    change(&storage, &[("a", Some("1"))]).unwrap();
    let planned = set_of(&storage, &[("a", Some("2")), ("b", Some("2"))]);
    std::fs::write(home.path().join("store/a"), "edited").unwrap();
    let error = storage.begin(WAIT).unwrap().commit(planned).unwrap_err();
    assert_eq!(error.code(), Code::Conflict);
    let planned = set_of(&storage, &[("new", Some("2"))]);
    std::fs::write(home.path().join("store/new"), "by another").unwrap();
    storage.begin(WAIT).unwrap().commit(planned).unwrap_err();
    assert_eq!(text(&storage, "a").as_deref(), Some("edited"));
    assert_eq!(text(&storage, "b"), None);
    assert_eq!(storage.records().unwrap().len(), 1);
    assert!(leftovers(&home).is_empty());
}

#[test]
fn an_edit_within_the_same_tick_of_the_clock_is_a_conflict() {
    let home = Home::new();
    let storage = store(&home);
    change(&storage, &[("a", Some("1"))]).unwrap();
    let planned = set_of(&storage, &[("a", Some("2"))]);
    let file = home.path().join("store/a");
    let modified = std::fs::metadata(&file).unwrap().modified().unwrap();
    std::fs::write(&file, "x").unwrap();
    std::fs::File::open(&file)
        .unwrap()
        .set_modified(modified)
        .unwrap();
    let error = storage.begin(WAIT).unwrap().commit(planned).unwrap_err();
    assert_eq!(error.code(), Code::Conflict);
}

#[test]
fn a_lost_race_is_planned_again_and_at_last_under_the_lock() {
    let home = Home::new();
    let storage = store(&home);
    change(&storage, &[("a", Some("0"))]).unwrap();
    let mut plans = 0;
    let planned: Result<Updated<usize>, StorageError> = update(&storage, WAIT, |read| {
        plans += 1;
        let set = set_of(read, &[("a", Some("mine"))]);
        if plans <= 3 {
            change(&store(&home), &[("a", Some(&plans.to_string()))]).unwrap();
        }
        Ok((plans, set))
    });
    assert_eq!(planned.unwrap().answer, 4);
    assert_eq!(text(&storage, "a").as_deref(), Some("mine"));
}

#[test]
fn a_plan_that_nobody_disturbs_runs_once() {
    let home = Home::new();
    let storage = store(&home);
    for value in ["1", "2"] {
        let mut plans = 0;
        let planned: Result<Updated<()>, StorageError> = update(&storage, WAIT, |read| {
            plans += 1;
            Ok(((), set_of(read, &[("a", Some(value))])))
        });
        planned.unwrap();
        assert_eq!(plans, 1);
    }
    let found = storage.stat(&path("a")).unwrap();
    let set = ChangeSet {
        expect: vec![(path("a"), found)],
        ops: vec![Op::Put(path("a"), b"3".to_vec())],
        record: Some(record(vec![entry("a", Some("2"), Some("3"))])),
        ..ChangeSet::default()
    };
    let transaction = storage.begin(WAIT).unwrap();
    let size = |found: Option<FileVersion>| found.map(|version| version.stamp().size);
    assert_eq!(size(transaction.stat(&path("a")).unwrap()), Some(1));
    transaction.commit(set).unwrap();
    assert_eq!(storage.stat(&path("missing")).unwrap(), None);
}

/// The contents of such a file are not compared.
#[test]
fn an_edit_of_a_file_that_is_not_young_is_a_conflict() {
    let home = Home::new();
    let storage = store(&home);
    change(&storage, &[("a", Some("1"))]).unwrap();
    let file = home.path().join("store/a");
    let old = std::time::SystemTime::now() - Duration::from_secs(3_600);
    let open = std::fs::File::open(&file).unwrap();
    open.set_modified(old).unwrap();
    let planned = set_of(&storage, &[("a", Some("2"))]);
    std::fs::write(&file, "edited").unwrap();
    let error = storage.begin(WAIT).unwrap().commit(planned).unwrap_err();
    assert_eq!(error.code(), Code::Conflict);
    assert_eq!(text(&storage, "a").as_deref(), Some("edited"));
}

#[test]
fn a_file_that_holds_no_entries_changes_without_a_record() {
    let home = Home::new();
    let storage = store(&home);
    let set = ChangeSet {
        record: None,
        ..set_of(&storage, &[("a", Some("1"))])
    };
    let committed = storage.begin(WAIT).unwrap().commit(set).unwrap();
    assert_eq!(committed.step, None);
    assert_eq!(text(&storage, "a").as_deref(), Some("1"));
    assert_eq!(storage.records().unwrap(), []);
}

#[test]
fn a_change_of_nothing_writes_nothing() {
    let home = Home::new();
    let storage = store(&home);
    let planned: Result<Updated<()>, StorageError> =
        update(&storage, WAIT, |_| Ok(((), ChangeSet::default())));
    assert_eq!(planned.unwrap().committed, None);
    assert!(!home.path().join("store").exists());
    let committed = storage.begin(WAIT).unwrap().commit(ChangeSet::default());
    assert_eq!(committed.unwrap().step, None);
    assert_eq!(storage.records().unwrap(), []);
}

#[test]
fn writers_that_do_not_know_of_each_other_lose_nothing() {
    let home = Home::new();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let storage = store(&home);
                for _ in 0..10 {
                    let counted: Result<Updated<()>, StorageError> =
                        update(&storage, WAIT, |read| {
                            let mut set = set_of(read, &[("count", Some(""))]);
                            let before = set.record.as_ref().unwrap().entries[0].before.clone();
                            let count: u32 =
                                before.as_ref().map_or(0, |text| text.parse().unwrap());
                            let next = (count + 1).to_string();
                            let after = entry("count", before.as_deref(), Some(&next));
                            set.record = Some(record(vec![after]));
                            set.ops = vec![Op::Put(path("count"), next.into_bytes())];
                            Ok(((), set))
                        });
                    counted.unwrap();
                }
            });
        }
    });
    assert_eq!(text(&store(&home), "count").as_deref(), Some("80"));
    assert_eq!(store(&home).records().unwrap().len(), 80);
}

#[test]
fn a_change_that_cannot_be_completed_after_a_crash_is_refused() {
    let home = Home::new();
    let storage = store(&home);
    let mut set = set_of(&storage, &[("a", Some("1")), ("b", Some("2"))]);
    set.record = None;
    let error = storage.begin(WAIT).unwrap().commit(set).unwrap_err();
    assert!(matches!(error, StorageError::Unrecorded), "{error:?}");
    assert_eq!((text(&storage, "a"), leftovers(&home).len()), (None, 0));
}

#[test]
fn the_history_is_private_and_hidden_from_version_control() {
    use std::os::unix::fs::PermissionsExt;
    let home = Home::new();
    let storage = store(&home).shared().ignored();
    change(&storage, &[("a", Some("1"))]).unwrap();
    let folder = home.path().join("store/.memory-history");
    let mode =
        |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(
        std::fs::read_to_string(folder.join(".gitignore")).unwrap(),
        "*\n"
    );
    assert_eq!(mode(&folder), 0o700);
    for file in std::fs::read_dir(&folder).unwrap() {
        assert_eq!(mode(&file.unwrap().path()) & 0o077, 0);
    }
    let shared = home.path().join("shared");
    std::fs::write(&shared, "").unwrap();
    assert_eq!(mode(&home.path().join("store/a")), mode(&shared));
}

#[test]
fn the_month_of_a_history_file_never_goes_back() {
    let home = Home::new();
    let storage = store(&home);
    for (n, at) in [
        "2026-05-31T23:00:00Z",
        "2026-06-01T01:00:00Z",
        "2026-05-31T23:30:00Z",
    ]
    .iter()
    .enumerate()
    {
        let mut set = set_of(&storage, &[("a", Some(&n.to_string()))]);
        if let Some(record) = &mut set.record {
            record.at = at.parse().unwrap();
        }
        storage.begin(WAIT).unwrap().commit(set).unwrap();
    }
    let folder = home.path().join("store/.memory-history");
    let has_log = |month: &str| folder.join(format!("machine-{month}.jsonl")).exists();
    assert!(has_log("2026-05") && has_log("2026-06"));
    let last: Vec<String> = storage
        .records()
        .unwrap()
        .iter()
        .map(|stored| stored.record.entries[0].text.clone().unwrap())
        .collect();
    assert_eq!(last, ["0", "1", "2"]);
}

#[test]
fn the_history_of_another_machine_is_foreign() {
    let home = Home::new();
    change(&store(&home), &[("a", Some("1"))]).unwrap();
    let other = on_machine(&home, Arc::new(RealDisk::default()), "machine2");
    assert!(other.records().unwrap()[0].is_foreign);
    change(&other, &[("a", Some("2"))]).unwrap();
    let foreign: Vec<bool> = other
        .records()
        .unwrap()
        .iter()
        .map(|stored| stored.is_foreign)
        .collect();
    assert_eq!(foreign, [false, true]);
}

#[test]
#[cfg(debug_assertions)]
fn a_commit_waits_for_the_disk_as_often_as_it_must() {
    let home = Home::new();
    let storage = store(&home);
    let syncs = |files: &[(&str, Option<&str>)]| {
        let (changed, costs) = Costs::of(|| change(&storage, files));
        changed.unwrap();
        costs.syncs
    };
    syncs(&[("first", Some("1"))]);
    assert_eq!(syncs(&[("a", Some("1"))]), 2, "an added file");
    assert_eq!(syncs(&[("a", Some("2"))]), 3, "a replaced file");
    assert_eq!(syncs(&[("a", None)]), 2, "a removed file");
    assert_eq!(syncs(&[("a", Some("3")), ("b", Some("4"))]), 4, "two files");
    let set = ChangeSet {
        durable: Durable::Log,
        ..set_of(&storage, &[("c", Some("1")), ("d", Some("1"))])
    };
    let (committed, costs) = Costs::of(|| storage.begin(WAIT).unwrap().commit(set));
    committed.unwrap();
    assert_eq!(costs.syncs, 1, "a change that is durable by its record");
}

#[test]
fn accesses_are_counted_beside_the_entries_until_they_are_merged() {
    let home = Home::new();
    let (storage, other) = (
        store(&home),
        on_machine(&home, Arc::new(RealDisk::default()), "other"),
    );
    let ((), costs) = Costs::of(|| {
        change(&storage, &[("a", Some("1"))]).unwrap();
    });
    assert!(costs.syncs > 0 || !cfg!(debug_assertions));
    let ((), costs) = Costs::of(|| storage.count_accesses(["test:a", "test:b", "test:a"]));
    assert_eq!(costs.syncs, 0);
    other.count_accesses(["test:a"]);
    let counts = storage.counts().unwrap();
    assert_eq!(
        (
            counts.of("test:a"),
            counts.own("test:a"),
            counts.of("test:b")
        ),
        (3, 2, 1)
    );
    assert!(!counts.is_merged());
    storage.count_accesses(["test:a"]);
    storage.forget_merged(&counts);
    let counts = storage.counts().unwrap();
    assert_eq!(
        (
            counts.of("test:a"),
            counts.own("test:a"),
            counts.of("test:b")
        ),
        (2, 1, 0)
    );
    storage.forget_merged(&counts);
    assert!(storage.counts().unwrap().is_merged());
    assert_eq!(storage.counts().unwrap().of("test:a"), 1);
}

#[test]
fn texts_that_have_expired_are_removed_from_the_history() {
    let home = Home::new();
    let storage = store(&home);
    let at = |seconds: i64| Timestamp::from_second(seconds).unwrap();
    let expiry = |_: &str, text: &str| Some(at(text.strip_prefix("until ")?.parse().ok()?));
    let noted = || {
        let file = home.path().join("store/.memory-history/machine.expiry");
        std::fs::read_to_string(file).unwrap()
    };
    for seconds in [100, 200] {
        storage.note_expiry(at(seconds));
        change(&storage, &[("a", Some(&format!("until {seconds}")))]).unwrap();
    }
    assert_eq!(noted(), at(100).to_string());
    change(&storage, &[("a", Some("stays"))]).unwrap();
    assert_eq!(storage.forget_expired(at(50), &expiry).unwrap(), 0);
    assert_eq!(storage.forget_expired(at(150), &expiry).unwrap(), 2);
    assert_eq!(noted(), at(200).to_string());
    let history = |text: &str| {
        let folder = home.path().join("store/.memory-history");
        let mut files = std::fs::read_dir(folder)
            .unwrap()
            .map(|file| file.unwrap().path());
        files.any(|file| std::fs::read_to_string(file).unwrap().contains(text))
    };
    assert!(!history("until 100") && history("until 200"));
    assert_eq!(storage.forget_expired(at(250), &expiry).unwrap(), 2);
    assert!(!history("until 200") && history("stays"));
    assert_eq!(noted(), "never");
    assert_eq!(storage.records().unwrap().len(), 3, "the records stay");
    change(&storage, &[("a", Some("next"))]).unwrap();
    assert_eq!(storage.records().unwrap().len(), 4);
}

#[test]
fn many_accesses_are_added_up() {
    let home = Home::new();
    let storage = store(&home);
    change(&storage, &[("a", Some("1"))]).unwrap();
    for _ in 0..2_000 {
        storage.count_accesses(["test:a", "test:b"]);
    }
    let counts = storage.counts().unwrap();
    assert_eq!((counts.of("test:a"), counts.own("test:b")), (2_000, 2_000));
    let counters = home.path().join("store/.memory-history/machine.counters");
    assert!(std::fs::metadata(counters).unwrap().len() < 20_000);
}

#[test]
fn temporary_files_of_other_files_are_removed_as_well() {
    let home = Home::new();
    let storage = store(&home);
    change(&storage, &[("a", Some("1"))]).unwrap();
    let left = home
        .path()
        .join("store/.memory-history/.machine.expiry.tmp-1");
    std::fs::write(&left, "left by a crash").unwrap();
    change(&storage, &[("a", Some("2"))]).unwrap();
    assert!(!left.exists());
}
