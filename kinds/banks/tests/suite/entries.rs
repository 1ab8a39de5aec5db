//! Reading, writing and deleting entries: operations, conditions, limits, time to live.

use memory_core::{Code, Kind};
use memory_testkit::Home;
use serde_json::{Value, json};

use crate::common::{call, call_at, check_code, open, read, write};

#[test]
fn a_write_creates_and_then_updates_and_keeps_the_hour_of_birth() {
    let home = Home::new();
    let banks = open(&home);
    let first = write(&banks, "session", "context", json!({"topic": "testing"})).unwrap();
    assert_eq!(
        first,
        json!({"success": true, "key": "context", "bank": "session", "operation": "create", "scope": "project"})
    );
    let again = json!({"bank": "session", "key": "context", "value": 2});
    assert_eq!(
        call_at(&banks, "memory_write", again, 60).unwrap()["operation"],
        "update"
    );
    let found = call(
        &banks,
        "memory_read",
        json!({"bank": "session", "key": "context"}),
    )
    .unwrap();
    assert_eq!(found["value"], 2);
    assert_eq!(
        found["metadata"],
        json!({"created_at": "2026-05-07T10:00:00Z", "updated_at": "2026-05-07T10:01:00Z"})
    );
}

#[test]
fn a_whole_bank_shows_every_live_entry_in_order() {
    let home = Home::new();
    let banks = open(&home);
    write(&banks, "session", "b", json!(1)).unwrap();
    write(&banks, "session", "a", json!(2)).unwrap();
    call(
        &banks,
        "memory_write",
        json!({"bank": "session", "key": "c", "value": 3, "ttl": 10}),
    )
    .unwrap();
    let whole = call_at(&banks, "memory_read", json!({"bank": "session"}), 5).unwrap();
    assert_eq!(
        (&whole["bank"], &whole["scope"]),
        (&json!("session"), &json!("project"))
    );
    let keys: Vec<&String> = whole["entries"].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["b", "a", "c"]);
    assert_eq!(
        whole["entries"]["c"]["metadata"]["expires_at"],
        "2026-05-07T10:00:10Z"
    );
    let later = call_at(&banks, "memory_read", json!({"bank": "session"}), 10).unwrap();
    assert_eq!(later["entries"].as_object().unwrap().len(), 2);
}

#[test]
fn what_does_not_exist_is_told_with_what_was_meant() {
    let home = Home::new();
    let banks = open(&home);
    let error = check_code(read(&banks, "session", "context"), Code::BankNotFound);
    assert_eq!(error.message, "Memory bank 'session' does not exist");
    write(&banks, "session", "context", json!(1)).unwrap();
    let error = check_code(read(&banks, "session", "contxt"), Code::KeyNotFound);
    assert_eq!(error.hint.as_deref(), Some("Did you mean 'context'?"));
    let error = check_code(read(&banks, "sesion", "context"), Code::BankNotFound);
    assert_eq!(error.hint.as_deref(), Some("Did you mean 'session'?"));
    check_code(read(&banks, "Session", "context"), Code::InvalidBankName);
    check_code(read(&banks, "session", ""), Code::InvalidKey);
}

#[test]
fn a_default_stands_in_for_a_missing_key_a_missing_bank_and_an_expired_entry() {
    let home = Home::new();
    let banks = open(&home);
    let ask = |key: &str, seconds| {
        call_at(
            &banks,
            "memory_read",
            json!({"bank": "b", "key": key, "default": null}),
            seconds,
        )
        .unwrap()
    };
    assert_eq!(ask("k", 0), json!({"value": null}));
    call(
        &banks,
        "memory_write",
        json!({"bank": "b", "key": "k", "value": 1, "ttl": 5}),
    )
    .unwrap();
    assert_eq!(ask("other", 0), json!({"value": null}));
    assert_eq!(ask("k", 0)["value"], 1);
    assert_eq!(ask("k", 5), json!({"value": null}));
}

