//! Notes over a temporary home, as tests use them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use memory_core::{Call, Code, Error, Ids, Kind, Result, Timestamp};
use memory_files::{Disk, Files, RealDisk, Spot};
use memory_notes::{Notes, Settings, Store};
use memory_testkit::{Home, clock};
use serde_json::{Value, json};

pub(crate) const DAY: i64 = 86_400;

/// Opens the notes below `home/memory` on a disk.
pub(crate) fn open_on(home: &Home, disk: Arc<dyn Disk>) -> Notes {
    open_with(home, disk, Settings::default())
}

pub(crate) fn open_with(home: &Home, disk: Arc<dyn Disk>, settings: Settings) -> Notes {
    let files = Files::new(disk, Ids::random());
    Notes::new(Store::new(files, Spot::anchor(root(home)), settings))
}

pub(crate) fn open(home: &Home) -> Notes {
    open_on(home, Arc::new(RealDisk::default()))
}

pub(crate) fn in_zone(home: &Home, zone: &str) -> Notes {
    let zone = jiff::tz::TimeZone::get(zone).unwrap();
    open_with(
        home,
        Arc::new(RealDisk::default()),
        Settings {
            zone,
            ..Settings::default()
        },
    )
}

pub(crate) fn root(home: &Home) -> PathBuf {
    home.path().join("memory")
}

/// Calls a tool at the fixed time.
pub(crate) fn call(kind: &dyn Kind, tool: &str, params: Value) -> Result<Value> {
    call_at(kind, tool, params, 0)
}

/// Calls a tool so many seconds after the fixed time.
pub(crate) fn call_at(kind: &dyn Kind, tool: &str, params: Value, seconds: i64) -> Result<Value> {
    let raw = serde_json::value::to_raw_value(&params).expect("JSON");
    let tools = kind.tools();
    let found = tools
        .iter()
        .find(|found| found.spec.name == tool)
        .expect("the tool exists");
    let done = found.call(&Call::alone(after(seconds)), &raw)?;
    Ok(serde_json::from_str(done.reply.get()).expect("a reply is JSON"))
}

/// The time so many seconds after the fixed one.
pub(crate) fn after(seconds: i64) -> Timestamp {
    Timestamp::from_second(clock().now().as_second() + seconds).expect("a time")
}

/// Writes a note into the inbox and returns its id.
pub(crate) fn write(kind: &dyn Kind, content: &str) -> String {
    write_with(kind, json!({ "content": content }))
}

/// Writes a note into a category and returns its id.
pub(crate) fn write_in(kind: &dyn Kind, category: &str, content: &str) -> String {
    write_with(kind, json!({ "content": content, "category": category }))
}

pub(crate) fn write_with(kind: &dyn Kind, params: Value) -> String {
    text(&call(kind, "memory_write", params).expect("a write works")["id"])
}

pub(crate) fn link(kind: &dyn Kind, a: &str, b: &str) {
    call(kind, "link", json!({ "source": a, "target": b })).expect("linking works");
}

pub(crate) fn delete(kind: &dyn Kind, id: &str) {
    call(kind, "memory_delete", json!({ "id": id })).expect("deleting works");
}

/// Takes the newest step back.
pub(crate) fn undo(kind: &dyn Kind) {
    let step = kind.steps().good.first().expect("there is a step").clone();
    kind.undo(&step, memory_core::Actor::Person, clock().now())
        .expect("undo works")
        .expect("no one else takes it back");
}

/// Forgets the accesses that are not merged yet, so that answers before and after can be compared.
pub(crate) fn forget_accesses(home: &Home) {
    let _ = std::fs::remove_file(root(home).join(".accesses.log"));
}

/// Returns every note by its id, without counting that it was read.
pub(crate) fn notes(kind: &dyn Kind) -> BTreeMap<String, Value> {
    let listed = call(kind, "memory_list", json!({})).expect("a list works");
    listed["memories"]
        .as_array()
        .unwrap()
        .iter()
        .map(|note| (text(&note["id"]), note.clone()))
        .collect()
}

/// Returns one note, without counting that it was read.
pub(crate) fn note(kind: &dyn Kind, id: &str) -> Value {
    notes(kind).remove(id).expect("the note is there")
}

pub(crate) fn text(value: &Value) -> String {
    value.as_str().expect("a string").to_owned()
}

pub(crate) fn texts(value: &Value) -> Vec<String> {
    value.as_array().expect("a list").iter().map(text).collect()
}

pub(crate) fn links(kind: &dyn Kind, id: &str) -> Vec<String> {
    texts(&note(kind, id)["links"])
}

/// Returns the contents that a list or search gave, in its order.
pub(crate) fn contents(reply: &Value) -> Vec<String> {
    reply["memories"]
        .as_array()
        .unwrap()
        .iter()
        .map(|note| text(&note["content"]))
        .collect()
}

