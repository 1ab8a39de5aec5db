//! Lists: filters, order, limit and total.

use memory_core::Code;
use memory_testkit::Home;
use serde_json::{Value, json};

use crate::common::*;

fn fill(home: &Home) -> memory_notes::Notes {
    let kind = in_zone(home, "Asia/Shanghai");
    let notes = [
        json!({"content": "one", "category": "people", "tags": ["A", "b"], "source": "Claude"}),
        json!({"content": "two", "category": "people", "tags": ["b"], "scope": "agent:claude"}),
        json!({"content": "three", "tags": ["c"], "source": "logseq"}),
    ];
    for (n, params) in notes.into_iter().enumerate() {
        // 10:00, 16:00 and 22:00 in UTC: the last two are tomorrow in Shanghai.
        call_at(&kind, "memory_write", params, n as i64 * 6 * 3600).unwrap();
    }
    kind
}

#[track_caller]
fn check(params: Value, expected: &[&str]) {
    let home = Home::new();
    let listed = call(&fill(&home), "memory_list", params.clone()).unwrap();
    assert_eq!(contents(&listed), expected, "{params}");
}

#[test]
fn a_list_has_the_newest_first_and_what_filters_admit() {
    check(json!({}), &["three", "two", "one"]);
    check(json!({"phase": "inbox"}), &["three"]);
    check(json!({"phase": "organized"}), &["two", "one"]);
    check(json!({"category": "people"}), &["two", "one"]);
    check(json!({"scope": "global"}), &["three", "one"]);
    check(json!({"scope": "agent:claude"}), &["two"]);
    check(json!({"scope": "agent:copilot"}), &[]);
    check(json!({"source": "claude"}), &["one"]);
    check(json!({"tags": ["b"]}), &["two", "one"]);
    check(json!({"tags": ["a", "b"]}), &["one"]);
    check(
        json!({"tags": ["a", "c"], "any_tag": true}),
        &["three", "one"],
    );
    check(json!({"from": "2026-05-08"}), &["three", "two"]);
    check(json!({"to": "2026-05-07"}), &["one"]);
    check(json!({"from": "2026-05-07", "to": "2026-05-07"}), &["one"]);
    check(json!({"from": "2026-05-08", "to": "2026-05-07"}), &[]);
}

#[test]
fn a_limit_cuts_the_list_and_not_the_total() {
    let home = Home::new();
    let kind = fill(&home);
    let listed = call(&kind, "memory_list", json!({"limit": 2})).unwrap();
    assert_eq!((contents(&listed).len(), &listed["total"]), (2, &json!(3)));
    let listed = call(&kind, "memory_list", json!({"limit": 0})).unwrap();
    assert_eq!((contents(&listed).len(), &listed["total"]), (0, &json!(3)));
}

#[test]
fn what_is_no_filter_is_told_and_admits_nothing() {
    let home = Home::new();
    let kind = fill(&home);
    for params in [
        json!({"scope": "user"}),
        json!({"category": "nonsense"}),
        json!({"phase": "done"}),
        json!({"from": "yesterday-ish"}),
        json!({"from": "2026-02-30"}),
        json!({"tag": ["b"]}),
        json!({"limit": -1}),
    ] {
        check_code(call(&kind, "memory_list", params), Code::InvalidArgument);
    }
}

#[test]
fn an_empty_root_lists_nothing_and_is_not_made() {
    let home = Home::new();
    let kind = open(&home);
    let listed = call(&kind, "memory_list", json!({})).unwrap();
    assert_eq!(listed, json!({"memories": [], "total": 0, "archived": 0}));
    for tool in ["decay", "consolidate", "resolve_links", "notify"] {
        call(&kind, tool, json!({})).unwrap();
    }
    call(&kind, "dream", json!({"level": 3})).unwrap();
    assert!(!root(&home).exists());
}