#[test]
fn conditions_hold_and_an_expired_entry_counts_as_absent() {
    let home = Home::new();
    let banks = open(&home);
    let put = |condition: &str, seconds| {
        let params =
            json!({"bank": "b", "key": "k", "value": 1, "ttl": 10, "condition": condition});
        call_at(&banks, "memory_write", params, seconds)
    };
    check_code(put("update-only", 0), Code::BankNotFound);
    assert_eq!(put("create-only", 0).unwrap()["operation"], "create");
    check_code(put("create-only", 5), Code::KeyExists);
    assert_eq!(put("update-only", 5).unwrap()["operation"], "update");
    check_code(put("update-only", 100), Code::KeyNotFound);
    assert_eq!(put("create-only", 100).unwrap()["operation"], "create");
}

#[test]
fn an_expired_entry_says_so_until_gc_has_removed_it() {
    let home = Home::new();
    let banks = open(&home);
    call(
        &banks,
        "memory_write",
        json!({"bank": "b", "key": "k", "value": 1, "ttl": 10}),
    )
    .unwrap();
    write(&banks, "b", "stays", json!(1)).unwrap();
    let ask = |seconds| {
        call_at(
            &banks,
            "memory_read",
            json!({"bank": "b", "key": "k"}),
            seconds,
        )
    };
    assert!(ask(9).is_ok());
    check_code(ask(10), Code::TtlExpired);
    let dry = call_at(&banks, "gc", json!({"dry_run": true}), 20).unwrap();
    assert_eq!(
        (&dry["count"], &dry["removed"][0]["key"]),
        (&json!(1), &json!("k"))
    );
    check_code(ask(20), Code::TtlExpired);
    assert_eq!(call_at(&banks, "gc", json!({}), 20).unwrap()["count"], 1);
    check_code(ask(20), Code::KeyNotFound);
    assert_eq!(read(&banks, "b", "stays").unwrap(), 1);
}

#[test]
fn gc_removes_what_is_older_than_asked() {
    let home = Home::new();
    let banks = open(&home);
    write(&banks, "b", "old", json!(1)).unwrap();
    call_at(
        &banks,
        "memory_write",
        json!({"bank": "b", "key": "new", "value": 1}),
        40 * 86_400,
    )
    .unwrap();
    let removed = call_at(&banks, "gc", json!({"older_than": "30d"}), 41 * 86_400).unwrap();
    assert_eq!(
        (&removed["count"], &removed["removed"][0]["key"]),
        (&json!(1), &json!("old"))
    );
}

#[test]
fn a_bad_ttl_is_refused() {
    let home = Home::new();
    let banks = open(&home);
    let put = |ttl: Value| {
        call(
            &banks,
            "memory_write",
            json!({"bank": "b", "key": "k", "value": 1, "ttl": ttl}),
        )
    };
    for ttl in [
        json!(0),
        json!(u64::MAX),
        json!(-1),
        json!("1h"),
        json!(1.5),
    ] {
        check_code(put(ttl), Code::InvalidArgument);
    }
    check_code(read(&banks, "b", "k"), Code::BankNotFound);
}

#[test]
fn the_largest_value_and_the_last_key_fit_and_one_more_does_not() {
    let home = Home::new();
    let banks = open(&home);
    let text = |bytes: usize| Value::from("x".repeat(bytes - 2));
    write(&banks, "b", "k", text(1 << 20)).unwrap();
    let error = check_code(
        write(&banks, "b", "k", text((1 << 20) + 1)),
        Code::ValueTooLarge,
    );
    assert_eq!(
        (&error.context["size"], &error.context["limit"]),
        (&json!(1_048_577), &json!(1_048_576))
    );
    assert_eq!(read(&banks, "b", "k").unwrap(), text(1 << 20));
}

