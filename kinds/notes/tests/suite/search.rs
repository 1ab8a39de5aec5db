//! Search: words, tags and days, in both languages, the most relevant first.

use memory_core::{Call, Code, Error, Kind, Question, Recall, Recalled, Result, Timestamp};
use memory_testkit::Home;
use serde_json::{Value, json};

use crate::common::*;

#[track_caller]
fn check(params: Value, expected: &[&str]) {
    let home = Home::new();
    let kind = open(&home);
    for (content, tags) in [
        ("User prefers dark mode", json!(["ui", "look"])),
        ("A dark corner of the cache", json!(["bug"])),
        ("用户喜欢深色模式，不喜欢浅色", json!(["ui"])),
        ("Deploys on Friday 🎉 with C++", json!([])),
    ] {
        write_with(&kind, json!({"content": content, "tags": tags}));
    }
    let found = call(&kind, "memory_search", params.clone()).unwrap();
    assert_eq!(contents(&found), expected, "{params}");
    assert_eq!(found["total"], expected.len());
}

const DARK: &str = "User prefers dark mode";
const CORNER: &str = "A dark corner of the cache";
const CHINESE: &str = "用户喜欢深色模式，不喜欢浅色";
const FRIDAY: &str = "Deploys on Friday 🎉 with C++";

#[test]
fn words_are_found_whatever_their_case() {
    check(json!({"query": "DARK"}), &[DARK, CORNER]);
    check(json!({"query": "dark mode"}), &[DARK, CORNER]);
    check(json!({"query": "corner dark"}), &[CORNER, DARK]);
    check(json!({"query": "refer"}), &[DARK]);
    check(json!({"query": "nothing-here"}), &[]);
}

#[test]
fn chinese_is_found_inside_sentences() {
    check(json!({"query": "深色模式"}), &[CHINESE]);
    check(json!({"query": "喜欢"}), &[CHINESE]);
    check(json!({"query": "色"}), &[CHINESE]);
    check(json!({"query": "网络"}), &[]);
}

#[test]
fn signs_are_found_as_they_stand() {
    check(json!({"query": "🎉"}), &[FRIDAY]);
    check(json!({"query": "c++"}), &[FRIDAY]);
    check(json!({"query": "，"}), &[CHINESE]);
}

#[test]
fn filters_hold_for_a_search_too() {
    check(json!({"query": "dark", "tags": ["ui"]}), &[DARK]);
    check(json!({"query": "dark", "tags": ["ui", "bug"]}), &[]);
    check(
        json!({"query": "dark", "tags": ["ui", "bug"], "any_tag": true}),
        &[DARK, CORNER],
    );
    check(json!({"query": "dark", "category": "people"}), &[]);
    check(json!({"query": "dark", "from": "2026-05-08"}), &[]);
    check(
        json!({"query": "dark", "from": "2026-05-07", "to": "2026-05-07"}),
        &[DARK, CORNER],
    );
}

#[test]
fn a_query_of_nothing_is_told() {
    let home = Home::new();
    let kind = open(&home);
    for query in ["", "  ", "\n"] {
        check_code(
            call(&kind, "memory_search", json!({ "query": query })),
            Code::InvalidArgument,
        );
        check_code(
            call(&kind, "memory_smart_search", json!({ "query": query })),
            Code::InvalidArgument,
        );
    }
    check_code(
        call(
            &kind,
            "memory_search",
            json!({"query": "x", "scope": "user"}),
        ),
        Code::InvalidArgument,
    );
}

#[test]
fn a_smart_search_knows_tags_in_the_query_and_what_is_used() {
    let home = Home::new();
    let kind = open(&home);
    let used = write_with(
        &kind,
        json!({"content": "the plan of spring", "tags": ["work"]}),
    );
    write_with(
        &kind,
        json!({"content": "the plan of autumn", "tags": ["home"]}),
    );
    call(&kind, "memory_read", json!({ "id": used })).unwrap();
    let found = call(
        &kind,
        "memory_smart_search",
        json!({"query": "what is the plan"}),
    )
    .unwrap();
    assert_eq!(found["hits"].as_array().unwrap().len(), 2);
    assert_eq!(
        (&found["hits"][0]["id"], &found["hits"][0]["kind"]),
        (&json!(used), &json!("notes"))
    );
    let found = call(&kind, "memory_smart_search", json!({"query": "plan #home"})).unwrap();
    assert_eq!(found["hits"].as_array().unwrap().len(), 1);
    assert_eq!(found["hits"][0]["text"], "the plan of autumn");
}

/// An index that can't answer in time.
struct Behind;

impl Recall for Behind {
    fn recall(&self, _: &Question, _: Timestamp) -> Result<Recalled> {
        Err(Error::new(Code::Conflict, "too much to read"))
    }
}

#[test]
fn a_smart_search_goes_by_words_when_recall_cannot_answer() {
    let home = Home::new();
    let kind = open(&home);
    write(&kind, "deploys happen on Friday");
    let tools = kind.tools();
    let tool = tools
        .iter()
        .find(|tool| tool.spec.name == "memory_smart_search")
        .unwrap();
    let asked = serde_json::value::to_raw_value(&json!({"query": "when are deploys"})).unwrap();
    let call = Call {
        recall: Some(&Behind),
        ..Call::alone(after(0))
    };
    let done = tool.call(&call, &asked).unwrap();
    assert!(
        done.reply.get().contains("happen on Friday"),
        "{}",
        done.reply
    );
}
