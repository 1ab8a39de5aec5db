//! The name of a run: who works, as long as it works.

use std::fmt;

use memory_core::printable;
use serde::{Deserialize, Serialize};

use crate::{CompartmentError, limits};

/// The name of a run.
///
/// Invariant: one to [`limits::RUN_CHARACTERS`] characters, none of them a control, no white space at
/// its ends.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct RunId(String);

impl RunId {
    /// Reads the name of a run.
    pub fn parse(name: &str) -> Result<Self, CompartmentError> {
        let fits = (1..=limits::RUN_CHARACTERS).contains(&name.chars().count());
        if fits && name.trim() == name && !name.contains(char::is_control) {
            Ok(RunId(name.to_owned()))
        } else {
            Err(CompartmentError::BadRun {
                name: printable(name),
            })
        }
    }

    /// Returns the name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for RunId {
    type Error = CompartmentError;

    fn try_from(name: String) -> Result<Self, CompartmentError> {
        RunId::parse(&name)
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
