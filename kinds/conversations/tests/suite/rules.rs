//! The write path without a model: facts, reconciliation, summaries, eviction.

use memory_conversations::Settings;
use memory_testkit::Home;
use serde_json::json;

use crate::common::{
    add, call, call_at, chat, drain, facts, files, open, open_with, paths, say, show, text,
};

#[track_caller]
fn check(said: &str, expected: &[&str]) {
    let home = Home::new();
    let kind = open(&home);
    say(&kind, "a", said, json!({}), 0);
    drain(&kind);
    assert_eq!(facts(&kind, "a"), expected, "{said}");
}

#[test]
fn facts_are_found_in_both_languages_and_dated() {
    check("My wife is Anne", &["The user's wife is named Anne"]);
    check("Can you help me with my code?", &[]);
    check("I'm flying to Rome tomorrow at 9am.", &[]);
    check(
        "I have a dentist appointment tomorrow at 9am. I like tea!",
        &[
            "The user has a dentist appointment tomorrow at 9am (2026-05-08 09:00)",
            "The user likes tea",
        ],
    );
    check(
        "The release is on June 5.",
        &["The release is on June 5 (2026-06-05)"],
    );
    check(
        "我叫小明，我住在北京，我喜欢茶。",
        &["用户叫小明", "用户住在北京", "用户喜欢茶"],
    );
}

#[test]
fn a_message_gives_three_facts_at_most() {
    check(
        "I like tea. I like rum. I like milk. I like beer.",
        &[
            "The user likes tea",
            "The user likes rum",
            "The user likes milk",
        ],
    );
}

#[test]
fn only_the_user_is_listened_to() {
    let home = Home::new();
    let kind = open(&home);
    chat(
        &kind,
        "a",
        "Who are you?",
        "I am a model. I live in a data center. My name is Bob.",
        0,
    );
    drain(&kind);
    assert_eq!(facts(&kind, "a"), Vec::<String>::new());
}

#[test]
fn a_newer_answer_takes_the_place_of_the_older_one() {
    let home = Home::new();
    let kind = open(&home);
    say(
        &kind,
        "a",
        "I live in Paris. I have two cats.",
        json!({}),
        0,
    );
    drain(&kind);
    say(&kind, "a", "I moved to Berlin.", json!({}), 60);
    let reply = drain(&kind);
    assert_eq!(
        (reply["updated"].as_u64(), reply["added"].as_u64()),
        (Some(1), Some(0))
    );
    assert_eq!(
        facts(&kind, "a"),
        ["The user has two cats", "The user moved to Berlin"]
    );
    let grave = paths(&home, "entries/a/deleted/facts").remove(0);
    let new = show(&kind, "a")["facts"][1]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(
        files(&home)[&grave].contains(&format!("replaced_by: {new}\n")),
        "{grave}"
    );
}

#[test]
fn a_contradiction_deletes_the_old_and_adds_the_new() {
    let home = Home::new();
    let kind = open(&home);
    say(&kind, "a", "I love pizza", json!({}), 0);
    drain(&kind);
    say(&kind, "a", "I hate pizza", json!({}), 60);
    let reply = drain(&kind);
    assert_eq!(
        (reply["deleted"].as_u64(), reply["added"].as_u64()),
        (Some(1), Some(1))
    );
    assert_eq!(facts(&kind, "a"), ["The user hates pizza"]);
    say(&kind, "a", "Really, I hate pizza!", json!({}), 120);
    assert_eq!(
        drain(&kind)["added"],
        json!(0),
        "what is known is not added again"
    );
}

#[test]
fn a_summary_comes_with_enough_facts_and_takes_in_the_new_ones() {
    let home = Home::new();
    let kind = open(&home);
    let fact =
        |n: usize| format!("I like the number {n} and everything that has to do with it, as ever");
    for n in 0..3 {
        say(&kind, "a", &fact(n), json!({}), n as i64);
    }
    drain(&kind);
    assert!(
        paths(&home, "entries/a/summaries").is_empty(),
        "fewer than 100 tokens"
    );
    for n in 3..9 {
        say(&kind, "a", &fact(n), json!({}), n as i64);
    }
    drain(&kind);
    assert_eq!(
        paths(&home, "entries/a/summaries"),
        ["entries/a/summaries/L3/final.md"]
    );
    let summary = files(&home)["entries/a/summaries/L3/final.md"].clone();
    for field in [
        "id: a-summary-L3-final\n",
        "role: summary\n",
        "summary_kind: L3\n",
        "summary_level: brief\n",
        "input_tokens: ",
        "output_tokens: ",
        "compression_ratio: 0.",
        "model: extractive\n",
    ] {
        assert!(summary.contains(field), "{field} in {summary}");
    }
    for n in 20..40 {
        say(&kind, "a", &fact(n), json!({}), n as i64);
    }
    drain(&kind);
    assert_ne!(files(&home)["entries/a/summaries/L3/final.md"], summary);
    assert!(
        !paths(&home, "entries/a/deleted/summaries/L3").is_empty(),
        "the old one is kept"
    );
}

