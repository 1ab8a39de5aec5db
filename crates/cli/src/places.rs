//! Where each kind's files are, from flags, environment, configuration and the directory.

use std::path::{Path, PathBuf};

use memory_banks::{Scope, Scopes, Store};
use memory_files::{DiskError, Files, Spot};

use crate::config::Config;
use crate::environment::Environment;
use crate::house::GlobalArgs;

/// Below a project's folder.
const PROJECT: &str = ".slop-mcp";
/// Below the user's configuration.
const USER: &str = "slop-mcp";
const BANKS: &str = "memory";

/// Returns the folder of the notes, the configuration and the index.
pub(crate) fn root(environment: &Environment, flags: &GlobalArgs) -> Option<PathBuf> {
    let flag = flags.root.as_ref().map(|root| environment.absolute(root));
    let given = flag.or(environment.root.clone());
    given.or_else(|| Some(environment.home.as_ref()?.join(".memory")))
}

/// Returns the stores of both scopes.
pub(crate) fn bank_scopes(
    environment: &Environment,
    flags: &GlobalArgs,
    config: &Config,
    files: &Files,
) -> Scopes {
    let store = |root, scope| Store::new(files.clone(), root, scope, config.banks.compress);
    let user = user_banks(environment, config).map(|root| store(root, Scope::User));
    let flag = flags.project.as_ref().map(|project| environment.absolute(project));
    let named = flag.or(environment.project_dir.clone());
    let found = match (&named, &environment.directory) {
        (Some(_), _) | (None, None) => named.clone(),
        (None, Some(directory)) => find_project(files, directory),
    };
    let in_project = found.is_some();
    let project = found
        .or(environment.directory.clone())
        .map(|folder| store(Spot::anchor(folder).join(PROJECT).join(BANKS), Scope::Project));
    Scopes { user, project, in_project }
}

fn user_banks(environment: &Environment, config: &Config) -> Option<Spot> {
    if let Some(folder) = environment.banks_dir.as_ref().or(config.banks.user_dir.as_ref()) {
        return Some(Spot::anchor(folder));
    }
    let config_home = environment.config_home.clone();
    let folder = config_home.or_else(|| Some(environment.home.as_ref()?.join(".config")))?;
    Some(Spot::anchor(folder).join(USER).join(BANKS))
}

/// Returns the nearest folder upwards that has a `.slop-mcp` in it.
///
/// One that is a link counts too: whoever uses the project's banks is then told, and whoever uses
/// the user's is not bothered. A folder that we may not look into is none of our business.
fn find_project(files: &Files, from: &Path) -> Option<PathBuf> {
    let has_project = |folder: &&Path| match files.stamp(&Spot::anchor(*folder).join(PROJECT)) {
        Ok(found) => found.is_some(),
        Err(error) => matches!(error, DiskError::Unsafe { .. }),
    };
    from.ancestors().find(has_project).map(Path::to_owned)
}
