//! What a setting takes: how its text is checked, and where the value goes.
//!
//! Here alone a text becomes a typed value. Which settings there are stands in `table.rs`.

use std::path::{Path, PathBuf};

use jiff::tz::{TimeZone, db};
use memory_core::{Span, nearest};
use serde_json::Value;

use super::{Config, Share};
use crate::environment::Environment;

/// What a setting takes, and the field that it fills.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Takes {
    /// A length of time, above zero.
    Length(fn(&mut Config) -> &mut Span),
    /// A whole number from 1.
    Number(fn(&mut Config) -> &mut u64),
    Switch(fn(&mut Config) -> &mut bool),
    /// A number from 0 to 1.
    Share(fn(&mut Config) -> &mut Share),
    /// A number from 0 to 1 that need not be there.
    Threshold(fn(&mut Config) -> &mut Option<Share>),
    /// One of these names.
    Choice(&'static [&'static str], fn(&mut Config, &str)),
    /// A path: absolute, below `~/`, or seen from the user's home.
    Path(fn(&mut Config) -> &mut Option<PathBuf>),
    /// A command, as a shell takes it.
    Command(fn(&mut Config) -> &mut Option<String>),
    /// A word, such as a name.
    Text(fn(&mut Config) -> &mut String),
    /// The address of a server.
    Address(fn(&mut Config) -> &mut Option<String>),
    /// A name that need not be there, like this one.
    Word(&'static str, fn(&mut Config) -> &mut Option<String>),
    /// The name of a time zone.
    Zone(fn(&mut Config) -> &mut Option<TimeZone>),
}

/// A text that is not what the setting takes.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct NotThat;

impl Takes {
    /// Reads a text and puts its value into the field.
    pub(crate) fn put(
        self,
        config: &mut Config,
        text: &str,
        home: Option<&Path>,
    ) -> Result<(), NotThat> {
        match self {
            Takes::Length(field) => {
                let span: Span = text.parse().map_err(|_| NotThat)?;
                *field(config) = Some(span)
                    .filter(|span| span.as_seconds() > 0)
                    .ok_or(NotThat)?;
            }
            Takes::Number(field) => *field(config) = number(text).ok_or(NotThat)?,
            Takes::Switch(field) => *field(config) = switch(text).ok_or(NotThat)?,
            Takes::Choice(names, put) => {
                if names.contains(&text) {
                    put(config, text)
                } else {
                    return Err(NotThat);
                }
            }
            Takes::Path(field) => *field(config) = Some(expand(text, home).ok_or(NotThat)?),
            Takes::Command(field) => {
                if text.trim().is_empty() || text.contains('\0') {
                    return Err(NotThat);
                }
                *field(config) = Some(text.to_owned());
            }
            Takes::Text(field) => *field(config) = word(text).ok_or(NotThat)?,
            Takes::Address(field) => *field(config) = Some(address(text).ok_or(NotThat)?),
            Takes::Share(field) => *field(config) = text.parse().map_err(|_| NotThat)?,
            Takes::Threshold(field) => *field(config) = Some(text.parse().map_err(|_| NotThat)?),
            Takes::Word(_, field) => *field(config) = Some(word(text).ok_or(NotThat)?),
            Takes::Zone(field) => *field(config) = Some(TimeZone::get(text).map_err(|_| NotThat)?),
        }
        Ok(())
    }

    /// Describes what it takes, after "it takes".
    pub(crate) fn expected(self) -> String {
        match self {
            Takes::Length(_) => "a duration such as 60s, 2h30m or 30d".to_owned(),
            Takes::Number(_) => "a whole number from 1".to_owned(),
            Takes::Switch(_) => "true or false".to_owned(),
            Takes::Share(_) | Takes::Threshold(_) => "a number from 0 to 1".to_owned(),
            Takes::Word(example, _) => format!("a value such as {example}"),
            Takes::Choice(names, _) => one_of(names),
            Takes::Path(_) => "a path such as ~/notes or /srv/notes".to_owned(),
            Takes::Command(_) => "a command such as ~/bin/check-memory".to_owned(),
            Takes::Text(_) => "a name without spaces".to_owned(),
            Takes::Address(_) => {
                "a URL such as https://api.openai.com/v1, without a key".to_owned()
            }
            Takes::Zone(_) => "a time zone such as Europe/Berlin".to_owned(),
        }
    }

    /// Returns what may have been meant by a text that it does not take.
    pub(crate) fn meant(self, text: &str) -> Option<String> {
        match self {
            Takes::Choice(names, _) => nearest(text, names.iter().copied()).map(str::to_owned),
            Takes::Zone(_) => {
                let zones: Vec<String> = db().available().map(|name| name.to_string()).collect();
                nearest(text, zones.iter().map(String::as_str)).map(str::to_owned)
            }
            Takes::Number(_)
            | Takes::Switch(_)
            | Takes::Share(_)
            | Takes::Threshold(_)
            | Takes::Word(..)
            | Takes::Length(_)
            | Takes::Path(_)
            | Takes::Command(_)
            | Takes::Text(_)
            | Takes::Address(_) => None,
        }
    }

    /// Returns what a text that was typed means in the file: a relative path is seen from here.
    pub(crate) fn typed_here(self, text: &str, environment: &Environment) -> String {
        let is_relative =
            !text.is_empty() && !text.starts_with('~') && Path::new(text).is_relative();
        match self {
            Takes::Path(_) if is_relative => {
                environment.absolute(Path::new(text)).display().to_string()
            }
            _ => text.to_owned(),
        }
    }

