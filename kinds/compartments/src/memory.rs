//! The front door for agent frameworks: a memory, opened once, that runs begin on.

use std::path::PathBuf;
use std::sync::Arc;

use memory_core::{Clock, Code, Error, Ids, Result};
use memory_files::{Files, RealDisk};

use crate::run::Run;
use crate::store::{Settings, Store};
use crate::{Compartments, PlanScope, RunId, limits};

/// Where a memory is kept, and how much it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// Characters that one compartment holds.
    pub max_size_per_compartment: usize,
    /// The file. A relative path is seen from the working directory at the time of opening.
    pub storage_path: PathBuf,
    /// Whose the plan is.
    pub plan_scope: PlanScope,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            max_size_per_compartment: limits::COMPARTMENT_CHARACTERS,
            storage_path: limits::STORAGE_PATH.into(),
            plan_scope: PlanScope::default(),
        }
    }
}

/// A memory of three compartments in one file.
///
/// Any number of memories, in any number of processes, may be open on the same file.
///
/// ```
/// use memory_compartments::{Compartment, Config, Filter, Memory};
///
/// # let folder = tempfile::tempdir()?;
/// # let storage_path = folder.path().join("memory.json");
/// let memory = Memory::open(Config { storage_path, ..Config::default() })?;
/// let run = memory.begin_run();
/// run.save(Compartment::Run, "Step 1 of 3 is done")?;
/// run.save(Compartment::Session, "The user prefers short answers")?;
///
/// // A sub-agent has a run of its own: it shares the session, and not the run.
/// let helper = memory.begin_run();
/// assert_eq!(helper.get(Compartment::Run, &Filter::all())?.len(), 0);
/// assert_eq!(helper.get(Compartment::Session, &Filter::all())?.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Memory {
    store: Arc<Store>,
    clock: Clock,
}

impl Memory {
    /// Opens a memory. The file is made by the first entry that is saved.
    pub fn open(config: Config) -> Result<Self> {
        Memory::open_with(
            config,
            Files::new(Arc::new(RealDisk::default()), Ids::random()),
            Clock::system(),
        )
    }

    /// Opens a memory on a disk and by a clock of the caller's choice.
    pub fn open_with(config: Config, files: Files, clock: Clock) -> Result<Self> {
        let path = std::path::absolute(&config.storage_path).map_err(|error| {
            let message = format!("{} is not a path", config.storage_path.display());
            Error::new(Code::InvalidArgument, message).because(error)
        })?;
        let settings = Settings {
            max_size_per_compartment: config.max_size_per_compartment,
            plan_scope: config.plan_scope,
            in_project: false,
        };
        Ok(Memory {
            store: Arc::new(Store::new(files, &path, settings)?),
            clock,
        })
    }

    /// Begins a run that no one else has the name of.
    pub fn begin_run(&self) -> Run {
        let name = self.store.files.new_id();
        let id = RunId::parse(&name).expect("an id of ours is short and has no control characters");
        Run::begin(self.store.clone(), self.clock, id)
    }

    /// Begins a run by a name that is known elsewhere, or goes on with one that was interrupted.
    pub fn run(&self, name: &str) -> Result<Run> {
        Ok(Run::begin(
            self.store.clone(),
            self.clock,
            RunId::parse(name)?,
        ))
    }

    /// Returns the kind, for a registry in which other kinds may live too.
    pub fn kind(&self) -> Compartments {
        Compartments {
            store: self.store.clone(),
        }
    }
}
