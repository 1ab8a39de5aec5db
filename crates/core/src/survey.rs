//! The result of looking at many records: the good ones, and the flaws of the others.

use serde::{Deserialize, Serialize};

use crate::{Code, Error, Result};

/// What was found: one bad record never hides the good ones.
#[derive(Debug)]
pub struct Survey<T> {
    pub good: Vec<T>,
    pub flaws: Vec<Flaw>,
}

impl<T> Default for Survey<T> {
    fn default() -> Self {
        Survey {
            good: Vec::new(),
            flaws: Vec::new(),
        }
    }
}

impl<T> Survey<T> {
    /// Nothing was found, because of an error.
    pub fn failed(place: impl Into<String>, error: &Error) -> Self {
        Survey {
            good: Vec::new(),
            flaws: vec![Flaw::of(place, error)],
        }
    }

    /// Returns what was found. Fails if an I/O error has hidden some of it, for changes that depend on all.
    pub fn complete(self) -> Result<Vec<T>> {
        match self
            .flaws
            .into_iter()
            .find_map(|flaw| Some((flaw.failure?, flaw)))
        {
            Some((code, flaw)) => Err(Error::new(
                code,
                format!("{}: {}", flaw.place, flaw.problem),
            )
            .hint("Nothing was changed, because some files could not be read; try again")),
            None => Ok(self.good),
        }
    }

    /// Adds what another survey found.
    pub fn absorb(&mut self, other: Survey<T>) {
        self.good.extend(other.good);
        self.flaws.extend(other.flaws);
    }
}

/// Something in a store that is not as it should be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flaw {
    /// The file, relative to its store, and where in it if that is known.
    pub place: String,
    /// One sentence that says what is so.
    pub problem: String,
    /// What was done about it, or would be.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub remedy: Option<String>,
    /// The code of the I/O error that hides what is there. A change must not act on the rest.
    #[serde(skip)]
    pub failure: Option<Code>,
}

impl Flaw {
    /// A flaw that nothing has been done about.
    pub fn new(place: impl Into<String>, problem: impl Into<String>) -> Self {
        Flaw {
            place: place.into(),
            problem: problem.into(),
            remedy: None,
            failure: None,
        }
    }

    /// What an error has hidden.
    pub fn of(place: impl Into<String>, error: &Error) -> Self {
        let is_io = matches!(
            error.code,
            Code::IoError | Code::PermissionDenied | Code::NoSpace
        );
        let cause = std::error::Error::source(error)
            .map(|cause| format!(": {cause}"))
            .unwrap_or_default();
        let flaw = Flaw::new(place, format!("{}{cause}", error.message));
        Flaw {
            failure: is_io.then_some(error.code),
            ..flaw
        }
    }
}
