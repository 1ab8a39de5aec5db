//! Export and import: nothing changes on the way out and back in.

use memory_core::Code;
use memory_testkit::Home;
use serde_json::{Value, json};

use crate::common::{call, call_at, check_code, open, read, write};

fn export(banks: &memory_banks::Banks, params: Value) -> Value {
    call(banks, "export", params).unwrap()["document"].clone()
}

#[test]
fn an_export_comes_back_with_values_times_and_ttls() {
    let home = Home::new();
    let banks = open(&home);
    call(
        &banks,
        "memory_write",
        json!({"bank": "b", "key": "k", "value": {"z": 1, "a": 2}, "ttl": 100}),
    )
    .unwrap();
    call_at(
        &banks,
        "memory_write",
        json!({"bank": "b", "key": "l", "value": "中"}),
        30,
    )
    .unwrap();
    let document = export(&banks, json!({"bank": "b"}));
    let other = Home::new();
    let copy = open(&other);
    let reply = call_at(
        &copy,
        "import",
        json!({"bank": "c", "document": document}),
        60,
    )
    .unwrap();
    assert_eq!(reply["imported"][0]["created"], 2);
    let whole = |banks, bank: &str| {
        call_at(banks, "memory_read", json!({"bank": bank}), 60).unwrap()["entries"].clone()
    };
    assert_eq!(
        whole(&copy, "c").to_string(),
        whole(&banks, "b").to_string()
    );
    assert_eq!(
        export(&copy, json!({"bank": "c"})),
        export(&banks, json!({"bank": "b"}))
    );
}

#[test]
fn all_scopes_come_back_to_where_they_were() {
    let home = Home::new();
    let banks = open(&home);
    write(&banks, "b", "k", json!("project")).unwrap();
    call(
        &banks,
        "memory_write",
        json!({"bank": "b", "key": "k", "value": "user", "scope": "user"}),
    )
    .unwrap();
    let document = export(&banks, json!({}));
    let other = Home::new();
    let copy = open(&other);
    call(&copy, "import", json!({"document": document})).unwrap();
    assert_eq!(read(&copy, "b", "k").unwrap(), "project");
    let user = call(
        &copy,
        "memory_read",
        json!({"bank": "b", "key": "k", "scope": "user"}),
    )
    .unwrap();
    assert_eq!(user["value"], "user");
}

#[test]
fn an_import_merges_or_replaces_and_can_be_rehearsed_and_undone() {
    let home = Home::new();
    let banks = open(&home);
    write(&banks, "b", "same", json!(1)).unwrap();
    write(&banks, "b", "changed", json!("incoming")).unwrap();
    let document = export(&banks, json!({"bank": "b"}));
    write(&banks, "b", "changed", json!("here")).unwrap();
    write(&banks, "b", "mine", json!(3)).unwrap();
    let before = home.snapshot();
    let params = |extra: &[(&str, bool)]| {
        let mut params = json!({"bank": "b", "document": document});
        extra
            .iter()
            .for_each(|(name, value)| params[name] = (*value).into());
        params
    };
    let dry = call(&banks, "import", params(&[("dry_run", true)])).unwrap();
    let counts = |reply: &Value| {
        let line = &reply["imported"][0];
        [
            &line["created"],
            &line["updated"],
            &line["unchanged"],
            &line["removed"],
        ]
        .map(|n| n.as_u64().unwrap())
    };
    assert_eq!(
        (counts(&dry), home.snapshot() == before),
        ([0, 1, 1, 0], true)
    );
    call(&banks, "import", params(&[])).unwrap();
    assert_eq!(read(&banks, "b", "changed").unwrap(), "incoming");
    assert_eq!(read(&banks, "b", "mine").unwrap(), 3);
    let replaced = call(&banks, "import", params(&[("replace", true)])).unwrap();
    assert_eq!(counts(&replaced), [0, 0, 2, 1]);
    check_code(read(&banks, "b", "mine"), Code::KeyNotFound);
}

#[test]
fn nothing_is_imported_when_one_bank_of_many_is_refused() {
    let home = Home::new();
    let banks = open(&home);
    let schema = json!({"type": "number"});
    call(
        &banks,
        "schema",
        json!({"bank": "bb", "action": "set", "schema": schema}),
    )
    .unwrap();
    let before = home.snapshot();
    let bank = |value: Value| json!({"_meta": {}, "entries": {"k": {"value": value}}});
    let document = json!({"version": 1, "scopes": {"project": {"aa": bank(json!(1)), "bb": bank(json!("text"))}}});
    check_code(
        call(&banks, "import", json!({"document": document})),
        Code::SchemaViolation,
    );
    assert_eq!(home.snapshot(), before);
}

#[test]
fn what_is_no_export_is_refused_and_nothing_changes() {
    let home = Home::new();
    let banks = open(&home);
    let import =
        |document: Value| call(&banks, "import", json!({"bank": "b", "document": document}));
    for document in [
        json!([]),
        json!({"a": 1}),
        json!({"_meta": {}, "entries": {"k": 1}}),
        json!({"_meta": {"version": 9}, "entries": {}}),
        json!({"version": 1, "scopes": {"mars": {}}}),
    ] {
        check_code(import(document), Code::InvalidArgument);
    }
    check_code(
        import(json!({"_meta": {}, "entries": {"a\nb": {"value": 1}}})),
        Code::InvalidKey,
    );
    let unnamed = call(
        &banks,
        "import",
        json!({"document": {"_meta": {}, "entries": {}}}),
    );
    check_code(unnamed, Code::InvalidArgument);
    let hostile = json!({"version": 1, "scopes": {"user": {"../../etc/passwd": {"_meta": {}, "entries": {}}}}});
    check_code(
        call(&banks, "import", json!({"document": hostile})),
        Code::InvalidBankName,
    );
    assert!(home.snapshot().is_empty());
}
