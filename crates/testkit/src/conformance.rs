//! The suite that every kind runs: what any kind of memory owes its users, whatever it keeps.
//!
//! A kind says in a [`Subject`] how it is opened, written, read and damaged; each function here is
//! one promise. A kind's test file makes a test of each with [`keeps_every_promise`](crate::keeps_every_promise).

use std::sync::Arc;
use std::thread;

use memory_core::{Address, Document, Ids, Kind, Rehearsal, Result, Source, Timestamp};
use memory_files::{Breakage, Brittle, Disk, Files, RealDisk, Spot};

use crate::{ForgetfulDisk, Home, Loss, clock};

/// How a kind is put to the test.
pub trait Subject: Sync {
    /// Opens the kind over a home on a disk.
    fn open(&self, home: &Home, disk: Arc<dyn Disk>) -> Box<dyn Kind>;

    /// Writes memory number `n`, new or in the place of the one that is there.
    fn write(&self, kind: &dyn Kind, n: usize, text: &str) -> Result<Address>;

    /// Reads memory number `n`; none when it is not there.
    fn read(&self, kind: &dyn Kind, n: usize) -> Result<Option<String>>;

    /// Damages the record of memory number `n` behind the kind's back, and no other.
    fn damage(&self, home: &Home, n: usize);

    /// A file of the kind as it is kept, and the same file parsed and rendered again.
    fn golden(&self) -> (Vec<u8>, Vec<u8>);
}

/// Makes a test of each promise, for the subject of a kind.
#[macro_export]
macro_rules! keeps_every_promise {
    ($subject:expr) => {
        $crate::keeps_every_promise!($subject;
            the_format_survives_a_round_trip,
            documents_match_the_files,
            sources_tell_what_has_changed,
            whoever_watches_its_folders_sees_a_write,
            files_lead_to_their_sources,
            a_dry_run_changes_nothing,
            one_bad_record_is_tolerated,
            concurrent_writers_lose_nothing,
            a_broken_disk_leaves_old_or_new,
            a_power_cut_leaves_what_was_acknowledged,
        );
    };
    ($subject:expr; $($promise:ident,)*) => {
        $(
            #[test]
            fn $promise() {
                $crate::conformance::$promise(&$subject);
            }
        )*
    };
}

fn now() -> Timestamp {
    clock().now()
}

fn open(subject: &impl Subject, home: &Home) -> Box<dyn Kind> {
    subject.open(home, Arc::new(RealDisk::default()))
}

fn fill(subject: &impl Subject, kind: &dyn Kind, count: usize) -> Vec<Address> {
    (0..count)
        .map(|n| {
            subject
                .write(kind, n, &format!("memory {n}"))
                .expect("a write works")
        })
        .collect()
}

/// A file that is read and written back has the same bytes.
pub fn the_format_survives_a_round_trip(subject: &impl Subject) {
    let (kept, again) = subject.golden();
    assert_eq!(
        String::from_utf8_lossy(&again),
        String::from_utf8_lossy(&kept)
    );
}

/// What search is shown is what the files hold, right after each write.
pub fn documents_match_the_files(subject: &impl Subject) {
    let home = Home::new();
    let kind = open(subject, &home);
    let mut written = fill(subject, kind.as_ref(), 5);
    // A kind may keep what is written again under another address.
    written[2] = subject
        .write(kind.as_ref(), 2, "another text")
        .expect("a second write works");
    // Another instance sees the same: nothing of it is kept in memory.
    let survey = open(subject, &home).documents(now());
    assert!(survey.flaws.is_empty(), "{:?}", survey.flaws);
    let mut shown: Vec<Address> = survey
        .good
        .iter()
        .map(|document| document.address.clone())
        .collect();
    shown.sort();
    written.sort();
    assert_eq!(shown, written);
    let texts: Vec<&str> = survey
        .good
        .iter()
        .map(|document| document.text.as_str())
        .collect();
    let has = |wanted: &str| texts.iter().any(|text| text.contains(wanted));
    assert!(
        has("another text") && has("memory 4") && !has("memory 2"),
        "{texts:?}"
    );
}

/// The parts of a store lead to the same documents, and those that a write has changed show it.
pub fn sources_tell_what_has_changed(subject: &impl Subject) {
    let home = Home::new();
    let kind = open(subject, &home);
    fill(subject, kind.as_ref(), 5);
    let before = check_sources(kind.as_ref());
    subject
        .write(kind.as_ref(), 2, "another text")
        .expect("a second write works");
    subject
        .write(kind.as_ref(), 5, "a new one")
        .expect("a third write works");
    let after = check_sources(kind.as_ref());
    let changed: Vec<&Source> = after
        .iter()
        .filter(|source| !before.contains(source))
        .collect();
    let texts: Vec<String> = changed
        .iter()
        .flat_map(|source| kind.documents_of(&source.name).good)
        .map(|d| d.text)
        .collect();
    let has = |wanted: &str| texts.iter().any(|text| text.contains(wanted));
    assert!(has("another text") && has("a new one"), "{texts:?}");
    assert!(kind.documents_of("no such part").good.is_empty());
}

