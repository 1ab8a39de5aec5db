//! Compartments: the working memory of a run, a session, a plan (specification 004).
//!
//! One JSON file holds all three. An agent framework opens a [`Memory`] and begins a [`Run`] on it; a
//! house of several kinds takes [`Compartments`]. Calls end in `memory-files`; nothing here prints,
//! asks or reads the environment.

mod change;
mod compartment;
mod document;
mod entry;
mod error;
mod filter;
pub mod format;
pub mod limits;
mod memory;
mod operations;
mod prompt;
mod repair;
mod run;
mod run_id;
mod salvage;
mod store;
pub mod tools;
mod undo;

use std::path::PathBuf;
use std::sync::Arc;

use memory_core::{
    Actor, Document, Flaw, Kind, Rehearsal, Result, Source, Step, Survey, Task, Timestamp, Tool,
    Undone,
};

pub use compartment::{Compartment, Part, PlanScope};
pub use document::KIND;
pub use entry::{Entry, NewEntry};
pub use error::CompartmentError;
pub use filter::Filter;
pub use memory::{Config, Memory};
pub use operations::Outcome;
pub use prompt::{PromptSection, SYSTEM};
pub use run::{Run, ToolDefinition};
pub use run_id::RunId;
pub use store::{Settings, Store};

/// The kind of memory that keeps compartments.
#[derive(Debug)]
pub struct Compartments {
    store: Arc<Store>,
}

impl Compartments {
    /// Returns the kind over a store.
    pub fn new(store: Store) -> Self {
        Compartments {
            store: Arc::new(store),
        }
    }
}

impl Kind for Compartments {
    fn name(&self) -> &'static str {
        document::KIND
    }

    fn tools(&self) -> Vec<Tool> {
        tools::all(&self.store)
    }

    fn tasks(&self) -> Vec<Task> {
        Vec::new()
    }

    fn documents(&self, _: Timestamp) -> Survey<Document> {
        document::documents(&self.store)
    }

    fn sources(&self) -> Survey<Source> {
        document::sources(&self.store)
    }

    fn documents_of(&self, source: &str) -> Survey<Document> {
        if source == self.store.path() {
            document::documents(&self.store)
        } else {
            Survey::default()
        }
    }

    fn place(&self) -> String {
        self.store.path()
    }

    fn folders(&self) -> Option<Vec<PathBuf>> {
        Some(vec![PathBuf::from(self.store.path()).parent()?.to_owned()])
    }

    fn repair(&self, now: Timestamp, how: Rehearsal) -> Result<Vec<Flaw>> {
        Ok(repair::repair(&self.store, now, how)?)
    }

    fn steps(&self) -> Survey<Step> {
        undo::steps(&self.store)
    }

    fn undos(&self) -> Survey<Step> {
        undo::undos(&self.store)
    }

    fn undo(&self, step: &Step, by: Actor, now: Timestamp) -> Result<Option<Undone>> {
        Ok(undo::undo(&self.store, step, by, now)?)
    }

    fn guide(&self) -> &'static str {
        prompt::GUIDE
    }

    fn pulse(&self) -> u64 {
        self.store
            .stamp()
            .ok()
            .flatten()
            .map_or(0, |stamp| stamp.state())
    }
}
