//! Damaged banks: refused for writing, told, salvaged, and never in the way of the others.

use memory_core::Code;
use memory_testkit::Home;
use serde_json::json;

use crate::common::{call, check_code, open, read, write};

fn cut(home: &Home, bank: &str, bytes: usize) -> Vec<u8> {
    let path = home.path().join(format!("project/{bank}.json"));
    let mut content = std::fs::read(&path).unwrap();
    content.truncate(content.len() - bytes);
    std::fs::write(&path, &content).unwrap();
    content
}

#[test]
fn a_torn_bank_is_refused_and_then_salvaged_with_the_original_kept() {
    let home = Home::new();
    let banks = open(&home);
    for key in ["one", "two", "three"] {
        write(&banks, "torn", key, json!(key)).unwrap();
    }
    write(&banks, "sound", "k", json!(1)).unwrap();
    let damaged = cut(&home, "torn", 30);
    let error = check_code(read(&banks, "torn", "one"), Code::CorruptBank);
    assert!(error.hint.unwrap().contains("repair"));
    check_code(write(&banks, "torn", "four", json!(4)), Code::CorruptBank);
    assert_eq!(read(&banks, "sound", "k").unwrap(), 1);
    let list = call(&banks, "memory_list", json!({})).unwrap();
    assert_eq!((list["banks"].as_array().unwrap().len(), list["flaws"].as_array().unwrap().len()), (1, 1));
    let looked = call(&banks, "repair", json!({"check_only": true})).unwrap();
    assert_eq!((&looked["healthy"], &looked["banks"][1]["status"]), (&json!(false), &json!("damaged")));
    let mended = call(&banks, "repair", json!({})).unwrap();
    assert_eq!(mended["healthy"], true);
    let torn = &mended["banks"][1];
    assert_eq!((&torn["status"], &torn["entries"]), (&json!("repaired"), &json!(2)));
    let original = torn["original"].as_str().unwrap();
    assert_eq!(original, "torn.json.corrupt-20260507T100000Z");
    assert_eq!(std::fs::read(home.path().join("project").join(original)).unwrap(), damaged);
    assert_eq!(read(&banks, "torn", "two").unwrap(), "two");
    check_code(read(&banks, "torn", "three"), Code::KeyNotFound);
    write(&banks, "torn", "three", json!(3)).unwrap();
}

#[test]
fn one_bad_entry_hides_no_other() {
    let home = Home::new();
    let banks = open(&home);
    std::fs::create_dir(home.path().join("project")).unwrap();
    let text =
        r#"{"_meta":{"version":1},"entries":{"good":{"value":1},"bad":{"value":1,"ttl":"x"},"worse":7}}"#;
    std::fs::write(home.path().join("project/b.json"), text).unwrap();
    assert_eq!(read(&banks, "b", "good").unwrap(), 1);
    check_code(read(&banks, "b", "bad"), Code::CorruptBank);
    let whole = call(&banks, "memory_read", json!({"bank": "b"})).unwrap();
    assert_eq!(
        (whole["entries"].as_object().unwrap().len(), whole["flaws"].as_array().unwrap().len()),
        (1, 2)
    );
    write(&banks, "b", "other", json!(2)).unwrap();
    let kept = std::fs::read_to_string(home.path().join("project/b.json")).unwrap();
    assert!(kept.contains(r#""bad": {"value":1,"ttl":"x"}"#), "what we can't read we do not drop: {kept}");
}

#[test]
fn a_key_that_stands_twice_is_not_written_over() {
    let home = Home::new();
    let banks = open(&home);
    std::fs::create_dir(home.path().join("project")).unwrap();
    let text = r#"{"_meta":{"version":1},"entries":{"k":{"value":1},"k":{"value":2}}}"#;
    std::fs::write(home.path().join("project/b.json"), text).unwrap();
    assert_eq!(read(&banks, "b", "k").unwrap(), 2);
    check_code(write(&banks, "b", "k", json!(3)), Code::CorruptBank);
    assert_eq!(call(&banks, "repair", json!({"bank": "b"})).unwrap()["banks"][0]["entries"], 1);
    write(&banks, "b", "k", json!(3)).unwrap();
}

#[test]
fn what_is_no_bank_at_all_becomes_an_empty_one_and_is_kept() {
    let home = Home::new();
    let banks = open(&home);
    std::fs::create_dir(home.path().join("project")).unwrap();
    for (name, bytes) in [("a", &b""[..]), ("b", b"\xff\xfe\x00"), ("c", b"[1,2]"), ("d", b"{\"x\":1}")] {
        std::fs::write(home.path().join(format!("project/{name}.json")), bytes).unwrap();
    }
    let mended = call(&banks, "repair", json!({})).unwrap();
    assert_eq!((mended["banks"].as_array().unwrap().len(), &mended["healthy"]), (4, &json!(true)));
    let kept = std::fs::read(home.path().join("project/b.json.corrupt-20260507T100000Z")).unwrap();
    assert_eq!(kept, b"\xff\xfe\x00");
    write(&banks, "b", "k", json!(1)).unwrap();
}

#[test]
fn a_newer_version_is_neither_damage_nor_ours_to_write() {
    let home = Home::new();
    let banks = open(&home);
    std::fs::create_dir(home.path().join("project")).unwrap();
    let text = r#"{"_meta":{"version":2},"entries":{"k":{"value":1}}}"#;
    std::fs::write(home.path().join("project/b.json"), text).unwrap();
    let before = home.snapshot();
    check_code(read(&banks, "b", "k"), Code::UnsupportedVersion);
    check_code(write(&banks, "b", "k", json!(3)), Code::UnsupportedVersion);
    let found = call(&banks, "repair", json!({})).unwrap();
    assert_eq!((&found["healthy"], &found["banks"][0]["status"]), (&json!(false), &json!("unreadable")));
    assert_eq!(home.snapshot(), before);
}