/// Returns the parts of a store, which lead to all documents and to no others.
fn check_sources(kind: &dyn Kind) -> Vec<Source> {
    let survey = kind.sources();
    assert!(survey.flaws.is_empty(), "{:?}", survey.flaws);
    let sorted = |mut documents: Vec<Document>| {
        documents.sort_by(|a, b| a.address.cmp(&b.address));
        documents
    };
    let mut found = Vec::new();
    let names: Vec<&str> = survey
        .good
        .iter()
        .map(|source| source.name.as_str())
        .collect();
    kind.documents_of_each(&names, &mut |_, part| found.extend(part.good));
    assert_eq!(sorted(found), sorted(kind.documents(now()).good));
    survey.good
}

/// The folders that a kind names are those in which its files change, so that someone who stays need not
/// look while nothing happens there.
pub fn whoever_watches_its_folders_sees_a_write(subject: &impl Subject) {
    let home = Home::new();
    let kind = open(subject, &home);
    fill(subject, kind.as_ref(), 1);
    let folders = kind.folders().expect("a kind names its folders");
    let watch = Files::new(Arc::new(RealDisk::default()), Ids::random())
        .watch(&folders)
        .expect("folders are watched");
    assert!(!watch.has_seen(), "nothing has happened yet");
    subject
        .write(kind.as_ref(), 1, "another one")
        .expect("a write works");
    assert!(watch.has_seen());
}

/// What a kind tells of the sources of some files, if it can, is what a look at all of them shows.
pub fn files_lead_to_their_sources(subject: &impl Subject) {
    let home = Home::new();
    let kind = open(subject, &home);
    fill(subject, kind.as_ref(), 3);
    let (mut files, disk) = (
        Vec::new(),
        Files::new(Arc::new(RealDisk::default()), Ids::random()),
    );
    for folder in kind.folders().expect("a kind names its folders") {
        let there = disk
            .scan(&Spot::anchor(&folder))
            .expect("a folder is listed");
        files.extend(there.iter().map(|sighting| folder.join(&sighting.name)));
        files.push(folder.join("no-such-thing.md"));
    }
    let Some(told) = kind.sources_at(&files) else {
        return;
    };
    let state = |source: &Source| (source.name.clone(), source.state);
    let mut there: Vec<_> = told
        .iter()
        .filter_map(|(_, source)| source.as_ref())
        .map(state)
        .collect();
    let mut all: Vec<_> = kind.sources().good.iter().map(state).collect();
    there.sort();
    all.sort();
    assert_eq!(there, all);
    let is_named = |(name, source): &(String, Option<Source>)| {
        source
            .as_ref()
            .map_or(name.ends_with("no-such-thing.md"), |source| {
                source.name == *name
            })
    };
    assert!(told.iter().all(is_named), "{told:?}");
}

/// No task and no repair changes a byte when it only shows what it would do.
pub fn a_dry_run_changes_nothing(subject: &impl Subject) {
    let home = Home::new();
    let kind = open(subject, &home);
    fill(subject, kind.as_ref(), 5);
    subject.damage(&home, 1);
    let before = home.snapshot();
    for task in kind.tasks() {
        task.run(now(), Rehearsal::Dry).expect("a dry run works");
    }
    kind.repair(now(), Rehearsal::Dry)
        .expect("a dry repair works");
    assert_eq!(home.snapshot(), before);
}

/// One bad record is told, hides no other, and can be mended without losing the others.
pub fn one_bad_record_is_tolerated(subject: &impl Subject) {
    let home = Home::new();
    let kind = open(subject, &home);
    fill(subject, kind.as_ref(), 5);
    let whole = home.snapshot();
    subject.damage(&home, 1);
    // What is derived from the records may change with them; what was damaged may not be lost.
    let mut damaged = home.snapshot();
    damaged.retain(|path, bytes| whole.get(path) != Some(bytes));
    let survey = kind.documents(now());
    assert_eq!(
        (survey.good.len(), survey.flaws.len()),
        (4, 1),
        "{:?}",
        survey.flaws
    );
    let found = kind.repair(now(), Rehearsal::Real).expect("a repair works");
    assert!(!found.is_empty());
    for n in [0, 2, 3, 4] {
        let text = subject.read(kind.as_ref(), n).expect("a read works");
        assert_eq!(text, Some(format!("memory {n}")));
    }
    assert!(
        kind.repair(now(), Rehearsal::Dry)
            .expect("a second look works")
            .is_empty()
    );
    let kept = home.snapshot();
    let is_kept = |bytes: &Vec<u8>| kept.values().any(|now| now == bytes);
    assert!(
        damaged.values().all(is_kept),
        "the damaged file is kept as it was"
    );
}

