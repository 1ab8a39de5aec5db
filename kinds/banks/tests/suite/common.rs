//! Banks over a temporary home, as tests use them.

use std::sync::Arc;

use memory_banks::{Banks, Scope, Scopes, Store};
use memory_core::{Call, Code, Error, Ids, Kind, Result};
use memory_files::{Disk, Files, RealDisk, Spot};
use memory_testkit::{Home, clock};
use serde_json::{Value, json};

/// Opens the user's banks below `home/user` and a project's below `home/project`.
pub(crate) fn open_on(home: &Home, disk: Arc<dyn Disk>, in_project: bool, compress: bool) -> Banks {
    let files = Files::new(disk, Ids::random());
    let store = |root: Spot, scope| Some(Store::new(files.clone(), root, scope, compress));
    Banks::new(Scopes {
        user: store(home.spot().join("user"), Scope::User),
        project: store(home.spot().join("project"), Scope::Project),
        in_project,
    })
}

pub(crate) fn open(home: &Home) -> Banks {
    open_on(home, Arc::new(RealDisk::default()), true, false)
}

/// Calls a tool at the fixed time.
pub(crate) fn call(kind: &dyn Kind, tool: &str, params: Value) -> Result<Value> {
    call_at(kind, tool, params, 0)
}

/// Calls a tool with parameters as a client sends them.
pub(crate) fn call_raw(kind: &dyn Kind, tool: &str, params: &str) -> Result<String> {
    let raw = serde_json::value::RawValue::from_string(params.to_owned()).expect("JSON");
    let tools = kind.tools();
    let found = tools
        .iter()
        .find(|found| found.spec.name == tool)
        .expect("the tool exists");
    let call = Call::alone(clock().now());
    found
        .call(&call, &raw)
        .map(|done| done.reply.get().to_owned())
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

pub(crate) fn write(kind: &dyn Kind, bank: &str, key: &str, value: Value) -> Result<Value> {
    call(
        kind,
        "memory_write",
        json!({ "bank": bank, "key": key, "value": value }),
    )
}

pub(crate) fn read(kind: &dyn Kind, bank: &str, key: &str) -> Result<Value> {
    call(kind, "memory_read", json!({ "bank": bank, "key": key }))
        .map(|reply| reply["value"].clone())
}

#[track_caller]
pub(crate) fn check_code(ended: Result<Value>, code: Code) -> Error {
    let error = ended.expect_err("it fails");
    assert_eq!(error.code, code, "{error}");
    error
}
