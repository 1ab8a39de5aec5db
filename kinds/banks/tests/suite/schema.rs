//! A bank's JSON Schema holds for every later write and update.

use memory_core::Code;
use memory_testkit::Home;
use serde_json::{Value, json};

use crate::common::{call, check_code, open, read, write};

fn schema(
    banks: &memory_banks::Banks,
    action: &str,
    schema: Option<Value>,
) -> memory_core::Result<Value> {
    call(
        banks,
        "schema",
        json!({"bank": "tasks", "action": action, "schema": schema}),
    )
}

fn task() -> Value {
    json!({"type": "object", "required": ["title"], "properties": {"title": {"type": "string"}}})
}

#[test]
fn a_schema_is_set_shown_obeyed_and_cleared() {
    let home = Home::new();
    let banks = open(&home);
    check_code(schema(&banks, "show", None), Code::BankNotFound);
    schema(&banks, "set", Some(task())).unwrap();
    assert_eq!(schema(&banks, "show", None).unwrap()["schema"], task());
    write(&banks, "tasks", "one", json!({"title": "x"})).unwrap();
    let error = check_code(
        write(&banks, "tasks", "two", json!({"titel": "x"})),
        Code::SchemaViolation,
    );
    assert!(error.message.contains("title"), "{}", error.message);
    check_code(read(&banks, "tasks", "two"), Code::KeyNotFound);
    let update = json!({"bank": "tasks", "key": "one", "filter": ".title = 3"});
    check_code(
        call(&banks, "memory_update", update.clone()),
        Code::SchemaViolation,
    );
    let document = json!({"_meta": {}, "entries": {"three": {"value": 1}}});
    let import = call(
        &banks,
        "import",
        json!({"bank": "tasks", "document": document}),
    );
    check_code(import, Code::SchemaViolation);
    assert_eq!(
        schema(&banks, "clear", None).unwrap()["schema"],
        Value::Null
    );
    call(&banks, "memory_update", update).unwrap();
}

#[test]
fn a_schema_that_is_none_or_that_entries_break_is_not_set() {
    let home = Home::new();
    let banks = open(&home);
    check_code(
        schema(&banks, "set", Some(json!({"type": "nonsense"}))),
        Code::InvalidArgument,
    );
    check_code(schema(&banks, "set", None), Code::InvalidArgument);
    write(&banks, "tasks", "one", json!(1)).unwrap();
    let error = check_code(schema(&banks, "set", Some(task())), Code::SchemaViolation);
    assert!(error.message.contains("'one'"), "{}", error.message);
    assert_eq!(schema(&banks, "show", None).unwrap()["schema"], Value::Null);
}

#[test]
fn a_planted_schema_of_multiplying_references_stops_writers_with_an_error_and_nobody_else() {
    let home = Home::new();
    let banks = open(&home);
    let level = |n: usize| {
        let next = json!({"$ref": format!("#/$defs/l{}", n + 1)});
        (format!("l{n}"), json!({"allOf": vec![next; 10]}))
    };
    let mut parts: serde_json::Map<String, Value> = (0..12).map(level).collect();
    parts.insert("l12".to_owned(), json!({"type": "string"}));
    let planted = json!({"$ref": "#/$defs/l0", "$defs": parts});
    check_code(
        schema(&banks, "set", Some(planted.clone())),
        Code::LimitExceeded,
    );
    let entry = json!({"value": {"title": "x"}, "created_at": "2026-05-01T00:00:00Z"});
    let file = json!({"_meta": {"version": 1, "schema": planted}, "entries": {"one": entry}});
    std::fs::create_dir_all(home.path().join("project")).unwrap();
    std::fs::write(home.path().join("project/tasks.json"), file.to_string()).unwrap();
    let error = check_code(
        write(&banks, "tasks", "two", json!({"title": "y"})),
        Code::LimitExceeded,
    );
    assert!(
        error.hint.is_some_and(|hint| hint.contains("clear")),
        "{}",
        error.message
    );
    read(&banks, "tasks", "one").unwrap();
    schema(&banks, "clear", None).unwrap();
    write(&banks, "tasks", "two", json!({"title": "y"})).unwrap();
}
