//! The models that are installed: one file each, below the notes' root.
//!
//! A model is put in its place whole, by a rename, so that it is there or not and may be mapped.

use std::path::Path;
use std::sync::Arc;

use memory_files::{Files, ItemKind, Mapping, Spot};
use serde::Serialize;

use crate::encoder::{Description, HubFolder, convert};
use crate::{CrossEncoder, LocalModel, ModelError, Task};

/// Below the notes' root.
const FOLDER: &str = ".models";
/// How the file of a model ends.
const ENDING: &str = ".safetensors";
/// Largest file of a model that is installed as it is.
const FILE_BYTES: u64 = 1 << 30;

/// The name of a model.
///
/// Invariant: letters, digits, `.`, `-` and `_`, a letter or digit first, at most 64 of them. It
/// can therefore be joined to a folder without leaving it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelName(String);

impl ModelName {
    /// Reads a name.
    pub fn parse(raw: &str) -> Result<Self, ModelError> {
        let starts_well = raw
            .chars()
            .next()
            .is_some_and(|c| c.is_ascii_alphanumeric());
        let is_plain = raw
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_'));
        let is_free = !["auto", "built-in", "late", "none"].contains(&raw);
        if starts_well && is_plain && is_free && raw.len() <= 64 {
            Ok(ModelName(raw.to_owned()))
        } else {
            Err(ModelError::BadName {
                name: raw.to_owned(),
            })
        }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// An installed model, as lists show it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Installed {
    pub name: String,
    /// What the model is for; none when its file can't be read.
    pub task: Option<Task>,
    /// Names the model and its weights.
    pub id: String,
    pub dimensions: usize,
    pub bytes: u64,
    /// `latin`, `chinese` or `any`.
    pub script: String,
}

/// Where models are kept.
#[derive(Debug, Clone)]
pub struct ModelStore {
    pub(crate) files: Files,
    folder: Spot,
}

impl ModelStore {
    /// Returns the store below a root, which need not be there yet.
    pub fn new(files: Files, root: &Spot) -> Self {
        ModelStore {
            files,
            folder: root.join(FOLDER),
        }
    }

    /// Lists what is installed, in the order of names; a file that can't be read has no task.
    pub fn installed(&self) -> Result<Vec<Installed>, ModelError> {
        let items = self.files.list(&self.folder)?;
        let names = items
            .iter()
            .filter(|item| item.kind == ItemKind::File)
            .filter_map(|item| {
                let name = item.name.to_str()?.strip_suffix(ENDING)?;
                ModelName::parse(name).ok()
            });
        names.map(|name| self.describe(&name)).collect()
    }

    fn describe(&self, name: &ModelName) -> Result<Installed, ModelError> {
        let file = self.map(name)?;
        let about = Description::read(&file).ok();
        Ok(Installed {
            name: name.0.clone(),
            task: about.as_ref().map(|about| about.task),
            id: about
                .as_ref()
                .map_or_else(String::new, |about| about.id.clone()),
            dimensions: about.as_ref().map_or(0, |about| about.shape.hidden),
            bytes: file.len() as u64,
            script: about.map_or_else(String::new, |about| about.manner.script),
        })
    }

    /// Opens an embedding model.
    pub fn embedder(&self, name: &ModelName) -> Result<LocalModel, ModelError> {
        LocalModel::mapped(self.map(name)?)
    }

    /// Opens a cross-encoder.
    pub fn reranker(&self, name: &ModelName) -> Result<CrossEncoder, ModelError> {
        CrossEncoder::mapped(self.map(name)?)
    }

    fn map(&self, name: &ModelName) -> Result<Arc<Mapping>, ModelError> {
        let file = self.files.map(&self.spot(name))?;
        file.map(Arc::new).ok_or_else(|| ModelError::NotInstalled {
            name: name.0.clone(),
        })
    }

    /// Installs a model from a folder as hubs ship it.
    pub fn install_folder(&self, name: &ModelName, folder: &Path) -> Result<Installed, ModelError> {
        let hub = HubFolder::read(&self.files, folder, &name.0)?;
        self.keep(name, &convert(&name.0, &hub)?)
    }

    /// Installs a model from a file that was installed elsewhere.
    pub fn install_file(&self, name: &ModelName, file: &Path) -> Result<Installed, ModelError> {
        let missing = || ModelError::Incomplete {
            what: file.display().to_string(),
            missing: "model in it",
        };
        let bytes = self
            .files
            .read_linked(file, FILE_BYTES)?
            .ok_or_else(missing)?;
        Description::read(&bytes).map_err(|_| missing())?;
        self.keep(name, &bytes)
    }

    /// Puts a model's bytes in their place, if they can be used.
    fn keep(&self, name: &ModelName, bytes: &[u8]) -> Result<Installed, ModelError> {
        use crate::bytes::Bytes;
        let owned = Bytes::Owned(bytes.into());
        match Description::read(bytes)?.task {
            Task::Embed => LocalModel::of(&owned).map(drop)?,
            Task::Rerank => CrossEncoder::of(&owned).map(drop)?,
        }
        self.files.ensure_folder(&self.folder)?;
        self.files.replace(&self.spot(name), bytes)?;
        self.describe(name)
    }

    /// Removes a model. It can be installed again.
    pub fn remove(&self, name: &ModelName) -> Result<(), ModelError> {
        match self.files.stamp(&self.spot(name))? {
            Some(_) => Ok(self.files.remove(&self.spot(name))?),
            None => Err(ModelError::NotInstalled {
                name: name.0.clone(),
            }),
        }
    }

    fn spot(&self, name: &ModelName) -> Spot {
        self.beside(name, ENDING)
    }

    /// Returns the place of a file that belongs to a model.
    pub(crate) fn beside(&self, name: &ModelName, ending: &str) -> Spot {
        self.folder.join(format!("{}{ending}", name.0))
    }

    /// Returns where parts of a model wait until all have been loaded.
    pub(crate) fn waiting(&self, name: &ModelName) -> Spot {
        self.folder.join(".waiting").join(&name.0)
    }
}
