//! `[[links]]` between notes: which notes a Markdown text names.

use std::ops::Range;

use pulldown_cmark::{Event, LinkType, Options, Parser, Tag};

/// A link to a note by one of its names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wikilink {
    /// The note that is meant: `[[a|shown]]` and `[[a#heading]]` mean `a`.
    pub target: String,
    /// Where the link stands, brackets included.
    pub place: Range<usize>,
    /// Whether it shows the note's content (`![[a]]`) and does not only name it.
    pub is_embed: bool,
}

/// Returns the wikilinks of a Markdown text in their order; those in code are none.
pub fn wikilinks(markdown: &str) -> Vec<Wikilink> {
    // Most notes have no link, and then need no parser.
    memory_steps::count(markdown.len());
    if !markdown.contains("[[") {
        return vec![];
    }
    let parser = Parser::new_ext(markdown, Options::ENABLE_WIKILINKS).into_offset_iter();
    parser
        .filter_map(|(event, place)| wikilink(&event, place))
        .collect()
}

fn wikilink(event: &Event<'_>, place: Range<usize>) -> Option<Wikilink> {
    let (kind, destination, is_embed) = match event {
        Event::Start(Tag::Link {
            link_type,
            dest_url,
            ..
        }) => (link_type, dest_url, false),
        Event::Start(Tag::Image {
            link_type,
            dest_url,
            ..
        }) => (link_type, dest_url, true),
        _ => return None,
    };
    // In a table the bar is written with a backslash before it.
    let destination = destination.strip_suffix('\\').unwrap_or(destination);
    let target = destination.split('#').next().unwrap_or_default().trim();
    let names_a_note = matches!(kind, LinkType::WikiLink { .. }) && !target.is_empty();
    names_a_note.then(|| Wikilink {
        target: target.to_owned(),
        place,
        is_embed,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(markdown: &str, targets: &[&str]) {
        let found: Vec<String> = wikilinks(markdown)
            .into_iter()
            .map(|link| link.target)
            .collect();
        assert_eq!(found, targets, "{markdown}");
    }

    #[test]
    fn links_are_found_by_what_they_mean() {
        check(
            "see [[Alpha]] and [[Beta|the second]], then [[Gamma#part two]]",
            &["Alpha", "Beta", "Gamma"],
        );
        check(
            "- [[in a list]]\n\n> [[in a quote]]\n\n# [[in a heading]]",
            &["in a list", "in a quote", "in a heading"],
        );
        check("记得[[项目计划]]和[[张三|他]]。", &["项目计划", "张三"]);
        check("![[picture.png]]", &["picture.png"]);
        check("| a | [[in a table\\|b]] |", &["in a table"]);
    }

    #[test]
    fn what_is_no_link_is_left_alone() {
        check("`[[code]]` and\n\n```\n[[fenced]]\n```\n", &[]);
        check("[[]] [[#heading]] [[ ]] [[open", &[]);
        check("[a](b) and [c]", &[]);
    }

    #[test]
    fn a_link_stands_where_it_stands() {
        let text = "见 [[甲|乙]]!";
        assert_eq!(&text[wikilinks(text)[0].place.clone()], "[[甲|乙]]");
    }

    proptest::proptest! {
        #[test]
        fn any_text_has_links_or_none(text in "[\\[\\]|#!`a中\n -]{0,40}") {
            for link in wikilinks(&text) {
                assert!(text.is_char_boundary(link.place.start) && text.is_char_boundary(link.place.end));
            }
        }
    }
}
