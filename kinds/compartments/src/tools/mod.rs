//! Everything a caller can ask of the compartments: one file a tool.
//!
//! The first three are specification 004's, with its names and parameters and `run` beside them, for
//! clients that have no handle of a run. A field that is skipped in a schema is one that only the
//! shell offers; the tools without a description are for the shell alone.

pub mod clear;
pub mod end_run;
pub mod get;
pub mod prompt;
pub mod save;
pub mod sizes;

use std::sync::Arc;

use memory_core::{Declared, Effect, Tool, ToolSpec};

use crate::document::KIND;
use crate::store::Store;
use crate::{Compartment, CompartmentError, Part, RunId};

pub(crate) fn all(store: &Arc<Store>) -> Vec<Tool> {
    use Effect::{Edits, Reads, Removes};
    let offer = |name, description, effect| ToolSpec {
        toolset: KIND,
        name,
        alias: Some(name),
        description,
        effect,
    };
    let shell = |name, effect| ToolSpec {
        toolset: KIND,
        name,
        alias: None,
        description: "",
        effect,
    };
    let with = |spec| Declared {
        spec,
        store: store.clone(),
    };
    vec![
        with(offer(
            "save_memory",
            "Save an entry to run, session or plan memory",
            Edits,
        ))
        .runs(save::run),
        with(offer(
            "get_memory",
            "Get entries by id or filters; all of the compartment without",
            Reads,
        ))
        .runs(get::run),
        with(offer(
            "clear_memory",
            "Clear entries by filters; all of the compartment without",
            Removes,
        ))
        .runs(clear::run),
        with(shell("end_run", Removes)).runs(end_run::run),
        with(shell("prompt", Reads)).runs(prompt::run),
        with(shell("sizes", Reads)).runs(sizes::run),
    ]
}

/// Returns the part that a caller means.
fn part(store: &Store, compartment: &str, run: Option<&str>) -> Result<Part, CompartmentError> {
    Ok(store.part(Compartment::parse(compartment)?, named(run)?))
}

fn named(run: Option<&str>) -> Result<Option<RunId>, CompartmentError> {
    run.map(RunId::parse).transpose()
}
