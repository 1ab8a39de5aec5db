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
    assert_eq!(
        (
            list["banks"].as_array().unwrap().len(),
            list["flaws"].as_array().unwrap().len()
        ),
        (1, 1)
    );
    let looked = call(&banks, "repair", json!({"check_only": true})).unwrap();
    assert_eq!(
        (&looked["healthy"], &looked["banks"][1]["status"]),
        (&json!(false), &json!("damaged"))
    );
    let mended = call(&banks, "repair", json!({})).unwrap();
    assert_eq!(mended["healthy"], true);
    let torn = &mended["banks"][1];
    assert_eq!(
        (&torn["status"], &torn["entries"]),
        (&json!("repaired"), &json!(2))
    );
    let original = torn["original"].as_str().unwrap();
    assert_eq!(original, "torn.json.corrupt-20260507T100000Z");
    assert_eq!(
        std::fs::read(home.path().join("project").join(original)).unwrap(),
        damaged
    );
    assert_eq!(read(&banks, "torn", "two").unwrap(), "two");
    check_code(read(&banks, "torn", "three"), Code::KeyNotFound);
    write(&banks, "torn", "three", json!(3)).unwrap();
}

#[test]
fn one_bad_entry_hides_no_other() {
    let home = Home::new();
    let banks = open(&home);
    std::fs::create_dir(home.path().join("project")).unwrap();
    let text = r#"{"_meta":{"version":1},"entries":{"good":{"value":1},"bad":{"value":1,"ttl":"x"},"worse":7}}"#;
    std::fs::write(home.path().join("project/b.json"), text).unwrap();
    assert_eq!(read(&banks, "b", "good").unwrap(), 1);
    check_code(read(&banks, "b", "bad"), Code::CorruptBank);
    let whole = call(&banks, "memory_read", json!({"bank": "b"})).unwrap();
    assert_eq!(
        (
            whole["entries"].as_object().unwrap().len(),
            whole["flaws"].as_array().unwrap().len()
        ),
        (1, 2)
    );
    write(&banks, "b", "other", json!(2)).unwrap();
    let kept = std::fs::read_to_string(home.path().join("project/b.json")).unwrap();
    assert!(
        kept.contains(r#""bad": {"value":1,"ttl":"x"}"#),
        "what we can't read we do not drop: {kept}"
    );
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
    assert_eq!(
        call(&banks, "repair", json!({"bank": "b"})).unwrap()["banks"][0]["entries"],
        1
    );
    write(&banks, "b", "k", json!(3)).unwrap();
}

#[test]
fn what_is_no_bank_at_all_becomes_an_empty_one_and_is_kept() {
    let home = Home::new();
    let banks = open(&home);
    std::fs::create_dir(home.path().join("project")).unwrap();
    for (name, bytes) in [
        ("a", &b""[..]),
        ("b", b"\xff\xfe\x00"),
        ("c", b"[1,2]"),
        ("d", b"{\"x\":1}"),
    ] {
        std::fs::write(home.path().join(format!("project/{name}.json")), bytes).unwrap();
    }
    let mended = call(&banks, "repair", json!({})).unwrap();
    assert_eq!(
        (
            mended["banks"].as_array().unwrap().len(),
            &mended["healthy"]
        ),
        (4, &json!(true))
    );
    let kept = std::fs::read(home.path().join("project/b.json.corrupt-20260507T100000Z")).unwrap();
    assert_eq!(kept, b"\xff\xfe\x00");
    write(&banks, "b", "k", json!(1)).unwrap();
}

#[test]
fn what_only_the_other_form_has_is_not_thrown_away() {
    let home = Home::new();
    let zipping = crate::common::open_on(
        &home,
        std::sync::Arc::new(memory_files::RealDisk::default()),
        true,
        true,
    );
    let filler = "x".repeat(1 << 19);
    for key in ["a", "b", "c"] {
        write(&zipping, "z", key, json!(filler)).unwrap();
    }
    let zipped = std::fs::read(home.path().join("project/z.json.gz")).unwrap();
    std::fs::write(home.path().join("project/z.json"), "{\"_meta\": {\"ver").unwrap();
    let mended = call(&zipping, "repair", json!({"bank": "z"})).unwrap();
    assert_eq!(mended["banks"][0]["entries"], 3);
    let kept = home.snapshot();
    assert!(
        kept.values().any(|bytes| *bytes == zipped),
        "the good form is kept too"
    );
    assert_eq!(read(&zipping, "z", "b").unwrap(), json!(filler));
}

#[test]
fn a_mark_at_the_beginning_of_a_file_is_no_damage() {
    let home = Home::new();
    let banks = open(&home);
    std::fs::create_dir(home.path().join("project")).unwrap();
    std::fs::write(
        home.path().join("project/b.json"),
        "\u{feff}{\"_meta\":{},\"entries\":{\"k\":{\"value\":1}}}",
    )
    .unwrap();
    assert_eq!(read(&banks, "b", "k").unwrap(), 1);
    write(&banks, "b", "l", json!(2)).unwrap();
}

#[test]
fn repairs_at_the_same_time_keep_one_damaged_file() {
    let home = Home::new();
    let banks = open(&home);
    write(&banks, "torn", "k", json!(1)).unwrap();
    cut(&home, "torn", 5);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| call(&open(&home), "repair", json!({})).unwrap());
        }
    });
    let kept = home
        .snapshot()
        .into_keys()
        .filter(|path| path.to_string_lossy().contains("corrupt"))
        .count();
    assert_eq!(kept, 1);
}

