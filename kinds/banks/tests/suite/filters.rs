//! jq filters: queries over values and banks, updates, and their bounds.

use std::thread;

use memory_core::Code;
use memory_testkit::Home;
use serde_json::{Value, json};

use crate::common::{call, call_at, check_code, open, read, write};

fn query(banks: &memory_banks::Banks, params: Value) -> Value {
    call(banks, "memory_query", params).unwrap()["results"].clone()
}

fn update(banks: &memory_banks::Banks, key: &str, filter: &str) -> memory_core::Result<Value> {
    call(
        banks,
        "memory_update",
        json!({"bank": "b", "key": key, "filter": filter}),
    )
}

#[test]
fn a_query_sees_a_value_or_the_whole_document() {
    let home = Home::new();
    let banks = open(&home);
    write(
        &banks,
        "tasks",
        "items",
        json!({"items": [{"t": 1, "done": false}, {"t": 2, "done": true}]}),
    )
    .unwrap();
    call(
        &banks,
        "memory_write",
        json!({"bank": "tasks", "key": "gone", "value": 1, "ttl": 5}),
    )
    .unwrap();
    let open_items =
        json!({"bank": "tasks", "key": "items", "filter": ".items[] | select(.done == false)"});
    assert_eq!(query(&banks, open_items), json!([{"t": 1, "done": false}]));
    let keys = json!({"bank": "tasks", "filter": ".entries | keys"});
    assert_eq!(query(&banks, keys.clone()), json!([["gone", "items"]]));
    assert_eq!(
        call_at(&banks, "memory_query", keys, 5).unwrap()["results"],
        json!([["items"]])
    );
    assert_eq!(
        query(
            &banks,
            json!({"bank": "tasks", "filter": "._meta.version, empty"})
        ),
        json!([1])
    );
}

#[test]
fn a_query_that_does_not_compile_or_fails_is_told_with_what_it_had_made() {
    let home = Home::new();
    let banks = open(&home);
    write(&banks, "b", "k", json!([1, "x"])).unwrap();
    let ask = |filter: &str| {
        call(
            &banks,
            "memory_query",
            json!({"bank": "b", "key": "k", "filter": filter}),
        )
    };
    check_code(ask(".["), Code::InvalidFilter);
    check_code(ask("nosuchfunction"), Code::InvalidFilter);
    let error = check_code(ask(".[] | . + 1"), Code::InvalidFilter);
    assert_eq!(error.context["outputs"], json!(["2"]));
    assert!(
        error.message.contains("cannot be added"),
        "{}",
        error.message
    );
}

#[test]
fn updates_do_what_the_specification_shows() {
    let home = Home::new();
    let banks = open(&home);
    write(&banks, "b", "items", json!({"items": []})).unwrap();
    write(&banks, "b", "visits", json!({"count": 41})).unwrap();
    write(&banks, "b", "settings", json!({"theme": "light", "z": 1})).unwrap();
    assert_eq!(
        update(&banks, "items", ".items += [\"new task\"]").unwrap()["operation"],
        "update"
    );
    update(&banks, "visits", ".count += 1").unwrap();
    update(&banks, "settings", ".theme = \"dark\"").unwrap();
    assert_eq!(
        read(&banks, "b", "items").unwrap(),
        json!({"items": ["new task"]})
    );
    assert_eq!(read(&banks, "b", "visits").unwrap(), json!({"count": 42}));
    assert_eq!(
        read(&banks, "b", "settings").unwrap().to_string(),
        r#"{"theme":"dark","z":1}"#
    );
}

#[test]
fn an_update_needs_its_entry_unless_it_may_create_it() {
    let home = Home::new();
    let banks = open(&home);
    check_code(update(&banks, "n", ".count += 1"), Code::BankNotFound);
    let create = json!({"bank": "b", "key": "n", "filter": ".count += 1", "create": true});
    assert_eq!(
        call(&banks, "memory_update", create.clone()).unwrap()["operation"],
        "create"
    );
    assert_eq!(
        call(&banks, "memory_update", create).unwrap()["operation"],
        "update"
    );
    assert_eq!(read(&banks, "b", "n").unwrap(), json!({"count": 2}));
    check_code(update(&banks, "m", "."), Code::KeyNotFound);
}

