//! The composition root: which kinds there are, and what each is given.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use memory_banks::Banks;
use memory_compartments::{Compartments, RunId};
use memory_conversations::Conversations;
use memory_core::{Actor, Error, Kind, Registry, Result};
use memory_files::{Disk, Files, LookingDisk, RealDisk, Spot, UntrustedDisk};
use memory_journal::Journal;
use memory_models::Chat;
use memory_notes::{Notes, Settings, Store};
use memory_storage::Machine;

use crate::config::{Config, Share};
use crate::environment::Environment;
use crate::hooks::CommandHooks;
use crate::recollection::{self, Recollection};
use crate::trust::{self, UntrustedStores};
use crate::{chat, config, models, places, shell};

/// Where the index is, below the root.
const INDEX: &str = ".index";
const RECALL: &str = "recall";

/// Flags that every command takes.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct GlobalArgs {
    /// Print results and errors as JSON (the default of bank commands)
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Project directory for banks (default: the nearest parent directory with .slop-mcp/)
    #[arg(long, global = true, value_name = "DIR", help_heading = "Where")]
    pub(crate) project: Option<PathBuf>,
    /// Directory of notes, configuration and index (default: ~/.memory)
    #[arg(long, global = true, value_name = "DIR", help_heading = "Where")]
    pub(crate) root: Option<PathBuf>,
    /// Configuration file (default: config.yaml in the root)
    #[arg(long, global = true, value_name = "FILE", help_heading = "Where")]
    pub(crate) config: Option<PathBuf>,
    /// The compartments' file, which only their commands take
    #[arg(skip)]
    pub(crate) compartments_file: Option<PathBuf>,
    /// Who makes the calls of the command
    #[arg(skip)]
    pub(crate) by: Actor,
    /// Whether the client that starts this program says which project it works in
    #[arg(skip)]
    pub(crate) follows_client: bool,
}

/// What is known before the configuration is read.
#[derive(Debug, Clone)]
pub(crate) struct Ground {
    pub(crate) environment: Environment,
    pub(crate) flags: GlobalArgs,
    pub(crate) files: Files,
    /// The project that the process was started in, or that it was told of.
    pub(crate) project: Option<PathBuf>,
    untrusted: UntrustedStores,
}

impl Ground {
    fn find(flags: GlobalArgs, disk: Arc<dyn Disk>) -> Result<Self> {
        Ground::of(Environment::read()?, flags, disk)
    }

    fn of(environment: Environment, flags: GlobalArgs, disk: Arc<dyn Disk>) -> Result<Self> {
        let files = Files::new(disk, environment.ids.clone());
        let project = places::project(&environment, &flags, &files)?;
        let untrusted = UntrustedStores::find(&environment, &flags, &files, project.as_deref())?;
        Ok(Ground {
            environment,
            flags,
            files,
            project,
            untrusted,
        })
    }

    /// Returns the way to the files of the project: its banks and its configuration.
    pub(crate) fn project_files(&self) -> Files {
        self.untrusted.project_files(&self.files)
    }

    /// Returns the id of this machine, which is kept in the user's state folder.
    pub(crate) fn machine(&self) -> Machine {
        let environment = &self.environment;
        let local = |home: &PathBuf| home.join(".local/state");
        let state = environment.state_home.clone();
        match state.or_else(|| environment.home.as_ref().map(local)) {
            Some(state) => Machine::kept_in(&self.files, Spot::anchor(state).join("memory")),
            None => Machine::of_system(&self.files),
        }
    }

    /// Returns the way to the files of the conversations.
    pub(crate) fn conversation_files(&self) -> Files {
        self.untrusted.conversation_files(&self.files)
    }

    /// Accepts the stores that the configuration names.
    pub(crate) fn accept_named(&mut self, config: &Config) {
        self.untrusted.accept_named(&self.flags, config);
    }

    /// Returns the kinds whose memories are files of the working directory.
    fn project_kinds(&self, config: &Config) -> Vec<&'static str> {
        let conversations = config
            .conversations
            .path
            .is_none()
            .then_some(memory_conversations::KIND);
        let is_named =
            self.flags.compartments_file.is_some() || config.compartments.storage_path.is_some();
        let compartments = (!is_named).then_some(memory_compartments::KIND);
        conversations.into_iter().chain(compartments).collect()
    }

    /// Returns the stores that are not used because of who owns them.
    pub(crate) fn untrusted(&self) -> &UntrustedStores {
        &self.untrusted
    }

    /// Returns the user's configuration file, whether it is there or not.
    pub(crate) fn config_file(&self) -> Option<PathBuf> {
        places::config_file(&self.environment, &self.flags)
    }
}

/// Everything a command needs to do its work.
pub(crate) struct House {
    /// Shared, because a server calls it from many threads.
    pub(crate) registry: Arc<Registry>,
    /// None where there is no place for an index.
    pub(crate) recollection: Option<Arc<Recollection>>,
    pub(crate) ground: Ground,
    pub(crate) config: Config,
    warnings: Warnings,
}

