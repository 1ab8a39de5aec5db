//! Changing one entry of a file that belongs to another program, and not one byte beside it.
//!
//! Text is spliced, never rendered anew: comments, order, quotes and layout stay. Every change is
//! read again before it is handed out, and refused if anything but the one entry would differ.

mod edit;
mod json;
mod layout;
mod scan;
mod toml;

use std::fmt;

use serde_json::Value;

pub(crate) use json::{put, read, take};
pub(crate) use toml::{put as put_toml, read as read_toml, take as take_toml};

/// One step on the way to an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    Key(String),
    Index(usize),
}

impl Step {
    pub(crate) fn keys(names: &[&str]) -> Vec<Step> {
        names
            .iter()
            .map(|name| Step::Key((*name).to_owned()))
            .collect()
    }
}

/// Shows a way to an entry: `hooks.SessionStart[0]`.
pub(crate) fn shown(path: &[Step]) -> String {
    path.iter().fold(String::new(), |shown, step| match step {
        Step::Key(name) if shown.is_empty() => name.clone(),
        Step::Key(name) => format!("{shown}.{name}"),
        Step::Index(n) => format!("{shown}[{n}]"),
    })
}

/// Returns what stands at a place.
pub(crate) fn look_up<'v>(root: &'v Value, path: &[Step]) -> Option<&'v Value> {
    path.iter().try_fold(root, |here, step| match step {
        Step::Key(name) => here.as_object()?.get(name),
        Step::Index(n) => here.as_array()?.get(*n),
    })
}

/// Why a file is left as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// It can't be read as what it should be.
    Broken { line: usize, what: String },
    /// Something stands in the way of the entry.
    Blocked { place: String, what: String },
    /// The change would have touched something else.
    Unsure,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Broken { line, what } => write!(f, "line {line}: {what}"),
            Refusal::Blocked { place, what } => write!(f, "{place} {what}"),
            Refusal::Unsure => {
                f.write_str("it could not be changed without touching something else")
            }
        }
    }
}