#[test]
fn a_bank_holds_ten_thousand_keys_and_no_more() {
    let home = Home::new();
    let banks = open(&home);
    let entries: serde_json::Map<String, Value> = (0..9_999)
        .map(|n| (format!("k{n}"), json!({"value": n})))
        .collect();
    let document = json!({"_meta": {"version": 1}, "entries": entries});
    call(
        &banks,
        "import",
        json!({"bank": "full", "document": document}),
    )
    .unwrap();
    write(&banks, "full", "last", json!(1)).unwrap();
    let error = check_code(
        write(&banks, "full", "one-more", json!(1)),
        Code::TooManyKeys,
    );
    assert_eq!(
        (&error.context["size"], &error.context["limit"]),
        (&json!(10_001), &json!(10_000))
    );
    write(&banks, "full", "last", json!(2)).unwrap();
}

#[test]
fn a_bank_of_ten_megabytes_is_full_and_may_still_shrink() {
    let home = Home::new();
    let banks = open(&home);
    let big = Value::from("x".repeat((1 << 20) - 1000));
    for n in 0..10 {
        write(&banks, "full", &format!("k{n}"), big.clone()).unwrap();
    }
    let before = home.snapshot();
    let error = check_code(write(&banks, "full", "k10", big), Code::BankTooLarge);
    assert_eq!(error.context["limit"], 10 << 20);
    assert_eq!(home.snapshot(), before);
    call(
        &banks,
        "memory_delete",
        json!({"bank": "full", "key": "k0"}),
    )
    .unwrap();
}

#[test]
fn the_deepest_value_is_written_read_searched_and_exported() {
    let home = Home::new();
    let banks = open(&home);
    let nested = |depth: usize| {
        let text = format!("{}\"deep\"{}", "[".repeat(depth), "]".repeat(depth));
        memory_core::Json::parse(&text).unwrap()
    };
    let put = |depth| {
        let raw = format!(
            r#"{{"bank":"d","key":"k","value":{}}}"#,
            nested(depth).as_str()
        );
        crate::common::call_raw(&banks, "memory_write", &raw).map(Value::from)
    };
    check_code(put(129), Code::InvalidJson);
    call(
        &banks,
        "schema",
        json!({"bank": "d", "action": "set", "schema": {}}),
    )
    .unwrap();
    put(128).unwrap();
    for (tool, params) in [
        ("memory_read", json!({"bank": "d", "key": "k"})),
        ("memory_read", json!({"bank": "d"})),
        (
            "memory_search",
            json!({"pattern": "deep", "search_values": true}),
        ),
        ("export", json!({"bank": "d"})),
        ("export", json!({})),
    ] {
        let reply = crate::common::call_raw(&banks, tool, &params.to_string()).unwrap();
        assert!(reply.contains("deep"), "{tool} {params}");
    }
}

#[test]
fn a_refused_write_leaves_nothing_behind() {
    let home = Home::new();
    let banks = open(&home);
    let params = json!({"bank": "b", "key": "k", "value": 1, "condition": "update-only"});
    check_code(call(&banks, "memory_write", params), Code::BankNotFound);
    assert_eq!(std::fs::read_dir(home.path()).unwrap().count(), 0);
}

#[test]
fn half_a_surrogate_pair_is_no_text() {
    let home = Home::new();
    let banks = open(&home);
    let raw = r#"{"bank":"b","key":"k","value":"\ud800"}"#;
    assert!(crate::common::call_raw(&banks, "memory_write", raw).is_err());
}

#[test]
fn an_entry_without_times_does_not_live_on_the_times_of_others() {
    let home = Home::new();
    let banks = open(&home);
    std::fs::create_dir(home.path().join("project")).unwrap();
    let text =
        r#"{"_meta":{"created_at":"2020-01-01T00:00:00Z"},"entries":{"k":{"value":1,"ttl":60}}}"#;
    std::fs::write(home.path().join("project/b.json"), text).unwrap();
    check_code(read(&banks, "b", "k"), Code::TtlExpired);
    write(&banks, "b", "other", json!(1)).unwrap();
    check_code(read(&banks, "b", "k"), Code::TtlExpired);
}

