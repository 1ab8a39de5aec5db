//! The composition root: which kinds there are, and what each is given.

use std::path::PathBuf;
use std::sync::Arc;

use memory_banks::Banks;
use memory_core::{Registry, Result};
use memory_files::{Files, RealDisk};

use crate::environment::Environment;
use crate::{config, places};

/// Flags that every command takes.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct GlobalArgs {
    /// Answer in JSON, and tell failures in it (bank commands do so anyway)
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Project whose banks are meant (default: the nearest folder upwards with .slop-mcp/)
    #[arg(long, global = true, value_name = "DIR", help_heading = "Where")]
    pub(crate) project: Option<PathBuf>,
    /// Folder of notes, configuration and index (default: ~/.memory)
    #[arg(long, global = true, value_name = "DIR", help_heading = "Where")]
    pub(crate) root: Option<PathBuf>,
    /// Configuration file (default: config.yaml in the root)
    #[arg(long, global = true, value_name = "FILE", help_heading = "Where")]
    pub(crate) config: Option<PathBuf>,
}

/// Everything a command needs to do its work.
pub(crate) struct House {
    pub(crate) registry: Registry,
    pub(crate) files: Files,
}

/// Puts the house together. Nothing is read but the configuration.
pub(crate) fn build(flags: &GlobalArgs) -> Result<House> {
    let environment = &Environment::read()?;
    let files = Files::new(Arc::new(RealDisk), environment.ids.clone());
    let home = environment.home.as_deref();
    let default_path = places::root(environment, flags).map(|root| root.join("config.yaml"));
    let config = match (&flags.config, default_path) {
        (Some(named), _) => config::read(&files, &environment.absolute(named), home)?
            .ok_or_else(|| config::not_there(named))?,
        (None, Some(path)) => config::read(&files, &path, home)?.unwrap_or_default(),
        (None, None) => config::Config::default(),
    };
    let scopes = places::bank_scopes(environment, flags, &config, &files);
    let registry = Registry::new(environment.clock).with_kind(Banks::new(scopes));
    Ok(House { registry, files })
}
