//! What the process was started with: the only reader of variables, arguments and the directory.

use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use memory_core::{Clock, Code, Error, Ids, Result, parse_instant};
use memory_files::{Files, Spot};

/// The variable that holds the clock still.
const NOW: &str = "MEMORY_NOW";

/// The part of the environment that matters to us, read once.
#[derive(Debug, Clone, Default)]
pub(crate) struct Environment {
    pub(crate) home: Option<PathBuf>,
    pub(crate) config_home: Option<PathBuf>,
    pub(crate) state_home: Option<PathBuf>,
    /// None when the directory was removed under us.
    pub(crate) directory: Option<PathBuf>,
    pub(crate) root: Option<PathBuf>,
    pub(crate) banks_dir: Option<PathBuf>,
    pub(crate) project_dir: Option<PathBuf>,
    /// The project that a client works in, as it tells the servers that it starts.
    pub(crate) client_project: Option<PathBuf>,
    pub(crate) journal_dir: Option<PathBuf>,
    pub(crate) openai_base_url: Option<String>,
    pub(crate) openai_api_key: Option<Secret>,
    /// The run that a program works in, for what belongs to it.
    pub(crate) run_id: Option<String>,
    /// Whether there is a desktop that could show something.
    pub(crate) has_desktop: bool,
    /// Where other programs were told to keep their files.
    pub(crate) clients: ClientFolders,
    /// Where programs are looked for.
    pub(crate) search_path: Option<OsString>,
    pub(crate) clock: Clock,
    pub(crate) ids: Ids,
}

/// A text that is shown to nobody.
#[derive(Clone)]
pub(crate) struct Secret(String);

impl Secret {
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret")
    }
}

/// Folders that variables name in place of the usual ones.
#[derive(Debug, Clone, Default)]
pub(crate) struct ClientFolders {
    pub(crate) claude: Option<PathBuf>,
    pub(crate) codex: Option<PathBuf>,
    /// In place of the home, not of the folder in it.
    pub(crate) gemini: Option<PathBuf>,
    pub(crate) copilot: Option<PathBuf>,
}

impl Environment {
    pub(crate) fn read() -> Result<Self> {
        let directory = directory();
        let path = |name| path(name).map(|path| absolute(path, directory.as_deref()));
        Ok(Environment {
            home: path("HOME"),
            // The base directory specification ignores relative paths.
            config_home: self::path("XDG_CONFIG_HOME").filter(|path| path.is_absolute()),
            state_home: self::path("XDG_STATE_HOME").filter(|path| path.is_absolute()),
            root: path("MEMORY_ROOT"),
            banks_dir: path("MEMORY_BANKS_DIR"),
            project_dir: path("MEMORY_PROJECT_DIR"),
            client_project: path("CLAUDE_PROJECT_DIR"),
            journal_dir: path("MEMORY_DIR"),
            openai_base_url: text("OPENAI_BASE_URL"),
            openai_api_key: text("OPENAI_API_KEY").map(Secret),
            run_id: variable("MEMORY_RUN_ID").map(|name| name.to_string_lossy().into_owned()),
            has_desktop: ["DISPLAY", "WAYLAND_DISPLAY"]
                .iter()
                .any(|name| variable(name).is_some()),
            clients: ClientFolders {
                claude: path("CLAUDE_CONFIG_DIR"),
                codex: path("CODEX_HOME"),
                gemini: path("GEMINI_CLI_HOME"),
                copilot: path("COPILOT_HOME"),
            },
            search_path: variable("PATH"),
            clock: clock()?,
            ids: ids()?,
            directory,
        })
    }

    /// Returns a path that a user gave, seen from where the process was started.
    pub(crate) fn absolute(&self, path: &Path) -> PathBuf {
        absolute(path.to_owned(), self.directory.as_deref())
    }

    /// Returns a key from the variable that the configuration names for it.
    pub(crate) fn key(&self, name: &str) -> Option<String> {
        variable(name)?.into_string().ok()
    }

    /// Returns where a program is that a shell would find.
    pub(crate) fn find_program(&self, name: &str, files: &Files) -> Option<PathBuf> {
        let folders = std::env::split_paths(self.search_path.as_ref()?);
        let is_there = |path: &PathBuf| {
            files
                .stamp(&Spot::anchor(path))
                .is_ok_and(|there| there.is_some())
        };
        folders
            .filter(|folder| folder.is_absolute())
            .map(|folder| folder.join(name))
            .find(is_there)
    }

