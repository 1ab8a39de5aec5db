//! What is broken, cut or removed is made again, and no one gets a wrong answer meanwhile.

use std::sync::Arc;

use memory_core::{Question, Silent, Tuning};
use memory_index::Recaller;
use memory_testkit::{Breakage, Brittle, Home};

use crate::common::*;

fn filled() -> (Home, Arc<Fake>) {
    let (home, fake) = (Home::new(), Arc::new(Fake::default()));
    (0..30).for_each(|n| fake.say(&format!("{n}"), &format!("a b{n} c")));
    look(&open(&home, &[&fake]));
    // A second segment, on top of the first.
    fake.say("3", "d e");
    fake.remove("4");
    look(&open(&home, &[&fake]));
    (home, fake)
}

#[test]
fn a_flipped_byte_anywhere_changes_no_answer() {
    let (home, fake) = filled();
    let wanted = see_fresh(&[&fake]);
    let whole = home.snapshot();
    for (path, bytes) in &whole {
        for at in (0..bytes.len()).step_by(bytes.len() / 97 + 1) {
            let mut broken = bytes.clone();
            broken[at] ^= 0x41;
            std::fs::write(path, &broken).unwrap();
            let index = open(&home, &[&fake]);
            let mut view = look(&index);
            // What is checked as it is read shows itself when it is read.
            let seen = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| see(&view))).ok();
            if view.is_damaged() {
                view = look(&index);
            } else {
                assert_eq!(seen.as_ref(), Some(&wanted), "{} at {at}", path.display());
            }
            assert_eq!(see(&view), wanted, "{} at {at}", path.display());
            restore(&home, &whole);
        }
    }
}

/// Asks as recall does, which finds damage only when it reads it.
fn answer(home: &Home, fake: &Arc<Fake>, text: &str) -> Vec<String> {
    let recaller = Recaller::new(Arc::new(open(home, &[fake])), vec![]);
    let tuning = Tuning {
        threshold: Some(0.0),
        ..Tuning::default()
    };
    let question = Question {
        text: text.into(),
        limit: 100,
        tuning,
        ..Question::default()
    };
    let hits = recaller.answer(&question, now(), &Silent).hits;
    hits.into_iter()
        .map(|hit| format!("{} {}", hit.address.id, hit.text))
        .collect()
}

#[test]
fn an_answer_is_right_whatever_byte_was_flipped_or_inserted_and_a_sync_finds_all_damage() {
    let (home, fake) = filled();
    let asked = ["b7", "e", "a c", "b12"];
    let wanted = asked.map(|text| answer(&home, &fake, text));
    assert!(wanted.iter().all(|hits| !hits.is_empty()));
    let whole = home.snapshot();
    for (path, bytes) in &whole {
        for at in (0..bytes.len()).step_by(3) {
            let mut broken = bytes.clone();
            match at % 2 {
                0 => broken[at] ^= 0x41,
                _ => broken.insert(at, 0x41),
            }
            std::fs::write(path, &broken).unwrap();
            let is_noticed = open(&home, &[&fake]).verify() > 0;
            // Padding between sections is not believed.
            assert!(
                is_noticed || bytes[at] == 0,
                "{} at {at} is not noticed",
                path.display()
            );
            let n = at / 2 % asked.len();
            assert_eq!(
                answer(&home, &fake, asked[n]),
                wanted[n],
                "{} at {at}",
                path.display()
            );
            std::fs::write(path, &broken).unwrap();
            let index = open(&home, &[&fake]);
            index.verify();
            look(&index);
            assert_eq!(index.verify(), 0, "{} at {at}", path.display());
            restore(&home, &whole);
        }
    }
}