#[test]
fn a_damaged_bank_of_one_scope_is_not_in_the_way_of_the_other() {
    let home = Home::new();
    let banks = open(&home);
    write(&banks, "s", "k", json!(1)).unwrap();
    std::fs::create_dir(home.path().join("user")).unwrap();
    std::fs::write(home.path().join("user/s.json"), "{").unwrap();
    let keys = call(&banks, "memory_list", json!({"bank": "s"})).unwrap();
    assert_eq!(
        (&keys["keys"], keys["flaws"].as_array().unwrap().len()),
        (&json!(["k"]), 1)
    );
    call(&banks, "memory_delete", json!({"bank": "s", "key": "k"})).unwrap();
    check_code(
        call(&banks, "memory_list", json!({"bank": "s", "scope": "user"})),
        Code::CorruptBank,
    );
}

#[test]
fn a_bad_entry_is_told_and_left_out_of_an_export_that_comes_back() {
    let home = Home::new();
    let banks = open(&home);
    std::fs::create_dir(home.path().join("project")).unwrap();
    let text = r#"{"_meta":{},"entries":{"good":{"value":1},"bad":{"value":1,"ttl":"x"}}}"#;
    std::fs::write(home.path().join("project/b.json"), text).unwrap();
    let list = call(&banks, "memory_list", json!({})).unwrap();
    assert_eq!(
        (
            &list["banks"][0]["key_count"],
            list["flaws"].as_array().unwrap().len()
        ),
        (&json!(1), 1)
    );
    let found = call(&banks, "memory_search", json!({"pattern": "."})).unwrap();
    assert_eq!(
        (
            found["hits"].as_array().unwrap().len(),
            found["flaws"].as_array().unwrap().len()
        ),
        (1, 1)
    );
    let exported = call(&banks, "export", json!({"bank": "b"})).unwrap();
    assert_eq!(exported["flaws"].as_array().unwrap().len(), 1);
    call(
        &banks,
        "import",
        json!({"bank": "copy", "document": exported["document"]}),
    )
    .unwrap();
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
    assert_eq!(
        (&found["healthy"], &found["banks"][0]["status"]),
        (&json!(false), &json!("unreadable"))
    );
    assert_eq!(home.snapshot(), before);
}