#[test]
fn what_looks_like_a_credential_is_kept_only_on_demand() {
    let home = Home::new();
    let banks = open(&home);
    let value = Value::from(["gh", "p_", &"a1B2c3D4".repeat(5)].concat());
    let error = check_code(write(&banks, "b", "k", value.clone()), Code::SecretDetected);
    assert_eq!(error.message, "The value appears to contain a GitHub token");
    check_code(
        write(&banks, "b", value.as_str().unwrap(), json!(1)),
        Code::SecretDetected,
    );
    let escaped = format!(
        r#"{{"bank":"b","key":"k","value":"\u0067{}"}}"#,
        &value.as_str().unwrap()[1..]
    );
    assert!(crate::common::call_raw(&banks, "memory_write", &escaped).is_err());
    let password = ["tR7", "kQ2mX9", "vB4nZ8"].concat();
    let named = json!({ "db_password": password });
    check_code(write(&banks, "b", "k", named), Code::SecretDetected);
    let schema = json!({"bank": "b", "action": "set", "schema": {"const": value}});
    check_code(call(&banks, "schema", schema), Code::SecretDetected);
    for document in [
        json!({"_meta": {}, "entries": {"k": {"value": value}}}),
        json!({"_meta": {"schema": {"const": value}}, "entries": {}}),
    ] {
        check_code(
            call(&banks, "import", json!({"bank": "b", "document": document})),
            Code::SecretDetected,
        );
        let meant =
            json!({"bank": "b", "document": document, "allow_secret": true, "dry_run": true});
        call(&banks, "import", meant).unwrap();
    }
    let params = json!({"bank": "b", "key": "k", "value": value, "allow_secret": true});
    call(&banks, "memory_write", params).unwrap();
}

#[test]
fn a_delete_takes_one_key_or_the_whole_bank() {
    let home = Home::new();
    let banks = open(&home);
    write(&banks, "b", "k", json!(1)).unwrap();
    write(&banks, "b", "l", json!(2)).unwrap();
    let gone = call(&banks, "memory_delete", json!({"bank": "b", "key": "k"})).unwrap();
    assert_eq!(
        (&gone["operation"], &gone["key"]),
        (&json!("delete"), &json!("k"))
    );
    check_code(read(&banks, "b", "k"), Code::KeyNotFound);
    check_code(
        call(&banks, "memory_delete", json!({"bank": "b", "key": "k"})),
        Code::KeyNotFound,
    );
    call(&banks, "memory_delete", json!({"bank": "b"})).unwrap();
    check_code(read(&banks, "b", "l"), Code::BankNotFound);
    check_code(
        call(&banks, "memory_delete", json!({"bank": "b"})),
        Code::BankNotFound,
    );
    let mut left: Vec<_> = std::fs::read_dir(home.path().join("project"))
        .unwrap()
        .map(|e| e.unwrap().file_name())
        .collect();
    left.sort();
    assert_eq!(
        left,
        [".gitignore", ".memory-history"],
        "neither bank nor lock is left behind"
    );
}

#[test]
fn a_change_is_told_with_its_document() {
    let home = Home::new();
    let banks = open(&home);
    let survey = |banks: &dyn Kind| banks.documents(memory_testkit::clock().now()).good;
    write(&banks, "b", "k", json!({"topic": "refactoring"})).unwrap();
    let documents = survey(&banks);
    assert_eq!(documents[0].address.to_string(), "banks:project/b/k");
    assert!(documents[0].text.contains("refactoring"));
}

/// Processes that create a bank at the same time plan with an empty one each.
#[test]
fn writers_that_create_a_bank_together_lose_nothing() {
    for _ in 0..40 {
        let home = Home::new();
        let barrier = std::sync::Barrier::new(4);
        std::thread::scope(|scope| {
            for writer in 0..4 {
                let (home, barrier) = (&home, &barrier);
                scope.spawn(move || {
                    let banks = open(home);
                    barrier.wait();
                    write(&banks, "b", &format!("k{writer}"), json!(writer)).unwrap();
                });
            }
        });
        for writer in 0..4 {
            let key = format!("k{writer}");
            assert_eq!(read(&open(&home), "b", &key).unwrap(), writer);
        }
    }
}
