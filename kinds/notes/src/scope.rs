//! Who sees a note: all agents, or one.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Who sees a note.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum NoteScope {
    /// All agents.
    #[default]
    Global,
    /// One agent, by its name: letters, digits, `-`, `_` and `.`, at most 64 of them.
    Agent(String),
}

const AGENT: &str = "agent:";
const LONGEST_NAME: usize = 64;

/// A text that is no scope of notes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{text}' is not a scope of notes; it can be global or agent:NAME")]
pub struct BadScope {
    pub text: String,
}

impl FromStr for NoteScope {
    type Err = BadScope;

    fn from_str(text: &str) -> Result<Self, BadScope> {
        let is_name = |name: &str| {
            (1..=LONGEST_NAME).contains(&name.chars().count())
                && name
                    .chars()
                    .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.'))
        };
        match text.strip_prefix(AGENT) {
            None if text == "global" => Ok(NoteScope::Global),
            Some(name) if is_name(name) => Ok(NoteScope::Agent(name.to_owned())),
            _ => Err(BadScope {
                text: text.to_owned(),
            }),
        }
    }
}

impl fmt::Display for NoteScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoteScope::Global => f.write_str("global"),
            NoteScope::Agent(name) => write!(f, "{AGENT}{name}"),
        }
    }
}

impl TryFrom<String> for NoteScope {
    type Error = BadScope;

    fn try_from(text: String) -> Result<Self, BadScope> {
        text.parse()
    }
}

impl From<NoteScope> for String {
    fn from(scope: NoteScope) -> String {
        scope.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_are_global_or_an_agents() {
        for text in ["global", "agent:claude", "agent:gpt-5.1"] {
            assert_eq!(text.parse::<NoteScope>().unwrap().to_string(), text);
        }
        for text in ["", "user", "project", "agent:", "agent:a b", "Agent:x"] {
            assert!(text.parse::<NoteScope>().is_err(), "{text}");
        }
    }
}
