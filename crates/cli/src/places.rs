//! Where each kind's files are, from flags, environment, configuration and the directory.

use std::path::{Path, PathBuf};

use memory_banks::{Scope, Scopes, Store};
use memory_core::{Code, Error, Result};
use memory_files::{Files, Spot};
use memory_notes::ingest::Source;

use crate::config::Config;
use crate::environment::Environment;
use crate::house::{GlobalArgs, Ground};

/// Below a project's folder.
pub(crate) const PROJECT: &str = ".slop-mcp";
/// Below the user's configuration.
const USER: &str = "slop-mcp";
const BANKS: &str = "memory";
/// Below the user's home.
const JOURNAL: &str = ".claude/agents/memories";
/// In the directory (specification 002, section 6).
pub(crate) const CONVERSATIONS: &str = "memory_db";
/// In the root, and in a project's folder.
pub(crate) const CONFIG: &str = "config.yaml";

/// Returns the user's configuration file: `--config`, else the one in the root.
pub(crate) fn config_file(environment: &Environment, flags: &GlobalArgs) -> Option<PathBuf> {
    let named = flags.config.as_ref().map(|path| environment.absolute(path));
    named.or_else(|| configuration_root(environment, flags).map(|root| root.join(CONFIG)))
}

/// Returns the folder of what applies before any configuration is read: `--root`, `MEMORY_ROOT`, `~/.memory`.
pub(crate) fn configuration_root(environment: &Environment, flags: &GlobalArgs) -> Option<PathBuf> {
    given_root(environment, flags).or_else(|| usual_root(environment))
}

/// Says that there is no folder for notes and configuration.
pub(crate) fn no_root() -> Error {
    Error::new(
        Code::InvalidArgument,
        "The directory of notes and configuration is not known",
    )
    .hint("Set HOME or MEMORY_ROOT, or pass --root DIR")
}

/// Returns the folder of the notes and the index.
///
/// The first of these that is there: `--root`, `MEMORY_ROOT`, `storage.root` of the user's
/// configuration (a project's can't have it), `~/.memory`. The configuration itself does not move
/// with `storage.root`, which stands in it.
pub(crate) fn notes_root(
    environment: &Environment,
    flags: &GlobalArgs,
    config: &Config,
) -> Option<PathBuf> {
    given_root(environment, flags)
        .or_else(|| config.storage.root.clone())
        .or_else(|| usual_root(environment))
}

fn given_root(environment: &Environment, flags: &GlobalArgs) -> Option<PathBuf> {
    flags
        .root
        .as_ref()
        .map(|root| environment.absolute(root))
        .or_else(|| environment.root.clone())
}

fn usual_root(environment: &Environment) -> Option<PathBuf> {
    Some(environment.home.as_ref()?.join(".memory"))
}

/// Returns the project: `--project`, `MEMORY_PROJECT_DIR`, else the nearest folder upwards that
/// has a `.slop-mcp` in it.
pub(crate) fn project(
    environment: &Environment,
    flags: &GlobalArgs,
    files: &Files,
) -> Result<Option<PathBuf>> {
    let flag = flags
        .project
        .as_ref()
        .map(|project| environment.absolute(project));
    let named = flag.or_else(|| environment.project_dir.clone());
    match start_of_project(environment, flags) {
        Some(start) if named.is_none() => find_project(files, start, environment.home.as_deref()),
        _ => Ok(named),
    }
}

/// Returns where the search for the project begins: the client's project for a server that a client starts, else the
/// working directory.
pub(crate) fn start_of_project<'a>(
    environment: &'a Environment,
    flags: &GlobalArgs,
) -> Option<&'a Path> {
    let told = if flags.follows_client {
        environment.client_project.as_deref()
    } else {
        None
    };
    told.or(environment.directory.as_deref())
}

/// Returns the stores of both scopes.
pub(crate) fn bank_scopes(ground: &Ground, config: &Config) -> Scopes {
    let store = |files, root, scope| {
        Store::new(files, root, scope, config.banks.compress).on_machine(ground.machine())
    };
    let user = user_banks(&ground.environment, config);
    let user = user.map(|root| store(ground.files.clone(), root, Scope::User));
    let in_project = ground.project.is_some();
    let project = ground
        .project
        .as_deref()
        .or_else(|| start_of_project(&ground.environment, &ground.flags))
        .map(|folder| {
            store(
                ground.project_files(),
                project_banks(folder),
                Scope::Project,
            )
        });
    Scopes {
        user,
        project,
        in_project,
    }
}

