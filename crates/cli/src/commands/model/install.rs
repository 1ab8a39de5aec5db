//! `model install`: from the hub by name, or from a folder or file.

use std::path::Path;

use memory_core::{Code, Error, Result};
use memory_models::{
    Hub, Installed, KNOWN, ModelError, ModelName, ModelStore, Task, Wanted, known,
};
use serde_json::json;

use crate::models;
use crate::render::progress::Bar;
use crate::render::size::size;
use crate::shell::{Shell, Speech, Status};

/// Install a model, by name from the hub or from a directory
///
/// A directory has the layout of a hub: config.json, vocab.txt or tokenizer.json, model.safetensors. An
/// interrupted download is resumed. Only the requests for the files are sent.
///
/// Examples:
///   memory model install arctic-embed-s
///   memory model install ./snowflake-arctic-embed-s --name arctic-embed-s
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// A name from 'memory model list', OWNER/NAME on the hub, or the path of a directory or a model file
    #[arg(value_name = "NAME")]
    source: String,
    /// Name of the installed model (default: its own name)
    #[arg(long = "name", value_name = "NAME")]
    called: Option<String>,
    /// Expected SHA-256 of the weights
    #[arg(long, value_name = "HEX")]
    sha256: Option<String>,
}

pub(crate) fn run(args: Args, shell: &Shell) -> Result<Status> {
    let store = models::required_store(shell.ground(), shell.config())?;
    let path = shell.ground().environment.absolute(Path::new(&args.source));
    let installed = match kind_of(&args.source, &path, shell) {
        Kind::Folder => store.install_folder(&name(&args, &path)?, &path)?,
        Kind::File => store.install_file(&name(&args, &path.with_extension(""))?, &path)?,
        Kind::Hub => download(&args, &store, shell)?,
    };
    match shell.speech {
        Speech::Json => shell.show(&json!({ "installed": installed })),
        Speech::People => shell.print(&told(&installed)),
    }
}

enum Kind {
    Folder,
    File,
    Hub,
}

/// Tells a path from a name: a path begins as one, or is there.
fn kind_of(source: &str, path: &Path, shell: &Shell) -> Kind {
    let there = |name: &str| !shell.files().is_missing(&path.join(name));
    let looks_like_path = source.starts_with(['.', '/', '~']) || source.ends_with(".safetensors");
    match source.ends_with(".safetensors") {
        true => Kind::File,
        false if looks_like_path || there("config.json") => Kind::Folder,
        false => Kind::Hub,
    }
}

fn name(args: &Args, path: &Path) -> Result<ModelName> {
    let own = || {
        path.file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned()
    };
    Ok(ModelName::parse(&args.called.clone().unwrap_or_else(own))?)
}

fn download(args: &Args, store: &ModelStore, shell: &Shell) -> Result<Installed> {
    let mut wanted = match known(&args.source) {
        Some(known) => Wanted::known(known)?,
        None => of_repository(&args.source)?,
    };
    if let Some(called) = &args.called {
        wanted.name = ModelName::parse(called)?;
    }
    wanted.sha256 = args.sha256.clone().or(wanted.sha256);
    let bar = Bar::new();
    let installed = store.download(&Hub::new(&shell.config().embedding.hub_url), &wanted, &bar);
    bar.finish();
    Ok(installed?)
}

fn of_repository(source: &str) -> Result<Wanted> {
    let Some((owner, own)) = source.split_once('/') else {
        return Err(unknown(source));
    };
    ModelName::parse(owner)?;
    Ok(Wanted {
        name: ModelName::parse(own)?,
        repository: source.to_owned(),
        sha256: None,
    })
}

fn unknown(name: &str) -> Error {
    let error = Error::from(ModelError::Unknown {
        name: name.to_owned(),
    });
    match memory_core::nearest(name, KNOWN.iter().map(|known| known.name)) {
        Some(meant) => {
            Error::new(Code::NotFound, error.message).hint(format!("Did you mean '{meant}'?"))
        }
        None => error,
    }
}

fn told(installed: &Installed) -> String {
    let what = match installed.task {
        Some(Task::Rerank) => "a reranker",
        _ => "an embedding model",
    };
    let used = match installed.script.as_str() {
        "chinese" => format!("Use it with 'memory model use {}'", installed.name),
        _ => "It is used from now on, unless the configuration names another".to_owned(),
    };
    format!(
        "Installed {} ({what}, {}). {used}\n",
        installed.name,
        size(installed.bytes)
    )
}
