//! `config.yaml`: which keys there are, and what is wrong with a file that has others.

use std::path::{Path, PathBuf};

use memory_core::{Code, Error, Result, nearest};
use memory_files::Files;
use serde_json::Value;

/// Largest configuration that is read.
const MOST_BYTES: u64 = 1 << 20;

/// Every key, as specification 001 and the kinds define them. Commands read those they need.
const KEYS: &[&str] = &[
    "banks.compress",
    "banks.user_dir",
    "daemon.decay_threshold",
    "daemon.interval",
    "daemon.upgrade_access_threshold",
    "ingestion.logseq.enabled",
    "ingestion.logseq.path",
    "ingestion.obsidian.enabled",
    "ingestion.obsidian.path",
    "notification.enabled",
    "notification.method",
    "storage.root",
    "storage.short_term_ttl",
    "timezone",
];

/// The settings that are in use so far.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Config {
    pub(crate) banks: Banks,
}

/// How banks are kept.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Banks {
    /// Where the user's banks are.
    pub(crate) user_dir: Option<PathBuf>,
    /// Whether banks of more than a megabyte are compressed.
    pub(crate) compress: bool,
}

/// Says that the configuration that the user named is not there.
pub(crate) fn not_there(path: &Path) -> Error {
    Error::new(Code::InvalidArgument, format!("There is no configuration {}", path.display()))
}

/// Reads the configuration; none when there is no file.
pub(crate) fn read(files: &Files, path: &Path, home: Option<&Path>) -> Result<Option<Config>> {
    let Some(bytes) = files.read_named(path, MOST_BYTES)? else { return Ok(None) };
    let text = String::from_utf8(bytes).map_err(|_| flawed(path, "it is not UTF-8"))?;
    parse(&text, home).map(Some).map_err(|problem| match problem {
        Problem { what, line: Some(line), hint } => {
            with_hint(flawed(path, &format!("line {line}: {what}")), hint)
        }
        Problem { what, line: None, hint } => with_hint(flawed(path, &what), hint),
    })
}

fn flawed(path: &Path, what: &str) -> Error {
    Error::new(Code::InvalidArgument, format!("The configuration {} can't be used: {what}", path.display()))
}

fn with_hint(error: Error, hint: Option<String>) -> Error {
    match hint {
        Some(hint) => error.hint(hint),
        None => error,
    }
}

/// What is wrong with a configuration, and where.
#[derive(Debug)]
struct Problem {
    what: String,
    line: Option<usize>,
    hint: Option<String>,
}

fn parse(text: &str, home: Option<&Path>) -> Result<Config, Problem> {
    let says_nothing =
        |line: &str| matches!(line.trim(), "" | "---" | "...") || line.trim_start().starts_with('#');
    if text.lines().all(says_nothing) {
        return Ok(Config::default());
    }
    if let Some(line) = text.lines().position(has_anchor_or_tag) {
        let what = "anchors, aliases and tags are not allowed".to_owned();
        return Err(Problem { what, line: Some(line + 1), hint: None });
    }
    let tree: Value = serde_saphyr::from_str(text).map_err(|error| Problem {
        what: error.to_string().lines().next().unwrap_or_default().to_owned(),
        line: error.location().map(|at| at.line() as usize),
        hint: None,
    })?;
    let mut settings = Vec::new();
    flatten(&tree, "", &mut settings);
    if let Some((key, _)) = settings.iter().find(|(key, _)| !KEYS.contains(&key.as_str())) {
        return Err(unknown_key(text, key));
    }
    let get = |name: &str| settings.iter().find(|(key, _)| key == name).map(|(_, value)| value);
    let wrong = |key: &str, expected: &str| Problem {
        what: format!("{key} is not {expected}"),
        line: line_of(text, key),
        hint: None,
    };
    let compress = match get("banks.compress") {
        None => false,
        Some(value) => value.as_bool().ok_or_else(|| wrong("banks.compress", "true or false"))?,
    };
    let user_dir = match get("banks.user_dir") {
        None | Some(Value::Null) => None,
        Some(Value::String(path)) => Some(expand(path, home)),
        Some(_) => return Err(wrong("banks.user_dir", "a path")),
    };
    Ok(Config { banks: Banks { user_dir, compress } })
}