/// What someone should know beside the answer of a command.
#[derive(Clone)]
pub(crate) struct Warnings {
    project_flaw: Option<String>,
    untrusted: UntrustedStores,
    were_shown: Arc<AtomicBool>,
}

impl Warnings {
    fn new(untrusted: UntrustedStores) -> Self {
        Warnings {
            project_flaw: None,
            untrusted,
            were_shown: Arc::default(),
        }
    }

    /// Returns why the project's configuration is ignored.
    pub(crate) fn project_flaw(&self) -> Option<&str> {
        self.project_flaw.as_deref()
    }

    /// Returns those that matter for what was done.
    pub(crate) fn relevant(&self) -> impl Iterator<Item = String> {
        self.lines(UntrustedDisk::was_asked)
    }

    /// Shows those that matter for what was done.
    pub(crate) fn show_relevant(&self) {
        self.show(self.relevant());
    }

    /// Shows all of them, for a process that stays.
    pub(crate) fn show_all(&self) {
        self.show(self.lines(|_| true));
    }

    fn lines(&self, is_meant: impl Fn(&UntrustedDisk) -> bool) -> impl Iterator<Item = String> {
        let untrusted = self
            .untrusted
            .existing()
            .filter(move |(_, disk)| is_meant(disk));
        self.project_flaw
            .iter()
            .cloned()
            .chain(untrusted.map(|(_, disk)| trust::warning(disk)))
    }

    fn show(&self, lines: impl Iterator<Item = String>) {
        if !self.were_shown.swap(true, Ordering::Relaxed) {
            lines.for_each(|line| shell::warn(&line));
        }
    }
}

impl House {
    pub(crate) fn warnings(&self) -> &Warnings {
        &self.warnings
    }

    /// Says that this process stays and answers many questions.
    pub(crate) fn stay(&self) {
        self.registry.stay();
        self.recollection
            .iter()
            .for_each(|recollection| recollection.stay());
    }
}

/// Puts the house together. Nothing is read but the configuration.
pub(crate) fn build(flags: GlobalArgs) -> Result<House> {
    build_on(flags, Arc::new(RealDisk::default()))
}

/// Puts a house together in which nothing can be changed.
pub(crate) fn build_to_look_at(flags: GlobalArgs) -> Result<House> {
    build_on(flags, Arc::new(LookingDisk::default()))
}

/// Puts a house together that has banks alone, for `memory-cli`: the other kinds, their index and their models are
/// then not part of that program.
pub(crate) fn build_banks(flags: GlobalArgs) -> Result<House> {
    let ground = Ground::find(flags, Arc::new(RealDisk::default()))?;
    let loaded = config::load(&ground)?;
    let project_flaw = loaded.warnings().next();
    let config = loaded.config;
    let registry = with_banks(&ground, &config);
    let warnings = Warnings {
        project_flaw,
        ..Warnings::new(ground.untrusted.clone())
    };
    Ok(House {
        registry: Arc::new(with_hooks(registry, &config)),
        recollection: None,
        ground,
        config,
        warnings,
    })
}

fn with_banks(ground: &Ground, config: &Config) -> Registry {
    let scopes = places::bank_scopes(ground, config);
    Registry::new(ground.environment.clock)
        .acting_as(ground.flags.by)
        .with_kind(Banks::new(scopes))
}

fn with_hooks(registry: Registry, config: &Config) -> Registry {
    match CommandHooks::of(&config.hooks) {
        Some(hooks) => registry.with_hook(hooks.clone()).with_listener(hooks),
        None => registry,
    }
}

/// Opens the memories of an environment that a test has made.
#[cfg(test)]
pub(crate) fn build_in(environment: Environment, disk: Arc<dyn Disk>) -> Result<House> {
    let ground = Ground::of(environment, GlobalArgs::default(), disk)?;
    let loaded = config::load(&ground)?;
    furnish_loaded(ground, loaded)
}

/// Puts the house together even if the configuration can't be used: then as it is by default, with
/// the reason.
pub(crate) fn build_anyway(
    flags: GlobalArgs,
    disk: Arc<dyn Disk>,
) -> Result<(House, Option<Error>)> {
    let ground = Ground::find(flags, disk)?;
    Ok(match config::load(&ground) {
        Ok(loaded) => (furnish_loaded(ground, loaded)?, None),
        Err(error) => (furnish(ground, Config::default())?, Some(error)),
    })
}

fn build_on(flags: GlobalArgs, disk: Arc<dyn Disk>) -> Result<House> {
    let ground = Ground::find(flags, disk)?;
    let loaded = config::load(&ground)?;
    furnish_loaded(ground, loaded)
}

fn furnish_loaded(ground: Ground, loaded: config::Loaded) -> Result<House> {
    let project_flaw = loaded.warnings().next();
    let mut house = furnish(ground, loaded.config)?;
    house.warnings.project_flaw = project_flaw;
    Ok(house)
}

