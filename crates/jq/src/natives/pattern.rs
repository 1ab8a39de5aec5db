//! Regular expressions as jq writes them, made ready for the crate that runs them.
//!
//! jq's engine reads Perl's syntax: `$` also matches before a newline at the very end, `{` that
//! starts no repetition is a brace, and a class holds no classes.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use fancy_regex::{Regex, RegexBuilder};

use crate::limits::{REGEX_BACKTRACKS, REGEX_BYTES};
use crate::stop::Stop;

/// How many compiled patterns a run keeps.
const KEPT: usize = 64;

/// What the letters after a pattern ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(super) struct Flags {
    pub(super) global: bool,
    pub(super) skips_empty: bool,
    ignores_case: bool,
    extended: bool,
    dot_matches_newline: bool,
}

impl Flags {
    pub(super) fn parse(letters: &str) -> Result<Self, Stop> {
        let mut flags = Flags::default();
        for letter in letters.chars() {
            match letter {
                'g' => flags.global = true,
                'i' => flags.ignores_case = true,
                'x' => flags.extended = true,
                'n' => flags.skips_empty = true,
                'p' => flags.dot_matches_newline = true,
                // `^` and `$` mean the whole text anyway; the longest match is not looked for.
                's' | 'l' => {}
                _ => {
                    return Err(Stop::error(format!(
                        "{letters} is not a valid modifier string"
                    )));
                }
            }
        }
        Ok(flags)
    }
}

#[derive(PartialEq, Eq, Hash)]
struct Key {
    pattern: String,
    flags: Flags,
    ends_in_newline: bool,
}

/// Patterns that were compiled in this run.
#[derive(Default)]
pub(super) struct Patterns(RefCell<HashMap<Key, Rc<Regex>>>);

impl Patterns {
    /// A pattern compiled for a text.
    pub(super) fn get(&self, pattern: &str, flags: Flags, text: &str) -> Result<Rc<Regex>, Stop> {
        let key = Key {
            pattern: pattern.to_owned(),
            flags,
            ends_in_newline: text.ends_with('\n'),
        };
        let mut kept = self.0.borrow_mut();
        if let Some(regex) = kept.get(&key) {
            return Ok(Rc::clone(regex));
        }
        let translated = translate(pattern, flags.extended, key.ends_in_newline);
        let regex = Rc::new(compile(&translated, flags)?);
        if kept.len() >= KEPT {
            kept.clear();
        }
        kept.insert(key, Rc::clone(&regex));
        Ok(regex)
    }
}

fn compile(pattern: &str, flags: Flags) -> Result<Regex, Stop> {
    RegexBuilder::new(pattern)
        .case_insensitive(flags.ignores_case)
        .dot_matches_new_line(flags.dot_matches_newline)
        .oniguruma_mode(true)
        .backtrack_limit(REGEX_BACKTRACKS)
        .delegate_size_limit(REGEX_BYTES)
        .delegate_dfa_size_limit(REGEX_BYTES)
        .build()
        .map_err(|error| Stop::error(format!("Regex failure: {error}")))
}

/// Rewrites what the two dialects read differently.
fn translate(pattern: &str, extended: bool, ends_in_newline: bool) -> String {
    let mut translator = Translator {
        written: String::with_capacity(pattern.len()),
        rest: pattern,
    };
    // Whether `^` and `$` mean lines, for each open group.
    let mut lines = vec![false];
    while let Some(next) = translator.rest.chars().next() {
        let is_by_line = lines.last().copied().unwrap_or(false);
        match next {
            '\\' => translator.escape(),
            '[' => translator.class(),
            _ if extended && next.is_whitespace() => translator.replace(next, ""),
            '#' if extended => translator.skip_comment(),
            '{' if !translator.starts_repetition() => translator.replace('{', "\\{"),
            '$' if !is_by_line => translator.replace(
                '$',
                if ends_in_newline {
                    "(?=\\n?\\z)"
                } else {
                    "\\z"
                },
            ),
            '(' => {
                let (in_group, after) = line_flags(translator.rest, is_by_line);
                if let Some(last) = lines.last_mut() {
                    *last = after;
                }
                lines.push(in_group);
                translator.copy(next);
            }
            ')' => {
                if lines.len() > 1 {
                    lines.pop();
                }
                translator.copy(next);
            }
            _ => translator.copy(next),
        }
    }
    translator.written
}

