//! Compartments over a temporary home, as tests use them.

use std::sync::Arc;

use memory_compartments::{Compartments, PlanScope, Settings, Store};
use memory_core::{Call, Code, Error, Ids, Kind, Result};
use memory_files::{Disk, Files, RealDisk};
use memory_testkit::{Home, clock};
use serde_json::{Value, json};

pub(crate) fn store_on(home: &Home, disk: Arc<dyn Disk>, settings: Settings) -> Store {
    let files = Files::new(disk, Ids::random());
    Store::new(files, &home.path().join("work/memory.json"), settings).unwrap()
}

pub(crate) fn open_on(home: &Home, disk: Arc<dyn Disk>) -> Compartments {
    Compartments::new(store_on(home, disk, Settings::default()))
}

pub(crate) fn open(home: &Home) -> Compartments {
    open_on(home, Arc::new(RealDisk::default()))
}

/// Opens compartments whose plans are the runs' own.
pub(crate) fn open_with_run_plans(home: &Home) -> Compartments {
    let settings = Settings {
        plan_scope: PlanScope::Run,
        ..Settings::default()
    };
    Compartments::new(store_on(home, Arc::new(RealDisk::default()), settings))
}

/// Calls a tool at the fixed time.
pub(crate) fn call(kind: &dyn Kind, tool: &str, params: Value) -> Result<Value> {
    let raw = serde_json::value::to_raw_value(&params).expect("JSON");
    let tools = kind.tools();
    let found = tools
        .iter()
        .find(|found| found.spec.name == tool)
        .expect("the tool exists");
    let done = found.call(&Call::alone(clock().now()), &raw)?;
    Ok(serde_json::from_str(done.reply.get()).expect("a reply is JSON"))
}

/// Saves a content; returns the entry's id.
pub(crate) fn save(kind: &dyn Kind, compartment: &str, content: &str) -> String {
    let reply = call(
        kind,
        "save_memory",
        json!({"compartment": compartment, "content": content}),
    )
    .unwrap();
    reply["id"].as_str().unwrap().to_owned()
}

/// Returns the contents that a question finds, in their order.
pub(crate) fn contents(kind: &dyn Kind, question: Value) -> Vec<String> {
    let reply = call(kind, "get_memory", question).unwrap();
    let entries = reply["entries"].as_array().unwrap();
    entries
        .iter()
        .map(|entry| entry["content"].as_str().unwrap().to_owned())
        .collect()
}

pub(crate) fn file(home: &Home) -> std::path::PathBuf {
    home.path().join("work/memory.json")
}

pub(crate) fn text(home: &Home) -> String {
    std::fs::read_to_string(file(home)).unwrap()
}

/// Puts a text in the file's place, as a hand would.
pub(crate) fn put(home: &Home, text: impl AsRef<[u8]>) {
    std::fs::create_dir_all(home.path().join("work")).unwrap();
    std::fs::write(file(home), text).unwrap();
}

/// Returns the files that were put aside, with their bytes.
pub(crate) fn aside(home: &Home) -> Vec<(String, Vec<u8>)> {
    let files = std::fs::read_dir(home.path().join("work"))
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let named = files.map(|path| {
        (
            path.file_name().unwrap().to_string_lossy().into_owned(),
            path,
        )
    });
    let mut kept: Vec<(String, Vec<u8>)> = named
        .filter(|(name, _)| name.contains(".corrupt-"))
        .map(|(name, path)| (name, std::fs::read(path).unwrap()))
        .collect();
    kept.sort();
    kept
}

pub(crate) fn undo(kind: &dyn Kind) {
    let step = kind.steps().good[0].clone();
    kind.undo(&step, memory_core::Actor::Person, clock().now())
        .unwrap()
        .expect("no one else takes it back");
}

#[track_caller]
pub(crate) fn check_code(ended: Result<Value>, code: Code) -> Error {
    let error = ended.expect_err("it fails");
    assert_eq!(error.code, code, "{error}");
    error
}
