//! One finding: what was looked at, how it stands, and what to do if that is not well.

use memory_core::{Error, printable};
use serde::Serialize;

/// How something stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Level {
    Ok,
    /// `--fix` has just repaired it.
    Fixed,
    Warn,
    Bad,
}

/// A line of the report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Check {
    pub(super) name: String,
    pub(super) status: Level,
    pub(super) detail: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) remedy: Option<String>,
}

impl Check {
    pub(super) fn ok(name: impl Into<String>, detail: impl Into<String>) -> Self {
        Check {
            name: name.into(),
            status: Level::Ok,
            detail: detail.into(),
            remedy: None,
        }
    }

    pub(super) fn fixed(name: impl Into<String>, detail: impl Into<String>) -> Self {
        Check {
            status: Level::Fixed,
            ..Check::ok(name, detail)
        }
    }

    pub(super) fn warn(
        name: impl Into<String>,
        detail: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        Check {
            status: Level::Warn,
            remedy: Some(remedy.into()),
            ..Check::ok(name, detail)
        }
    }

    pub(super) fn bad(
        name: impl Into<String>,
        detail: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        Check {
            status: Level::Bad,
            remedy: Some(remedy.into()),
            ..Check::ok(name, detail)
        }
    }
}

/// Tells a failure with what it came from: a path alone does not say what is wrong with it.
pub(super) fn whole(error: &Error) -> String {
    match std::error::Error::source(error) {
        Some(cause) => format!("{}: {cause}", error.message),
        None => error.message.clone(),
    }
}

/// Names the first of several things.
pub(super) fn first_of<T>(several: &[T], name: impl Fn(&T) -> String) -> String {
    match several {
        [] => String::new(),
        [one] => name(one),
        [first, others @ ..] => format!("{} and {} more", name(first), others.len()),
    }
}

/// Renders the checks and a summary of them.
pub(super) fn lines(checks: &[Check]) -> String {
    let width = checks
        .iter()
        .map(|check| check.name.chars().count())
        .max()
        .unwrap_or(0);
    let mut shown = String::new();
    for check in checks {
        let mark = match check.status {
            Level::Ok => "\u{1b}[32mok\u{1b}[0m   ",
            Level::Fixed => "\u{1b}[36mfixed\u{1b}[0m",
            Level::Warn => "\u{1b}[33mwarn\u{1b}[0m ",
            Level::Bad => "\u{1b}[31merror\u{1b}[0m",
        };
        shown.push_str(&format!(
            "{mark}  {:width$}  {}\n",
            check.name,
            printable(&check.detail)
        ));
        if let Some(remedy) = &check.remedy {
            shown.push_str(&format!("       {:width$}  -> {}\n", "", printable(remedy)));
        }
    }
    let count = |level| checks.iter().filter(|check| check.status == level).count();
    let summary = match (count(Level::Bad), count(Level::Warn), count(Level::Fixed)) {
        (0, 0, 0) => "No problems found".to_owned(),
        (0, 0, fixed) => format!("{} fixed", number(fixed, "problem")),
        (0, warnings, _) => format!("No errors, {}", number(warnings, "warning")),
        (errors, warnings, _) => format!(
            "{}, {}",
            number(errors, "error"),
            number(warnings, "warning")
        ),
    };
    format!("{shown}\n{summary}\n")
}

/// Renders a count: `1 error`, `2 errors`.
fn number(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
