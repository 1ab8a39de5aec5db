//! Large banks: read in part by their index, compressed on demand, and never wrong for it.

use std::sync::Arc;

use memory_banks::Banks;
use memory_core::Code;
use memory_files::RealDisk;
use memory_testkit::Home;
use serde_json::{Value, json};

use crate::common::{call, check_code, open, open_on, read, write};

fn filler() -> Value {
    Value::from("x".repeat(600 * 1024))
}

fn fill(banks: &Banks) {
    write(banks, "big", "first", json!({"n": 1})).unwrap();
    write(banks, "big", "pad", filler()).unwrap();
    write(banks, "big", "中文 \"key\"", json!("last")).unwrap();
}

#[test]
fn an_index_finds_keys_and_says_which_are_not_there() {
    let home = Home::new();
    let banks = open(&home);
    fill(&banks);
    assert!(home.path().join("project/_index.json").exists());
    assert_eq!(read(&banks, "big", "first").unwrap(), json!({"n": 1}));
    assert_eq!(read(&banks, "big", "中文 \"key\"").unwrap(), "last");
    assert_eq!(read(&banks, "big", "pad").unwrap(), filler());
    check_code(read(&banks, "big", "none"), Code::KeyNotFound);
    let list = call(&banks, "memory_list", json!({})).unwrap();
    assert_eq!(
        list["banks"].as_array().unwrap().len(),
        1,
        "the index is no bank"
    );
}

#[test]
fn an_index_is_never_trusted_over_the_bank() {
    let home = Home::new();
    let banks = open(&home);
    fill(&banks);
    let bank = home.path().join("project/big.json");
    let index = home.path().join("project/_index.json");
    let stale = std::fs::read(&index).unwrap();
    // Edited by hand: same index, other file.
    let edited = std::fs::read_to_string(&bank)
        .unwrap()
        .replace("\"n\":1", "\"n\":12345");
    std::fs::write(&bank, edited).unwrap();
    assert_eq!(read(&banks, "big", "first").unwrap(), json!({"n": 12345}));
    assert_eq!(read(&banks, "big", "中文 \"key\"").unwrap(), "last");
    // Edited in place, so that even the stamp is the same: a key it does not know may be there.
    let text = std::fs::read_to_string(&bank).unwrap();
    let stamp = std::fs::metadata(&bank).unwrap().modified().unwrap();
    let renamed = text.replace("\"first\"", "\"fresh\"");
    let file = std::fs::File::options().write(true).open(&bank).unwrap();
    std::io::Write::write_all(&mut &file, renamed.as_bytes()).unwrap();
    file.set_modified(stamp).unwrap();
    assert_eq!(read(&banks, "big", "fresh").unwrap(), json!({"n": 12345}));
    std::io::Write::write_all(&mut std::fs::File::create(&bank).unwrap(), text.as_bytes()).unwrap();
    // Damaged, gone, and put back from another time.
    for bytes in [&b"{"[..], b"", &stale[..stale.len() / 2], &stale] {
        std::fs::write(&index, bytes).unwrap();
        assert_eq!(read(&banks, "big", "中文 \"key\"").unwrap(), "last");
    }
    std::fs::remove_file(&index).unwrap();
    assert_eq!(read(&banks, "big", "first").unwrap(), json!({"n": 12345}));
}

#[test]
fn the_index_gives_the_same_answer_as_the_whole_bank() {
    let home = Home::new();
    let banks = open(&home);
    fill(&banks);
    let ask = || {
        call(
            &banks,
            "memory_read",
            json!({"bank": "big", "key": "first"}),
        )
        .unwrap()
    };
    let by_index = ask();
    std::fs::remove_file(home.path().join("project/_index.json")).unwrap();
    assert_eq!(by_index, ask());
}