/// Whether lines are meant within the group a text starts with, and after it.
fn line_flags(group: &str, before: bool) -> (bool, bool) {
    let Some(letters) = group.strip_prefix("(?") else {
        return (before, before);
    };
    let end = letters
        .find(|c: char| !c.is_ascii_alphabetic() && c != '-')
        .unwrap_or(letters.len());
    let (flags, close) = (&letters[..end], letters[end..].chars().next());
    let (on, off) = flags.split_once('-').unwrap_or((flags, ""));
    let means_lines = (before || on.contains('m')) && !off.contains('m');
    match close {
        Some(')') => (means_lines, means_lines),
        Some(':') => (means_lines, before),
        _ => (before, before),
    }
}

struct Translator<'a> {
    written: String,
    rest: &'a str,
}

impl Translator<'_> {
    fn copy(&mut self, next: char) {
        self.written.push(next);
        self.rest = &self.rest[next.len_utf8()..];
    }

    fn replace(&mut self, next: char, by: &str) {
        self.written.push_str(by);
        self.rest = &self.rest[next.len_utf8()..];
    }

    fn skip_comment(&mut self) {
        self.rest = self.rest.split_once('\n').map_or("", |(_, rest)| rest);
    }

    fn escape(&mut self) {
        let after = &self.rest[1..];
        let octal = after
            .get(..3)
            .filter(|digits| digits.bytes().all(|byte| matches!(byte, b'0'..=b'7')));
        if let Some(code) = octal.and_then(|digits| u32::from_str_radix(digits, 8).ok()) {
            self.written.push_str(&format!("\\x{{{code:x}}}"));
            self.rest = &after[3..];
            return;
        }
        match after.chars().next() {
            // Letters that mean nothing after a backslash.
            Some(letter @ ('h' | 'H' | 'y' | 'Y' | 'i' | 'j' | 'l' | 'm' | 'o' | 'q' | 'u')) => {
                self.rest = after;
                self.copy(letter);
            }
            Some(other) => {
                self.copy('\\');
                self.copy(other);
                self.copy_braces(other);
            }
            None => self.copy('\\'),
        }
    }

    /// Copies the `{…}` of `\p{…}` and `\x{…}`.
    fn copy_braces(&mut self, letter: char) {
        if matches!(letter, 'p' | 'P' | 'x') && self.rest.starts_with('{') {
            let end = self.rest.find('}').map_or(self.rest.len(), |at| at + 1);
            self.written.push_str(&self.rest[..end]);
            self.rest = &self.rest[end..];
        }
    }

    /// Whether `{n}`, `{n,}` or `{n,m}` starts here.
    fn starts_repetition(&self) -> bool {
        let Some(end) = self.rest.find('}') else {
            return false;
        };
        let inner = &self.rest[1..end];
        let (least, most) = inner.split_once(',').unwrap_or((inner, ""));
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        !self.written.is_empty() && !least.is_empty() && is_number(least) && is_number(most)
    }

    /// Copies a class; a bracket within it is itself unless it starts `[:name:]`.
    fn class(&mut self) {
        self.copy('[');
        if self.rest.starts_with('^') {
            self.copy('^');
        }
        if self.rest.starts_with(']') {
            self.replace(']', "\\]");
        }
        while let Some(next) = self.rest.chars().next() {
            match next {
                ']' => {
                    self.copy(']');
                    return;
                }
                '\\' => self.escape(),
                '[' if self.rest.starts_with("[:") && self.rest.contains(":]") => {
                    self.posix_class()
                }
                '[' => self.replace('[', "\\["),
                '&' | '~' => {
                    let escaped = format!("\\{next}");
                    self.replace(next, &escaped);
                }
                _ => self.copy(next),
            }
        }
    }

    fn posix_class(&mut self) {
        let end = self.rest.find(":]").map_or(self.rest.len(), |at| at + 2);
        self.written.push_str(&self.rest[..end]);
        self.rest = &self.rest[end..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pattern: &str, translated: &str) {
        assert_eq!(translate(pattern, false, false), translated);
    }

    #[test]
    fn a_dollar_means_the_end_of_the_text() {
        check("a$", "a\\z");
        check("a\\$", "a\\$");
        check("[$]", "[$]");
        check("(?m)a$", "(?m)a$");
        check("(?m:a$)b$", "(?m:a$)b\\z");
        assert_eq!(translate("a$", false, true), "a(?=\\n?\\z)");
    }

    #[test]
    fn a_brace_or_bracket_that_starts_nothing_is_itself() {
        check("a{2}", "a{2}");
        check("a{2,}", "a{2,}");
        check("a{", "a\\{");
        check("{\"a\":1}", "\\{\"a\":1}");
        check("[[]", "[\\[]");
        check("[[:alpha:]]", "[[:alpha:]]");
        check("[]x]", "[\\]x]");
    }
}
