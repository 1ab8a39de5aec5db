//! What was taken away comes back.

use memory_core::{Code, Kind};
use memory_testkit::{Home, clock};
use serde_json::json;

use crate::common::{call, call_at, check_code, open, read, write};

fn undo(banks: &dyn Kind) {
    let step = banks.steps().good[0].clone();
    banks
        .undo(&step, memory_core::Actor::Person, clock().now())
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
    assert!(banks.steps().good.is_empty());
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
    undo(&banks);
    undo(&banks);
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
    assert_eq!(home.snapshot(), before);
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
        // File systems tell times apart by a few milliseconds only.
        let path = home.path().join(if bank == "p" {
            "project/.trash"
        } else {
            "user/.trash"
        });
        let newest = std::fs::read_dir(path)
            .unwrap()
            .map(|e| e.unwrap().path())
            .max()
            .unwrap()
            .join("step.json");
        let order = ["ua", "ub", "p"]
            .iter()
            .position(|name| *name == bank)
            .unwrap() as u64;
        let later = std::time::SystemTime::UNIX_EPOCH
            + std::time::Duration::from_secs(2_000_000_000 + order);
        std::fs::File::options()
            .write(true)
            .open(newest)
            .unwrap()
            .set_modified(later)
            .unwrap();
    }
    let whats: Vec<String> = banks
        .steps()
        .good
        .into_iter()
        .map(|step| step.what)
        .collect();
    assert_eq!(whats[0], "delete bank 'p' (project)");
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
                        .filter(|step| {
                            banks
                                .undo(step, memory_core::Actor::Person, clock().now())
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
    assert!(banks.steps().good.is_empty());
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
    assert_eq!(banks.steps().good.len(), 2);
}
