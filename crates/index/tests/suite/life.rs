//! What a write, a change and a removal do to the next look.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use memory_core::{Document, Silent, Timestamp};
use memory_files::{LookingDisk, RealDisk};
use memory_index::{Filter, Weighing};
use memory_testkit::Home;

use crate::common::*;

#[test]
fn what_was_written_changed_or_removed_is_found_or_gone_at_the_next_look() {
    let (home, fake) = (Home::new(), Arc::new(Fake::default()));
    let index = open(&home, &[&fake]);
    assert_eq!(look(&index).count(), 0);
    fake.say("one", "apple pie");
    fake.say("two", "apple tree");
    assert_eq!(with(&look(&index), "apple"), ["one", "two"]);
    fake.say("one", "pear pie");
    fake.remove("two");
    let view = look(&index);
    assert_eq!(
        (with(&view, "apple"), with(&view, "pear"), view.count()),
        (vec![], vec!["one".into()], 1)
    );
    assert_eq!(
        with(&look(&open(&home, &[&fake])), "pear"),
        ["one"],
        "another process sees the same"
    );
    assert_eq!(
        view.average_length(),
        50.0,
        "short texts count as having fifty words"
    );
}

#[test]
fn only_what_has_changed_is_read_again() {
    let (home, fake) = (Home::new(), Arc::new(Fake::default()));
    (0..20).for_each(|n| fake.say(&format!("{n}"), "text"));
    look(&open(&home, &[&fake]));
    assert_eq!(fake.reads(), 20);
    look(&open(&home, &[&fake]));
    assert_eq!(fake.reads(), 0);
    fake.say("7", "other");
    look(&open(&home, &[&fake]));
    look(&open(&home, &[&fake]));
    assert_eq!(fake.reads(), 1);
}

#[test]
fn how_much_has_to_be_read_is_known_without_reading() {
    let (home, kind) = (Home::new(), Arc::new(Fake::default()));
    let index = open(&home, &[&kind]);
    ["a", "b", "c"]
        .iter()
        .for_each(|part| kind.say(part, "tea"));
    assert_eq!((index.unread(), kind.reads()), (3, 0));
    look(&index);
    kind.say("b", "rum");
    kind.reads();
    assert_eq!(
        (index.unread(), open(&home, &[&kind]).unread(), kind.reads()),
        (1, 1, 0)
    );
    assert_eq!(
        with(&look(&index), "rum"),
        ["b"],
        "who has counted sees it all the same"
    );
}

#[test]
fn what_has_just_changed_is_read_again_until_it_has_settled() {
    let (home, fake) = (Home::new(), Arc::new(Fake::default()));
    fake.say("one", "apple");
    let set_fresh =
        |is_fresh| fake.store.lock().unwrap().parts.get_mut("one").unwrap().1 = is_fresh;
    set_fresh(true);
    look(&open(&home, &[&fake]));
    // Another text in the same state: too soon after the first for the state to show it.
    fake.store.lock().unwrap().parts.get_mut("one").unwrap().2 = vec![document("one", "pear")];
    assert_eq!(with(&look(&open(&home, &[&fake])), "pear"), ["one"]);
    set_fresh(false);
    look(&open(&home, &[&fake]));
    assert_eq!(fake.reads(), 3);
    assert_eq!(with(&look(&open(&home, &[&fake])), "pear"), ["one"]);
    assert_eq!(fake.reads(), 0);
}

