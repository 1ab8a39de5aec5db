//! Notes: things to remember, kept as Markdown (specification 001).
//!
//! A note is one Markdown file in the folder of its category. Calls come in through [`tools`], edit
//! notes in a [`Work`] and end in `memory-files`; nothing here prints, asks or reads the environment.

mod accesses;
mod archive;
mod card;
mod catalog;
mod category;
mod change;
mod commit;
mod deed;
mod document;
pub mod dream;
mod error;
mod filing;
mod filter;
pub mod format;
mod id;
pub mod ingest;
mod kept;
pub mod limits;
mod links;
mod listing;
mod merge;
mod names;
mod note;
mod page;
mod places;
mod portable;
mod prompts;
mod recent;
mod repair;
mod resources;
mod scope;
mod search;
mod shelf;
mod sources;
mod store;
mod survey;
mod tasks;
pub mod tools;
mod undo;
mod unlooked;
mod view;

use std::path::PathBuf;
use std::sync::Arc;

use memory_core::{
    Content, Document, Flaw, Kind, Prompt, Rehearsal, Resource, Result, Source, Step, Survey, Task,
    Timestamp, Tool,
};

pub use card::Card;
pub use category::{BadCategory, Category};
pub use change::{Recall, Work};
pub use deed::{Action, Deed, summary};
pub use error::NoteError;
pub use filter::FilterParams;
pub use id::{BadId, NoteId, SHORTEST_PREFIX};
pub use links::Unresolved;
pub use note::{ContentHash, Note, Origin, Phase, Reminder, Standing};
pub use scope::{BadScope, NoteScope};
pub use shelf::Shelf;
pub use store::{Settings, Store};
pub use view::{LineView, NoteView};

/// The kind of memory that keeps notes.
#[derive(Debug)]
pub struct Notes {
    store: Arc<Store>,
}

impl Notes {
    /// Returns the kind over a store.
    pub fn new(store: Store) -> Self {
        Notes {
            store: Arc::new(store),
        }
    }
}

impl Kind for Notes {
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
        let mut survey = Survey::default();
        let shelf = match self.store.look() {
            Ok(shelf) => shelf,
            Err(error) => {
                survey
                    .flaws
                    .push(Flaw::new(document::KIND, error.to_string()));
                return survey;
            }
        };
        survey.flaws = shelf.flaws();
        for entry in shelf.entries.iter().filter(|entry| entry.found.is_ok()) {
            match self.store.read_latest(entry) {
                Ok(Some((note, _))) => survey.good.push(document::document(&note)),
                Ok(None) => {}
                Err(error) => survey
                    .flaws
                    .push(Flaw::new(entry.path(), error.to_string())),
            }
        }
        match self.store.archived_notes() {
            Ok(archived) => {
                let documents = archived
                    .good
                    .iter()
                    .map(|found| document::archived_document(&found.note));
                survey.good.extend(documents);
                survey.flaws.extend(archived.flaws);
            }
            Err(error) => survey
                .flaws
                .push(Flaw::new(archive::ARCHIVE, error.to_string())),
        }
        survey
    }

    fn sources(&self) -> Survey<Source> {
        sources::sources(&self.store)
    }

    fn sources_at(&self, files: &[PathBuf]) -> Option<Vec<(String, Option<Source>)>> {
        sources::sources_at(&self.store, files)
    }

    fn documents_of(&self, source: &str) -> Survey<Document> {
        let mut found = Survey::default();
        sources::read_each(&self.store, &[source], &mut |_, survey| found = survey);
        found
    }

    fn documents_of_each(&self, sources: &[&str], each: &mut dyn FnMut(usize, Survey<Document>)) {
        sources::read_each(&self.store, sources, each);
    }

    fn place(&self) -> String {
        self.store.root.path().display().to_string()
    }

    fn folders(&self) -> Option<Vec<PathBuf>> {
        Some(sources::folders(&self.store))
    }

    fn record_access(&self, ids: &[&str]) {
        self.store.record_access(ids.iter().copied());
    }

    fn repair(&self, now: Timestamp, how: Rehearsal) -> Result<Vec<Flaw>> {
        Ok(repair::repair(&self.store, now, how)?)
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
        prompts::GUIDE
    }

    fn resources(&self) -> Vec<Resource> {
        resources::all()
    }

    fn resource(&self, uri: &str, now: Timestamp) -> Result<Option<Content>> {
        Ok(resources::read(&self.store, uri, now)?)
    }

    fn prompts(&self) -> Vec<Prompt> {
        prompts::all(&self.store)
    }

    fn complete(&self, place: &str, prefix: &str) -> Vec<String> {
        resources::complete(&self.store, place, prefix)
    }

    fn stay(&self) {
        self.store.stay();
    }

    fn settle(&self) {
        self.store.settle();
    }

    fn pulse(&self) -> u64 {
        self.store.pulse()
    }
}
