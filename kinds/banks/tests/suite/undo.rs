//! What was taken away comes back.

use memory_core::{Actor, Clock, Code, Kind};
use memory_testkit::{Home, clock};
use serde_json::json;

use crate::common::{call, call_at, check_code, open, read, write};

fn undo(banks: &dyn Kind) {
    let step = banks.steps().good[0].clone();
    banks
        .undo(&step, Actor::Person, clock().now())
        .unwrap()
        .expect("no one else takes it back");
}

#[test]
fn a_deleted_bank_comes_back_byte_for_byte() {
    let home = Home::new();
    let banks = open(&home);
    write(&banks, "b", "k", json!(1)).unwrap();
    let before = home.snapshot();
    call_at(&banks, "memory_delete", json!({"bank": "b"}), 60).unwrap();
    assert_ne!(home.snapshot(), before);
    assert_eq!(banks.steps().good[0].what, "delete bank 'b' (project)");
    undo(&banks);
    assert_eq!(home.snapshot(), before);
    assert_eq!(banks.steps().good.len(), 1, "the write before it");
}

#[test]
fn a_deleted_key_comes_back_and_what_was_written_since_stays() {
    let home = Home::new();
    let banks = open(&home);
    write(&banks, "b", "k", json!(1)).unwrap();
    write(&banks, "b", "l", json!(2)).unwrap();
    call(&banks, "memory_delete", json!({"bank": "b", "key": "k"})).unwrap();
    call(&banks, "memory_delete", json!({"bank": "b", "key": "l"})).unwrap();
    write(&banks, "b", "l", json!("written since")).unwrap();
    for step in banks.steps().good {
        if step.what.starts_with("delete") {
            banks.undo(&step, Actor::Person, clock().now()).unwrap();
        }
    }
    assert_eq!(read(&banks, "b", "k").unwrap(), 1);
    assert_eq!(read(&banks, "b", "l").unwrap(), "written since");
}

#[test]
fn what_gc_removed_comes_back() {
    let home = Home::new();
    let banks = open(&home);
    write(&banks, "b", "old", json!(1)).unwrap();
    call_at(&banks, "gc", json!({"older_than": "1d"}), 2 * 86_400).unwrap();
    check_code(read(&banks, "b", "old"), Code::KeyNotFound);
    undo(&banks);
    assert_eq!(read(&banks, "b", "old").unwrap(), 1);
}

#[test]
fn an_import_is_taken_back_with_what_it_added() {
    let home = Home::new();
    let banks = open(&home);
    write(&banks, "b", "k", json!("before")).unwrap();
    let document =
        json!({"_meta": {}, "entries": {"k": {"value": "imported"}, "new": {"value": 1}}});
    call(&banks, "import", json!({"bank": "b", "document": document})).unwrap();
    undo(&banks);
    assert_eq!(read(&banks, "b", "k").unwrap(), "before");
    check_code(read(&banks, "b", "new"), Code::KeyNotFound);
}

#[test]
fn a_compressed_a_damaged_and_a_huge_bank_can_be_deleted_and_come_back() {
    let home = Home::new();
    let banks = open(&home);
    std::fs::create_dir(home.path().join("project")).unwrap();
    let huge = format!(
        "{{\"_meta\":{{}},\"entries\":{{\"k\":{{\"value\":\"{}\"}}}}}}",
        "x".repeat(11 << 20)
    );
    for (name, bytes) in [
        ("a.json.gz", &b"\x1f\x8b no zip"[..]),
        ("b.json", b"\xff\xfe"),
        ("c.json", huge.as_bytes()),
    ] {
        std::fs::write(home.path().join("project").join(name), bytes).unwrap();
    }
    let before = home.snapshot();
    for bank in ["a", "b", "c"] {
        call(&banks, "memory_delete", json!({"bank": bank})).unwrap();
    }
    assert!(!home.path().join("project/a.json.gz").exists());
    (0..3).for_each(|_| undo(&banks));
    let mut now = home.snapshot();
    // What is a bank comes back entry by entry, in the format of this program.
    let bank = home.path().join("project/c.json");
    let text = String::from_utf8(now.remove(&bank).unwrap()).unwrap();
    assert!(text.contains("\"k\": {\"value\":\"xxx"));
    assert!(
        before
            .iter()
            .all(|(path, bytes)| *path == bank || now.get(path) == Some(bytes))
    );
}

