//! What a foreign head says beside tags and names: kept as written, as far as that is YAML.
//!
//! Whatever comes in, the lines that come out are top-level YAML fields with names of their own.

use std::collections::HashSet;

use memory_core::mask_secrets;
use memory_text::{front_matter, yaml};

use super::draft::count_masks;
use super::limits::MOST_FIELDS;
use super::yaml_field;
use crate::format::KNOWN;

/// Says whether our own front matter gives a name a meaning.
fn is_reserved(name: &str) -> bool {
    name == "aliases" || KNOWN.contains(&name)
}

/// Fields to keep. A name that is taken gets `_original` at its end.
#[derive(Debug, Default)]
pub(super) struct Extra {
    pub lines: String,
    pub masked: usize,
    names: HashSet<String>,
}

impl Extra {
    /// Keeps a field in the lines it was written in, if they are YAML by themselves.
    pub(super) fn keep(&mut self, name: &str, lines: &str) {
        let lines = lines.trim_end();
        if name.is_empty() || self.names.len() >= MOST_FIELDS {
            return;
        }
        let Some(at) = lines.find(name) else {
            return;
        };
        let free = self.free_name(name);
        let written = format!("{}{free}{}\n", &lines[..at], &lines[at + name.len()..]);
        if mask_secrets(&written).is_none() && (is_plain_field(&written) || is_one_field(&written))
        {
            self.names.insert(free);
            self.lines.push_str(&written);
        } else {
            let value = lines[at + name.len()..]
                .trim_start_matches(['"', '\''])
                .trim_start();
            self.add(name, value.strip_prefix(':').unwrap_or(value).trim());
        }
    }

    /// Adds a field with a text as its value.
    pub(super) fn add(&mut self, name: &str, value: &str) {
        let masked = mask_secrets(value);
        self.masked += masked.as_deref().map_or(0, |text| {
            count_masks(text).saturating_sub(count_masks(value))
        });
        let name = self.free_name(&plain_name(name));
        let value = yaml::write_scalar(masked.as_deref().unwrap_or(value));
        self.lines
            .push_str(&format!("{}: {value}\n", yaml::write_scalar(&name)));
        self.names.insert(name);
    }

    fn free_name(&self, name: &str) -> String {
        let is_taken =
            |name: &str| is_reserved(name.to_lowercase().as_str()) || self.names.contains(name);
        let mut free = name.to_owned();
        while is_taken(&free) {
            free.push_str("_original");
        }
        free
    }
}

/// Returns a name that our own reader of heads reads as that name.
fn plain_name(name: &str) -> String {
    let name = mask_secrets(name).unwrap_or_else(|| name.to_owned());
    let is_odd =
        |c: char| c.is_control() || matches!(c, ':' | '"' | '\'' | '\\' | '#' | '\u{feff}');
    let plain = name.replace(is_odd, "-");
    plain.trim().to_owned()
}

/// Says whether a field is a word and a plain text on one line: most are, and need no parser.
fn is_plain_field(line: &str) -> bool {
    let Some((name, value)) = line.trim_end().split_once(": ") else {
        return false;
    };
    let is_plain = |text: &str| {
        text.starts_with(char::is_alphanumeric)
            && text
                .chars()
                .all(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_' | '.' | '/'))
    };
    is_plain(name) && is_plain(value)
}

/// Says whether lines are one field to a YAML reader, wherever they stand, and to our own.
fn is_one_field(lines: &str) -> bool {
    let starts_well =
        lines.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '"' | '\''));
    let names_one = front_matter::fields(lines)
        .iter()
        .skip(1)
        .all(|field| field.name.is_empty());
    starts_well && names_one && yaml_field::is_one_field(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, lines: &str, kept: &str) {
        let mut extra = Extra::default();
        extra.keep(name, lines);
        assert_eq!(extra.lines, kept);
    }

    #[test]
    fn a_field_is_kept_as_it_was_written() {
        check(
            "cssclass",
            "cssclass: [a,  b] # wide\n",
            "cssclass: [a,  b] # wide\n",
        );
        check("text", "text: |\n  a\n\n  b\n\n", "text: |\n  a\n\n  b\n");
        check("odd name", "\"odd name\": 1\n", "\"odd name\": 1\n");
        check(
            "nested",
            "nested:\n  - a: b\n    c: d\n",
            "nested:\n  - a: b\n    c: d\n",
        );
    }

    #[test]
    fn a_name_of_ours_is_told_apart() {
        check("id", "id: 7\n", "id_original: 7\n");
        check("due_at", "due_at: soon\n", "due_at_original: soon\n");
        check("Source", "\"Source\": web\n", "\"Source_original\": web\n");
        let mut extra = Extra::default();
        extra.keep("a", "a: 1\n");
        extra.keep("a", "a: 2\n");
        assert_eq!(extra.lines, "a: 1\na_original: 2\n");
    }

    #[test]
    fn what_is_no_yaml_becomes_a_text() {
        check("a", "a: \"open\n", "a: \"\\\"open\"\n");
        check("a", "a: *elsewhere\n", "a: \"*elsewhere\"\n");
        check("a", "a: b: c\n", "a: \"b: c\"\n");
    }

    #[test]
    fn a_credential_is_masked_and_the_field_stays_yaml() {
        let key = ["sk-", "proj-", "a1B2c3D4e5a1B2c3D4e5"].concat();
        let mut extra = Extra::default();
        extra.keep("key", &format!("key: {key}\n"));
        assert_eq!(extra.lines, "key: \"[masked: an OpenAI API key]\"\n");
        assert_eq!(extra.masked, 1);
    }

    proptest::proptest! {
        #[test]
        fn whatever_comes_in_fields_of_others_come_out(
            head in "((id|tags|a|\"b c\"|'d'|\\PC{1,3}):( [-&*!|>\\[\\]{}\"'#a: ]{0,6}|[a:]{0,2})?\n([ -]{1,2}[a:\"\\[]{0,3}\n)?){0,5}"
        ) {
            let mut extra = Extra::default();
            for field in front_matter::fields(&head) {
                extra.keep(field.name, field.lines);
            }
            for field in front_matter::fields(&extra.lines) {
                assert!(!is_reserved(field.name), "{head:?} became {:?}", extra.lines);
            }
            assert!(yaml_field::are_fields(&extra.lines), "{head:?} became {:?}", extra.lines);
        }
    }
}
