//! Journal: typed records (core, learning, task), kept as JSONL (specification 003).
//!
//! Three files, one line a record; `index.json` is derived from them. Calls come in through
//! [`tools`], go through [`Store`] and end in `memory-files`; nothing here prints, asks or reads the
//! environment.

mod access;
mod archive;
mod change;
mod document;
mod error;
mod filter;
mod format;
mod id;
mod index;
pub mod limits;
mod patch;
mod record;
mod repair;
mod resources;
mod salvage;
mod store;
mod tasks;
pub mod tools;
mod undo;

use std::path::PathBuf;
use std::sync::Arc;

use memory_core::{
    Content, Document, Flaw, Kind, Rehearsal, Resource, Result, Source, Step, Survey, Task,
    Timestamp, Tool,
};

pub use error::JournalError;
pub use filter::Sort;
pub use format::{Line, LineFlaw, join, lines, parse, render};
pub use id::RecordId;
pub use index::{ByType, Index, Statistics};
pub use record::{Category, Extra, Importance, Matter, Progress, Record, Status, Tags, Type};
pub use repair::{Finding, Health};
pub use store::Store;

/// The kind of memory that keeps the journal.
#[derive(Debug)]
pub struct Journal {
    store: Arc<Store>,
}

impl Journal {
    /// Returns the kind over a store.
    pub fn new(store: Store) -> Self {
        Journal {
            store: Arc::new(store),
        }
    }
}

impl Kind for Journal {
    fn name(&self) -> &'static str {
        document::KIND
    }

    fn tools(&self) -> Vec<Tool> {
        tools::all(&self.store)
    }

    fn tasks(&self) -> Vec<Task> {
        tasks::all(&self.store)
    }

    fn documents(&self, _: Timestamp) -> Survey<Document> {
        document::all(&self.store)
    }

    fn sources(&self) -> Survey<Source> {
        self.store.sources()
    }

    fn documents_of(&self, source: &str) -> Survey<Document> {
        document::of_file(&self.store, source)
    }

    fn repair(&self, now: Timestamp, how: Rehearsal) -> Result<Vec<Flaw>> {
        Ok(repair::examine(&self.store, now, how)?
            .into_iter()
            .flat_map(|found| found.flaws)
            .collect())
    }

    fn steps(&self) -> Survey<Step> {
        undo::steps(&self.store)
    }

    fn undo(
        &self,
        step: &Step,
        _: memory_core::Actor,
        now: Timestamp,
    ) -> Result<Option<memory_core::Undone>> {
        Ok(undo::undo(&self.store, step, now)?.map(Into::into))
    }

    fn guide(&self) -> &'static str {
        resources::GUIDE
    }

    fn resources(&self) -> Vec<Resource> {
        resources::all()
    }

    fn resource(&self, uri: &str, _: Timestamp) -> Result<Option<Content>> {
        resources::read(&self.store, uri)
    }

    fn place(&self) -> String {
        self.store.root.path().display().to_string()
    }

    fn folders(&self) -> Option<Vec<PathBuf>> {
        Some(vec![self.store.root.path()])
    }

    fn pulse(&self) -> u64 {
        self.store.pulse()
    }
}
