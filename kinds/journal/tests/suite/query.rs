//! What a query finds, in which order, and that it counts as access.

use memory_core::{Code, Kind, Timestamp};
use memory_testkit::{Home, clock};
use serde_json::{Value, json};

use crate::common::{
    add, call, call_at, check_code, contents, core, get, line, open, put, query, text,
};

fn filled(home: &Home) -> impl Kind {
    let journal = open(home);
    for (content, kind, tags, category, importance) in [
        (
            "Pytest over unittest",
            "core",
            json!(["python", "testing"]),
            "preference",
            "high",
        ),
        (
            "Black with 88 columns",
            "core",
            json!(["python"]),
            "fact",
            "medium",
        ),
        (
            "缓存要设过期时间",
            "learning",
            json!(["cache"]),
            "fact",
            "low",
        ),
    ] {
        add(
            &journal,
            json!({"type": kind, "content": content, "tags": tags, "category": category, "importance": importance}),
        );
    }
    add(
        &journal,
        json!({"type": "task", "content": "Ship it", "tags": ["python", "release"], "blockers": ["the review"]}),
    );
    journal
}

#[track_caller]
fn check(params: Value, found: &[&str]) {
    let home = Home::new();
    assert_eq!(contents(&filled(&home), params), found);
}

#[test]
fn each_filter_finds_what_it_says() {
    let (pytest, black, cache, ship) = (
        "Pytest over unittest",
        "Black with 88 columns",
        "缓存要设过期时间",
        "Ship it",
    );
    check(json!({}), &[ship, cache, black, pytest]);
    check(json!({"type": "core"}), &[black, pytest]);
    check(json!({"category": "fact"}), &[cache, black]);
    check(json!({"tags": ["python", "testing"]}), &[pytest]);
    check(json!({"tags": ["testing", "cache"]}), &[]);
    check(
        json!({"tags": ["testing", "cache"], "any_tag": true}),
        &[cache, pytest],
    );
    check(json!({"importance": "low"}), &[cache]);
    check(json!({"text": "UNITTEST pytest"}), &[pytest]);
    check(json!({"text": "过期"}), &[cache]);
    check(json!({"status": "blocked"}), &[ship]);
    check(json!({"status": "completed"}), &[]);
    check(
        json!({"type": "core", "tags": ["python"], "text": "black"}),
        &[black],
    );
}

#[test]
fn pages_tell_how_much_there_is() {
    let home = Home::new();
    let journal = filled(&home);
    let page = |limit: usize, offset: usize| {
        let reply = query(&journal, json!({"limit": limit, "offset": offset}));
        (
            reply["records"].as_array().unwrap().len(),
            reply["total"].clone(),
            reply["has_more"].clone(),
        )
    };
    assert_eq!(page(3, 0), (3, json!(4), json!(true)));
    assert_eq!(page(3, 3), (1, json!(4), json!(false)));
    assert_eq!(page(4, 0), (4, json!(4), json!(false)));
    assert_eq!(page(3, 9), (0, json!(4), json!(false)));
    check_code(
        call(&journal, "query_memories", json!({"limit": 10_001})),
        Code::InvalidArgument,
    );
}

#[test]
fn each_order_begins_with_the_latest_or_largest() {
    let home = Home::new();
    let at = |n: usize, month: &str, count: usize| {
        let time = |day: usize| format!("2026-{month}-{day:02}T00:00:00Z");
        line(
            n,
            "core",
            json!({"created_at": time(1 + n), "updated_at": time(10 - n), "accessed_at": time(if n == 1 { 20 } else { 5 }), "access_count": count}),
        )
    };
    let text = [at(1, "01", 3), at(2, "01", 9), at(3, "01", 1)].concat();
    for (sort, first) in [
        ("created_at", "memory 3"),
        ("updated_at", "memory 1"),
        ("accessed_at", "memory 1"),
        ("access_count", "memory 2"),
    ] {
        put(&home, "core_memories.jsonl", &text);
        assert_eq!(
            contents(&open(&home), json!({"sort": sort}))[0],
            first,
            "{sort}"
        );
    }
    check_code(
        call(&open(&home), "query_memories", json!({"sort": "content"})),
        Code::InvalidArgument,
    );
}

