//! What was taken away comes back.

use memory_core::{Code, Kind};
use memory_testkit::{Home, clock};
use serde_json::json;

use crate::common::{call, call_at, check_code, open, read, write};

fn undo(banks: &dyn Kind) {
    let step = banks.steps().good[0].clone();
    banks.undo(&step, clock().now()).unwrap();
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
    let document = json!({"_meta": {}, "entries": {"k": {"value": "imported"}, "new": {"value": 1}}});
    call(&banks, "import", json!({"bank": "b", "document": document})).unwrap();
    undo(&banks);
    assert_eq!(read(&banks, "b", "k").unwrap(), "before");
    check_code(read(&banks, "b", "new"), Code::KeyNotFound);
}

#[test]
fn a_step_is_forgotten_after_thirty_days() {
    let home = Home::new();
    let banks = open(&home);
    write(&banks, "b", "k", json!(1)).unwrap();
    call(&banks, "memory_delete", json!({"bank": "b"})).unwrap();
    call_at(&banks, "gc", json!({}), 29 * 86_400).unwrap();
    assert_eq!(banks.steps().good.len(), 1);
    call_at(&banks, "gc", json!({}), 31 * 86_400).unwrap();
    assert!(banks.steps().good.is_empty());
}
