//! The YAML head of a foreign note: its tags, its other names, its beginning, and the rest.

use jiff::tz::TimeZone;
use memory_core::Timestamp;
use memory_text::{front_matter, yaml};

use super::draft::Draft;
use super::{dates, yaml_field};
use crate::Category;

/// The fields that say when a note began; the first that is there counts.
const CREATED: [&str; 4] = ["created_at", "created", "date_created", "date"];

/// A field in all its lines, also those after a blank line.
pub(super) struct Field {
    /// As it was written.
    pub name: String,
    pub lines: String,
}

impl Field {
    /// Returns the name as it is compared: lower case, `_` for `-` and blanks.
    pub(super) fn key(&self) -> String {
        self.name.to_lowercase().replace(['-', ' '], "_")
    }
}

/// Takes a text apart into the fields of its head and its body.
pub(super) fn split(text: &str) -> (Vec<Field>, &str) {
    let parts = front_matter::split(text);
    (whole_fields(parts.head.unwrap_or_default()), parts.body)
}

/// Turns the fields of a head into a draft that has no title and no content yet.
pub(super) fn draft(fields: &[Field], zone: &TimeZone) -> Draft {
    let category = kind(fields).and_then(|kind| category_of(&kind));
    let mut draft = Draft {
        created_at: created(fields, zone),
        category,
        ..Draft::default()
    };
    for field in fields {
        let understood = match field.key().as_str() {
            "tags" | "tag" => tags(&field.lines).map(|found| draft.tags.extend(found)),
            "aliases" | "alias" => aliases(&field.lines).map(|found| draft.aliases.extend(found)),
            "created_at" => read_time(field, zone).map(|_| ()),
            _ => None,
        };
        if understood.is_none() {
            draft.extra.keep(&field.name, &field.lines);
        }
    }
    draft
}

/// Returns `metadata.type`, as Claude writes it, or `type`.
pub(super) fn kind(fields: &[Field]) -> Option<String> {
    let lines_of = |name: &str| {
        fields
            .iter()
            .find(|field| field.key() == name)
            .map(|field| &field.lines)
    };
    let below = lines_of("metadata").and_then(|lines| {
        let line = lines
            .lines()
            .skip(1)
            .map(str::trim)
            .find(|line| line.starts_with("type:"))?;
        yaml::scalar(line)
    });
    below.or_else(|| yaml::scalar(lines_of("type")?))
}

/// Returns the category that a type names: one of ours in singular or plural, or one of Claude's.
fn category_of(kind: &str) -> Option<Category> {
    let kind = kind.trim().to_lowercase();
    let category = match kind.as_str() {
        "user" | "person" => Category::People,
        "reference" => Category::Knowledge,
        _ => kind.parse().or_else(|_| format!("{kind}s").parse()).ok()?,
    };
    (!matches!(category, Category::Inbox | Category::Reminders)).then_some(category)
}

fn created(fields: &[Field], zone: &TimeZone) -> Option<Timestamp> {
    CREATED
        .iter()
        .find_map(|name| read_time(fields.iter().find(|field| field.key() == *name)?, zone))
}

fn read_time(field: &Field, zone: &TimeZone) -> Option<Timestamp> {
    dates::time(&yaml::scalar(&field.lines)?, zone)
}

/// Tags have no blanks, so that a text of several is told apart by blanks and commas.
fn tags(lines: &str) -> Option<Vec<String>> {
    let words = match yaml::scalar(lines) {
        Some(text) => text.split([',', ' ']).map(str::to_owned).collect(),
        None => list(lines)?,
    };
    Some(words.iter().map(|word| clean_tag(word)).collect())
}

fn aliases(lines: &str) -> Option<Vec<String>> {
    match yaml::scalar(lines) {
        Some(text) => Some(text.split(',').map(|name| name.trim().to_owned()).collect()),
        None => list(lines),
    }
}

/// Reads a list in the usual forms, and in the unusual ones with a whole YAML reader.
fn list(lines: &str) -> Option<Vec<String>> {
    yaml::list(lines).or_else(|| yaml_field::list(lines))
}

/// Returns a tag without its mark and without slashes at its ends.
pub(super) fn clean_tag(word: &str) -> String {
    word.trim()
        .trim_start_matches('#')
        .trim_matches('/')
        .to_owned()
}

/// Returns the fields with what follows a blank line inside of them; comments between them go.
fn whole_fields(head: &str) -> Vec<Field> {
    let mut fields: Vec<Field> = Vec::new();
    for field in front_matter::fields(head) {
        let goes_on =
            field.lines.trim().is_empty() || field.lines.starts_with([' ', '\t', ']', '}']);
        match fields.last_mut() {
            Some(last) if field.name.is_empty() && goes_on => last.lines.push_str(field.lines),
            _ if field.name.is_empty() => {}
            _ => fields.push(Field {
                name: field.name.to_owned(),
                lines: field.lines.to_owned(),
            }),
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ingest::extra::Extra;

    fn extra_of(head: &str) -> Extra {
        draft(&whole_fields(head), &TimeZone::UTC).extra
    }

    #[track_caller]
    fn check(head: &str, tags: &[&str], aliases: &[&str]) {
        let draft = draft(&whole_fields(head), &TimeZone::UTC);
        assert_eq!(
            (draft.tags.as_slice(), draft.aliases.as_slice()),
            (
                tags.iter()
                    .map(|tag| (*tag).to_owned())
                    .collect::<Vec<_>>()
                    .as_slice(),
                aliases
                    .iter()
                    .map(|alias| (*alias).to_owned())
                    .collect::<Vec<_>>()
                    .as_slice()
            )
        );
        assert_eq!(draft.extra.lines, "");
    }

    #[test]
    fn tags_and_aliases_are_read_in_every_form() {
        check(
            "tags:\n  - a\n  - b/c\naliases:\n  - One Two\n",
            &["a", "b/c"],
            &["One Two"],
        );
        check(
            "tags: [a, \"#b\"]\naliases: [x, y]\n",
            &["a", "b"],
            &["x", "y"],
        );
        check("tags: [\n  a,\n  b\n]\n", &["a", "b"], &[]);
        check(
            "Tags: a b\nalias: One Two, Three\n",
            &["a", "b"],
            &["One Two", "Three"],
        );
        check("tag: a,b\naliases:\n", &["a", "b"], &[]);
    }

    #[test]
    fn the_rest_is_kept_and_a_form_unknown_to_us_is_too() {
        assert_eq!(
            extra_of("# note\ncssclass: wide\n\ntext: |\n  a\n\n  b\n").lines,
            "cssclass: wide\ntext: |\n  a\n\n  b\n"
        );
        assert_eq!(
            extra_of("tags:\n  a: b\n").lines,
            "tags_original:\n  a: b\n"
        );
        assert_eq!(extra_of("version: 2\n").lines, "version_original: 2\n");
    }

    #[test]
    fn the_beginning_is_read_from_the_field_that_is_there() {
        let created = |head: &str| {
            draft(&whole_fields(head), &TimeZone::UTC)
                .created_at
                .map(|t| t.to_string())
        };
        assert_eq!(
            created("date: 2026-05-07\n").as_deref(),
            Some("2026-05-07T00:00:00Z")
        );
        assert_eq!(
            created("date: 2026-05-07\nCreated: 2026-05-06 08:00\n").as_deref(),
            Some("2026-05-06T08:00:00Z")
        );
        assert_eq!(created("date: soon\n"), None);
        assert_eq!(
            extra_of("created_at: 2026-05-07\ncreated: 2026-05-07\n").lines,
            "created: 2026-05-07\n"
        );
    }
}