#[test]
fn a_source_of_many_documents_is_not_written_again_for_one_of_them() {
    let (home, fake) = (Home::new(), Arc::new(Fake::default()));
    let mut documents: Vec<Document> = (0..100)
        .map(|n| turn(&format!("{n}"), "talk", n, &format!("word{n} a")))
        .collect();
    fake.put("file", documents.clone());
    let index = open(&home, &[&fake]);
    look(&index);
    documents[50] = turn("50", "talk", 50, "changed a");
    documents.push(turn("100", "talk", 100, "new a"));
    documents.remove(3);
    fake.put("file", documents);
    let view = look(&index);
    assert_eq!(see(&view), see_fresh(&[&fake]));
    let written: Vec<usize> = index
        .status()
        .segments
        .iter()
        .map(|segment| segment.documents)
        .collect();
    assert_eq!(written, [100, 2]);
    let neighbours = |id: &str| {
        let found = view
            .all()
            .find(|n| view.record(*n).unwrap().id == id)
            .unwrap();
        let ids = view.neighbours(found, 2, 1).into_iter();
        ids.map(|n| view.record(n).unwrap().id.to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(neighbours("4"), ["1", "2", "5"]);
    assert_eq!(neighbours("99"), ["97", "98", "100"]);
}

#[test]
fn many_small_changes_leave_few_segments_and_few_files() {
    let (home, fake) = (Home::new(), Arc::new(Fake::default()));
    (0..300).for_each(|n| fake.say(&format!("{n}"), &format!("a {n}")));
    look(&open(&home, &[&fake]));
    for n in 0..60 {
        fake.say(&format!("{}", n * 7 % 300), &format!("b {n}"));
        look(&open(&home, &[&fake]));
    }
    let index = open(&home, &[&fake]);
    assert_eq!(see(&look(&index)), see_fresh(&[&fake]));
    let segments = index.status().segments;
    assert!(
        segments.len() <= 6 && segments.iter().all(|segment| segment.is_kept),
        "{segments:?}"
    );
    assert_eq!(
        home.snapshot().len(),
        segments.len() * 2 + 1,
        "segments, their vectors and the manifest"
    );
}

#[test]
fn places_that_do_not_belong_to_this_house_are_neither_shown_nor_forgotten() {
    let home = Home::new();
    let [shared, here, there] = ["", "/here", "/there"].map(|place| {
        Arc::new(Fake {
            place: place.into(),
            ..Fake::default()
        })
    });
    shared.say("s", "apple shared");
    here.say("one", "apple here");
    there.say("one", "apple there");
    for _ in 0..2 {
        let view = look(&open(&home, &[&shared, &here]));
        assert_eq!(with(&view, "apple"), ["one", "s"]);
        assert_eq!(
            (with(&view, "here").len(), with(&view, "there").len()),
            (1, 0)
        );
        assert_eq!(view.count(), 2);
        let view = look(&open(&home, &[&shared, &there]));
        assert_eq!(
            (with(&view, "here").len(), with(&view, "there").len()),
            (0, 1)
        );
    }
    assert_eq!([shared.reads(), here.reads(), there.reads()], [1, 1, 1]);
    // After a long time without a question from there, what was there is dropped with the next merge.
    let later = now()
        .checked_add(std::time::Duration::from_secs(100 * 86_400))
        .unwrap();
    let index = open(&home, &[&shared, &here]);
    shared.say("t", "more");
    here.say("two", "more");
    index.look(later, &Silent);
    assert_eq!(
        index
            .status()
            .segments
            .iter()
            .map(|s| s.documents)
            .collect::<Vec<_>>(),
        [4]
    );
}

#[test]
fn a_store_that_cannot_be_listed_is_hidden_and_not_forgotten() {
    let (home, fake) = (Home::new(), Arc::new(Fake::default()));
    fake.say("one", "apple");
    let index = open(&home, &[&fake]);
    look(&index);
    fake.store.lock().unwrap().is_unreadable = true;
    let view = look(&index);
    assert_eq!((view.count(), view.flaws.len()), (0, 1));
    fake.store.lock().unwrap().is_unreadable = false;
    fake.reads();
    assert_eq!(with(&look(&index), "apple"), ["one"]);
    assert_eq!(fake.reads(), 0);
}

#[test]
fn whoever_may_only_look_finds_everything_and_writes_nothing() {
    let (home, fake) = (Home::new(), Arc::new(Fake::default()));
    fake.say("one", "apple");
    let index = open_on(Arc::new(LookingDisk::default()), &home, &[&fake]);
    assert_eq!(with(&look(&index), "apple"), ["one"]);
    assert_eq!(with(&look(&index), "apple"), ["one"]);
    assert_eq!(
        fake.reads(),
        1,
        "what can't be kept is remembered by this process"
    );
    assert!(home.snapshot().is_empty());
}

#[test]
fn filters_see_kinds_labels_times_and_expiry() {
    let (home, fake) = (Home::new(), Arc::new(Fake::default()));
    let at = |second: i64| Timestamp::from_second(second).unwrap();
    let make = |id: &str, labels: &[&str], made: i64, expires: Option<i64>| Document {
        labels: labels.iter().map(|label| (*label).to_owned()).collect(),
        created_at: at(made),
        expiry: expires.map(|expires| memory_core::Expiry::Removed(at(expires))),
        ..document(id, "apple")
    };
    fake.put(
        "p",
        vec![
            make("one", &["x"], 10, None),
            make("two", &["x", "y"], 20, Some(100)),
            make("three", &["y", "Z", "scope:agent:Ann"], 30, Some(1000)),
        ],
    );
    let view = look(&open(&home, &[&fake]));
    let check = |filter: Filter, now: i64, wanted: &[&str]| {
        let allowed = view.allowed(&filter, at(now));
        let term = &memory_text::terms::terms("apple")[0];
        let found = view.lexical(&[(term, 1.0)], &allowed, Weighing::default());
        let ids: Vec<_> = found
            .iter()
            .map(|(id, _)| view.record(id).unwrap().id)
            .collect();
        assert_eq!(ids, wanted, "{filter:?} at {now}");
    };
    let texts = |texts: &[&str]| {
        texts
            .iter()
            .map(|text| (*text).to_owned())
            .collect::<Vec<_>>()
    };
    check(Filter::default(), 50, &["one", "two", "three"]);
    check(Filter::default(), 100, &["one", "three"]);
    check(
        Filter {
            kinds: texts(&["other"]),
            ..Filter::default()
        },
        50,
        &[],
    );
    check(
        Filter {
            kinds: texts(&["fake"]),
            ..Filter::default()
        },
        50,
        &["one", "two", "three"],
    );
    check(
        Filter {
            labels: texts(&["x", "y"]),
            ..Filter::default()
        },
        50,
        &["two"],
    );
    check(
        Filter {
            any_label: texts(&["y", "z"]),
            ..Filter::default()
        },
        50,
        &["two", "three"],
    );
    check(
        Filter {
            without: texts(&["x"]),
            ..Filter::default()
        },
        50,
        &["three"],
    );
    check(
        Filter {
            agent: Some("ann".into()),
            ..Filter::default()
        },
        50,
        &["one", "two", "three"],
    );
    check(
        Filter {
            agent: Some("bob".into()),
            ..Filter::default()
        },
        50,
        &["one", "two"],
    );
    check(
        Filter {
            since: Some(at(20)),
            until: Some(at(30)),
            ..Filter::default()
        },
        50,
        &["two"],
    );
}

#[test]
fn a_slow_model_is_asked_only_when_told_and_only_once_for_a_text() {
    let (home, fake) = (Home::new(), Arc::new(Fake::default()));
    let mut documents: Vec<Document> = (0..10)
        .map(|n| document(&format!("{n}"), &format!("a text {n}")))
        .collect();
    documents.push(document("blind", "一二三"));
    fake.put("file", documents.clone());
    let open = || {
        let model = Letters::new("slow", false);
        (
            open_with(
                Arc::new(RealDisk::default()),
                &home,
                &[&fake],
                vec![model.clone()],
            ),
            model,
        )
    };
    let (index, model) = open();
    assert_eq!(look(&index).with_vectors(0), 0);
    assert_eq!(index.embed_missing(0, 4, &Silent).unwrap(), 7);
    assert_eq!(index.embed_missing(0, 100, &Silent).unwrap(), 0);
    assert_eq!(model.asked.load(Ordering::SeqCst), 10);
    assert_eq!(look(&index).with_vectors(0), 10);
    // All documents of the file are read again, and one of them is new.
    documents
        .iter_mut()
        .for_each(|document| document.title = "another title".into());
    documents.push(document("new", "a new text"));
    fake.put("file", documents);
    let (index, model) = open();
    assert_eq!(look(&index).with_vectors(0), 10);
    assert_eq!(index.status().models[0].missing, 1);
    assert_eq!(index.embed_missing(0, 100, &Silent).unwrap(), 0);
    assert_eq!(model.asked.load(Ordering::SeqCst), 1);
    let (index, _) = open();
    assert_eq!(look(&index).with_vectors(0), 11);
}

#[test]
fn vectors_of_another_model_take_no_part() {
    let (home, fake) = (Home::new(), Arc::new(Fake::default()));
    fake.say("one", "abc");
    let open = |id| {
        open_with(
            Arc::new(RealDisk::default()),
            &home,
            &[&fake],
            vec![Letters::new(id, false)],
        )
    };
    let index = open("first");
    look(&index);
    index.embed_missing(0, 10, &Silent).unwrap();
    let second = open("second");
    let view = look(&second);
    assert_eq!(view.with_vectors(0), 0);
    assert_eq!(
        view.dense(0, &[1.0; 26], &view.allowed(&Filter::default(), now()))
            .count(),
        0
    );
    assert_eq!(
        look(&open("first")).with_vectors(0),
        1,
        "the first model's are still there"
    );
}

#[test]
fn who_watches_looks_again_when_something_has_happened_and_once_in_a_while() {
    let home = Home::new();
    let folder = home.path().join("watched");
    std::fs::create_dir(&folder).unwrap();
    let fake = Arc::new(Fake {
        folder: Some(folder.clone()),
        ..Fake::default()
    });
    let unwatched = Arc::new(Fake {
        place: "/elsewhere".into(),
        ..Fake::default()
    });
    let index = open(&home, &[&fake, &unwatched]).watching();
    fake.say("one", "apple");
    assert_eq!(with(&look(&index), "apple"), ["one"]);
    // No file has changed, so no one looks: nothing can be there.
    fake.say("two", "apple");
    assert_eq!(with(&look(&index), "apple"), ["one"]);
    unwatched.say("three", "apple");
    assert_eq!(with(&look(&index), "apple"), ["one", "three"]);
    std::fs::write(folder.join("two"), "").unwrap();
    assert_eq!(with(&look(&index), "apple"), ["one", "three", "two"]);
    fake.remove("one");
    assert_eq!(with(&look(&index), "apple"), ["one", "three", "two"]);
    let later = now()
        .checked_add(std::time::Duration::from_secs(61))
        .unwrap();
    assert_eq!(with(&index.look(later, &Silent), "apple"), ["three", "two"]);
    // What another process has kept is looked at as a whole.
    fake.say("four", "apple");
    look(&open(&home, &[&fake, &unwatched]));
    assert_eq!(
        with(&index.look(later, &Silent), "apple"),
        ["four", "three", "two"]
    );
}

#[test]
fn who_is_told_what_has_changed_looks_at_nothing_else() {
    let home = Home::new();
    let folder = home.path().join("watched");
    std::fs::create_dir(&folder).unwrap();
    let fake = Arc::new(Fake {
        folder: Some(folder.clone()),
        names_files: true,
        ..Fake::default()
    });
    let index = open(&home, &[&fake]).watching();
    let touch = |name: &str| std::fs::write(folder.join(name), "").unwrap();
    (0..100).for_each(|n| fake.say(&format!("part {n}"), "pear"));
    fake.say("one", "apple");
    let first = look(&index);
    assert_eq!(
        (with(&first, "apple"), fake.surveys(), fake.reads()),
        (vec!["one".into()], 1, 101)
    );
    let check = |what: &str, found: &[&str], reads: usize| {
        let view = look(&index);
        assert_eq!(with(&view, "apple"), found, "{what}");
        assert_eq!((fake.surveys(), fake.reads()), (0, reads), "{what}");
        assert_eq!(see(&view), see_fresh(&[&fake]), "{what}");
        fake.surveys();
        fake.reads();
        view
    };
    assert!(Arc::ptr_eq(&first, &check("nothing", &["one"], 0)));
    touch(".draft");
    assert!(Arc::ptr_eq(&first, &check("no part", &["one"], 0)));
    fake.say("two", "apple");
    touch("two");
    check("new", &["one", "two"], 1);
    fake.say("one", "an apple a day");
    touch("one");
    check("changed", &["one", "two"], 1);
    fake.say("one", "pear");
    fake.say("part 7", "apple");
    touch("one");
    touch("part 7");
    check("another", &["part 7", "two"], 2);
    fake.remove("two");
    touch("two");
    fake.remove("part 8");
    touch("part 8");
    check("gone", &["part 7"], 0);
    fake.say("two", "apple");
    touch("two");
    check("back", &["part 7", "two"], 1);
    std::fs::remove_dir_all(&folder).unwrap();
    fake.say("three", "apple");
    assert_eq!(with(&look(&index), "apple"), ["part 7", "three", "two"]);
    assert_eq!(
        fake.surveys(),
        1,
        "more than can be told: all of it is looked at"
    );
}

#[test]
fn who_watches_looks_again_at_what_has_just_changed() {
    let home = Home::new();
    let fake = Arc::new(Fake {
        folder: Some(home.path().to_owned()),
        ..Fake::default()
    });
    let index = open(&home, &[&fake]).watching();
    fake.say("one", "apple");
    fake.store.lock().unwrap().parts.get_mut("one").unwrap().1 = true;
    look(&index);
    fake.store.lock().unwrap().parts.get_mut("one").unwrap().2 = vec![document("one", "pear")];
    assert_eq!(with(&look(&index), "pear"), ["one"]);
}

#[test]
fn who_stays_keeps_what_it_reads_once_it_is_worth_it() {
    let home = Home::new();
    // Its folder is not known, so that every look goes through its sources.
    let fake = Arc::new(Fake::default());
    let index = open(&home, &[&fake]).watching();
    fake.say("first", "apple");
    look(&index);
    let manifest = || std::fs::read(home.path().join(".index/recall/manifest")).unwrap();
    let before = manifest();
    fake.say("second", "apple");
    assert_eq!(with(&look(&index), "apple"), ["first", "second"]);
    assert_eq!(manifest(), before, "one source can wait");
    assert_eq!(
        with(&look(&open(&home, &[&fake])), "apple"),
        ["first", "second"],
        "others read it themselves"
    );
    let before = manifest();
    look(&index);
    (0..64).for_each(|n| fake.say(&format!("more {n}"), "pear"));
    look(&index);
    assert_ne!(manifest(), before, "many can't");
}
