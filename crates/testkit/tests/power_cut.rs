//! What the operations on files have made durable stays after a power cut.

// The files are looked at behind the back of the code under test.
#![allow(clippy::disallowed_methods, clippy::unwrap_used)]

use std::sync::Arc;

use memory_core::{Ids, Timestamp};
use memory_files::{Batch, Breakage, Brittle, Discarded, Files, RealDisk, Saved, Spot, Trash};
use memory_testkit::{ForgetfulDisk, Home, Loss};

/// A disk that loses what was not synced.
struct Machine {
    home: Home,
    disk: Arc<ForgetfulDisk>,
    files: Files,
}

impl Machine {
    /// Returns a machine with a folder, whose name is durable.
    fn new() -> Self {
        let home = Home::new();
        std::fs::create_dir(home.path().join("folder")).unwrap();
        let disk = Arc::new(ForgetfulDisk::new(home.path()));
        let files = Files::new(Arc::new(RealDisk::over(disk.clone())), Ids::random());
        Machine { home, disk, files }
    }

    fn put(&self, path: &str, text: &str) {
        let at = self.at(path);
        self.files.replace(&at, text.as_bytes()).unwrap();
    }

    fn at(&self, path: &str) -> Spot {
        path.split('/')
            .fold(self.home.spot(), |at, name| at.join(name))
    }

    fn cut_power(&self) {
        self.disk.cut(Loss::Everything);
    }

    fn text(&self, path: &str) -> Option<String> {
        std::fs::read_to_string(self.home.path().join(path)).ok()
    }
}

#[test]
fn a_file_that_was_replaced_is_durable() {
    let machine = Machine::new();
    machine.put("a", "1");
    machine.cut_power();
    assert_eq!(machine.text("a").as_deref(), Some("1"));
    machine.put("a", "2");
    machine.cut_power();
    assert_eq!(machine.text("a").as_deref(), Some("2"));
}

#[test]
fn bytes_that_were_appended_cut_or_written_over_are_durable() {
    let machine = Machine::new();
    let (files, at) = (&machine.files, machine.at("a"));
    files.append(&at, b"one").unwrap();
    machine.cut_power();
    assert_eq!(machine.text("a").as_deref(), Some("one"));
    files.append(&at, b" two").unwrap();
    machine.cut_power();
    assert_eq!(machine.text("a").as_deref(), Some("one two"));
    files.overwrite(&at, &[(0, b"ONE")]).unwrap();
    machine.cut_power();
    assert_eq!(machine.text("a").as_deref(), Some("ONE two"));
    files.cut(&at, 3).unwrap();
    machine.cut_power();
    assert_eq!(machine.text("a").as_deref(), Some("ONE"));
    files.append_unsynced(&at, b" three").unwrap();
    files.sync(&at).unwrap();
    machine.cut_power();
    assert_eq!(machine.text("a").as_deref(), Some("ONE three"));
}

#[test]
fn a_file_that_was_removed_stays_removed() {
    let machine = Machine::new();
    machine.put("a", "1");
    machine.files.remove(&machine.at("a")).unwrap();
    machine.cut_power();
    assert_eq!(machine.text("a"), None);
}

#[test]
fn folders_that_were_created_are_durable() {
    let machine = Machine::new();
    let below = machine.at("folder/one/two");
    machine.files.ensure_folder(&below).unwrap();
    machine.cut_power();
    assert!(machine.home.path().join("folder/one/two").is_dir());
    let ignored = machine.at("ignored");
    machine.files.ensure_ignored_folder(&ignored).unwrap();
    machine.cut_power();
    assert_eq!(machine.text("ignored/.gitignore").as_deref(), Some("*\n"));
}

#[test]
fn folders_that_another_process_has_created_are_made_durable() {
    let machine = Machine::new();
    std::fs::create_dir_all(machine.home.path().join("one/two")).unwrap();
    let folder = machine.at("one/two");
    machine.files.settle_folders(&folder).unwrap();
    machine.cut_power();
    assert!(machine.home.path().join("one/two").is_dir());
    machine
        .files
        .replace_derived(&folder.join("a"), b"1")
        .unwrap();
    machine.files.sync_folder(&folder).unwrap();
    machine.cut_power();
    assert!(machine.home.path().join("one/two/a").is_file());
}

#[test]
fn a_draft_that_was_put_in_place_is_durable_and_what_it_supersedes_stays_removed() {
    let machine = Machine::new();
    machine.put("a", "old");
    machine.put("superseded", "old");
    let held = machine.files.lock(&machine.at("lock")).unwrap();
    let draft = held.draft(&machine.at("a"), b"new").unwrap();
    held.commit(draft, None, Some(&machine.at("superseded")))
        .unwrap();
    machine.cut_power();
    assert_eq!(machine.text("a").as_deref(), Some("new"));
    assert_eq!(machine.text("superseded"), None);
}