#[test]
fn a_file_that_was_cut_or_removed_is_made_again() {
    let (home, fake) = filled();
    let wanted = see_fresh(&[&fake]);
    let whole = home.snapshot();
    for (path, bytes) in &whole {
        for keep in [
            None,
            Some(0),
            Some(10),
            Some(bytes.len() / 2),
            Some(bytes.len() - 1),
        ] {
            match keep {
                Some(length) => std::fs::write(path, &bytes[..length]).unwrap(),
                None => std::fs::remove_file(path).unwrap(),
            }
            assert_eq!(
                see(&look(&open(&home, &[&fake]))),
                wanted,
                "{} {keep:?}",
                path.display()
            );
            fake.reads();
            look(&open(&home, &[&fake]));
            assert_eq!(fake.reads(), 0, "it is whole again");
            restore(&home, &whole);
        }
    }
}

#[test]
fn a_file_that_is_cut_while_it_is_open_gives_no_wrong_answer_and_ends_nothing() {
    let (home, fake) = filled();
    let wanted = see_fresh(&[&fake]);
    let whole = home.snapshot();
    for path in whole.keys() {
        let index = open(&home, &[&fake]);
        let view = look(&index);
        std::fs::File::options()
            .write(true)
            .open(path)
            .unwrap()
            .set_len(0)
            .unwrap();
        let seen = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| see(&view)));
        assert!(
            seen.is_ok_and(|seen| seen == wanted) || view.is_damaged(),
            "{}",
            path.display()
        );
        assert_eq!(see(&look(&index)), wanted, "{}", path.display());
        assert_eq!(
            see(&look(&open(&home, &[&fake]))),
            wanted,
            "{}",
            path.display()
        );
        restore(&home, &whole);
    }
}

fn restore(home: &Home, whole: &std::collections::BTreeMap<std::path::PathBuf, Vec<u8>>) {
    std::fs::remove_dir_all(home.path().join(".index/recall")).unwrap();
    std::fs::create_dir_all(home.path().join(".index/recall")).unwrap();
    for (path, bytes) in whole {
        std::fs::write(path, bytes).unwrap();
    }
}

#[test]
fn the_index_may_be_deleted_while_it_is_open() {
    let (home, fake) = filled();
    let index = open(&home, &[&fake]);
    look(&index);
    std::fs::remove_dir_all(home.path().join(".index")).unwrap();
    fake.reads();
    fake.say("new", "a new one");
    assert_eq!(see(&look(&index)), see_fresh(&[&fake]));
    fake.reads();
    // What is still open in one process is kept again for the others.
    assert_eq!(see(&look(&open(&home, &[&fake]))), see_fresh(&[&fake]));
    fake.reads();
    look(&open(&home, &[&fake]));
    assert_eq!(fake.reads(), 0);
}

#[test]
fn wherever_the_disk_breaks_the_answer_is_right_and_the_next_one_mends() {
    for breakage in [Breakage::Fails, Breakage::Dies] {
        for step in 0.. {
            let (home, fake) = filled();
            fake.say("5", "another a");
            fake.remove("6");
            fake.say("new", "new b");
            let wanted = see_fresh(&[&fake]);
            let disk = Arc::new(Brittle::new(breakage, step));
            let broken = open_on(disk.clone(), &home, &[&fake]);
            let seen = look(&broken);
            assert_eq!(see(&seen), wanted, "{breakage:?} at {step}");
            assert_eq!(see(&look(&broken)), wanted, "{breakage:?} at {step}, again");
            assert_eq!(
                see(&look(&open(&home, &[&fake]))),
                wanted,
                "{breakage:?} at {step}, mended"
            );
            fake.reads();
            look(&open(&home, &[&fake]));
            assert_eq!(fake.reads(), 0, "all is kept now");
            // A temporary file stays until the index is written again.
            fake.say("next", "another c");
            look(&open(&home, &[&fake]));
            let names = home
                .snapshot()
                .into_keys()
                .map(|path| path.display().to_string());
            assert!(
                names.into_iter().all(|name| !name.contains(".tmp-")),
                "no draft is left"
            );
            if !disk.has_broken() {
                assert!(
                    step > 4,
                    "a lock, segments, vectors and a manifest are steps"
                );
                break;
            }
        }
    }
}
