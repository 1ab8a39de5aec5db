//! `model use`: which model is active, kept in the user's configuration.

use memory_core::{Code, Error, Result};
use memory_models::Task;
use serde_json::json;

use crate::config;
use crate::models;
use crate::shell::{Shell, Speech, Status};

/// Choose the model that recall uses
///
/// Sets embedding.model for an embedding model and retrieval.reranker for a cross-encoder. Memories are
/// embedded again in the background; until then recall uses words.
///
/// Examples:
///   memory model use arctic-embed-s
///   memory model use built-in
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// auto, built-in, none, openai:NAME, or the name of an installed model
    name: String,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let key = setting_of(&args.name, shell)?;
    let setting = config::find(key).ok_or_else(|| config::unknown(key))?;
    let path = shell.ground().config_file().ok_or_else(|| {
        Error::new(
            Code::InvalidArgument,
            "The location of the configuration is not known",
        )
        .hint("Set HOME or MEMORY_ROOT, or name the file with --config FILE")
    })?;
    config::set(shell.ground(), &path, setting, &args.name)?;
    match shell.speech {
        Speech::Json => shell.show(&json!({"key": key, "value": args.name})),
        Speech::People => shell.print(&format!("{key} is {} now\n", args.name)),
    }
}

/// Returns the setting that a model of this name belongs to.
fn setting_of(name: &str, shell: &Shell) -> Result<&'static str> {
    if ["auto", "built-in", "none"].contains(&name) || name.starts_with("openai:") {
        return Ok("embedding.model");
    }
    let installed = models::required_store(shell.ground(), shell.config())?.installed()?;
    match installed
        .iter()
        .find(|model| model.name == name)
        .and_then(|model| model.task)
    {
        Some(Task::Embed) => Ok("embedding.model"),
        Some(Task::Rerank) => Ok("retrieval.reranker"),
        None => Err(memory_models::ModelError::NotInstalled {
            name: name.to_owned(),
        }
        .into()),
    }
}