/// The disk loses the two names of a rename separately; file systems with a journal do not, so this power cut loses both
/// or none.
#[test]
fn a_batch_happens_or_not_wherever_the_power_is_cut() {
    for step in 0.. {
        let machine = Machine::new();
        for path in ["a", "folder/b", "folder/removed"] {
            machine.put(path, "old");
        }
        let disk = Arc::new(Brittle::over(machine.disk.clone(), Breakage::Dies, step));
        let dying = machine.files.on_disk(disk.clone());
        let root = machine.home.spot();
        let mut batch = Batch::default();
        batch.write("a", "new");
        batch.write("folder/b", "new");
        batch.remove("folder/removed");
        let ended = dying
            .lock(&root.join("lock"))
            .and_then(|held| held.apply(&root, &batch));
        machine.cut_power();
        let held = machine.files.lock(&root.join("lock")).unwrap();
        held.finish_plan(&root).unwrap();
        let state = || ["a", "folder/b", "folder/removed"].map(|path| machine.text(path));
        let found = state();
        let texts = found.each_ref().map(Option::as_deref);
        let context = format!("step {step}: {texts:?}");
        let is_new = texts == [Some("new"), Some("new"), None];
        assert!(is_new || texts == [Some("old"); 3], "{context}");
        assert!(is_new || ended.is_err(), "{context}");
        machine.cut_power();
        held.finish_plan(&root).unwrap();
        assert_eq!(state(), found, "{context}");
        if !disk.has_broken() {
            break;
        }
    }
}

#[test]
fn a_batch_of_many_files_is_durable() {
    let machine = Machine::new();
    let root = machine.home.spot();
    let held = machine.files.lock(&root.join("lock")).unwrap();
    let mut batch = Batch::default();
    (0..100).for_each(|n| batch.write(format!("folder/{n}"), n.to_string()));
    held.apply(&root, &batch).unwrap();
    machine.cut_power();
    for n in 0..100 {
        assert_eq!(machine.text(&format!("folder/{n}")), Some(n.to_string()));
    }
}

/// A plan that comes back would remove a file again that was created since.
#[test]
fn a_batch_that_was_applied_is_not_applied_again_after_a_power_cut() {
    for is_interrupted in [false, true] {
        let machine = Machine::new();
        let root = machine.home.spot();
        machine.put("folder/a", "old");
        let mut batch = Batch::default();
        batch.write("folder/b", "new");
        batch.remove("folder/a");
        let apply = |files: &Files| {
            let held = files.lock(&root.join("lock"))?;
            held.apply(&root, &batch).map(drop)
        };
        if is_interrupted {
            for step in 0.. {
                let disk = Arc::new(Brittle::over(machine.disk.clone(), Breakage::Dies, step));
                apply(&machine.files.on_disk(disk)).unwrap_err();
                if machine.files.has_plan(&root).unwrap() {
                    break;
                }
            }
            machine.disk.record_all();
            let held = machine.files.lock(&root.join("lock")).unwrap();
            assert!(held.finish_plan(&root).unwrap());
        } else {
            apply(&machine.files).unwrap();
        }
        machine.put("folder/a", "again");
        machine.cut_power();
        let held = machine.files.lock(&root.join("lock")).unwrap();
        held.finish_plan(&root).unwrap();
        assert_eq!(machine.text("folder/a").as_deref(), Some("again"));
    }
}

#[test]
fn a_step_of_the_trash_is_durable_until_it_is_dropped() {
    let machine = Machine::new();
    let trash = Trash::of(&machine.files, &machine.home.spot());
    let saved = vec![Saved {
        name: "a.json".to_owned(),
        bytes: b"{}".to_vec(),
    }];
    let discarded = Discarded {
        kind: "test",
        by: memory_core::Actor::Person,
        what: "delete a".to_owned(),
        saved: saved.clone(),
    };
    let step = trash.put(discarded, Timestamp::UNIX_EPOCH).unwrap();
    machine.cut_power();
    let steps = trash.steps().unwrap();
    assert!(steps.flaws.is_empty() && steps.good.len() == 1, "{steps:?}");
    assert_eq!(trash.saved(&step, 100).unwrap(), saved);
    trash.drop_step(&step).unwrap();
    machine.cut_power();
    let path = format!(".trash/{}", step.id);
    assert!(!machine.home.path().join(path).exists());
}
