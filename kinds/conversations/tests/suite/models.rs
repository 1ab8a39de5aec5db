//! The write path with a model that is right, talks nonsense, forgets or fails.

use std::sync::Arc;

use memory_testkit::Home;
use serde_json::json;

use crate::common::{Scripted, add, chat, drain, facts, files, open, open_asking, paths, say};

/// Says something after these facts are known, with a model that gives these answers.
fn after(
    known: &[&str],
    said: &str,
    answers: &[Option<&str>],
) -> (Home, Arc<Scripted>, Vec<String>) {
    let home = Home::new();
    if !known.is_empty() {
        add(&open(&home), "a", known);
    }
    let model = Scripted::saying(answers);
    let kind = open_asking(&home, &model);
    say(&kind, "a", said, json!({}), 60);
    assert_eq!(drain(&kind)["left"], json!(0));
    let facts = facts(&kind, "a");
    (home, model, facts)
}

#[test]
fn the_model_extracts_from_the_users_words_alone() {
    let home = Home::new();
    let model = Scripted::saying(&[Some(r#"["The user's wife is named Anne"]"#)]);
    let kind = open_asking(&home, &model);
    chat(
        &kind,
        "a",
        "My wife is Anne",
        "Congratulations, I am happy for you",
        0,
    );
    drain(&kind);
    assert_eq!(facts(&kind, "a"), ["The user's wife is named Anne"]);
    let asked = model.asked.lock().unwrap();
    assert_eq!(
        asked.len(),
        1,
        "with nothing to compare with, facts are added directly"
    );
    assert_eq!(asked[0].len(), 2);
    assert_eq!(
        (asked[0][1].role.as_str(), asked[0][1].content.as_str()),
        ("user", "My wife is Anne")
    );
}

#[test]
fn no_more_than_three_facts_are_taken() {
    let (_, _, facts) = after(&[], "x", &[Some(r#"["a","b","c","d"]"#)]);
    assert_eq!(facts, ["a", "b", "c"]);
}

#[test]
fn nonsense_is_asked_again_and_failures_are_done_without() {
    let (_, model, facts) = after(
        &[],
        "I like tea",
        &[Some("Sure! Here you go"), Some(r#"["Tea it is"]"#)],
    );
    assert_eq!((model.count(), facts), (2, vec!["Tea it is".to_owned()]));
    let (_, _, facts) = after(&[], "I like tea", &[Some("no"), Some("no")]);
    assert_eq!(
        facts,
        ["The user likes tea"],
        "rules find what the model did not"
    );
    let (_, _, facts) = after(&[], "I like tea", &[None]);
    assert_eq!(facts, ["The user likes tea"]);
    let (_, _, facts) = after(&[], "I like tea", &[Some("[]")]);
    assert!(facts.is_empty(), "nothing to remember is an answer");
}

const PIZZA: &str = r#"["The user hates pizza"]"#;

#[test]
fn the_model_reconciles_by_small_numbers() {
    let answer = r#"[{"id":"0","text":"The user loves pizza","event":"DELETE"},
        {"id":"1","text":"The user hates pizza","event":"ADD"}]"#;
    let (home, model, facts) = after(
        &["The user loves pizza"],
        "I hate pizza",
        &[Some(PIZZA), Some(answer)],
    );
    assert_eq!(facts, ["The user hates pizza"]);
    assert_eq!(paths(&home, "entries/a/deleted/facts").len(), 1);
    let asked = model.asked.lock().unwrap();
    let shown = &asked[1][1].content;
    assert!(
        shown.contains(r#"{"id":"0","text":"The user loves pizza"}"#),
        "{shown}"
    );
    assert!(
        shown.contains(r#""new_facts":["The user hates pizza"]"#),
        "{shown}"
    );
}

#[test]
fn an_update_gets_a_fresh_id_and_leaves_a_tombstone() {
    let answer = r#"[{"id":0,"text":"The user loves pizza with olives","event":"UPDATE"}]"#;
    let new = Some(r#"["The user loves pizza with olives"]"#);
    let (home, _, facts) = after(
        &["The user loves pizza"],
        "with olives",
        &[new, Some(answer)],
    );
    assert_eq!(facts, ["The user loves pizza with olives"]);
    let new = paths(&home, "entries/a/facts").remove(0);
    let id = new.split("__").nth(1).unwrap().trim_end_matches(".md");
    let grave = paths(&home, "entries/a/deleted/facts").remove(0);
    assert!(files(&home)[&grave].contains(&format!("replaced_by: {id}\n")));
    assert!(!grave.contains(id));
}

#[test]
fn an_answer_that_misses_an_id_is_asked_again_and_then_everything_is_added() {
    let missing = Some(r#"[{"id":"7","text":"The user hates pizza","event":"ADD"}]"#);
    let known = ["The user loves pizza"];
    let (home, model, facts) = after(&known, "I hate pizza", &[Some(PIZZA), missing, missing]);
    assert_eq!(facts, ["The user loves pizza", "The user hates pizza"]);
    assert_eq!(model.count(), 3);
    assert!(paths(&home, "entries/a/deleted").is_empty());
    let whole = Some(
        r#"[{"id":"0","event":"DELETE"},{"id":"1","text":"The user hates pizza","event":"ADD"}]"#,
    );
    let (_, _, facts) = after(&known, "I hate pizza", &[Some(PIZZA), missing, whole]);
    assert_eq!(facts, ["The user hates pizza"]);
}

#[test]
fn a_deletion_without_what_contradicts_it_adds_that_all_the_same() {
    let only = Some(r#"[{"id":"0","event":"DELETE"}]"#);
    let (_, _, facts) = after(
        &["The user loves pizza"],
        "I hate pizza",
        &[Some(PIZZA), only, only],
    );
    assert_eq!(facts, ["The user hates pizza"]);
}

#[test]
fn a_model_that_fails_while_it_reconciles_takes_nothing_away() {
    let (_, _, facts) = after(
        &["The user loves pizza"],
        "I hate pizza",
        &[Some(PIZZA), None],
    );
    assert_eq!(facts, ["The user loves pizza", "The user hates pizza"]);
}

#[test]
fn the_model_summarises_and_where_it_fails_sentences_are_chosen() {
    let home = Home::new();
    let known: Vec<String> = (0..12)
        .map(|n| format!("The user keeps a list of things that begin with {n}"))
        .collect();
    add(
        &open(&home),
        "a",
        &known.iter().map(String::as_str).collect::<Vec<_>>(),
    );
    let model = Scripted::saying(&[Some("[]"), Some("The user keeps lists.")]);
    let kind = open_asking(&home, &model);
    say(&kind, "a", "hello", json!({}), 60);
    drain(&kind);
    let summary = files(&home)["entries/a/summaries/L3/final.md"].clone();
    assert!(
        summary.contains("model: scripted\n") && summary.ends_with("The user keeps lists.\n"),
        "{summary}"
    );
    let other = Home::new();
    add(
        &open(&other),
        "a",
        &known.iter().map(String::as_str).collect::<Vec<_>>(),
    );
    let kind = open_asking(&other, &Scripted::saying(&[Some("[]")]));
    say(&kind, "a", "hello", json!({}), 60);
    drain(&kind);
    assert!(files(&other)["entries/a/summaries/L3/final.md"].contains("model: extractive\n"));
}
