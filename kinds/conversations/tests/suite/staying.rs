//! A process that stays knows what a command would find, whoever has done what in the meantime.

use std::collections::BTreeMap;
use std::fs;

use memory_conversations::Conversations;
use memory_core::Kind;
use memory_testkit::Home;
use serde_json::json;

use crate::by_hand::check_snapshot;
use crate::common::{add, call, call_at, chat, drain, facts, open, paths, root, say, turns};

fn staying(home: &Home) -> Conversations {
    let kind = open(home);
    kind.stay();
    kind
}

fn sources(kind: &dyn Kind) -> BTreeMap<String, u64> {
    let survey = kind.sources();
    assert!(survey.flaws.is_empty(), "{:?}", survey.flaws);
    survey
        .good
        .into_iter()
        .map(|source| (source.name, source.state))
        .collect()
}

/// Says that whoever stays knows all that is there, and that the snapshot tells it when calls pause.
#[track_caller]
fn check(home: &Home, kind: &Conversations, what: &str) {
    let list = |kind: &dyn Kind| call(kind, "conversation_list", json!({})).unwrap();
    let known = list(kind);
    kind.settle();
    check_snapshot(home);
    let fresh = open(home);
    assert_eq!(sources(kind), sources(&fresh), "{what}");
    assert_eq!(known, list(&fresh), "{what}");
}

#[test]
fn whatever_others_do_is_known_at_once() {
    let home = Home::new();
    let kind = staying(&home);
    assert!(sources(&kind).is_empty());
    add(&kind, "a", &["one", "two"]);
    check(&home, &kind, "facts");
    chat(&kind, "a", "I like tea", "fine", 5);
    check(&home, &kind, "turns that are heard");
    drain(&kind);
    check(&home, &kind, "what follows from them");
    let other = open(&home);
    chat(&other, "a", "I live in Oslo", "nice", 10);
    chat(&other, "b", "hello", "hi", 10);
    check(
        &home,
        &kind,
        "another process, in a conversation that is new too",
    );
    drain(&other);
    check(&home, &kind, "another process sees to it");
    let hand = |path: &str| root(&home).join(path);
    let known = paths(&home, "entries/a/facts");
    fs::write(hand(&known[0]), "edited by hand\n").unwrap();
    check(&home, &kind, "edited");
    fs::remove_file(hand(&known[1])).unwrap();
    fs::write(hand("entries/a/facts/my own.md"), "added by hand\n").unwrap();
    fs::write(hand("entries/a/facts/no entry.txt"), "not ours\n").unwrap();
    check(&home, &kind, "removed and added");
    assert!(facts(&kind, "a").contains(&"added by hand".to_owned()));
    fs::create_dir_all(hand("entries/by hand/turns/user")).unwrap();
    fs::write(hand("entries/by hand/turns/user/x.md"), "hello\n").unwrap();
    check(&home, &kind, "a conversation made by hand");
    fs::rename(hand("entries/b"), hand("entries/c")).unwrap();
    check(&home, &kind, "a conversation has another name");
    fs::remove_dir_all(hand("entries/c")).unwrap();
    check(&home, &kind, "a conversation is gone");
    call(&kind, "conversation_delete", json!({ "conversation": "a" })).unwrap();
    check(&home, &kind, "deleted");
    fs::remove_dir_all(root(&home)).unwrap();
    assert!(sources(&kind).is_empty());
    chat(&kind, "a", "hello again", "hi", 20);
    check(&home, &kind, "all was gone");
}

#[test]
fn turns_have_their_order_and_their_retries_are_known() {
    let home = Home::new();
    let (kind, other) = (staying(&home), open(&home));
    for n in 0..4 {
        let who: &dyn Kind = if n % 2 == 0 { &kind } else { &other };
        chat(
            who,
            "a",
            &format!("question {n}"),
            &format!("answer {n}"),
            0,
        );
    }
    let expected: Vec<String> = (0..4)
        .flat_map(|n| {
            [
                format!("user: question {n}"),
                format!("assistant: answer {n}"),
            ]
        })
        .collect();
    assert_eq!(turns(&kind, "a"), expected);
    let first = say(&other, "a", "lost", json!({}), 1);
    let again = say(&kind, "a", "lost", json!({}), 2);
    assert_eq!(
        (again["stored"].as_bool(), &again["turn"]),
        (Some(false), &first["turn"])
    );
}

#[test]
fn what_is_known_of_a_fact_is_what_its_file_says() {
    let home = Home::new();
    let kind = staying(&home);
    add(&kind, "a", &["The user lives in Paris"]);
    say(&kind, "a", "I like tea", json!({}), 1);
    drain(&kind);
    let path = paths(&home, "entries/a/facts").remove(0);
    fs::write(root(&home).join(&path), "The user lives in Bonn\n").unwrap();
    say(&kind, "a", "I live in Rome", json!({}), 2);
    call_at(&kind, "drain", json!({}), 3).unwrap();
    let mut known = facts(&kind, "a");
    known.sort();
    assert_eq!(known, ["The user likes tea", "The user lives in Rome"]);
    let grave = paths(&home, "entries/a/deleted/facts").remove(0);
    assert!(
        fs::read_to_string(root(&home).join(grave))
            .unwrap()
            .ends_with("The user lives in Bonn\n")
    );
}
