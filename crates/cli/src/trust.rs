//! Which stores of the working directory and of projects are used.
//!
//! `.slop-mcp/`, `memory_db/` and `memory.json` are used only if they and the directory that contains them belong to
//! the user or to root, and if they are not links themselves. The owner of a directory that a flag or a variable names
//! does not matter, and `memory trust DIR` accepts a directory that belongs to someone else.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use memory_compartments::limits::STORAGE_PATH;
use memory_core::{Error, Result};
use memory_files::{Files, Owner, Spot, UntrustedDisk};

use crate::config::Config;
use crate::environment::Environment;
use crate::house::GlobalArgs;
use crate::places;

/// The file below the root that lists the trusted directories, one per line.
const TRUSTED: &str = "trusted";
const MOST_BYTES: u64 = 1 << 20;

/// The directories that the user trusts.
#[derive(Debug, Clone)]
pub(crate) struct TrustedDirectories {
    at: Option<Spot>,
}

impl TrustedDirectories {
    pub(crate) fn of(environment: &Environment, flags: &GlobalArgs) -> Self {
        let root = places::configuration_root(environment, flags);
        TrustedDirectories {
            at: root.map(|root| Spot::anchor(root).join(TRUSTED)),
        }
    }

    /// Returns the directories, in the order in which they were trusted.
    pub(crate) fn list(&self, files: &Files) -> Result<Vec<PathBuf>> {
        let Some(at) = &self.at else {
            return Ok(Vec::new());
        };
        let bytes = files
            .read(at, MOST_BYTES)?
            .map(|seen| seen.bytes)
            .unwrap_or_default();
        let lines = String::from_utf8_lossy(&bytes).into_owned();
        Ok(lines
            .lines()
            .filter(|line| !line.is_empty())
            .map(PathBuf::from)
            .collect())
    }

    /// Replaces the list.
    pub(crate) fn write(&self, files: &Files, directories: &[PathBuf]) -> Result<()> {
        let Some(at) = &self.at else {
            return Err(places::no_root());
        };
        let lines: String = directories
            .iter()
            .map(|directory| format!("{}\n", directory.display()))
            .collect();
        at.parent()
            .map_or(Ok(()), |folder| files.ensure_folder(&folder))?;
        Ok(files.replace(at, lines.as_bytes())?)
    }

    fn contains(&self, files: &Files, directory: &Path) -> bool {
        let resolved = files.real_path(directory);
        let listed = || self.list(files).unwrap_or_default();
        resolved.is_some_and(|resolved| listed().contains(&resolved))
    }
}

/// The stores that are not used, each with the reason.
#[derive(Debug, Clone, Default)]
pub(crate) struct UntrustedStores {
    project: Option<UntrustedDisk>,
    conversations: Option<UntrustedDisk>,
    compartments: Option<UntrustedDisk>,
}

impl UntrustedStores {
    /// Checks the project, and the stores of the working directory.
    pub(crate) fn find(
        environment: &Environment,
        flags: &GlobalArgs,
        files: &Files,
        project: Option<&Path>,
    ) -> Result<Self> {
        let trusted = TrustedDirectories::of(environment, flags);
        let user = rustix::process::geteuid().as_raw();
        let check = |directory: Option<&Path>, name, is_named| match directory {
            Some(directory) => distrust(files, &trusted, directory, name, is_named, user),
            None => Ok(None),
        };
        let here = environment.directory.as_deref();
        let is_named = flags.project.is_some() || environment.project_dir.is_some();
        let start = places::start_of_project(environment, flags);
        Ok(UntrustedStores {
            project: check(project.or(start), places::PROJECT, is_named)?,
            conversations: check(here, places::CONVERSATIONS, false)?,
            compartments: check(here, STORAGE_PATH, false)?,
        })
    }

    /// Accepts the stores that the configuration or a flag names: they are not those of the working directory.
    pub(crate) fn accept_named(&mut self, flags: &GlobalArgs, config: &Config) {
        if config.conversations.path.is_some() {
            self.conversations = None;
        }
        if flags.compartments_file.is_some() || config.compartments.storage_path.is_some() {
            self.compartments = None;
        }
    }

    pub(crate) fn has_project(&self) -> bool {
        self.project.is_some()
    }

    /// Returns the way to the files of the project: its banks and its configuration.
    pub(crate) fn project_files(&self, files: &Files) -> Files {
        files_of(files, self.project.as_ref())
    }

    /// Returns the way to the files of the conversations.
    pub(crate) fn conversation_files(&self, files: &Files) -> Files {
        files_of(files, self.conversations.as_ref())
    }

    /// Returns the way to the file of the compartments.
    pub(crate) fn compartment_files(&self, files: &Files) -> Files {
        files_of(files, self.compartments.as_ref())
    }

    /// Returns those that exist, by the names that `doctor` uses.
    pub(crate) fn existing(&self) -> impl Iterator<Item = (&'static str, &UntrustedDisk)> {
        let named = [
            ("project banks", &self.project),
            ("conversations", &self.conversations),
            ("compartments", &self.compartments),
        ];
        named
            .into_iter()
            .filter_map(|(name, disk)| Some((name, disk.as_ref()?)))
            .filter(|(_, disk)| disk.exists)
    }
}

