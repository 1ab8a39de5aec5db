//! The two scopes of a bank, and how callers choose between them.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

// Where a bank lives. No documentation comments here: they would become part of tools' schemas,
// which the specification fixes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    User,
    Project,
}

impl Scope {
    /// Returns the word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Scope::User => "user",
            Scope::Project => "project",
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

// Which scopes to look at, where more than one may be meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ScopeChoice {
    User,
    Project,
    All,
}

impl ScopeChoice {
    /// Returns the single scope that was chosen; none for all of them.
    pub fn single(self) -> Option<Scope> {
        match self {
            ScopeChoice::User => Some(Scope::User),
            ScopeChoice::Project => Some(Scope::Project),
            ScopeChoice::All => None,
        }
    }
}
