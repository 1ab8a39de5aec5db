//! Files that are edited, added and removed by hand are seen, and `memory_index.json` tells what is so.

use std::collections::BTreeMap;

use memory_core::Kind;
use memory_testkit::Home;
use serde_json::{Value, json};

use crate::common::{add, after, call, chat, drain, facts, files, open, paths, root};

/// Returns the snapshot as it should be: each live file with the hash of its bytes.
fn expected(home: &Home) -> BTreeMap<String, String> {
    use std::io::Write;
    let live = files(home)
        .into_iter()
        .filter(|(path, _)| path.ends_with(".md") && !path.contains("/deleted/"));
    let hash = |text: &str| {
        let mut child = std::process::Command::new("sha256sum")
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        child
            .stdin
            .take()
            .unwrap()
            .write_all(text.as_bytes())
            .unwrap();
        let output = child.wait_with_output().unwrap().stdout;
        String::from_utf8(output)
            .unwrap()
            .split(' ')
            .next()
            .unwrap()
            .to_owned()
    };
    live.map(|(path, text)| (path, hash(&text))).collect()
}

#[track_caller]
pub(crate) fn check_snapshot(home: &Home) {
    let text = std::fs::read_to_string(root(home).join("memory_index.json")).unwrap();
    let snapshot: Value = serde_json::from_str(&text).unwrap();
    let told = snapshot["files"].as_object().unwrap().iter();
    let told: BTreeMap<String, String> = told
        .map(|(path, file)| (path.clone(), file["hash"].as_str().unwrap().to_owned()))
        .collect();
    assert_eq!(told, expected(home));
}

#[test]
fn the_snapshot_is_true_after_every_change() {
    let home = Home::new();
    let kind = open(&home);
    let ids = add(&kind, "a", &["one", "two"]);
    check_snapshot(&home);
    chat(&kind, "a", "I like tea", "fine", 5);
    drain(&kind);
    check_snapshot(&home);
    call(&kind, "conversation_forget", json!({ "id": ids[0] })).unwrap();
    check_snapshot(&home);
    // By hand: one edited, one added, one removed; the next look finds it so.
    let paths = paths(&home, "entries/a/facts");
    let file = |name: &str| root(&home).join(name);
    std::fs::write(file(&paths[0]), "edited by hand\n").unwrap();
    std::fs::remove_file(file(&paths[1])).unwrap();
    std::fs::write(file("entries/a/facts/my own.md"), "added by hand\n").unwrap();
    std::fs::write(file("entries/a/facts/notes.txt"), "not ours\n").unwrap();
    call(&kind, "conversation_list", json!({})).unwrap();
    check_snapshot(&home);
    std::fs::remove_file(file("memory_index.json")).unwrap();
    call(&kind, "conversation_list", json!({})).unwrap();
    check_snapshot(&home);
}

#[test]
fn what_a_hand_has_done_is_seen_by_the_next_call() {
    let home = Home::new();
    let kind = open(&home);
    add(&kind, "a", &["one"]);
    let states = |kind: &dyn Kind| {
        let sources = kind.sources().good.into_iter();
        sources
            .map(|source| (source.name, source.state))
            .collect::<BTreeMap<_, _>>()
    };
    let before = states(&kind);
    let path = paths(&home, "entries/a/facts").remove(0);
    std::fs::write(
        root(&home).join(&path),
        "---\nmood: good\n---\nedited by hand\n",
    )
    .unwrap();
    std::fs::write(
        root(&home).join("entries/a/facts/mine.md"),
        "added by hand\n",
    )
    .unwrap();
    let now = states(&kind);
    assert_eq!((before.len(), now.len()), (1, 2));
    assert_ne!(before[&path], now[&path]);
    let mut seen = facts(&kind, "a");
    seen.sort();
    assert_eq!(seen, ["added by hand", "edited by hand"]);
    let documents = kind.documents_of("entries/a/facts/mine.md").good;
    assert_eq!(documents[0].text, "added by hand");
    assert!(kind.documents_of("entries/a/facts/gone.md").good.is_empty());
    // A field that we do not know survives what we do to the file.
    let id = kind.documents_of(&path).good[0].address.id.clone();
    call(
        &kind,
        "conversation_edit",
        json!({ "id": id, "content": "edited again" }),
    )
    .unwrap();
    assert!(files(&home)[&path].contains("mood: good\n"));
}

#[test]
fn links_are_not_followed_and_one_bad_file_hides_no_other() {
    let home = Home::new();
    let kind = open(&home);
    add(&kind, "a", &["one"]);
    std::fs::write(home.path().join("secret.md"), "secret\n").unwrap();
    std::os::unix::fs::symlink(
        home.path().join("secret.md"),
        root(&home).join("entries/a/facts/x.md"),
    )
    .unwrap();
    std::fs::write(root(&home).join("entries/a/facts/y.md"), b"\xff\xfe").unwrap();
    let survey = kind.documents(after(0));
    assert_eq!(
        (survey.good.len(), survey.flaws.len()),
        (1, 2),
        "{:?}",
        survey.flaws
    );
    assert_eq!(facts(&kind, "a"), ["one"]);
}
