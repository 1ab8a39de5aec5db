//! Where the file is, and how it is read. Changing it is `change.rs`'s.

use std::path::Path;

use memory_files::{Files, Spot, Stamp, Trash};
use memory_storage::{LocalStorage, Machine, StorePath};

use crate::format::Contents;
use crate::{Compartment, CompartmentError, Part, PlanScope, RunId, limits};

/// How compartments are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// Characters that one compartment holds.
    pub max_size_per_compartment: usize,
    pub plan_scope: PlanScope,
    /// Whether the file is that of the working directory, which somebody else may have made.
    pub in_project: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            max_size_per_compartment: limits::COMPARTMENT_CHARACTERS,
            plan_scope: PlanScope::default(),
            in_project: false,
        }
    }
}

/// The compartments of one file.
#[derive(Debug, Clone)]
pub struct Store {
    pub(crate) files: Files,
    pub(crate) storage: LocalStorage,
    pub(crate) file: Spot,
    /// The path of the file in its store, the folder that it is in.
    pub(crate) path: StorePath,
    pub(crate) settings: Settings,
    /// The run that is meant when none is named.
    pub(crate) run: Option<RunId>,
}

impl Store {
    /// Returns the store whose file is at `path`, which must have a name.
    ///
    /// Its files are readable for others, as the specification says: 0644 under the umask.
    pub fn new(files: Files, path: &Path, settings: Settings) -> Result<Self, CompartmentError> {
        let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
            return Err(CompartmentError::BadPath {
                path: path.display().to_string(),
            });
        };
        if settings.max_size_per_compartment == 0 {
            return Err(CompartmentError::NoRoom);
        }
        let root = Spot::anchor(folder);
        let machine = Machine::of_system(&files);
        Ok(Store {
            storage: LocalStorage::new(&files, root.clone(), machine)
                .shared()
                .ignored(),
            files: files.shared(),
            file: root.join(name),
            path: StorePath::new(&name.to_string_lossy())?,
            settings,
            run: None,
        })
    }

    /// Returns the same store with the id of this machine, which names the files of the history.
    #[must_use]
    pub fn on_machine(self, machine: Machine) -> Self {
        Store {
            storage: self.storage.on_machine(machine),
            ..self
        }
    }

    /// Returns the same store for callers that mean this run when they name none.
    #[must_use]
    pub fn for_run(self, run: Option<RunId>) -> Self {
        Store { run, ..self }
    }

    /// Returns the part of a compartment that a run sees; without a run, the store's own.
    pub fn part(&self, compartment: Compartment, run: Option<RunId>) -> Part {
        Part::of(
            compartment,
            run.or_else(|| self.run.clone()),
            self.settings.plan_scope,
        )
    }

    /// Returns the trash that earlier versions have written.
    pub(crate) fn trash(&self) -> Trash<'_> {
        Trash::at(&self.files, self.trash_folder())
    }

    pub(crate) fn trash_folder(&self) -> Spot {
        let folder = self.file.parent().unwrap_or_else(|| self.file.clone());
        folder.join(format!(".{}.trash", self.name()))
    }

    /// Reads the file; what is not there is empty. Never waits for a lock.
    pub fn read(&self) -> Result<Contents, CompartmentError> {
        match self.files.read(&self.file, limits::FILE_BYTES)? {
            None => Ok(Contents::default()),
            Some(seen) => self.parse(&seen.bytes),
        }
    }

    pub(crate) fn parse(&self, bytes: &[u8]) -> Result<Contents, CompartmentError> {
        let text = std::str::from_utf8(bytes).map_err(|error| self.damaged(&error.to_string()))?;
        Contents::parse(text).map_err(|problem| self.damaged(&problem))
    }

    pub(crate) fn damaged(&self, problem: &str) -> CompartmentError {
        CompartmentError::Damaged {
            file: self.name(),
            problem: problem.to_owned(),
        }
    }

    /// Returns the file's name, for messages and lists.
    pub(crate) fn name(&self) -> String {
        self.file.name().to_string_lossy().into_owned()
    }

    /// Returns the file's path.
    pub(crate) fn path(&self) -> String {
        self.file.path().display().to_string()
    }

    /// Returns the stamp of the file; none when it is not there.
    pub(crate) fn stamp(&self) -> Result<Option<Stamp>, CompartmentError> {
        Ok(self.files.stamp(&self.file)?)
    }
}