/// Writers that do not know of each other lose nothing.
pub fn concurrent_writers_lose_nothing(subject: &impl Subject) {
    const WRITERS: usize = 8;
    const EACH: usize = 5;
    let home = Home::new();
    thread::scope(|scope| {
        for writer in 0..WRITERS {
            let home = &home;
            scope.spawn(move || {
                let kind = open(subject, home);
                for n in 0..EACH {
                    let id = writer * EACH + n;
                    subject
                        .write(kind.as_ref(), id, &format!("memory {id}"))
                        .expect("a write works");
                }
            });
        }
    });
    let kind = open(subject, &home);
    for n in 0..WRITERS * EACH {
        assert_eq!(
            subject.read(kind.as_ref(), n).expect("a read works"),
            Some(format!("memory {n}"))
        );
    }
    assert_eq!(kind.documents(now()).good.len(), WRITERS * EACH);
}

/// Wherever the disk breaks during a write, the old or the new text is there, and never a third;
/// what was acknowledged is there; and the next write works.
pub fn a_broken_disk_leaves_old_or_new(subject: &impl Subject) {
    for breakage in [Breakage::Fails, Breakage::Dies, Breakage::FailsReading] {
        for start in ["nothing", "old"] {
            for step in 0.. {
                if !breaks_at(subject, breakage, start, step) {
                    assert!(step > 2, "a durable write takes several steps");
                    break;
                }
            }
        }
    }
}

fn breaks_at(subject: &impl Subject, breakage: Breakage, start: &str, step: usize) -> bool {
    let home = Home::new();
    let old = (start == "old").then(|| "old".to_owned());
    if let Some(text) = &old {
        subject
            .write(open(subject, &home).as_ref(), 0, text)
            .expect("a write works");
    }
    let brittle = Arc::new(Brittle::new(breakage, step));
    let ended = subject.write(subject.open(&home, brittle.clone()).as_ref(), 0, "new");
    let found = subject
        .read(open(subject, &home).as_ref(), 0)
        .expect("what is there can be read");
    let new = Some("new".to_owned());
    assert!(
        found == old || found == new,
        "{breakage:?} at step {step} left {found:?}"
    );
    if ended.is_ok() {
        assert_eq!(
            found, new,
            "an acknowledged write is there ({breakage:?} at step {step})"
        );
    }
    subject
        .write(open(subject, &home).as_ref(), 0, "next")
        .expect("the next write works");
    assert_eq!(
        subject
            .read(open(subject, &home).as_ref(), 0)
            .expect("a read works")
            .as_deref(),
        Some("next")
    );
    brittle.has_broken()
}

/// A power cut between any two system calls of a write leaves the old or the new text, and what was acknowledged before.
pub fn a_power_cut_leaves_what_was_acknowledged(subject: &impl Subject) {
    for start in ["nothing", "old"] {
        for step in 0.. {
            let losses = (0..4).map(|n| Loss::Half {
                seed: n + 4 * step as u64,
            });
            let mut was_reached = false;
            for loss in losses.chain([Loss::Everything]) {
                was_reached = is_cut_at(subject, loss, start, step);
            }
            if !was_reached {
                assert!(step > 2, "a durable write takes several steps");
                break;
            }
        }
    }
}

fn is_cut_at(subject: &impl Subject, loss: Loss, start: &str, step: usize) -> bool {
    let home = Home::new();
    let forgetful = Arc::new(ForgetfulDisk::new(home.path()));
    let on_disk = || subject.open(&home, Arc::new(RealDisk::over(forgetful.clone())));
    subject
        .write(on_disk().as_ref(), 1, "another memory")
        .expect("a write works");
    let old = (start == "old").then(|| "old".to_owned());
    if let Some(text) = &old {
        subject
            .write(on_disk().as_ref(), 0, text)
            .expect("a write works");
    }
    let dying = Arc::new(Brittle::over(forgetful.clone(), Breakage::Dies, step));
    let ended = subject.write(subject.open(&home, dying.clone()).as_ref(), 0, "new");
    forgetful.cut(loss);
    let read = |n| {
        subject
            .read(on_disk().as_ref(), n)
            .expect("what is there can be read")
    };
    let context = format!("{loss:?} at step {step}, before: {start}");
    assert_eq!(read(1).as_deref(), Some("another memory"), "{context}");
    let (found, new) = (read(0), Some("new".to_owned()));
    assert!(found == old || found == new, "{context}: {found:?}");
    assert!(ended.is_err() || found == new, "{context}: {found:?}");
    subject
        .write(on_disk().as_ref(), 0, "next")
        .expect("the next write works");
    forgetful.cut(loss);
    assert_eq!(read(0).as_deref(), Some("next"), "{context}");
    dying.has_broken()
}