#[test]
fn a_query_counts_as_access_and_a_resource_does_not() {
    let home = Home::new();
    let journal = open(&home);
    let (found, other) = (core(&journal, "found"), core(&journal, "other"));
    for uri in ["memory://recent", "memory://core"] {
        assert!(
            journal
                .resource(uri, clock().now())
                .unwrap()
                .unwrap()
                .text
                .contains("found")
        );
    }
    assert_eq!(get(&journal, &found)["access_count"], 0);
    let reply = call_at(&journal, "query_memories", json!({"text": "found"}), 60).unwrap();
    assert_eq!(reply["records"][0]["access_count"], 1);
    call_at(&journal, "query_memories", json!({"text": "found"}), 120).unwrap();
    let record = get(&open(&home), &found);
    assert_eq!(
        (&record["access_count"], &record["accessed_at"]),
        (&json!(2), &json!("2026-05-07T10:02:00Z"))
    );
    assert_eq!(record["updated_at"], "2026-05-07T10:00:00Z");
    assert_eq!(get(&journal, &other)["access_count"], 0);
}

#[test]
fn queries_at_the_same_time_lose_no_access() {
    let home = Home::new();
    let id = core(&open(&home), "popular");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let journal = open(&home);
                for _ in 0..10 {
                    query(&journal, json!({}));
                    core(&journal, "beside");
                }
            });
        }
    });
    assert_eq!(get(&open(&home), &id)["access_count"], 40);
    assert_eq!(text(&home, "core_memories.jsonl").lines().count(), 41);
}

#[test]
fn a_bad_line_is_told_with_its_number_and_hides_no_other() {
    let home = Home::new();
    let lines = [
        line(1, "core", json!({})),
        "{oops\n".into(),
        line(2, "core", json!({"archived": "no"})),
        line(3, "core", json!({})),
        "{\"content\": \"says no more\"}\n".into(),
    ];
    put(&home, "core_memories.jsonl", &lines.concat());
    let reply = query(&open(&home), json!({}));
    assert_eq!(
        reply["total"], 4,
        "what lacks something is found with defaults"
    );
    let id = query(&open(&home), json!({"text": "says no more"}))["records"][0]["id"].clone();
    assert_eq!(
        get(&open(&home), id.as_str().unwrap())["importance"],
        "medium"
    );
    let told: Vec<&str> = reply["flaws"]
        .as_array()
        .unwrap()
        .iter()
        .map(|flaw| flaw["place"].as_str().unwrap())
        .collect();
    assert_eq!(
        told,
        [
            "core_memories.jsonl:2",
            "core_memories.jsonl:3",
            "core_memories.jsonl:5"
        ]
    );
    let kept = text(&home, "core_memories.jsonl");
    assert!(
        kept.contains("{oops\n") && kept.contains("\"no\""),
        "what can't be read stays: {kept}"
    );
    let repaired = call(&open(&home), "repair", json!({}));
    assert!(repaired.is_ok());
    assert_eq!(
        get(&open(&home), id.as_str().unwrap())["content"],
        "says no more",
        "a repair keeps the id"
    );
}

#[test]
fn search_is_shown_live_records_file_by_file() {
    let home = Home::new();
    let journal = filled(&home);
    let before = journal.sources().good;
    assert_eq!(
        before
            .iter()
            .map(|source| source.name.as_str())
            .collect::<Vec<_>>(),
        ["core_memories.jsonl", "learnings.jsonl", "tasks.jsonl"]
    );
    let documents = journal.documents_of("core_memories.jsonl").good;
    assert_eq!(documents.len(), 2);
    assert_eq!(
        documents[0].labels,
        [
            "tag:python",
            "tag:testing",
            "type:core",
            "category:preference",
            "importance:high"
        ]
    );
    assert!(documents[0].weight > documents[1].weight);
    assert!(journal.documents_of("index.json").good.is_empty());
    let pulse = journal.pulse();
    core(&journal, "more");
    let after = journal.sources().good;
    assert_ne!(after[0].state, before[0].state);
    assert_eq!(after[1].state, before[1].state);
    assert_ne!(journal.pulse(), pulse);
    let later = Timestamp::from_second(clock().now().as_second() + 1_000_000_000).unwrap();
    assert_eq!(journal.documents(later).good.len(), 5);
}
