//! A journal over a temporary home, as tests use it.

use std::path::PathBuf;
use std::sync::Arc;

use memory_core::{Call, Code, Error, Ids, Kind, Result};
use memory_files::{Disk, Files, RealDisk};
use memory_journal::{Journal, Store};
use memory_testkit::{Home, clock};
use serde_json::{Value, json};

pub(crate) const DAY: i64 = 86_400;

pub(crate) fn open_on(home: &Home, disk: Arc<dyn Disk>) -> Journal {
    Journal::new(Store::new(
        Files::new(disk, Ids::random()),
        home.spot().join("journal"),
    ))
}

pub(crate) fn open(home: &Home) -> Journal {
    open_on(home, Arc::new(RealDisk::default()))
}

/// Calls a tool at the fixed time.
pub(crate) fn call(kind: &dyn Kind, tool: &str, params: Value) -> Result<Value> {
    call_at(kind, tool, params, 0)
}

/// Calls a tool so many seconds after the fixed time.
pub(crate) fn call_at(kind: &dyn Kind, tool: &str, params: Value, seconds: i64) -> Result<Value> {
    let now =
        memory_core::Timestamp::from_second(clock().now().as_second() + seconds).expect("a time");
    let raw = serde_json::value::to_raw_value(&params).expect("JSON");
    let tools = kind.tools();
    let found = tools
        .iter()
        .find(|found| found.spec.name == tool)
        .expect("the tool exists");
    let done = found.call(&Call::alone(now), &raw)?;
    Ok(serde_json::from_str(done.reply.get()).expect("a reply is JSON"))
}

pub(crate) fn add(kind: &dyn Kind, params: Value) -> String {
    call(kind, "store_memory", params).unwrap()["id"]
        .as_str()
        .unwrap()
        .to_owned()
}

/// Adds a core memory that says no more than this.
pub(crate) fn core(kind: &dyn Kind, content: &str) -> String {
    add(kind, json!({"type": "core", "content": content}))
}

pub(crate) fn get(kind: &dyn Kind, id: &str) -> Value {
    call(kind, "get", json!({"id": id})).unwrap()
}

pub(crate) fn query(kind: &dyn Kind, params: Value) -> Value {
    call(kind, "query_memories", params).unwrap()
}

/// The contents that a query finds, in their order.
pub(crate) fn contents(kind: &dyn Kind, params: Value) -> Vec<String> {
    let reply = query(kind, params);
    let records = reply["records"].as_array().unwrap();
    records
        .iter()
        .map(|record| record["content"].as_str().unwrap().to_owned())
        .collect()
}

#[track_caller]
pub(crate) fn check_code(ended: Result<Value>, code: Code) -> Error {
    let error = ended.expect_err("it fails");
    assert_eq!(error.code, code, "{error}");
    error
}

pub(crate) fn path(home: &Home, name: &str) -> PathBuf {
    home.path().join("journal").join(name)
}

pub(crate) fn text(home: &Home, name: &str) -> String {
    std::fs::read_to_string(path(home, name)).unwrap_or_default()
}

pub(crate) fn put(home: &Home, name: &str, text: &str) {
    let at = path(home, name);
    std::fs::create_dir_all(at.parent().unwrap()).unwrap();
    std::fs::write(at, text).unwrap();
}

pub(crate) fn index(home: &Home) -> Value {
    serde_json::from_str(&text(home, "index.json")).expect("the index is JSON")
}

/// A line as the specification has it, with a number in its id.
pub(crate) fn line(n: usize, kind: &str, changes: Value) -> String {
    let mut record = json!({
        "id": format!("550e8400-e29b-41d4-a716-{n:012}"), "type": kind, "content": format!("memory {n}"),
        "created_at": "2026-01-01T10:00:00Z", "updated_at": "2026-01-01T10:00:00Z",
        "accessed_at": "2026-05-01T10:00:00Z", "access_count": 0, "tags": [], "importance": "medium",
        "archived": false,
    });
    for (name, value) in changes.as_object().unwrap() {
        record[name] = value.clone();
    }
    format!("{record}\n")
}

pub(crate) fn names(home: &Home, folder: &str) -> Vec<String> {
    let entries = std::fs::read_dir(path(home, folder)).into_iter().flatten();
    let mut names: Vec<String> = entries
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}
