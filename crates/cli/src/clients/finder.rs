//! Which program a word starts: the file that a path or a name on the search path leads to.

use std::path::{Path, PathBuf};

use memory_files::Files;

use crate::environment::Environment;

/// Looks for programs as a client would.
#[derive(Debug, Clone)]
pub(crate) struct Finder {
    environment: Environment,
    files: Files,
}

impl Finder {
    pub(crate) fn new(environment: &Environment, files: &Files) -> Self {
        Finder {
            environment: environment.clone(),
            files: files.clone(),
        }
    }

    /// Returns the file that a word starts, every link followed; none when there is none.
    pub(super) fn find(&self, word: &str) -> Option<PathBuf> {
        let path = if word.contains('/') {
            PathBuf::from(word)
        } else {
            self.environment.find_program(word, &self.files)?
        };
        self.files.real_path(&path)
    }

    /// Says whether a word names a file that is not there. A name alone may be on the client's path
    /// and not on ours, so it is given the benefit of the doubt.
    pub(super) fn is_gone(&self, word: &str) -> bool {
        Path::new(word).is_absolute() && self.find(word).is_none()
    }
}
