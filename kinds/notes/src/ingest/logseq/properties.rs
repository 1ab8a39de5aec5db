//! `key:: value` lines: those of a page, and those of its blocks.

use std::ops::Range;

use memory_text::places::Places;

use crate::ingest::edits::{lines, with_line_end};

/// A line that gives a property.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Property<'a> {
    /// In lower case, with `-` for `_`.
    pub key: String,
    pub value: &'a str,
}

/// Properties that say how a block is shown or found, and nothing about what it says.
const OF_NO_USE: [&str; 2] = ["collapsed", "id"];

impl Property<'_> {
    /// Says whether the line means nothing outside of Logseq.
    pub(super) fn is_of_no_use(&self) -> bool {
        OF_NO_USE.contains(&self.key.as_str()) || self.key.starts_with("query-")
    }

    /// Returns the values of a list: by commas, without the marks of tags and links.
    pub(super) fn values(&self) -> Vec<String> {
        let mut is_in_link = false;
        let ends_value = |(at, c): (usize, char)| {
            let rest = &self.value[at..];
            is_in_link = (is_in_link || rest.starts_with("[[")) && !rest.starts_with("]]");
            (!is_in_link && matches!(c, ',' | '，')).then_some(at..at + c.len_utf8())
        };
        let commas: Vec<Range<usize>> = self.value.char_indices().filter_map(ends_value).collect();
        let starts = [0].into_iter().chain(commas.iter().map(|comma| comma.end));
        let ends = commas
            .iter()
            .map(|comma| comma.start)
            .chain([self.value.len()]);
        starts
            .zip(ends)
            .map(|(start, end)| clean(&self.value[start..end]))
            .collect()
    }
}

fn clean(value: &str) -> String {
    let value = value.trim().trim_start_matches('#');
    let inside = value
        .strip_prefix("[[")
        .and_then(|value| value.strip_suffix("]]"));
    inside.unwrap_or(value).trim().to_owned()
}

/// Reads a line as a property; a bullet may stand before it.
pub(super) fn property(line: &str) -> Option<Property<'_>> {
    let line = line.trim();
    let line = line.strip_prefix("- ").unwrap_or(line).trim_start();
    let (key, value) = line.split_once("::")?;
    let is_key = !key.is_empty()
        && !key.contains(|c: char| c.is_whitespace() || "`\"'[](){}#:\\".contains(c));
    let is_apart = value.is_empty() || value.starts_with(char::is_whitespace);
    let key = key.to_lowercase().replace('_', "-");
    (is_key && is_apart).then(|| Property {
        key,
        value: value.trim(),
    })
}

/// Says whether a line begins a block.
pub(super) fn is_bullet(line: &str) -> bool {
    let line = line.trim_start();
    line == "-" || line.starts_with("- ")
}

/// Returns the properties of a page, and where they stand: in its first block, with or without a
/// bullet, if nothing else is said there.
pub(super) fn of_page(body: &str) -> (Vec<Property<'_>>, Range<usize>) {
    let mut found = Vec::new();
    let mut end = 0;
    let mut has_bullet = false;
    for (place, line) in lines(body).skip_while(|(_, line)| line.trim().is_empty()) {
        let begins_next = !found.is_empty() && is_bullet(line);
        if begins_next {
            break;
        }
        match property(line) {
            Some(property) => found.push(property),
            None if has_bullet && !line.trim().is_empty() => return (vec![], 0..0),
            None => break,
        }
        has_bullet = has_bullet || is_bullet(line);
        end = with_line_end(body, place).end;
    }
    (found, 0..end)
}

/// Returns the lines of blocks that mean nothing outside of Logseq.
pub(super) fn of_no_use<'a>(
    body: &'a str,
    places: &'a Places,
) -> impl Iterator<Item = Range<usize>> + 'a {
    let lines = body.contains("::").then(|| lines(body));
    lines.into_iter().flatten().filter_map(|(place, line)| {
        let is_dropped = property(line).is_some_and(|property| property.is_of_no_use());
        let indent = line.len() - line.trim_start().len();
        (is_dropped && !places.is_code(place.start + indent)).then(|| {
            if is_bullet(line) {
                place.start + indent + 2..place.end
            } else {
                with_line_end(body, place)
            }
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_page(body: &str, keys: &[&str], rest: &str) {
        let (found, place) = of_page(body);
        assert_eq!(
            found
                .iter()
                .map(|property| property.key.as_str())
                .collect::<Vec<_>>(),
            keys
        );
        assert_eq!(&body[place.end..], rest);
    }

    #[test]
    fn the_properties_of_a_page_stand_in_its_first_block() {
        check_page(
            "title:: A\nTags:: b, c\n\n- text",
            &["title", "tags"],
            "\n- text",
        );
        check_page(
            "- title:: A\n  alias:: b\n- text",
            &["title", "alias"],
            "- text",
        );
        check_page("- type:: A\n  and text\n", &[], "- type:: A\n  and text\n");
        check_page("- text\n  a:: b\n", &[], "- text\n  a:: b\n");
        check_page("- a:: 1\n- b:: 2\n", &["a"], "- b:: 2\n");
    }

    #[test]
    fn a_property_has_a_name_and_is_told_from_code() {
        assert_eq!(
            property("  created_at:: x y ").unwrap(),
            Property {
                key: "created-at".into(),
                value: "x y"
            }
        );
        for line in [
            "std::fs",
            "two words:: x",
            ":: x",
            "`a`:: b",
            "a: b",
            "https://x::y",
        ] {
            assert_eq!(property(line), None, "{line}");
        }
    }

    #[test]
    fn lists_are_told_apart_by_commas_outside_of_links() {
        let values = |line| property(line).unwrap().values();
        assert_eq!(
            values("tags:: a, #b, [[c d]], #[[e]]"),
            ["a", "b", "c d", "e"]
        );
        assert_eq!(values("alias:: [[x, y]], z，w"), ["x, y", "z", "w"]);
        assert_eq!(values("tags::"), [""]);
    }

    proptest::proptest! {
        #[test]
        fn no_lines_make_it_panic(body in "([- #\\[\\],，a中]{0,6}(::)?[- #\\[\\],，a中]{0,9}\n){0,5}") {
            let (found, place) = of_page(&body);
            assert!(body.get(place).is_some());
            found.iter().for_each(|property| drop(property.values()));
        }
    }
}