#[test]
fn two_large_banks_share_the_index() {
    let home = Home::new();
    let banks = open(&home);
    fill(&banks);
    write(&banks, "other", "k", filler()).unwrap();
    let index: Value =
        serde_json::from_slice(&std::fs::read(home.path().join("project/_index.json")).unwrap())
            .unwrap();
    let names: Vec<&String> = index["banks"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["big", "other"]);
}

#[test]
fn a_bank_is_compressed_above_a_megabyte_and_plain_again_below() {
    let home = Home::new();
    let banks = open_on(&home, Arc::new(RealDisk::default()), true, true);
    let (plain, zipped) = (
        home.path().join("project/big.json"),
        home.path().join("project/big.json.gz"),
    );
    let forms = || (plain.exists(), zipped.exists());
    write(&banks, "big", "a", filler()).unwrap();
    assert_eq!(forms(), (true, false));
    write(&banks, "big", "b", filler()).unwrap();
    assert_eq!(forms(), (false, true));
    assert!(std::fs::metadata(&zipped).unwrap().len() < 100_000);
    assert_eq!(read(&banks, "big", "a").unwrap(), filler());
    let list = call(&banks, "memory_list", json!({"verbose": true})).unwrap();
    assert_eq!(
        (
            &list["banks"][0]["key_count"],
            &list["banks"][0]["compressed"]
        ),
        (&json!(2), &json!(true))
    );
    // Whoever does not compress reads it all the same.
    let other = open(&home);
    assert_eq!(read(&other, "big", "b").unwrap(), filler());
    call(&banks, "memory_delete", json!({"bank": "big", "key": "b"})).unwrap();
    assert_eq!(forms(), (true, false));
    assert_eq!(read(&banks, "big", "a").unwrap(), filler());
}

#[test]
fn a_crash_between_the_two_forms_leaves_what_was_acknowledged() {
    let home = Home::new();
    let banks = open_on(&home, Arc::new(RealDisk::default()), true, true);
    let (plain, zipped) = (
        home.path().join("project/big.json"),
        home.path().join("project/big.json.gz"),
    );
    write(&banks, "big", "a", filler()).unwrap();
    let acknowledged = std::fs::read(&plain).unwrap();
    write(&banks, "big", "b", filler()).unwrap();
    std::fs::write(&plain, acknowledged).unwrap();
    check_code(read(&banks, "big", "b"), Code::KeyNotFound);
    write(&banks, "big", "c", filler()).unwrap();
    assert_eq!((plain.exists(), zipped.exists()), (false, true));
    assert_eq!(read(&banks, "big", "c").unwrap(), filler());
}

#[test]
fn a_bank_past_its_limit_may_shrink_and_not_grow() {
    let home = Home::new();
    let banks = open(&home);
    std::fs::create_dir(home.path().join("project")).unwrap();
    let pad = "x".repeat(6 << 20);
    let text = format!(
        r#"{{"_meta":{{}},"entries":{{"a":{{"value":"{pad}"}},"b":{{"value":"{pad}"}}}}}}"#
    );
    std::fs::write(home.path().join("project/big.json"), text).unwrap();
    assert_eq!(read(&banks, "big", "a").unwrap(), json!(pad));
    check_code(write(&banks, "big", "c", json!(1)), Code::BankTooLarge);
    call(&banks, "memory_delete", json!({"bank": "big", "key": "a"})).unwrap();
    write(&banks, "big", "c", json!(1)).unwrap();
}

#[test]
fn a_compressed_file_that_unfolds_without_end_is_refused() {
    use std::io::Write;
    let home = Home::new();
    let banks = open(&home);
    std::fs::create_dir(home.path().join("project")).unwrap();
    let file = std::fs::File::create(home.path().join("project/bomb.json.gz")).unwrap();
    let mut encoder = flate2::write::GzEncoder::new(file, flate2::Compression::best());
    for _ in 0..65 {
        encoder.write_all(&[b' '; 1 << 20]).unwrap();
    }
    encoder.finish().unwrap();
    check_code(read(&banks, "bomb", "k"), Code::BankTooLarge);
}