#[test]
fn the_last_step_is_the_last_whatever_its_scope() {
    let home = Home::new();
    let banks = open(&home);
    for (scope, bank) in [("user", "ua"), ("user", "ub"), ("project", "p")] {
        call(
            &banks,
            "memory_write",
            json!({"bank": bank, "key": "k", "value": 1, "scope": scope}),
        )
        .unwrap();
    }
    for bank in ["ua", "ub", "p"] {
        call(&banks, "memory_delete", json!({"bank": bank})).unwrap();
    }
    let whats: Vec<String> = banks
        .steps()
        .good
        .into_iter()
        .map(|step| step.what)
        .collect();
    assert_eq!(whats[0], "delete bank 'p' (project)");
    assert_eq!(whats[2], "delete bank 'ua' (user)");
}

#[test]
fn a_step_is_taken_back_once() {
    let home = Home::new();
    let banks = open(&home);
    for n in 0..10 {
        write(&banks, "b", &format!("k{n}"), json!(n)).unwrap();
        call(
            &banks,
            "memory_delete",
            json!({"bank": "b", "key": format!("k{n}")}),
        )
        .unwrap();
    }
    let taken: usize = std::thread::scope(|scope| {
        let takers: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    let banks = open(&home);
                    let steps = banks.steps().good;
                    steps
                        .iter()
                        .filter(|step| step.what.starts_with("delete"))
                        .filter(|step| {
                            banks
                                .undo(step, Actor::Person, clock().now())
                                .unwrap()
                                .is_some()
                        })
                        .count()
                })
            })
            .collect();
        takers.into_iter().map(|taker| taker.join().unwrap()).sum()
    });
    assert_eq!(taken, 10);
    assert!((0..10).all(|n| read(&banks, "b", &format!("k{n}")).unwrap() == n));
}

#[test]
fn what_was_refused_leaves_no_step() {
    let home = Home::new();
    let banks = open(&home);
    let many = |from: usize| {
        let entries: serde_json::Map<String, serde_json::Value> = (from..from + 6000)
            .map(|n| (format!("k{n}"), json!({"value": n})))
            .collect();
        json!({"bank": "x", "document": {"_meta": {}, "entries": entries}})
    };
    call(&banks, "import", many(0)).unwrap();
    check_code(call(&banks, "import", many(6000)), Code::TooManyKeys);
    call(&banks, "import", many(0)).unwrap();
    assert_eq!(banks.steps().good.len(), 1, "the first import");
}

#[test]
fn an_import_that_replaced_the_schema_is_taken_back_with_it() {
    let home = Home::new();
    let banks = open(&home);
    let schema = json!({"type": "number"});
    call(
        &banks,
        "schema",
        json!({"bank": "b", "action": "set", "schema": schema}),
    )
    .unwrap();
    let document = json!({"_meta": {}, "entries": {"k": {"value": "text"}}});
    call(
        &banks,
        "import",
        json!({"bank": "b", "document": document, "replace": true}),
    )
    .unwrap();
    undo(&banks);
    assert_eq!(
        call(&banks, "schema", json!({"bank": "b", "action": "show"})).unwrap()["schema"],
        schema
    );
}

#[test]
fn a_key_comes_back_to_its_place() {
    let home = Home::new();
    let banks = open(&home);
    for key in ["a", "b", "c"] {
        write(&banks, "x", key, json!(1)).unwrap();
    }
    call(&banks, "memory_delete", json!({"bank": "x", "key": "b"})).unwrap();
    undo(&banks);
    assert_eq!(
        call(&banks, "memory_list", json!({"bank": "x"})).unwrap()["keys"],
        json!(["a", "b", "c"])
    );
}

#[test]
fn a_step_stays_whatever_the_clock_says() {
    let home = Home::new();
    let banks = open(&home);
    write(&banks, "b", "k", json!(1)).unwrap();
    call(&banks, "memory_delete", json!({"bank": "b"})).unwrap();
    call_at(&banks, "gc", json!({}), 10 * 365 * 86_400).unwrap();
    write(&banks, "c", "k", json!(1)).unwrap();
    call_at(
        &banks,
        "memory_delete",
        json!({"bank": "c"}),
        10 * 365 * 86_400,
    )
    .unwrap();
    assert_eq!(banks.steps().good.len(), 4);
}

