//! An agent with a memory, in Rust: tools, a hook that refuses, events, and a session with context.
//!
//! Run it with `cargo run -p memory-notes --example agent`. It keeps its notes in a folder that goes
//! away with it.

#![allow(clippy::print_stdout)] // an example shows what happens

use std::error::Error;
use std::sync::Arc;

use memory_core::{Broadcast, Clock, Code, Hook, Ids, Registry, Result, Session};
use memory_files::{Files, RealDisk, Spot};
use memory_notes::{Notes, Settings, Store};
use serde_json::json;
use serde_json::value::{RawValue, to_raw_value};

/// Keeps the agent from deleting anything.
struct NoDeleting;

impl Hook for NoDeleting {
    fn before(&self, tool: &str, _: &RawValue) -> Result<()> {
        match tool {
            "memory_delete" => Err(memory_core::Error::new(
                Code::PermissionDenied,
                "Not by this agent",
            )),
            _ => Ok(()),
        }
    }
}

fn main() -> std::result::Result<(), Box<dyn Error>> {
    let home = tempfile::tempdir()?;
    let files = Files::new(Arc::new(RealDisk::default()), Ids::random());
    let store = Store::new(files, Spot::anchor(home.path()), Settings::default());
    let events = Broadcast::default();
    let registry = Registry::new(Clock::system())
        .with_kind(Notes::new(store))
        .with_hook(NoDeleting)
        .with_listener(events.clone());
    let heard = events.subscribe();

    let mut session = Session::open(&registry, &["notes"], "example")?;
    let names: Vec<&str> = session.tools().iter().map(|tool| tool.name).collect();
    println!("Tools: {}", names.join(", "));

    let said = json!({ "content": "The user prefers dark mode in every editor", "category": "preferences" });
    let written = session.call("memory_write", &to_raw_value(&said)?)?;
    println!("Wrote: {}", written.get());

    let context = session.inject_context("Which mode does the user prefer?")?;
    println!(
        "For the prompt:\n{}",
        context.fenced(&Ids::random(), 2_000).unwrap_or_default()
    );

    let refused = session.call("memory_delete", &to_raw_value(&json!({ "id": "none" }))?);
    println!(
        "Deleting: {}",
        refused.err().map(|error| error.message).unwrap_or_default()
    );

    drop(session);
    for event in heard.try_iter() {
        println!("Event: {}", serde_json::to_string(&event)?);
    }
    Ok(())
}