/// What upkeep did: each action with the id it was done to.
pub(crate) fn deeds(reply: &Value) -> Vec<(String, String)> {
    let all = reply["deeds"].as_array().unwrap();
    all.iter()
        .map(|deed| (text(&deed["action"]), text(&deed["id"])))
        .collect()
}

/// Writes a file below the root as a person would.
pub(crate) fn put(home: &Home, path: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
    let path = root(home).join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, bytes).unwrap();
    path
}

/// Returns the file that a note of this id is in by its name.
pub(crate) fn file(home: &Home, id: &str) -> PathBuf {
    files(home)
        .into_iter()
        .find(|path| path.ends_with(format!("{id}.md")))
        .expect("its file is there")
}

/// Every file below the categories.
pub(crate) fn files(home: &Home) -> Vec<PathBuf> {
    let categories = root(home).join("categories");
    home.snapshot()
        .into_keys()
        .filter(|path| path.starts_with(&categories))
        .collect()
}

pub(crate) fn read_file(path: impl AsRef<std::path::Path>) -> String {
    std::fs::read_to_string(path).unwrap()
}

/// The files of the notes with their bytes: what undo promises to bring back.
pub(crate) fn bytes(home: &Home) -> BTreeMap<PathBuf, Vec<u8>> {
    let categories = root(home).join("categories");
    home.snapshot()
        .into_iter()
        .filter(|(path, _)| path.starts_with(&categories))
        .collect()
}

#[track_caller]
pub(crate) fn check_code(ended: Result<Value>, code: Code) -> Error {
    let error = ended.expect_err("it fails");
    assert_eq!(error.code, code, "{error}");
    error
}

/// What is so after every command, whatever was done.
#[track_caller]
pub(crate) fn check_order(home: &Home) {
    // First, for looking at the notes would write it anew.
    let index = std::fs::read_to_string(root(home).join("memory.md"));
    let kind = open(home);
    let listed = call(&kind, "memory_list", json!({})).unwrap();
    assert_eq!(listed.get("flaws"), None, "every file is a note");
    let notes = notes(&kind);
    assert_eq!(
        notes.len(),
        listed["memories"].as_array().unwrap().len(),
        "ids are unique"
    );
    for (id, note) in &notes {
        // What a hand has put there and is no id stays there.
        let is_id = |text: &String| memory_notes::NoteId::parse(text).is_ok();
        for to in texts(&note["links"]).into_iter().filter(is_id) {
            assert!(
                notes.contains_key(&to),
                "{id} links to {to}, which is not there"
            );
            assert!(
                texts(&notes[&to]["links"]).contains(id),
                "{to} does not link back to {id}"
            );
            assert_ne!(to, *id, "a note links to itself");
        }
    }
    check_index(home, index.ok().as_deref());
    check_strays(home);
}

#[track_caller]
pub(crate) fn check_index(home: &Home, index: Option<&str>) {
    let files: BTreeSet<PathBuf> = files(home).into_iter().collect();
    let Some(index) = index else {
        assert!(files.is_empty(), "there is no memory.md");
        return;
    };
    let paths = index
        .lines()
        .filter_map(|line| Some(line.split_once("](<")?.1.split_once(">)")?.0));
    let listed: BTreeSet<PathBuf> = paths.map(|path| root(home).join(path)).collect();
    let folder = |path: &PathBuf| path.parent().unwrap().to_owned();
    for category in files
        .union(&listed)
        .map(folder)
        .collect::<BTreeSet<PathBuf>>()
    {
        let here = |all: &BTreeSet<PathBuf>| -> BTreeSet<PathBuf> {
            all.iter()
                .filter(|path| folder(path) == category)
                .cloned()
                .collect()
        };
        let (listed, files) = (here(&listed), here(&files));
        match files
            .len()
            .checked_sub(memory_notes::limits::LISTED)
            .filter(|older| *older > 0)
        {
            None => assert_eq!(listed, files, "memory.md lists exactly the notes"),
            Some(older) => {
                assert!(
                    listed.is_subset(&files) && listed.len() + older == files.len(),
                    "{listed:?}"
                );
                assert!(
                    index.contains(&format!("\nand {older} older: ")),
                    "memory.md tells of older notes"
                );
            }
        }
    }
}

#[track_caller]
pub(crate) fn check_strays(home: &Home) {
    let strays: Vec<PathBuf> = home
        .snapshot()
        .into_keys()
        .filter(|path| path.starts_with(root(home)))
        .filter(|path| {
            let name = path.file_name().unwrap().to_string_lossy();
            name.contains(".tmp-") || name.contains(".plan.json")
        })
        .collect();
    assert_eq!(strays, Vec::<PathBuf>::new());
}

#[track_caller]
pub(crate) fn check_index_now(home: &Home) {
    let index = std::fs::read_to_string(root(home).join("memory.md")).ok();
    check_index(home, index.as_deref());
}
