//! The catalogue is a convenience: whatever happens to it, every answer stays the same.

use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use memory_testkit::Home;
use serde_json::{Value, json};

use crate::common::*;

const COUNT: usize = 320;

/// A store large enough to have a catalogue, whose files are old enough to be believed.
fn filled() -> Home {
    let home = Home::new();
    for n in 0..COUNT {
        let body = format!("---\nid: note-{n:04}\n---\nnumber {n} says word{}\n", n % 7);
        let path = put(&home, &format!("categories/knowledge/note-{n:04}.md"), body);
        let old = SystemTime::now() - Duration::from_secs(3600);
        std::fs::File::options()
            .write(true)
            .open(path)
            .unwrap()
            .set_modified(old)
            .unwrap();
    }
    call(&open(&home), "memory_list", json!({"limit": 1})).unwrap();
    assert!(catalog(&home).exists());
    home
}

fn catalog(home: &Home) -> PathBuf {
    root(home).join(".index/notes.catalog")
}

/// Where the contents begin, by the lengths in the head.
fn end_of_texts(catalog: &[u8]) -> usize {
    let length = |at: usize| u64::from_le_bytes(catalog[at..at + 8].try_into().unwrap());
    64 + usize::try_from(length(16) + length(24)).unwrap()
}

fn answers(home: &Home) -> [Value; 4] {
    let kind = open(home);
    let ask = |tool, params| call(&kind, tool, params).unwrap();
    forget_accesses(home);
    [
        ask("memory_list", json!({"brief": true})),
        ask("memory_search", json!({"query": "word3 number"})),
        ask("memory_smart_search", json!({"query": "word5"})),
        ask("consolidate", json!({"dry_run": true})),
    ]
}

#[test]
fn deleting_cutting_or_corrupting_it_changes_no_answer() {
    let home = filled();
    let expected = answers(&home);
    assert_eq!(
        (&expected[0]["total"], &expected[2]["hits"][0]["kind"]),
        (&json!(COUNT), &json!("notes"))
    );
    let whole = std::fs::read(catalog(&home)).unwrap();
    let flipped = |at: usize| {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x55;
        bytes
    };
    let longer = |from: usize| {
        let mut bytes = whole.clone();
        bytes[from..from + 8].copy_from_slice(&u64::MAX.to_le_bytes());
        bytes
    };
    for (what, bytes) in [
        ("empty", vec![]),
        ("a header's half", whole[..20].to_vec()),
        ("half", whole[..whole.len() / 2].to_vec()),
        ("one byte short", whole[..whole.len() - 1].to_vec()),
        ("another version", flipped(14)),
        ("bad entries", flipped(80)),
        ("bad texts", flipped(end_of_texts(&whole) - 5)),
        ("bad contents", flipped(whole.len() - 5)),
        ("endless entries", longer(16)),
        ("endless texts", longer(24)),
        ("endless contents", longer(32)),
        ("text", b"hello".to_vec()),
    ] {
        std::fs::write(catalog(&home), bytes).unwrap();
        assert_eq!(answers(&home), expected, "{what}");
    }
    std::fs::remove_dir_all(root(&home).join(".index")).unwrap();
    assert_eq!(answers(&home), expected);
    std::fs::remove_dir_all(root(&home).join(".index")).unwrap();
    std::fs::create_dir_all(catalog(&home)).unwrap();
    assert_eq!(answers(&home), expected, "a folder in its place");
}

#[test]
fn a_catalogue_with_bad_texts_is_written_anew() {
    let home = filled();
    let mut bytes = std::fs::read(catalog(&home)).unwrap();
    let end = end_of_texts(&bytes);
    bytes[end - 1] ^= 1;
    std::fs::write(catalog(&home), &bytes).unwrap();
    call(&open(&home), "memory_search", json!({"query": "word3"})).unwrap();
    assert_ne!(std::fs::read(catalog(&home)).unwrap(), bytes);
}

#[test]
fn files_that_a_hand_has_touched_are_seen() {
    let home = filled();
    let kind = open(&home);
    let search = |word: &str| {
        call(&kind, "memory_search", json!({ "query": word })).unwrap()["total"].clone()
    };
    let path = root(&home).join("categories/knowledge/note-0007.md");
    // In place and of the same size.
    std::fs::write(&path, read_file(&path).replace("number", "NUMBIR")).unwrap();
    assert_eq!(search("numbir"), 1);
    assert_eq!(search("number"), COUNT - 1);
    std::fs::remove_file(root(&home).join("categories/knowledge/note-0008.md")).unwrap();
    assert_eq!(search("number"), COUNT - 2);
    let from = root(&home).join("categories/knowledge/note-0009.md");
    std::fs::create_dir_all(root(&home).join("categories/people")).unwrap();
    std::fs::rename(&from, root(&home).join("categories/people/moved.md")).unwrap();
    put(&home, "categories/soul/more.md", "number and numbir\n");
    assert_eq!(
        (search("numbir"), search("number")),
        (json!(2), json!(COUNT - 1))
    );
    // Two files that change places keep their stamps.
    let (a, b) = (
        "categories/knowledge/note-0001.md",
        "categories/knowledge/note-0002.md",
    );
    let paths = [a, b, "categories/knowledge/x"].map(|path| root(&home).join(path));
    std::fs::rename(&paths[0], &paths[2]).unwrap();
    std::fs::rename(&paths[1], &paths[0]).unwrap();
    std::fs::rename(&paths[2], &paths[1]).unwrap();
    assert_eq!(note(&kind, "note-0001")["content"], "number 1 says word1");
    assert_eq!(
        search("word1"),
        (0..COUNT).filter(|n| n % 7 == 1 && *n != 8).count()
    );
    check_order(&home);
}

#[test]
fn a_twin_is_a_note_again_when_the_first_goes() {
    let home = filled();
    let kind = open(&home);
    let first = root(&home).join("categories/knowledge/note-0000.md");
    for n in 0..3 {
        // So many new files that the catalogue is written with the twin in it.
        for more in 0..80 {
            put(
                &home,
                &format!("categories/people/{n}-{more}.md"),
                format!("more {n} {more}\n"),
            );
        }
        std::fs::copy(&first, root(&home).join("categories/soul/copy.md"))
            .or_else(|_| {
                std::fs::create_dir_all(root(&home).join("categories/soul"))?;
                std::fs::copy(&first, root(&home).join("categories/soul/copy.md"))
            })
            .unwrap();
        call(&kind, "memory_list", json!({"limit": 1})).unwrap();
    }
    assert_eq!(
        call(&kind, "memory_list", json!({"limit": 1})).unwrap()["flaws"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    std::fs::remove_file(first).unwrap();
    assert_eq!(note(&kind, "note-0000")["content"], "number 0 says word0");
    check_order(&home);
}

#[test]
fn a_change_of_many_notes_is_seen_at_once() {
    let home = filled();
    let kind = open(&home);
    let before = bytes(&home);
    let lines: Vec<String> = (0..300)
        .map(|n| {
            json!({"id": format!("note-{n:04}"), "content": format!("changed {n}"), "links": ["note-0310"]})
                .to_string()
        })
        .collect();
    call(&kind, "import", json!({"lines": lines.join("\n")})).unwrap();
    assert_eq!(
        call(&kind, "memory_search", json!({"query": "changed"})).unwrap()["total"],
        300
    );
    assert_eq!(links(&kind, "note-0310").len(), 300);
    check_order(&home);
    undo(&kind);
    assert_eq!(bytes(&home), before);
    check_order(&home);
}