/// A value that begins with `&`, `*` or `!` is something other than what it seems.
fn has_anchor_or_tag(line: &str) -> bool {
    let value = line.split_once(": ").map_or(line, |(_, value)| value).trim_start();
    let value = value.trim_start_matches("- ").trim_start();
    value.starts_with(['&', '*', '!'])
}

fn flatten(tree: &Value, prefix: &str, out: &mut Vec<(String, Value)>) {
    match tree {
        Value::Object(fields) => {
            for (name, value) in fields {
                let key = if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
                flatten(value, &key, out);
            }
        }
        Value::Null if KEYS.iter().any(|key| key.starts_with(&format!("{prefix}."))) => {}
        leaf => out.push((prefix.to_owned(), leaf.clone())),
    }
}

fn unknown_key(text: &str, key: &str) -> Problem {
    let is_section = KEYS.iter().any(|known| known.starts_with(&format!("{key}.")));
    if is_section {
        let what = format!("'{key}' is a section, and has settings below it");
        return Problem { what, line: line_of(text, key), hint: None };
    }
    let meant = nearest(key, KEYS.iter().copied());
    Problem {
        what: format!("'{key}' is not a setting"),
        line: line_of(text, key),
        hint: meant.map(|meant| format!("Did you mean '{meant}'?")),
    }
}

fn line_of(text: &str, key: &str) -> Option<usize> {
    let last = key.rsplit('.').next()?;
    let starts = |line: &str| line.trim_start().trim_start_matches(['"', '\'']).starts_with(last);
    text.lines().position(starts).map(|n| n + 1)
}

fn expand(path: &str, home: Option<&Path>) -> PathBuf {
    match (path.strip_prefix("~/"), home) {
        (_, Some(home)) if path == "~" => home.to_owned(),
        (Some(below), Some(home)) => home.join(below),
        // A relative path in a file of the user's is the user's, wherever we were started.
        (None, Some(home)) => home.join(path),
        _ => PathBuf::from(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(text: &str) -> (String, Option<usize>, Option<String>) {
        let Problem { what, line, hint } = parse(text, None).unwrap_err();
        (what, line, hint)
    }

    #[test]
    fn settings_are_read_and_other_kinds_keys_are_left_alone() {
        let text = "storage:\n  root: ~/.memory\n  short_term_ttl: 168h\nbanks:\n  compress: true\n  user_dir: ~/b\n";
        let config = parse(text, Some(Path::new("/home/me"))).unwrap();
        assert_eq!(config.banks, Banks { compress: true, user_dir: Some("/home/me/b".into()) });
        assert_eq!(parse("# nothing\n", None).unwrap(), Config::default());
        assert_eq!(parse("banks:\n", None).unwrap(), Config::default());
        assert_eq!(parse("---\n", None).unwrap(), Config::default());
    }

    #[test]
    fn an_unknown_key_is_told_with_its_line_and_the_nearest_one() {
        let told = problem("banks:\n  compres: true\n");
        assert_eq!(told.0, "'banks.compres' is not a setting");
        assert_eq!((told.1, told.2.as_deref()), (Some(2), Some("Did you mean 'banks.compress'?")));
        assert_eq!(problem("banks:\n  compress: maybe\n").0, "banks.compress is not true or false");
        assert_eq!(problem("banks: 3\n").0, "'banks' is a section, and has settings below it");
        assert_eq!(problem("banks:\n  compress: &a true\n").1, Some(2));
        assert_eq!(problem("banks: !!map {}\n").1, Some(1));
        assert!(problem("a: [1\n").1.is_some(), "broken YAML is told with its line");
    }
}