    /// Returns where this program is, by the path that it was started with: an upgrade may change
    /// what a link of that name leads to, but not the name.
    pub(crate) fn own_program(&self, files: &Files) -> Option<PathBuf> {
        let first = PathBuf::from(arguments().into_iter().next()?);
        let started = match first.components().count() {
            1 => self.find_program(first.to_str()?, files),
            _ => Some(self.absolute(&first)),
        };
        started
            .map(|path| without_way_up(path, files))
            .or_else(|| std::env::current_exe().ok())
    }
}

/// Returns the arguments, the program's own name first.
#[allow(clippy::disallowed_methods)] // the one reader of arguments
pub(crate) fn arguments() -> Vec<OsString> {
    std::env::args_os().collect()
}

/// Returns the path of the program that runs, for those who shall start it again.
pub(crate) fn program() -> Option<PathBuf> {
    std::env::current_exe().ok()
}

/// Returns the variables that say what the terminal can show.
pub(crate) fn of_terminal() -> impl Iterator<Item = (&'static str, OsString)> {
    let names = [
        "TERM",
        "COLORTERM",
        "COLUMNS",
        "LANG",
        "LC_ALL",
        "NO_COLOR",
        "CLICOLOR",
        "CLICOLOR_FORCE",
    ];
    names
        .into_iter()
        .filter_map(|name| Some((name, variable(name)?)))
}

/// Returns whether a completion script started this program, by the variable in which it names its shell.
pub(crate) fn completes(name: &str) -> bool {
    variable(name).is_some()
}

/// Returns the command that shows long output: `PAGER`, or `less`. It is empty if the user turned it off.
#[allow(clippy::disallowed_methods)] // the one reader of variables
pub(crate) fn pager() -> Option<String> {
    match std::env::var_os("PAGER") {
        Some(pager) => pager.into_string().ok(),
        None => Some("less".to_owned()),
    }
}

/// Returns whether the user has set options of `less`.
pub(crate) fn has_less_options() -> bool {
    variable("LESS").is_some()
}

/// Says whether the clock is held still, as in tests and demonstrations.
pub(crate) fn holds_clock() -> bool {
    held_clock().is_some()
}

/// Returns the time at which the clock is held still.
pub(crate) fn held_clock() -> Option<OsString> {
    variable(NOW)
}

#[allow(clippy::disallowed_methods)] // the one reader of variables
fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

#[allow(clippy::disallowed_methods)] // the one reader of the working directory
fn directory() -> Option<PathBuf> {
    std::env::current_dir().ok()
}

/// Returns a path without `.` in it: it would be kept in other programs' files, and shown.
fn absolute(path: PathBuf, directory: Option<&Path>) -> PathBuf {
    match directory {
        Some(directory) => directory.join(path).components().collect(),
        None => path,
    }
}

/// Returns a file's path without `..` in it. The file's own name stays, link or not.
fn without_way_up(path: PathBuf, files: &Files) -> PathBuf {
    let leads_up = path.components().any(|part| part == Component::ParentDir);
    let plain = || Some(files.real_path(path.parent()?)?.join(path.file_name()?));
    if leads_up {
        plain().unwrap_or(path)
    } else {
        path
    }
}

fn text(name: &str) -> Option<String> {
    variable(name)?.into_string().ok()
}

fn path(name: &str) -> Option<PathBuf> {
    variable(name).map(PathBuf::from)
}

fn clock() -> Result<Clock> {
    let Some(text) = variable(NOW) else {
        return Ok(Clock::system());
    };
    let at = text.to_str().and_then(parse_instant);
    at.map(Clock::fixed)
        .ok_or_else(|| bad(NOW, "a time like 2026-05-07T10:00:00Z"))
}

fn ids() -> Result<Ids> {
    let Some(text) = variable("MEMORY_SEED") else {
        return Ok(Ids::random());
    };
    let seed = text.to_str().and_then(|text| text.parse().ok());
    seed.map(Ids::seeded)
        .ok_or_else(|| bad("MEMORY_SEED", "a whole number"))
}

fn bad(name: &str, expected: &str) -> Error {
    Error::new(Code::InvalidArgument, format!("{name} is not {expected}"))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use memory_files::RealDisk;

    use super::*;

    #[test]
    fn a_path_is_kept_without_its_detours() {
        let environment = Environment {
            directory: Some("/usr/lib".into()),
            ..Environment::default()
        };
        assert_eq!(
            environment.absolute(Path::new("./a//./b")).to_str(),
            Some("/usr/lib/a/b")
        );
        let files = Files::new(Arc::new(RealDisk::default()), Ids::seeded(1));
        let parent = files.real_path(Path::new("/usr")).unwrap();
        assert_eq!(
            without_way_up("/usr/lib/../memory".into(), &files),
            parent.join("memory")
        );
        assert_eq!(
            without_way_up("/no/such/../memory".into(), &files).to_str(),
            Some("/no/such/../memory")
        );
    }
}
