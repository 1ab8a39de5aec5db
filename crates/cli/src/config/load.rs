//! Where settings come from: the user's file, then the project's over it, key by key.
//!
//! When there is no file nothing is parsed: agents start these programs all day.

use std::fmt;
use std::path::Path;

use memory_core::{Code, Error, Result};
use memory_files::Files;

use super::check::{self, Problem, Written};
use super::table::Who;
use super::{Config, project};
use crate::house::Ground;

/// Largest configuration that is read.
pub(super) const MOST_BYTES: u64 = 1 << 20;

/// The configuration, and what the files say.
#[derive(Debug, Default)]
pub(crate) struct Loaded {
    pub(crate) config: Config,
    user: Vec<Written>,
    project: Vec<Written>,
    /// Why the project's file is not used.
    project_flaw: Option<Error>,
}

/// Who says what a setting is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    Default,
    File,
    Project,
    Variable(&'static str),
    Flag(&'static str),
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Source::Default => "default",
            Source::File => "file",
            Source::Project => "project",
            Source::Variable(name) | Source::Flag(name) => name,
        })
    }
}

impl Loaded {
    /// Says why the project's file is ignored, if it is.
    pub(crate) fn warnings(&self) -> impl Iterator<Item = String> {
        self.project_flaw
            .iter()
            .map(|flaw| format!("{}. It is ignored", flaw.message))
    }

    /// Returns what the files say about a setting, and which of them.
    pub(super) fn written(&self, key: &str) -> Option<(&str, Source)> {
        let said =
            |given: &'_ [Written]| given.iter().position(|written| written.setting.key == key);
        let in_project =
            said(&self.project).map(|n| (self.project[n].text.as_str(), Source::Project));
        in_project.or_else(|| said(&self.user).map(|n| (self.user[n].text.as_str(), Source::File)))
    }
}

/// Reads the configuration of the user and of the project.
///
/// # Invariants
///
/// - Whatever is wrong with the user's file fails, and names the file, the line and the key.
/// - A project's file with a mistake is not used at all: a repository must not stop its user's memory.
/// - A file that the user named must be there; the others need not.
pub(crate) fn load(ground: &Ground) -> Result<Loaded> {
    let home = ground.environment.home.as_deref();
    let mut loaded = Loaded::default();
    if let Some(path) = ground.config_file() {
        match read(&ground.files, &path)? {
            Some(text) => {
                let given = check::apply(&mut loaded.config, &text, Who::User, home);
                loaded.user = given.map_err(|problem| flawed(&path, problem))?;
            }
            None if ground.flags.config.is_some() => return Err(not_there(&path)),
            None => {}
        }
    }
    if let Some(folder) = &ground.project
        && !ground.untrusted().has_project()
    {
        let mut config = loaded.config.clone();
        match of_project(&mut config, ground, folder) {
            Ok(written) => (loaded.config, loaded.project) = (config, written),
            // It may set what the command depends on.
            Err(error) if error.code == Code::IoError => return Err(error),
            Err(error) => loaded.project_flaw = Some(error),
        }
    }
    Ok(loaded)
}

fn of_project(config: &mut Config, ground: &Ground, folder: &Path) -> Result<Vec<Written>> {
    let Some((path, bytes)) = project::read(&ground.files, folder)? else {
        return Ok(Vec::new());
    };
    let text = utf8(&path, bytes)?;
    let given = check::apply(
        config,
        &text,
        Who::Project,
        ground.environment.home.as_deref(),
    );
    given.map_err(|problem| flawed(&path, problem))
}

/// Reads the user's file; none when it is not there.
pub(super) fn read(files: &Files, path: &Path) -> Result<Option<String>> {
    let bytes = files.read_named(path, MOST_BYTES)?;
    bytes.map(|bytes| utf8(path, bytes)).transpose()
}

fn utf8(path: &Path, bytes: Vec<u8>) -> Result<String> {
    String::from_utf8(bytes).map_err(|error| {
        let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + good.iter().filter(|byte| **byte == b'\n').count();
        flawed(
            path,
            Problem {
                what: "it is not UTF-8".to_owned(),
                line,
                ..Problem::default()
            },
        )
    })
}

fn not_there(path: &Path) -> Error {
    Error::new(
        Code::InvalidArgument,
        format!("The configuration {} does not exist", path.display()),
    )
}

/// Says which file can't be used, and why.
pub(super) fn flawed(path: &Path, problem: Problem) -> Error {
    let Problem {
        what,
        line,
        key,
        hint,
    } = problem;
    let file = path.display();
    let sentence = format!("The configuration {file} is invalid: line {line}: {what}");
    let mut error = Error::new(Code::InvalidArgument, sentence)
        .with("file", file.to_string())
        .with("line", line);
    if let Some(key) = key {
        error = error.with("key", key);
    }
    error.hint = hint;
    error
}
