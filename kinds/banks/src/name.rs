//! The names of banks and of the keys inside them.

use std::borrow::Borrow;
use std::fmt;

use crate::{BankError, limits};

/// The name of a bank.
///
/// Invariant: a lower-case letter, then lower-case letters, digits, `-` or `_`; at most
/// [`limits::NAME_CHARS`] long; never reserved. It can therefore be made part of a file's name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BankName(String);

impl BankName {
    /// Accepts a name that is one.
    pub fn parse(raw: &str) -> Result<Self, BankError> {
        let mut chars = raw.chars();
        let starts_well = chars.next().is_some_and(|c| c.is_ascii_lowercase());
        let ends_well = chars.all(|c| matches!(c, 'a'..='z' | '0'..='9' | '-' | '_'));
        let fits = raw.len() <= limits::NAME_CHARS && !limits::RESERVED.contains(&raw);
        if starts_well && ends_well && fits {
            Ok(BankName(raw.to_owned()))
        } else {
            Err(BankError::BadName {
                name: raw.to_owned(),
            })
        }
    }

    /// Returns the name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for BankName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A key inside a bank.
///
/// Invariant: not empty, at most [`limits::KEY_CHARS`] characters, none of them a control.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(String);

impl Key {
    /// Accepts a key that is one.
    pub fn parse(raw: &str) -> Result<Self, BankError> {
        let length = raw.chars().count();
        let why = match () {
            () if raw.is_empty() => "it is empty".to_owned(),
            () if length > limits::KEY_CHARS => {
                format!(
                    "it has {length} characters; the limit is {}",
                    limits::KEY_CHARS
                )
            }
            () if raw.contains(char::is_control) => "it has a control character".to_owned(),
            () => return Ok(Key(raw.to_owned())),
        };
        Err(BankError::BadKey {
            key: raw.chars().take(limits::KEY_CHARS).collect(),
            why,
        })
    }

    /// Returns the key.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Borrow<str> for Key {
    fn borrow(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_follow_the_pattern() {
        for name in ["a", "session", "my-bank_2", &"a".repeat(64)] {
            assert!(BankName::parse(name).is_ok(), "{name}");
        }
        for name in [
            "",
            "Session",
            "1a",
            "-a",
            "_meta",
            "_index",
            "_system",
            "a.b",
            "a/b",
            "../a",
            "a b",
            "é",
            "a\0",
            &"a".repeat(65),
        ] {
            assert!(BankName::parse(name).is_err(), "{name:?}");
        }
    }

    #[test]
    fn keys_count_characters_and_have_no_controls() {
        for key in ["a", "a b", "中文", "../x", "-k", &"字".repeat(256)] {
            assert!(Key::parse(key).is_ok(), "{key}");
        }
        for key in ["", "a\nb", "a\0", "\u{1b}[31m", &"字".repeat(257)] {
            assert!(Key::parse(key).is_err(), "{key:?}");
        }
    }
}
