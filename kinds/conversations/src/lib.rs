//! Conversations: what was said, and what follows from it (specification 002).
//!
//! A conversation is a folder of Markdown files: turns as they were said, facts that follow from them,
//! summaries. Calls come in through [`tools`] and end in `memory-files`. Models are asked through the
//! traits of `memory-models`; every step that asks one has an answer without it.

mod asking;
mod change;
mod conversation;
mod document;
mod drain;
mod entry;
mod error;
mod evict;
pub mod facts;
mod filing;
mod finish;
pub mod format;
mod heard;
mod kept;
pub mod limits;
mod messages;
mod pending;
mod portable;
mod reconcile;
mod recording;
mod repair;
mod retrieval;
mod snapshot;
mod store;
pub mod summary;
mod summing;
mod tasks;
pub mod tools;
mod turns;
mod undo;

use std::path::PathBuf;
use std::sync::Arc;

use memory_core::{
    Document, Flaw, Kind, Rehearsal, Result, Source, Step, Survey, Task, Timestamp, Tool,
};
use memory_files::Stamp;

pub use conversation::{ConversationId, DEFAULT, GLOBAL};
pub use document::KIND;
pub use entry::{Entry, Figures, Role, Shelf};
pub use error::{ConversationError, Failed};
pub use finish::prepare_git;
pub use portable::{item, read_memories};
pub use reconcile::model::PROMPT as RECONCILE_PROMPT;
pub use store::{Settings, Store};

/// Which files show themselves to search. The lower levels of a summary only say again what it says.
const SHOWN: [Shelf; 4] = [Shelf::Facts, Shelf::User, Shelf::Assistant, Shelf::L3];

/// The kind of memory that keeps conversations.
#[derive(Debug)]
pub struct Conversations {
    store: Arc<Store>,
}

impl Conversations {
    /// Returns the kind over a store.
    pub fn new(store: Store) -> Self {
        Conversations {
            store: Arc::new(store),
        }
    }
}

impl Kind for Conversations {
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
        let sources = self.sources();
        let mut survey = Survey {
            good: vec![],
            flaws: sources.flaws,
        };
        sources
            .good
            .iter()
            .for_each(|source| survey.absorb(self.documents_of(&source.name)));
        survey
    }

    fn sources(&self) -> Survey<Source> {
        let mut survey = Survey::default();
        let source = |folder: &str, shelf, file: &str, stamp: Stamp| Source {
            name: filing::source_name(folder, shelf, file),
            state: stamp.state(),
            is_fresh: stamp.is_fresh(),
        };
        let kept = self.store.kept(|rooms| {
            let shelves = rooms
                .rooms
                .iter()
                .flat_map(|(folder, room)| SHOWN.map(|shelf| (folder, shelf, room)));
            let files = shelves.flat_map(|(folder, shelf, room)| {
                room.files(shelf)
                    .iter()
                    .map(move |(file, stamp)| source(folder, shelf, file, *stamp))
            });
            files.collect()
        });
        if let Some(sources) = kept {
            return Survey {
                good: sources,
                flaws: vec![],
            };
        }
        let folders = match self.store.folders() {
            Ok(folders) => folders,
            Err(error) => {
                survey
                    .flaws
                    .push(Flaw::new(document::KIND, error.to_string()));
                return survey;
            }
        };
        for folder in folders {
            self.store.settle(&folder);
            for shelf in SHOWN {
                match self.store.sightings(&folder, shelf) {
                    Ok(sightings) => survey.good.extend(sightings.iter().map(|sighting| {
                        source(
                            &folder,
                            shelf,
                            &sighting.name.to_string_lossy(),
                            sighting.stamp,
                        )
                    })),
                    Err(error) => survey
                        .flaws
                        .push(Flaw::new(format!("entries/{folder}"), error.to_string())),
                }
            }
        }
        survey
    }

    fn sources_at(&self, files: &[PathBuf]) -> Option<Vec<(String, Option<Source>)>> {
        self.store.sources_at(files, &SHOWN)
    }

    fn documents_of(&self, source: &str) -> Survey<Document> {
        let mut survey = Survey::default();
        let Some((folder, place)) = filing::parse_source(source) else {
            return survey;
        };
        match self.store.read(folder, &place) {
            Ok(Some(filed)) => survey.good.push(document::document(&filed.entry)),
            Ok(None) => {}
            Err(error) => survey.flaws.push(Flaw::new(source, error.to_string())),
        }
        survey
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
        let undone = undo::undo(&self.store, step)?;
        self.store.finish("undo", now);
        Ok(undone.map(Into::into))
    }

    fn guide(&self) -> &'static str {
        "Use conversation_search to find what the user said or what is known about them from earlier \
         conversations, conversation_add to keep a fact about them for later ones, and conversation_forget \
         when they ask for something to be forgotten."
    }

    fn place(&self) -> String {
        self.store.root.path().display().to_string()
    }

    fn folders(&self) -> Option<Vec<PathBuf>> {
        self.store.watched_folders().ok()
    }

    fn stay(&self) {
        self.store.snapshot.stay();
        self.store.kept.stay();
    }

    fn settle(&self) {
        if self.store.snapshot.take() {
            // Whoever changes or lists entries next makes it true, if that can't be done now.
            let _ = self.store.refresh_snapshot();
        }
    }

    fn pulse(&self) -> u64 {
        self.store.pulse()
    }
}