/// Puts the house together as it is by default, for commands that mend the configuration.
pub(crate) fn build_unconfigured(flags: GlobalArgs) -> Result<House> {
    furnish(
        Ground::find(flags, Arc::new(RealDisk::default()))?,
        Config::default(),
    )
}

fn furnish(ground: Ground, config: Config) -> Result<House> {
    let chat = chat::chosen(&ground, &config);
    furnish_with(ground, config, chat)
}

/// Puts the house together with a model that conversations may ask.
pub(crate) fn furnish_with(
    mut ground: Ground,
    config: Config,
    chat: Option<Arc<dyn Chat>>,
) -> Result<House> {
    ground.accept_named(&config);
    let mut registry = with_banks(&ground, &config);
    if let Some(root) = places::notes_root(&ground.environment, &ground.flags, &config) {
        let store = Store::new(
            ground.files.clone(),
            Spot::anchor(root),
            note_settings(&config),
        );
        registry = registry.with_kind(Notes::new(store));
    }
    if let Some(root) = places::journal(&ground.environment, &config) {
        registry = registry.with_kind(Journal::new(memory_journal::Store::new(
            ground.files.clone(),
            Spot::anchor(root),
        )));
    }
    if let Some(root) = places::conversations(&ground.environment, &config) {
        let settings = conversation_settings(&config);
        let ids = ground.environment.ids.clone();
        let files = ground.conversation_files();
        let store = memory_conversations::Store::new(files, ids, root, settings);
        let store = match chat {
            Some(chat) => store.with_chat(chat),
            None => store,
        };
        registry = registry.with_kind(Conversations::new(store));
    }
    if let Some(store) = compartments(&ground, &config)? {
        registry = registry.with_kind(Compartments::new(store));
    }
    let (registry, recollection) = with_recall(with_hooks(registry, &config), &ground, &config);
    let warnings = Warnings::new(ground.untrusted.clone());
    Ok(House {
        registry: Arc::new(registry),
        recollection,
        ground,
        config,
        warnings,
    })
}

/// Lets tools recall from all kinds, if there is a place for an index. Nothing is opened yet.
fn with_recall(
    registry: Registry,
    ground: &Ground,
    config: &Config,
) -> (Registry, Option<Arc<Recollection>>) {
    let Some(root) = places::notes_root(&ground.environment, &ground.flags, config) else {
        return (registry, None);
    };
    let (wishes, store) = (
        models::wishes(ground, config),
        models::store(ground, config),
    );
    let recollection = Recollection::new(
        ground.files.clone(),
        Spot::anchor(root).join(INDEX).join(RECALL),
        registry.shared_kinds(),
        move || memory_models::choose(&wishes, store.as_ref()),
    );
    let recollection = Arc::new(recollection.with_project_kinds(ground.project_kinds(config)));
    let kinds = registry.kinds().map(Kind::name).collect();
    let registry = registry
        .with_tools(memory_index::tools::all(config.time_zone(), kinds))
        .with_task(
            memory_index::tools::TOOLSET,
            recollection::upkeep(recollection.clone()),
        )
        .with_recall(recollection.clone());
    (registry, Some(recollection))
}

/// Returns the compartments, if there is a place for them, with the run that this program works in.
fn compartments(ground: &Ground, config: &Config) -> Result<Option<memory_compartments::Store>> {
    let Some(file) = places::compartments_file(ground, config) else {
        return Ok(None);
    };
    let settings = memory_compartments::Settings {
        max_size_per_compartment: usize::try_from(config.compartments.max_size)
            .unwrap_or(usize::MAX),
        plan_scope: config.compartments.plan_scope,
        in_project: ground
            .project_kinds(config)
            .contains(&memory_compartments::KIND),
    };
    let run = ground
        .environment
        .run_id
        .as_deref()
        .map(RunId::parse)
        .transpose();
    let run = run.map_err(|error| Error::from(error).with("variable", "MEMORY_RUN_ID"))?;
    let files = ground.untrusted.compartment_files(&ground.files);
    let store = memory_compartments::Store::new(files, &file, settings)?;
    Ok(Some(store.on_machine(ground.machine()).for_run(run)))
}

fn conversation_settings(config: &Config) -> memory_conversations::Settings {
    let set = &config.conversations;
    let number = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    memory_conversations::Settings {
        top_k: number(set.default_top_k),
        max_entries: number(set.max_entries),
        mmr_lambda: set.mmr_lambda.get(),
        recency_weight: set.recency_weight.get(),
        score_threshold: set.score_threshold.map(Share::get),
        summarize: set.enable_summarization,
        git: set.enable_git_versioning,
        watch: set.start_watcher,
        zone: config.time_zone(),
        in_project: set.path.is_none(),
    }
}

fn note_settings(config: &Config) -> Settings {
    Settings {
        inbox_ttl: config.storage.short_term_ttl,
        decay_after: config.daemon.decay_threshold,
        upgrade_reads: config.daemon.upgrade_access_threshold,
        zone: config.time_zone(),
    }
}
