//! The last step of every reader: credentials masked, duplicates gone, nothing empty.

use std::collections::HashSet;

use memory_core::{Timestamp, mask_secrets};

use super::Foreign;
use super::extra::Extra;
use super::gather::Text;
use crate::Category;

/// What a reader found in a text.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub title: String,
    pub content: String,
    pub tags: Vec<String>,
    pub aliases: Vec<String>,
    pub category: Option<Category>,
    pub created_at: Option<Timestamp>,
    pub extra: Extra,
    /// How many characters of the content are kept; all of them when none.
    pub most_chars: Option<usize>,
}

impl Draft {
    /// Returns what may become a note; none when it has no content.
    pub(super) fn finish(self, file: &Text) -> Option<Foreign> {
        let mut mask = Mask {
            count: self.extra.masked,
        };
        let content = mask.over(trim_blank_lines(&self.content));
        let title = mask.over(&self.title);
        let mut aliases = unique(self.aliases.iter().map(|alias| mask.over(alias)));
        aliases.retain(|alias| *alias != title);
        let foreign = Foreign {
            path: file.path.clone(),
            relative: file.relative.clone(),
            content: match self.most_chars {
                Some(most) => cut(&content, most),
                None => content,
            },
            title,
            tags: unique(self.tags.iter().map(|tag| mask.over(tag))),
            aliases,
            category: self.category,
            created_at: self.created_at,
            modified: file.modified,
            extra: self.extra.lines,
            masked: mask.count,
        };
        (!foreign.content.is_empty()).then_some(foreign)
    }
}

struct Mask {
    count: usize,
}

impl Mask {
    fn over(&mut self, text: &str) -> String {
        let Some(masked) = mask_secrets(text) else {
            return text.to_owned();
        };
        self.count += count_masks(&masked).saturating_sub(count_masks(text));
        masked
    }
}

/// Counts the credentials that were masked in a text.
pub(super) fn count_masks(text: &str) -> usize {
    text.matches("[masked: ").count()
}

/// Takes blank lines from both ends; the indent of the first line that says something stays.
fn trim_blank_lines(text: &str) -> &str {
    let text = text.trim_end();
    let blank = text.len() - text.trim_start().len();
    let first_line = text[..blank].rfind('\n').map_or(0, |at| at + 1);
    &text[first_line..]
}

fn cut(text: &str, most_chars: usize) -> String {
    let end = text
        .char_indices()
        .nth(most_chars)
        .map_or(text.len(), |(at, _)| at);
    text[..end].trim_end().to_owned()
}

/// Keeps the first of what differs by case only.
fn unique(items: impl Iterator<Item = String>) -> Vec<String> {
    let mut seen = HashSet::new();
    let trimmed = items.map(|item| item.trim().to_owned());
    trimmed
        .filter(|item| !item.is_empty() && seen.insert(item.to_lowercase()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ingest::tests::text;

    fn finished(draft: Draft) -> Option<Foreign> {
        draft.finish(&text("a.md", ""))
    }

    #[test]
    fn credentials_are_masked_wherever_they_stand() {
        let key = ["sk-", "proj-", "a1B2c3D4e5a1B2c3D4e5"].concat();
        let hide = "[masked: an OpenAI API key]";
        let draft = Draft {
            title: key.clone(),
            content: format!("a {key} b {key}"),
            tags: vec![key.clone()],
            aliases: vec!["other".into()],
            ..Draft::default()
        };
        let foreign = finished(draft).unwrap();
        assert_eq!(
            (foreign.title.as_str(), foreign.tags[0].as_str()),
            (hide, hide)
        );
        assert_eq!(foreign.content, format!("a {hide} b {hide}"));
        assert_eq!(foreign.masked, 4);
    }

    #[test]
    fn blank_lines_around_the_content_go_and_nothing_else() {
        let content = |content: &str| {
            finished(Draft {
                content: content.into(),
                ..Draft::default()
            })
            .map(|foreign| foreign.content)
        };
        assert_eq!(
            content("\n \n  - a\n\n  - b\n\n").as_deref(),
            Some("  - a\n\n  - b")
        );
        assert_eq!(content(" \n\t\n"), None);
    }

    #[test]
    fn characters_are_cut_and_not_bytes() {
        let draft = Draft {
            content: "一二三四".into(),
            most_chars: Some(3),
            ..Draft::default()
        };
        assert_eq!(finished(draft).unwrap().content, "一二三");
    }

    #[test]
    fn names_that_differ_by_case_only_are_one() {
        let words = |words: &[&str]| {
            words
                .iter()
                .map(|word| (*word).to_owned())
                .collect::<Vec<_>>()
        };
        let draft = Draft {
            title: "T".into(),
            content: "c".into(),
            tags: words(&["Rust", "rust", "", "二"]),
            aliases: words(&["T", "U"]),
            ..Draft::default()
        };
        let foreign = finished(draft).unwrap();
        assert_eq!(
            (foreign.tags, foreign.aliases),
            (words(&["Rust", "二"]), words(&["U"]))
        );
    }
}