    /// Renders a text that was checked as a program reads it.
    pub(crate) fn to_json(self, text: &str) -> Value {
        match self {
            Takes::Number(_) => number(text).map_or(Value::Null, Value::from),
            Takes::Switch(_) => switch(text).map_or(Value::Null, Value::from),
            Takes::Share(_) | Takes::Threshold(_) => {
                text.parse::<f64>().map_or(Value::Null, Value::from)
            }
            _ => Value::from(text),
        }
    }
}

fn word(text: &str) -> Option<String> {
    let is_word = !text.is_empty() && !text.chars().any(|c| c.is_whitespace() || c.is_control());
    is_word.then(|| text.to_owned())
}

/// Reads an address; one that has a name or a key in it is refused, since it would be shown.
fn address(text: &str) -> Option<String> {
    let host = text
        .strip_prefix("https://")
        .or_else(|| text.strip_prefix("http://"))?;
    if host.is_empty() || host.contains(['@', '?', '#']) {
        return None;
    }
    word(text)
}

fn number(text: &str) -> Option<u64> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|number| is_plain && *number > 0)
}

/// Reads the spellings that YAML 1.2 has for truth.
fn switch(text: &str) -> Option<bool> {
    match text {
        "true" | "True" | "TRUE" => Some(true),
        "false" | "False" | "FALSE" => Some(false),
        _ => None,
    }
}

/// Returns the path that a text means, wherever the program was started.
///
/// None when it is no path, or when only a home that we do not know could tell.
pub(crate) fn expand(text: &str, home: Option<&Path>) -> Option<PathBuf> {
    if text.is_empty() || text.contains('\0') {
        return None;
    }
    match text.strip_prefix('~') {
        Some("") => home.map(Path::to_owned),
        Some(below) => Some(home?.join(below.strip_prefix('/')?.trim_start_matches('/'))),
        // A relative path in a file of the user's is the user's.
        None if Path::new(text).is_relative() => Some(home?.join(text)),
        None => Some(PathBuf::from(text)),
    }
}

fn one_of(names: &[&str]) -> String {
    match names {
        [most @ .., last] if !most.is_empty() => format!("{} or {last}", most.join(", ")),
        _ => names.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(takes: Takes, good: &[&str], bad: &[&str]) {
        let home = Some(Path::new("/home/me"));
        for text in good {
            assert_eq!(
                takes.put(&mut Config::default(), text, home),
                Ok(()),
                "{text}"
            );
        }
        for text in bad {
            assert_eq!(
                takes.put(&mut Config::default(), text, home),
                Err(NotThat),
                "{text}"
            );
        }
    }

    #[test]
    fn each_takes_what_it_says_and_nothing_else() {
        let length = Takes::Length(|config| &mut config.daemon.interval);
        check(
            length,
            &["168h", "30d", "2h30m", "60s", "1w"],
            &["", "60", "0s", "-1d", "1.5h", "soon"],
        );
        let number = Takes::Number(|config| &mut config.daemon.upgrade_access_threshold);
        check(
            number,
            &["1", "3", "0010"],
            &["", "0", "-1", "+1", "1.5", "three", "99999999999999999999"],
        );
        let switch = Takes::Switch(|config| &mut config.banks.compress);
        check(
            switch,
            &["true", "false", "True"],
            &["", "yes", "1", "maybe"],
        );
        let share = Takes::Share(|config| &mut config.conversations.mmr_lambda);
        check(
            share,
            &["0", "1", "0.35", "1.0"],
            &["", "-0.1", "1.01", "NaN", "half"],
        );
        let word = Takes::Word("x", |config| &mut config.llm.model);
        check(word, &["gpt-5", "http://a/v1"], &["", " ", "a b", "a\0"]);
        let choice = Takes::Choice(&["auto", "file"], |_, _| {});
        check(choice, &["auto", "file"], &["", "Auto", "mail"]);
        let path = Takes::Path(|config| &mut config.storage.root);
        check(
            path,
            &["/x", "~", "~/x", "x/y", "中 文"],
            &["", "~other/x", "a\0b"],
        );
        let address = Takes::Address(|config| &mut config.llm.base_url);
        check(
            address,
            &["http://127.0.0.1:1/v1", "https://x"],
            &["", "x", "https://", "https://me:key@x"],
        );
        let zone = Takes::Zone(|config| &mut config.timezone);
        check(
            zone,
            &["Asia/Shanghai", "Europe/Berlin", "UTC"],
            &["", "Asia/Nowhere", "+08:00", "CET/x"],
        );
    }

    #[test]
    fn a_path_is_seen_from_home() {
        let seen = |text| expand(text, Some(Path::new("/home/me")));
        assert_eq!(seen("~/a/b"), Some("/home/me/a/b".into()));
        assert_eq!(seen("~//etc"), Some("/home/me/etc".into()));
        assert_eq!(seen("a"), Some("/home/me/a".into()));
        assert_eq!(seen("/a"), Some("/a".into()));
        assert_eq!(expand("~/a", None), None);
    }

    #[test]
    fn a_mistyped_name_is_recognised() {
        let zone = Takes::Zone(|config| &mut config.timezone);
        assert_eq!(zone.meant("Asia/Shangai").as_deref(), Some("Asia/Shanghai"));
        assert_eq!(one_of(&["a", "b", "c"]), "a, b or c");
        assert_eq!(one_of(&["a"]), "a");
    }
}