#[test]
fn facts_are_as_old_as_what_was_said_and_summed_up_however_late_they_are_found() {
    let home = Home::new();
    let kind = open(&home);
    let fact =
        |n: usize| format!("I like the number {n} and everything that has to do with it, as ever");
    for n in 0..9 {
        say(&kind, "a", &fact(n), json!({}), n as i64 * 40);
    }
    // All of them are seen to long after the last was said, and one more later still.
    call_at(&kind, "drain", json!({}), 5_000).unwrap();
    let shown = show(&kind, "a");
    let facts = shown["facts"].as_array().unwrap();
    let numbers: Vec<String> = facts.iter().map(|fact| text(&fact["content"])).collect();
    assert!(
        numbers
            .iter()
            .zip(0..9)
            .all(|(fact, n)| fact.contains(&format!("number {n} "))),
        "{numbers:?}"
    );
    assert_eq!(text(&facts[1]["created_at"]), "2026-05-07T10:00:40Z");
    let before = files(&home)["entries/a/summaries/L3/final.md"].clone();
    for n in 20..29 {
        say(&kind, "a", &fact(n), json!({}), 1_000 + n as i64);
    }
    call_at(&kind, "drain", json!({}), 6_000).unwrap();
    assert_ne!(
        files(&home)["entries/a/summaries/L3/final.md"],
        before,
        "said before the summary was made"
    );
}

#[test]
fn a_long_conversation_has_all_levels_and_a_short_one_loses_them() {
    let home = Home::new();
    let kind = open(&home);
    let long = |n: usize| {
        (0..900)
            .map(|i| format!("Point {i} of {n} is about topic {}. ", i % 40))
            .collect::<String>()
    };
    for n in 0..12 {
        chat(&kind, "a", &long(n), "ok", n as i64);
    }
    let reply = call(
        &kind,
        "conversation_summarize",
        json!({ "conversation": "a" }),
    )
    .unwrap();
    assert_eq!(reply["summaries"][0]["level"], json!("hierarchical"));
    let chunks = paths(&home, "entries/a/summaries/L1").len();
    assert!(chunks > 5);
    assert_eq!(
        paths(&home, "entries/a/summaries/L2").len(),
        chunks.div_ceil(5)
    );
    assert!(files(&home).contains_key("entries/a/summaries/L1/chunk_0.md"));
    assert!(files(&home).contains_key("entries/a/summaries/L2/group_0.md"));
    let turns: Vec<String> = paths(&home, "entries/a/turns/user");
    for path in &turns[1..] {
        std::fs::remove_file(home.path().join("memory_db").join(path)).unwrap();
    }
    let reply = call(
        &kind,
        "conversation_summarize",
        json!({ "conversation": "a" }),
    )
    .unwrap();
    assert_eq!(reply["summaries"][0]["level"], json!("detailed"));
    assert!(paths(&home, "entries/a/summaries/L2").is_empty());
    assert!(!paths(&home, "entries/a/deleted/summaries/L2").is_empty());
}

#[test]
fn summaries_can_be_switched_off() {
    let home = Home::new();
    let kind = open_with(
        &home,
        Settings {
            summarize: false,
            ..Settings::default()
        },
    );
    let fact =
        |n: usize| format!("I like the number {n} and everything that has to do with it, as ever");
    (0..20).for_each(|n| drop(say(&kind, "a", &fact(n), json!({}), n as i64)));
    drain(&kind);
    assert!(paths(&home, "entries/a/summaries").is_empty());
}

#[test]
fn the_oldest_make_room_and_summaries_stay() {
    let home = Home::new();
    let kind = open_with(
        &home,
        Settings {
            max_entries: 6,
            ..Settings::default()
        },
    );
    std::fs::create_dir_all(home.path().join("memory_db/entries/a/summaries/L3")).unwrap();
    std::fs::write(
        home.path()
            .join("memory_db/entries/a/summaries/L3/final.md"),
        "old as the hills\n",
    )
    .unwrap();
    for n in 0..5 {
        chat(
            &kind,
            "a",
            &format!("question {n}"),
            &format!("answer {n}"),
            n,
        );
    }
    let reply = drain(&kind);
    assert_eq!(reply["evicted"], json!(4));
    let left = show(&kind, "a");
    assert_eq!(left["turns"].as_array().unwrap().len(), 6);
    assert_eq!(text(&left["turns"][0]["content"]), "question 2");
    assert_eq!(text(&left["summary"]["content"]), "old as the hills");
    assert_eq!(paths(&home, "entries/a/deleted/turns").len(), 4);
    add(&kind, "a", &["one more"]);
    assert_eq!(show(&kind, "a")["turns"].as_array().unwrap().len(), 5);
}