#[test]
fn an_update_must_yield_one_value_and_changes_nothing_otherwise() {
    let home = Home::new();
    let banks = open(&home);
    write(&banks, "b", "k", json!([1, 2])).unwrap();
    let before = home.snapshot();
    for filter in ["empty", ".[]", ".[", "error(\"no\")", ".a.b = 1"] {
        check_code(update(&banks, "k", filter), Code::InvalidFilter);
    }
    check_code(update(&banks, "k", "\"x\" * 2000000"), Code::ValueTooLarge);
    check_code(update(&banks, "k", "def f: [f]; f"), Code::FilterLimit);
    assert_eq!(home.snapshot(), before);
}

#[test]
fn an_update_keeps_the_ttl_and_the_hour_of_death() {
    let home = Home::new();
    let banks = open(&home);
    call(
        &banks,
        "memory_write",
        json!({"bank": "b", "key": "k", "value": 1, "ttl": 100}),
    )
    .unwrap();
    call_at(
        &banks,
        "memory_update",
        json!({"bank": "b", "key": "k", "filter": ". + 1"}),
        50,
    )
    .unwrap();
    let found = call_at(&banks, "memory_read", json!({"bank": "b", "key": "k"}), 99).unwrap();
    assert_eq!(found["value"], 2);
    assert_eq!(found["metadata"]["ttl"], 100);
    assert_eq!(found["metadata"]["expires_at"], "2026-05-07T10:01:40Z");
    check_code(
        call_at(&banks, "memory_read", json!({"bank": "b", "key": "k"}), 100),
        Code::TtlExpired,
    );
}

#[test]
fn digits_survive_a_filter_that_does_not_touch_them() {
    let home = Home::new();
    let banks = open(&home);
    let text = r#"{"_meta":{},"entries":{"k":{"value":{"id":123456789012345678901234567890,"d":1.10,"n":1}}}}"#;
    let document: Box<serde_json::value::RawValue> = serde_json::from_str(text).unwrap();
    let params = format!(r#"{{"bank":"b","document":{document}}}"#);
    let tools = memory_core::Kind::tools(&banks);
    let import = tools
        .iter()
        .find(|tool| tool.spec.name == "import")
        .unwrap();
    let raw = serde_json::value::RawValue::from_string(params).unwrap();
    let call = memory_core::Call::alone(memory_testkit::clock().now());
    import.call(&call, &raw).unwrap();
    update(&banks, "k", ".n += 1").unwrap();
    let kept = std::fs::read_to_string(home.path().join("project/b.json")).unwrap();
    assert!(
        kept.contains(r#"{"id":123456789012345678901234567890,"d":1.10,"n":2}"#),
        "{kept}"
    );
}

#[test]
fn many_updates_of_one_entry_lose_nothing() {
    let home = Home::new();
    let banks = open(&home);
    write(&banks, "b", "n", json!({"count": 0})).unwrap();
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let banks = open(&home);
                (0..10).for_each(|_| drop(update(&banks, "n", ".count += 1").unwrap()));
            });
        }
    });
    assert_eq!(read(&banks, "b", "n").unwrap(), json!({"count": 80}));
}

#[test]
fn a_filter_reaches_neither_environment_nor_files() {
    let home = Home::new();
    let banks = open(&home);
    write(&banks, "b", "k", json!(null)).unwrap();
    let ask = |filter: &str| query(&banks, json!({"bank": "b", "key": "k", "filter": filter}));
    assert_eq!(ask("env, $ENV"), json!([{}, {}]));
    assert_eq!(ask("[inputs]"), json!([[]]));
    for filter in ["import \"a\" as a; .", "include \"a\"; ."] {
        let params = json!({"bank": "b", "key": "k", "filter": filter});
        check_code(call(&banks, "memory_query", params), Code::InvalidFilter);
    }
}
