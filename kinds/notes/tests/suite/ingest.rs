//! Other programs' files become notes, once, and are only read.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::SystemTime;

use memory_core::{Code, Kind};
use memory_testkit::Home;
use serde_json::{Value, json};

use crate::common::*;

fn vault(home: &Home) -> PathBuf {
    home.path().join("vault")
}

fn foreign(home: &Home, name: &str, text: &str) {
    let path = vault(home).join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

fn ingest(kind: &dyn Kind, home: &Home) -> Value {
    let source = json!({"source": "obsidian", "path": vault(home)});
    call(kind, "ingest", json!({"sources": [source]})).unwrap()
}

fn counts(reply: &Value) -> [u64; 5] {
    ["new", "changed", "unchanged", "duplicate", "masked"]
        .map(|name| reply["sources"][0][name].as_u64().unwrap())
}

fn stamps(home: &Home) -> BTreeMap<PathBuf, (Vec<u8>, SystemTime)> {
    let files = home
        .snapshot()
        .into_iter()
        .filter(|(path, _)| path.starts_with(vault(home)));
    files
        .map(|(path, bytes)| {
            (
                path.clone(),
                (bytes, std::fs::metadata(path).unwrap().modified().unwrap()),
            )
        })
        .collect()
}

#[test]
fn files_become_notes_once_and_changed_files_update_theirs() {
    let home = Home::new();
    let kind = open(&home);
    foreign(
        &home,
        "Plan.md",
        "---\ntags: [work]\naliases: [Roadmap]\nmood: good\n---\nsee [[Other]] and [[Nowhere]]\n",
    );
    foreign(&home, "sub/Other.md", "other, back to [[roadmap]]\n");
    foreign(&home, "zz/Copy.md", "other, back to [[roadmap]]\n");
    foreign(&home, ".obsidian/app.json", "{}");
    let before = stamps(&home);
    let dry = call(
        &kind,
        "ingest",
        json!({"dry_run": true, "sources": [{"source": "obsidian", "path": vault(&home)}]}),
    );
    assert_eq!(
        (counts(&dry.unwrap()), root(&home).exists()),
        ([2, 0, 0, 1, 0], false)
    );
    let reply = ingest(&kind, &home);
    assert_eq!(counts(&reply), [2, 0, 0, 1, 0]);
    let names: Vec<String> = reply["unresolved"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| text(&one["name"]))
        .collect();
    assert_eq!(names, ["Nowhere"]);
    let all = notes(&kind);
    let plan = all
        .values()
        .find(|note| text(&note["content"]).contains("Nowhere"))
        .unwrap();
    assert_eq!(
        (&plan["phase"], &plan["source"], &plan["tags"]),
        (&json!("inbox"), &json!("obsidian"), &json!(["work"]))
    );
    let path = vault(&home).canonicalize().unwrap().join("Plan.md");
    assert_eq!(plan["source_path"], path.to_str().unwrap());
    let id = text(&plan["id"]);
    assert_eq!(links(&kind, &id).len(), 1);
    assert!(read_file(file(&home, &id)).contains("mood: good"));
    check_order(&home);
    let notes_before = bytes(&home);
    assert_eq!(counts(&ingest(&kind, &home)), [0, 0, 2, 1, 0]);
    assert_eq!(bytes(&home), notes_before, "a second run finds nothing new");
    assert_eq!(stamps(&home), before, "foreign files are only read");
    foreign(&home, "Plan.md", "a changed plan\n");
    assert_eq!(counts(&ingest(&kind, &home)), [0, 1, 1, 1, 0]);
    assert_eq!(note(&kind, &id)["content"], "a changed plan");
    check_order(&home);
    undo(&kind);
    assert_eq!(bytes(&home), notes_before);
    undo(&kind);
    assert!(notes(&kind).is_empty());
    check_order(&home);
}

#[test]
fn credentials_are_masked() {
    let home = Home::new();
    let kind = open(&home);
    foreign(
        &home,
        "Key.md",
        &["the key is ghp_", "a1B2c3D4e5a1B2c3D4e5a1B2c3D4e5a1B2c3"].concat(),
    );
    assert_eq!(counts(&ingest(&kind, &home))[4], 1);
    let all = notes(&kind);
    assert!(text(&all.values().next().unwrap()["content"]).contains("[masked: a GitHub token]"));
    assert!(
        home.snapshot()
            .iter()
            .filter(|(path, _)| path.starts_with(root(&home)))
            .all(|(_, bytes)| { !String::from_utf8_lossy(bytes).contains("a1B2c3") })
    );
}

#[test]
fn what_is_not_there_is_told_unless_it_need_not_be() {
    let home = Home::new();
    let kind = open(&home);
    let from = |optional: bool| json!({"sources": [{"source": "logseq", "path": vault(&home), "optional": optional}]});
    check_code(call(&kind, "ingest", from(false)), Code::NotFound);
    assert_eq!(
        call(&kind, "ingest", from(true)).unwrap()["sources"],
        json!([])
    );
    let bad = json!({"sources": [{"source": "notion", "path": vault(&home)}]});
    let error = check_code(call(&kind, "ingest", bad), Code::InvalidArgument);
    assert!(error.message.contains("obsidian"), "{error}");
    assert!(!root(&home).exists());
}

#[test]
fn a_sorted_note_keeps_its_place_when_its_file_changes() {
    let home = Home::new();
    let kind = open(&home);
    foreign(&home, "Tea.md", "she prefers tea\n");
    ingest(&kind, &home);
    call(&kind, "dream", json!({"level": 1})).unwrap();
    let id = notes(&kind).into_keys().next().unwrap();
    call(&kind, "memory_tag", json!({"id": id, "tags": ["mine"]})).unwrap();
    foreign(&home, "Tea.md", "she prefers coffee\n");
    ingest(&kind, &home);
    let note = note(&kind, &id);
    assert_eq!(
        (&note["category"], &note["tags"]),
        (&json!("preferences"), &json!(["mine"]))
    );
    assert_eq!(note["content"], "she prefers coffee");
    check_order(&home);
}

#[test]
fn files_that_begin_alike_stay_notes_of_their_own_and_a_second_run_finds_nothing_new() {
    let home = Home::new();
    let kind = open(&home);
    let head = "# Weekly meeting of the platform team\n\nAttendees: Ann, Bob, Carol, Dave, Erin, Frank, Grace, Heidi, Ivan";
    foreign(
        &home,
        "May.md",
        &format!("{head}\n\nWe talked about the budget\n"),
    );
    foreign(
        &home,
        "June.md",
        &format!("{head}\n\nWe moved to the new office\n"),
    );
    assert_eq!(counts(&ingest(&kind, &home))[0], 2);
    let by_hand = write(&kind, &format!("{head}, by hand"));
    let merged = call(&kind, "consolidate", json!({})).unwrap();
    assert_eq!(deeds(&merged).len(), 2, "{merged}");
    assert!(
        deeds(&merged).iter().all(|(action, _)| action == "link"),
        "what a file brings back is linked: {merged}"
    );
    call(&kind, "dream", json!({"level": 2})).unwrap();
    assert_eq!(counts(&ingest(&kind, &home)), [0, 0, 2, 0, 0]);
    assert_eq!(notes(&kind).len(), 3, "{by_hand}");
    check_order(&home);
}
