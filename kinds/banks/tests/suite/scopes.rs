//! Which scope a call means, when it does not say.

use std::sync::Arc;

use memory_core::Code;
use memory_files::RealDisk;
use memory_testkit::Home;
use serde_json::{Value, json};

use crate::common::{call, check_code, open, open_on, read, write};

fn put(banks: &memory_banks::Banks, scope: &str, key: &str, value: Value) {
    call(
        banks,
        "memory_write",
        json!({"bank": "b", "key": key, "value": value, "scope": scope}),
    )
    .unwrap();
}

#[test]
fn reads_look_per_key_in_the_project_first() {
    let home = Home::new();
    let banks = open(&home);
    put(&banks, "user", "mine", json!("user"));
    put(&banks, "user", "both", json!("user"));
    put(&banks, "project", "both", json!("project"));
    assert_eq!(read(&banks, "b", "mine").unwrap(), "user");
    assert_eq!(read(&banks, "b", "both").unwrap(), "project");
    let of_user = call(
        &banks,
        "memory_read",
        json!({"bank": "b", "key": "both", "scope": "user"}),
    )
    .unwrap();
    assert_eq!(
        (&of_user["value"], &of_user["scope"]),
        (&json!("user"), &json!("user"))
    );
    let only_project = call(
        &banks,
        "memory_read",
        json!({"bank": "b", "key": "mine", "scope": "project"}),
    );
    check_code(only_project, Code::KeyNotFound);
}

#[test]
fn writes_go_to_the_project_if_there_is_one() {
    let home = Home::new();
    assert_eq!(
        write(&open(&home), "b", "k", json!(1)).unwrap()["scope"],
        "project"
    );
    let outside = open_on(&home, Arc::new(RealDisk::default()), false, false);
    assert_eq!(
        write(&outside, "b", "k", json!(1)).unwrap()["scope"],
        "user"
    );
    // Outside of a project only an explicit scope reaches one.
    put(&outside, "project", "made", json!(1));
    check_code(read(&outside, "b", "made"), Code::KeyNotFound);
}

#[test]
fn a_delete_of_what_is_in_both_scopes_is_refused() {
    let home = Home::new();
    let banks = open(&home);
    put(&banks, "user", "k", json!(1));
    put(&banks, "project", "k", json!(2));
    put(&banks, "user", "mine", json!(3));
    let error = check_code(
        call(&banks, "memory_delete", json!({"bank": "b", "key": "k"})),
        Code::AmbiguousScope,
    );
    assert!(error.hint.unwrap().contains("--scope"));
    check_code(
        call(&banks, "memory_delete", json!({"bank": "b"})),
        Code::AmbiguousScope,
    );
    call(&banks, "memory_delete", json!({"bank": "b", "key": "mine"})).unwrap();
    call(
        &banks,
        "memory_delete",
        json!({"bank": "b", "key": "k", "scope": "project"}),
    )
    .unwrap();
    assert_eq!(read(&banks, "b", "k").unwrap(), 1);
}

#[test]
fn an_expired_entry_of_one_scope_does_not_make_the_live_one_ambiguous() {
    let home = Home::new();
    let banks = open(&home);
    put(&banks, "user", "k", json!(1));
    let short = json!({"bank": "b", "key": "k", "value": 2, "scope": "project", "ttl": 5});
    call(&banks, "memory_write", short).unwrap();
    crate::common::call_at(
        &banks,
        "memory_delete",
        json!({"bank": "b", "key": "k"}),
        60,
    )
    .unwrap();
    check_code(
        call(
            &banks,
            "memory_read",
            json!({"bank": "b", "key": "k", "scope": "user"}),
        ),
        Code::KeyNotFound,
    );
}

#[test]
fn a_bank_of_the_other_scope_is_hinted_at() {
    let home = Home::new();
    let banks = open(&home);
    put(&banks, "user", "k", json!(1));
    let error = check_code(
        call(
            &banks,
            "memory_read",
            json!({"bank": "b", "scope": "project"}),
        ),
        Code::BankNotFound,
    );
    assert_eq!(
        error.hint.as_deref(),
        Some("It exists in the other scope: --scope user")
    );
}

#[test]
fn lists_cover_both_scopes_unless_told() {
    let home = Home::new();
    let banks = open(&home);
    put(&banks, "user", "mine", json!(1));
    put(&banks, "user", "both", json!(1));
    put(&banks, "project", "both", json!(1));
    let list = |params| call(&banks, "memory_list", params).unwrap();
    let scopes = |reply: Value| {
        let lines = reply["banks"].as_array().unwrap().clone();
        lines
            .iter()
            .map(|line| format!("{} {}", line["scope"], line["key_count"]))
            .collect::<Vec<_>>()
    };
    assert_eq!(scopes(list(json!({}))), ["\"project\" 1", "\"user\" 2"]);
    assert_eq!(scopes(list(json!({"scope": "user"}))), ["\"user\" 2"]);
    assert_eq!(list(json!({"bank": "b"}))["keys"], json!(["both", "mine"]));
    assert_eq!(
        list(json!({"bank": "b", "scope": "project"}))["keys"],
        json!(["both"])
    );
    let verbose = list(json!({"bank": "b", "verbose": true}));
    assert_eq!(verbose["keys"].as_array().unwrap().len(), 3);
    assert_eq!(verbose["keys"][0]["size_bytes"], 1);
    assert_eq!(verbose["keys"][0]["updated_at"], "2026-05-07T10:00:00Z");
}
