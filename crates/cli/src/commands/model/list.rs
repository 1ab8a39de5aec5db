//! `model list`: what is active, what is installed, and what could be.

use memory_core::Result;
use memory_models::{Chosen, Installed, KNOWN, Reranker, Task};
use serde_json::{Value, json};

use crate::models;
use crate::render::size::size;
use crate::render::table::table;
use crate::shell::{Shell, Speech, Status};

/// List active, installed and available models
///
/// Example: memory model list
#[derive(Debug, clap::Args)]
pub(crate) struct Args {}

pub(crate) fn run(_: Args, shell: &Shell) -> Result<Status> {
    let chosen = models::chosen(shell.ground(), shell.config());
    let store = models::store(shell.ground(), shell.config());
    let installed = store
        .map(|store| store.installed())
        .transpose()?
        .unwrap_or_default();
    chosen
        .troubles
        .iter()
        .for_each(|trouble| shell.warn(&trouble.message));
    match shell.speech {
        Speech::Json => shell.show(&as_json(&chosen, &installed)),
        Speech::People => shell.print(&as_text(&chosen, &installed)),
    }
}

fn as_json(chosen: &Chosen, installed: &[Installed]) -> Value {
    let known: Vec<Value> = KNOWN
        .iter()
        .map(|known| {
            json!({"name": known.name, "task": known.task, "repository": known.repository, "about": known.about,
                "license": known.license, "megabytes": known.megabytes})
        })
        .collect();
    json!({
        "active": {"embedding": chosen.embedder.as_ref().map(|model| model.id()), "reranker": reranker(chosen)},
        "installed": installed,
        "known": known,
    })
}

fn as_text(chosen: &Chosen, installed: &[Installed]) -> String {
    let embedding = chosen.embedder.as_ref().map_or("none", |model| model.id());
    let mut rows = vec![vec![
        "built-in".to_owned(),
        "vectors".to_owned(),
        "in the program".to_owned(),
        "English".to_owned(),
    ]];
    rows.extend(installed.iter().map(|model| {
        let about = match model.task {
            Some(_) => model.id.clone(),
            None => "damaged: install it again".to_owned(),
        };
        vec![
            model.name.clone(),
            task(model.task).to_owned(),
            format!("installed, {}", size(model.bytes)),
            about,
        ]
    }));
    let is_new = |name: &str| installed.iter().all(|model| model.name != name);
    rows.extend(
        KNOWN
            .iter()
            .filter(|known| is_new(known.name))
            .map(|known| {
                let load = format!("{} MB to load", known.megabytes);
                vec![
                    known.name.to_owned(),
                    task(Some(known.task)).to_owned(),
                    load,
                    known.about.to_owned(),
                ]
            }),
    );
    let active = format!(
        "Vectors: {embedding}. Reranker: {}.\n\n",
        reranker(chosen).unwrap_or("none")
    );
    active + &table(&["NAME", "FOR", "STATE", "ABOUT"], &rows)
}

fn task(task: Option<Task>) -> &'static str {
    match task {
        Some(Task::Embed) => "vectors",
        Some(Task::Rerank) => "reranking",
        None => "-",
    }
}

fn reranker(chosen: &Chosen) -> Option<&str> {
    match &chosen.reranker {
        Reranker::None => None,
        Reranker::Late => Some("late"),
        Reranker::Cross(model) => Some(model.id()),
    }
}