/// Returns the folder of a project's banks.
pub(crate) fn project_banks(project: &Path) -> Spot {
    Spot::anchor(project).join(PROJECT).join(BANKS)
}

/// Returns the folder of the user's banks.
pub(crate) fn user_banks(environment: &Environment, config: &Config) -> Option<Spot> {
    if let Some(folder) = environment
        .banks_dir
        .as_ref()
        .or(config.banks.user_dir.as_ref())
    {
        return Some(Spot::anchor(folder));
    }
    let config_home = environment.config_home.clone();
    let folder = config_home.or_else(|| Some(environment.home.as_ref()?.join(".config")))?;
    Some(Spot::anchor(folder).join(USER).join(BANKS))
}

/// Returns the folder of the journal: `MEMORY_DIR`, `journal.path`, else the usual one.
pub(crate) fn journal(environment: &Environment, config: &Config) -> Option<PathBuf> {
    let named = environment
        .journal_dir
        .clone()
        .or_else(|| config.journal.path.clone());
    named.or_else(|| Some(environment.home.as_ref()?.join(JOURNAL)))
}

/// Returns the folder of the conversations: the configured one, else `memory_db` in the working directory.
///
/// A configured folder may be a link; `memory_db` may not.
pub(crate) fn conversations(environment: &Environment, config: &Config) -> Option<Spot> {
    let configured = config.conversations.path.as_ref().map(Spot::anchor);
    configured.or_else(|| Some(Spot::anchor(environment.directory.as_ref()?).join(CONVERSATIONS)))
}

/// Returns the file of the compartments: `--file`, `compartments.storage_path`, else `memory.json` in
/// the directory; none when that was removed under us.
pub(crate) fn compartments_file(ground: &Ground, config: &Config) -> Option<PathBuf> {
    let named = ground
        .flags
        .compartments_file
        .as_ref()
        .map(|path| ground.environment.absolute(path));
    named
        .or_else(|| config.compartments.storage_path.clone())
        .or_else(|| {
            Some(
                ground
                    .environment
                    .directory
                    .as_ref()?
                    .join(memory_compartments::limits::STORAGE_PATH),
            )
        })
}

/// Returns where another program keeps the files that we may take in.
pub(crate) fn vault(ground: &Ground, config: &Config, source: Source) -> Option<PathBuf> {
    let named = match source {
        Source::Logseq => config.ingestion.logseq.path.clone(),
        Source::Obsidian => config.ingestion.obsidian.path.clone(),
        _ => None,
    };
    named.or_else(|| Some(source.default_path(ground.environment.home.as_ref()?)))
}

/// Returns the nearest folder upwards that has a `.slop-mcp` in it.
///
/// The search ends at the user's home and at the border of the file system. A `.slop-mcp` that is a link or belongs to
/// another user counts: the project is then not used, and nothing is written to another place instead. A folder that
/// may not be looked into has none.
fn find_project(files: &Files, from: &Path, home: Option<&Path>) -> Result<Option<PathBuf>> {
    let Some(device) = files.owner(from)?.map(|owner| owner.device) else {
        return Ok(None);
    };
    let mut folder = from;
    loop {
        if files.owner_of_name(&folder.join(PROJECT))?.is_some() {
            return Ok(Some(folder.to_owned()));
        }
        let above = match folder.parent() {
            Some(above) if home != Some(folder) => above,
            _ => return Ok(None),
        };
        if files
            .owner(above)?
            .is_none_or(|owner| owner.device != device)
        {
            return Ok(None);
        }
        folder = above;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use memory_core::{Code, Ids};
    use memory_files::RealDisk;

    use super::*;

    #[test]
    #[allow(clippy::disallowed_methods)] // makes the folder that it looks at
    fn a_project_that_can_not_be_looked_at_is_not_taken_for_none() {
        let folder = tempfile::tempdir().unwrap();
        let files = Files::new(Arc::new(RealDisk::default()), Ids::seeded(1));
        assert_eq!(
            find_project(&files, folder.path(), Some(folder.path())).unwrap(),
            None
        );
        // A link to itself: looking at it fails.
        std::os::unix::fs::symlink("loop", folder.path().join("loop")).unwrap();
        let error = find_project(&files, &folder.path().join("loop"), None).unwrap_err();
        assert_eq!(error.code, Code::IoError);
        assert!(error.message.contains("loop"), "{error}");
    }
}
