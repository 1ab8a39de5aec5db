//! Where a Markdown text is more than words: its code, its links.
//!
//! Whoever looks for tags or rewrites something asks here first, so that code stays code.

use std::ops::Range;

use pulldown_cmark::{Event, LinkType, Options, Parser, Tag};

/// The places of a text, each list in the text's order.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Places {
    /// Code blocks and code in a line, fences included.
    pub code: Vec<Range<usize>>,
    /// `[[links]]` and `![[embeds]]`.
    pub wikilinks: Vec<Range<usize>>,
    /// `[text](destination)`, and with an exclamation mark before it.
    pub links: Vec<Link>,
}

/// A Markdown link that says its destination in place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    pub place: Range<usize>,
    /// Where its text stands; empty when it has none.
    pub text: Range<usize>,
    pub destination: String,
    /// Whether it shows what it names.
    pub is_embed: bool,
}

/// Finds the code and the links of a Markdown text.
pub fn places(markdown: &str) -> Places {
    memory_steps::count(markdown.len());
    let mut places = Places::default();
    if !may_have_any(markdown) {
        return places;
    }
    let mut open: Option<Link> = None;
    for (event, place) in Parser::new_ext(markdown, Options::ENABLE_WIKILINKS).into_offset_iter() {
        places.note(&event, &place);
        match open.take() {
            None => open = link_begun(&event, &place),
            Some(link) if link.place == place => places.links.push(link),
            Some(link) => open = Some(link.with_text(place)),
        }
    }
    places
}

impl Link {
    fn with_text(self, more: Range<usize>) -> Self {
        let start = if self.text.is_empty() {
            more.start
        } else {
            self.text.start
        };
        Link {
            text: start..more.end,
            ..self
        }
    }
}

impl Places {
    /// Says whether code stands at this offset.
    pub fn is_code(&self, at: usize) -> bool {
        is_within(&self.code, at)
    }

    /// Says whether this offset lies in code or in a link of any form.
    pub fn is_taken(&self, at: usize) -> bool {
        let next_link = self.links.partition_point(|link| link.place.end <= at);
        let in_link = self
            .links
            .get(next_link)
            .is_some_and(|link| link.place.start <= at);
        in_link || is_within(&self.wikilinks, at) || self.is_code(at)
    }

    fn note(&mut self, event: &Event<'_>, place: &Range<usize>) {
        match event {
            Event::Code(_) | Event::Start(Tag::CodeBlock(_)) => self.code.push(place.clone()),
            Event::Start(Tag::Link { link_type, .. } | Tag::Image { link_type, .. })
                if matches!(link_type, LinkType::WikiLink { .. }) =>
            {
                self.wikilinks.push(place.clone());
            }
            _ => {}
        }
    }
}

/// Says whether an offset lies in one of some ranges, which are in order and do not overlap.
pub fn is_within(ranges: &[Range<usize>], at: usize) -> bool {
    let next = ranges.partition_point(|range| range.end <= at);
    ranges.get(next).is_some_and(|range| range.start <= at)
}

/// Most texts have neither code nor links, and then need no parser.
fn may_have_any(markdown: &str) -> bool {
    markdown.contains(['`', '~'])
        || ["](", "[[", "\n    ", "\n\t"]
            .iter()
            .any(|sign| markdown.contains(sign))
        || markdown.starts_with([' ', '\t'])
}

fn link_begun(event: &Event<'_>, place: &Range<usize>) -> Option<Link> {
    let (destination, is_embed) = match event {
        Event::Start(Tag::Link {
            link_type: LinkType::Inline,
            dest_url,
            ..
        }) => (dest_url, false),
        Event::Start(Tag::Image {
            link_type: LinkType::Inline,
            dest_url,
            ..
        }) => (dest_url, true),
        _ => return None,
    };
    let text = place.start..place.start;
    Some(Link {
        place: place.clone(),
        text,
        destination: destination.to_string(),
        is_embed,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_code(markdown: &str, code: &[&str]) {
        let found = places(markdown).code;
        assert_eq!(
            found
                .iter()
                .map(|place| &markdown[place.clone()])
                .collect::<Vec<_>>(),
            code
        );
    }

    #[test]
    fn code_is_found_in_a_line_in_fences_and_by_its_indent() {
        check_code("a `b` ``c ` d`` e", &["`b`", "``c ` d``"]);
        check_code(
            "a\n```rust\nb\n```\nc\n~~~\nd",
            &["```rust\nb\n```", "~~~\nd"],
        );
        check_code("a\n\n    b\n\nc", &["b\n"]);
        check_code("- a\n\t- b\n\t\t- c\n", &[]);
    }

    #[track_caller]
    fn check_links(markdown: &str, links: &[(&str, &str, &str)]) {
        let found = places(markdown).links;
        let found: Vec<(&str, &str, &str)> = found
            .iter()
            .map(|link| {
                (
                    &markdown[link.place.clone()],
                    &markdown[link.text.clone()],
                    link.destination.as_str(),
                )
            })
            .collect();
        assert_eq!(found, links);
    }

    #[test]
    fn links_are_found_with_their_text_as_written() {
        check_links(
            "see [the *second*](b%20c.md#d).",
            &[("[the *second*](b%20c.md#d)", "the *second*", "b%20c.md#d")],
        );
        check_links(
            "![](a.md) and [b](<c d.md>)",
            &[("![](a.md)", "", "a.md"), ("[b](<c d.md>)", "b", "c d.md")],
        );
        check_links(
            "[![a](b.png)](c.md)",
            &[("[![a](b.png)](c.md)", "![a](b.png)", "c.md")],
        );
        check_links("`[a](b.md)` <https://a.b> [a][b] [[c]]", &[]);
    }

    #[test]
    fn a_place_in_code_or_a_link_is_taken() {
        let text = "a [b](c.md) d [[e]] f `g` h";
        let found = places(text);
        let free: String = text
            .char_indices()
            .filter(|(at, _)| !found.is_taken(*at))
            .map(|(_, c)| c)
            .collect();
        assert_eq!(free, "a  d  f  h");
        assert!(found.is_code(text.find('g').unwrap()) && !found.is_code(0));
    }

    proptest::proptest! {
        #[test]
        fn every_place_lies_within_the_text(text in "[\\[\\]()|#!`~a中\n\t -]{0,40}") {
            let found = places(&text);
            let links = found.links.iter().flat_map(|link| [link.place.clone(), link.text.clone()]);
            for place in found.code.iter().chain(&found.wikilinks).cloned().chain(links) {
                assert!(text.get(place).is_some());
            }
        }
    }
}
