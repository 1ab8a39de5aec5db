//! Who makes a change.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Who makes a change, as the history records it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Actor {
    /// A person at the shell.
    #[default]
    Person,
    /// An agent, by a protocol or a hook.
    Agent,
    /// Maintenance.
    Daemon,
    /// A file that was edited by hand, noticed later.
    Edit,
    Import,
    Sync,
}

impl fmt::Display for Actor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Actor::Person => "person",
            Actor::Agent => "agent",
            Actor::Daemon => "daemon",
            Actor::Edit => "edit",
            Actor::Import => "import",
            Actor::Sync => "sync",
        })
    }
}