#[test]
fn each_change_is_undone_in_turn() {
    let home = Home::new();
    let banks = open(&home);
    let mut states = Vec::new();
    let mut step = |tool: &str, params: serde_json::Value| {
        states.push(entries(&banks));
        call(&banks, tool, params).unwrap();
    };
    step("memory_write", json!({"bank": "b", "key": "k", "value": 1}));
    step(
        "memory_write",
        json!({"bank": "b", "key": "l", "value": {"a": [1.50, null]}}),
    );
    step("memory_write", json!({"bank": "b", "key": "k", "value": 2}));
    step(
        "memory_update",
        json!({"bank": "b", "key": "k", "filter": ". + 1"}),
    );
    step(
        "schema",
        json!({"bank": "c", "action": "set", "schema": {"type": "number"}}),
    );
    step("memory_delete", json!({"bank": "b", "key": "k"}));
    step("memory_delete", json!({"bank": "b"}));
    for state in states.iter().rev() {
        undo(&banks);
        assert_eq!(entries(&banks), *state);
    }
    assert!(!home.path().join("project/b.json").exists());
}

/// Returns the text of each entry, without the time of the bank's last change.
fn entries(banks: &dyn Kind) -> serde_json::Value {
    let mut document = call(banks, "export", json!({})).unwrap()["document"].clone();
    for bank in document["banks"].as_array_mut().into_iter().flatten() {
        bank["_meta"]["updated_at"] = json!(null);
    }
    let text = serde_json::to_string(&document).unwrap();
    let times = text
        .split("\"updated_at\"")
        .next()
        .unwrap_or_default()
        .len();
    assert!(times > 0);
    document
}

#[test]
fn the_trash_of_an_earlier_version_is_imported_once() {
    let home = Home::new();
    let banks = open(&home);
    write(&banks, "b", "stays", json!(1)).unwrap();
    let id = "20260507T100000Z-000001-ab";
    let trash = home.path().join("project/.trash").join(id);
    std::fs::create_dir_all(&trash).unwrap();
    let bank = |entries: &str| format!(r#"{{"_meta": {{}}, "entries": {{{entries}}}}}"#);
    std::fs::write(trash.join("b.json"), bank(r#""k": {"value": "old"}"#)).unwrap();
    std::fs::write(trash.join("b.after.json"), bank("")).unwrap();
    std::fs::write(trash.join("b.places.json"), r#"{"k": 0}"#).unwrap();
    let at = Clock::system().now();
    let step = json!({"id": id, "kind": "banks", "what": "delete key 'k'", "at": at});
    std::fs::write(trash.join("step.json"), step.to_string()).unwrap();
    let imported = banks
        .steps()
        .good
        .into_iter()
        .find(|step| step.what == "delete key 'k'");
    assert!(!trash.exists());
    banks
        .undo(&imported.unwrap(), Actor::Person, clock().now())
        .unwrap()
        .unwrap();
    assert_eq!(read(&banks, "b", "k").unwrap(), "old");
    assert_eq!(read(&banks, "b", "stays").unwrap(), 1);
}

#[test]
fn an_expired_value_leaves_no_text_in_the_history() {
    let home = Home::new();
    let banks = open(&home);
    let text = || {
        let folder = home.path().join("project/.memory-history");
        let files = std::fs::read_dir(folder)
            .unwrap()
            .map(|file| file.unwrap().path());
        files
            .map(|file| std::fs::read_to_string(file).unwrap())
            .collect::<String>()
    };
    let value = |value: &str, ttl: Option<u64>| json!({"bank": "b", "key": "k", "value": value, "ttl": ttl});
    call(&banks, "memory_write", value("one-time code 111", Some(60))).unwrap();
    call(&banks, "memory_write", value("one-time code 222", Some(60))).unwrap();
    call(&banks, "memory_delete", json!({"bank": "b", "key": "k"})).unwrap();
    assert!(text().contains("code 111") && text().contains("code 222"));
    undo(&banks);
    call_at(&banks, "gc", json!({}), 120).unwrap();
    assert!(
        !text().contains("code 111") && !text().contains("code 222"),
        "{}",
        text()
    );
    check_code(read(&banks, "b", "k"), Code::KeyNotFound);
}
