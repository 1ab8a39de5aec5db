//! Whether the model that a setting names can be used.

use memory_core::{Code, Error, Result, nearest};
use memory_models::{KNOWN, Task};

use crate::models;
use crate::shell::Shell;

/// The settings that name models, what each is for, and the words that are no names.
const SETTINGS: [(&str, Task, &[&str]); 2] = [
    (
        "embedding.model",
        Task::Embed,
        &["auto", "built-in", "none"],
    ),
    (
        "retrieval.reranker",
        Task::Rerank,
        &["auto", "late", "none"],
    ),
];
/// What names a model of an endpoint.
const ENDPOINT: &str = "openai:";

/// Refuses a model that nobody knows; returns a warning for one that is to be installed first.
pub(super) fn check(key: &str, value: &str, shell: &Shell) -> Result<Option<String>> {
    let Some((_, task, words)) = SETTINGS.iter().find(|(setting, ..)| *setting == key) else {
        return Ok(None);
    };
    let is_endpoint = *task == Task::Embed && value.starts_with(ENDPOINT);
    if value.is_empty() || is_endpoint || words.contains(&value) {
        return Ok(None);
    }
    let store = models::store(shell.ground(), shell.config());
    let installed = store
        .map(|store| store.installed())
        .transpose()?
        .unwrap_or_default();
    if installed.iter().any(|model| model.name == value) {
        return Ok(None);
    }
    let known = || {
        KNOWN
            .iter()
            .filter(|known| known.task == *task)
            .map(|known| known.name)
    };
    if known().any(|name| name == value) {
        return Ok(Some(format!(
            "{value} is not installed; 'memory model install {value}' installs it"
        )));
    }
    let names: Vec<&str> = words.iter().copied().chain(known()).collect();
    let sentence = format!(
        "There is no model '{value}'; {key} can be {}, or an installed model",
        names.join(", ")
    );
    let error = Error::new(Code::InvalidArgument, sentence).with("key", key);
    Err(match nearest(value, names.iter().copied()) {
        Some(meant) => error.hint(format!("Did you mean '{meant}'?")),
        None => error.hint("'memory model install NAME' installs a model"),
    })
}
