//! Searching keys and values by regular expressions.

use memory_core::Code;
use memory_testkit::Home;
use serde_json::{Value, json};

use crate::common::{call, check_code, open, write};

fn hits(banks: &memory_banks::Banks, params: Value) -> Vec<String> {
    let reply = call(banks, "memory_search", params).unwrap();
    let hits = reply["hits"].as_array().unwrap().clone();
    let text = |hit: &Value, name: &str| hit[name].as_str().unwrap().to_owned();
    hits.iter()
        .map(|hit| {
            format!(
                "{}/{} {}",
                text(hit, "bank"),
                text(hit, "key"),
                text(hit, "matched")
            )
        })
        .collect()
}

#[test]
fn keys_are_searched_and_values_on_demand() {
    let home = Home::new();
    let banks = open(&home);
    write(
        &banks,
        "a",
        "context",
        json!({"topic": "refactoring", "files": ["main.go"]}),
    )
    .unwrap();
    write(&banks, "b", "other", json!("the Context of it")).unwrap();
    assert_eq!(
        hits(&banks, json!({"pattern": "context"})),
        ["a/context key"]
    );
    assert_eq!(
        hits(
            &banks,
            json!({"pattern": "refactor.*main", "search_values": true})
        ),
        ["a/context value"]
    );
    assert_eq!(
        hits(
            &banks,
            json!({"pattern": "context", "search_values": true, "ignore_case": true})
        ),
        ["a/context key", "b/other value"]
    );
    assert_eq!(
        hits(&banks, json!({"pattern": "^c.*t$", "scope": "project"})),
        ["a/context key"]
    );
    assert!(hits(&banks, json!({"pattern": "context", "scope": "user"})).is_empty());
    check_code(
        call(&banks, "memory_search", json!({"pattern": "("})),
        Code::InvalidPattern,
    );
}

#[test]
fn strings_are_found_as_they_read_not_as_json_escapes_them() {
    let home = Home::new();
    let banks = open(&home);
    write(&banks, "a", "k", json!("say \"hello\" to\nme")).unwrap();
    assert_eq!(
        hits(
            &banks,
            json!({"pattern": "say \"hello\" to\nme", "search_values": true})
        ),
        ["a/k value"]
    );
}

#[test]
fn a_pattern_that_grows_when_it_is_compiled_is_refused() {
    let home = Home::new();
    let banks = open(&home);
    let pattern = "(?:(?:(?:a{50}){50}){50}){50}";
    let error = check_code(
        call(&banks, "memory_search", json!({ "pattern": pattern })),
        Code::InvalidPattern,
    );
    assert!(error.message.contains("when compiled"), "{}", error.message);
}
