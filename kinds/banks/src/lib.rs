//! Banks: structured state, kept as JSON under keys (specification 000).
//!
//! A bank is one JSON file of a scope: the user's, or a project's. Calls come in through [`tools`],
//! go through [`Store`] and end in `memory-files`; nothing here prints, asks or reads the
//! environment.

mod change;
mod document;
mod entry;
mod error;
mod filter;
mod format;
mod index;
pub mod limits;
mod name;
mod portable;
mod repair;
mod resources;
mod salvage;
mod schema;
mod scope;
mod scopes;
mod sources;
mod store;
mod tasks;
pub mod tools;
mod undo;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::sync::Arc;

use memory_core::{
    Actor, Content, Document, Flaw, Kind, Rehearsal, Resource, Result, Source, Step, Survey, Task,
    Timestamp, Tool, Undone,
};

pub use change::{Edit, Terms};
pub use entry::Entry;
pub use error::BankError;
pub use format::Bank;
pub use name::{BankName, Key};
pub use repair::{Finding, Status};
pub use scope::{Scope, ScopeChoice};
pub use scopes::Scopes;
pub use store::{Found, Loaded, Store};

/// The kind of memory that keeps banks.
#[derive(Debug)]
pub struct Banks {
    scopes: Arc<Scopes>,
}

impl Banks {
    /// Returns the kind over the stores of these scopes.
    pub fn new(scopes: Scopes) -> Self {
        Banks {
            scopes: Arc::new(scopes),
        }
    }

    fn stores(&self) -> impl Iterator<Item = &Store> {
        self.scopes.project.iter().chain(&self.scopes.user)
    }
}

impl Kind for Banks {
    fn name(&self) -> &'static str {
        document::KIND
    }

    fn tools(&self) -> Vec<Tool> {
        tools::all(&self.scopes)
    }

    fn tasks(&self) -> Vec<Task> {
        tasks::all(&self.scopes)
    }

    fn documents(&self, now: Timestamp) -> Survey<Document> {
        let mut survey = Survey::default();
        for store in self.stores() {
            match store.names() {
                Ok(names) => names
                    .iter()
                    .for_each(|bank| survey.absorb(document::documents(store, bank, Some(now)))),
                Err(error) => survey
                    .flaws
                    .push(Flaw::new(store.scope().as_str(), error.to_string())),
            }
        }
        survey
    }

    fn sources(&self) -> Survey<Source> {
        let mut survey = Survey::default();
        self.stores()
            .for_each(|store| survey.absorb(sources::sources(store)));
        survey
    }

    fn documents_of(&self, source: &str) -> Survey<Document> {
        let mut survey = Survey::default();
        self.stores()
            .for_each(|store| survey.absorb(sources::read(store, source)));
        survey
    }

    fn place(&self) -> String {
        let project = self.scopes.found_project().into_iter();
        let roots = project
            .chain(&self.scopes.user)
            .map(|store| store.root.path().display().to_string());
        roots.collect::<Vec<_>>().join("\n")
    }

    fn folders(&self) -> Option<Vec<PathBuf>> {
        Some(self.stores().map(|store| store.root.path()).collect())
    }

    fn repair(&self, now: Timestamp, how: Rehearsal) -> Result<Vec<Flaw>> {
        let mut flaws = Vec::new();
        for store in self.stores() {
            for bank in store.names()? {
                let found = repair::examine(store, &bank, now, how).flaws.into_iter();
                let place = |flaw: &Flaw| format!("{} ({})", flaw.place, store.scope());
                flaws.extend(found.map(|flaw| Flaw {
                    place: place(&flaw),
                    ..flaw
                }));
            }
        }
        Ok(flaws)
    }

    fn steps(&self) -> Survey<Step> {
        let mut survey = Survey::default();
        self.stores()
            .for_each(|store| survey.absorb(undo::steps(store)));
        survey.good.sort_by(Step::newest_first);
        survey
    }

    fn undos(&self) -> Survey<Step> {
        let mut survey = Survey::default();
        self.stores()
            .for_each(|store| survey.absorb(undo::undos(store)));
        survey.good.sort_by(Step::newest_first);
        survey
    }

    fn undo(&self, step: &Step, by: Actor, now: Timestamp) -> Result<Option<Undone>> {
        for store in self.stores() {
            if let Some(undone) = undo::undo(store, step, by, now)? {
                return Ok(Some(undone));
            }
        }
        Ok(None)
    }

    fn guide(&self) -> &'static str {
        resources::GUIDE
    }

    fn resources(&self) -> Vec<Resource> {
        resources::all(&self.scopes)
    }

    fn resource(&self, uri: &str, now: Timestamp) -> Result<Option<Content>> {
        resources::read(&self.scopes, uri, now)
    }

    fn complete(&self, place: &str, prefix: &str) -> Vec<String> {
        resources::complete(&self.scopes, place, prefix)
    }

    /// Banks are replaced, never written in place: their folders show it.
    fn pulse(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        for store in self.stores() {
            store
                .files
                .stamp(&store.root)
                .ok()
                .flatten()
                .map(|stamp| stamp.state())
                .hash(&mut hasher);
        }
        hasher.finish()
    }
}