/// Returns why a store in a directory is not used; `None` if it is used.
fn distrust(
    files: &Files,
    trusted: &TrustedDirectories,
    directory: &Path,
    name: &str,
    is_named: bool,
    user: u32,
) -> Result<Option<UntrustedDisk>> {
    let path = directory.join(name);
    let is_foreign =
        |owner: Option<Owner>| owner.is_some_and(|owner| owner.user != user && owner.user != 0);
    let store = files.owner_of_name(&path)?;
    let exists = store.is_some();
    if store.is_some_and(|store| store.is_link) {
        let why = "is a symbolic link";
        return Ok(Some(UntrustedDisk::new(
            path,
            why,
            "Replace it with the directory it points to",
            exists,
        )));
    }
    let why = if is_foreign(store) {
        "belongs to another user"
    } else if is_foreign(files.owner(directory)?) {
        "is in a directory of another user"
    } else {
        return Ok(None);
    };
    let hint = format!(
        "If you trust its contents, run: memory trust '{}'",
        directory.display()
    );
    let is_accepted = is_named || trusted.contains(files, directory);
    Ok((!is_accepted).then(|| UntrustedDisk::new(path, why, hint, exists)))
}

/// Returns the way to the files of a store: the given one if the store is used, else one that finds nothing and
/// refuses changes.
fn files_of(files: &Files, distrust: Option<&UntrustedDisk>) -> Files {
    match distrust {
        Some(disk) => files.on_disk(Arc::new(disk.clone())),
        None => files.clone(),
    }
}

/// Says that a store is not used, and what to do about it.
pub(crate) fn warning(disk: &UntrustedDisk) -> String {
    let error = Error::from(disk.error());
    let hint = error
        .hint
        .map(|hint| format!(". {hint}"))
        .unwrap_or_default();
    format!("{}{hint}", error.message)
}

#[cfg(test)]
#[allow(clippy::disallowed_methods)] // the tests make files of another user
mod tests {
    use std::fs;
    use std::os::unix::fs::{MetadataExt, chown, symlink};

    use memory_core::{Code, Ids};
    use memory_files::RealDisk;

    use super::*;

    /// A directory with a store that belongs to someone else than `user`.
    struct Foreign {
        directory: tempfile::TempDir,
        user: u32,
        files: Files,
        trusted: TrustedDirectories,
    }

    fn foreign() -> Foreign {
        let directory = tempfile::tempdir().unwrap();
        let store = directory.path().join("memory_db");
        fs::create_dir(&store).unwrap();
        // Root may give files away; for everyone else the test looks at its own files as another user.
        let user = match fs::metadata(&store).unwrap().uid() {
            0 => {
                chown(&store, Some(65534), None).unwrap();
                0
            }
            own => own + 1,
        };
        let files = Files::new(Arc::new(RealDisk::default()), Ids::seeded(1));
        let trusted = TrustedDirectories {
            at: Some(Spot::anchor(directory.path()).join("root/trusted")),
        };
        Foreign {
            directory,
            user,
            files,
            trusted,
        }
    }

    impl Foreign {
        fn distrust(&self, is_named: bool) -> Option<UntrustedDisk> {
            let directory = self.directory.path();
            distrust(
                &self.files,
                &self.trusted,
                directory,
                "memory_db",
                is_named,
                self.user,
            )
            .unwrap()
        }
    }

    #[test]
    fn a_store_of_another_user_is_not_used_until_its_directory_is_trusted() {
        let foreign = foreign();
        let store = Spot::anchor(foreign.directory.path()).join("memory_db");
        let known = store.join("known.json");
        fs::write(known.path(), "{}").unwrap();
        let files = files_of(&foreign.files, foreign.distrust(false).as_ref());
        assert!(
            files.read(&known, 10).unwrap().is_none(),
            "a read finds nothing"
        );
        let error = Error::from(files.replace(&known, b"1").unwrap_err());
        assert_eq!(error.code, Code::UnsafePath);
        assert!(error.hint.unwrap().contains("memory trust"));
        assert_eq!(fs::read(known.path()).unwrap(), b"{}");
        foreign
            .trusted
            .write(
                &foreign.files,
                &[foreign.files.real_path(foreign.directory.path()).unwrap()],
            )
            .unwrap();
        assert!(foreign.distrust(false).is_none());
    }

    #[test]
    fn a_directory_that_was_named_is_used_whoever_owns_it() {
        assert!(foreign().distrust(true).is_none());
    }

    #[test]
    fn a_store_that_is_a_link_is_never_used() {
        let foreign = foreign();
        let store = foreign.directory.path().join("memory_db");
        fs::rename(&store, foreign.directory.path().join("elsewhere")).unwrap();
        symlink("elsewhere", &store).unwrap();
        let disk = foreign.distrust(true).unwrap();
        assert_eq!(Error::from(disk.error()).code, Code::UnsafePath);
    }

    #[test]
    fn one_who_uses_only_their_own_directories_is_asked_nothing() {
        let directory = tempfile::tempdir().unwrap();
        let files = Files::new(Arc::new(RealDisk::default()), Ids::seeded(1));
        let user = fs::metadata(directory.path()).unwrap().uid();
        let trusted = TrustedDirectories { at: None };
        assert!(
            distrust(&files, &trusted, directory.path(), "memory_db", false, user)
                .unwrap()
                .is_none()
        );
        let loops = directory.path().join("loop");
        symlink("loop", &loops).unwrap();
        let error = distrust(&files, &trusted, &loops, "memory_db", false, user).unwrap_err();
        assert_eq!(
            error.code,
            Code::IoError,
            "what cannot be looked at is not taken for trusted"
        );
    }
}
