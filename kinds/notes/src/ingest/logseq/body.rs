//! The outline of a page as it reads outside of Logseq.

use std::ops::Range;

use memory_text::places::Places;

use super::properties;
use super::references::{Blocks, label_start};
use crate::ingest::edits::{Edits, lines_around, with_line_end};
use crate::ingest::{limits, links};

/// Returns the outline without queries and properties of no use, with references resolved.
pub(super) fn readable(body: &str, places: &Places, blocks: &Blocks) -> String {
    let mut edits = Edits::default();
    properties::of_no_use(body, places).for_each(|place| edits.remove(place));
    queries(body, places).for_each(|place| edits.remove(place));
    blocks
        .resolve(body)
        .into_iter()
        .for_each(|(place, shown)| edits.replace(place, shown));
    labelled_links(body, places).for_each(|(place, link)| edits.replace(place, link));
    edits.apply(body)
}

const QUERIES: [(&str, &str); 4] = [
    ("{{query ", "}}"),
    ("{{{query ", "}}}"),
    ("#+BEGIN_QUERY", "#+END_QUERY"),
    ("#+begin_query", "#+end_query"),
];

/// Returns the queries; one that fills its block goes with it.
fn queries<'a>(body: &'a str, places: &'a Places) -> impl Iterator<Item = Range<usize>> + 'a {
    let found = QUERIES
        .iter()
        .flat_map(move |(begin, end)| between(body, begin, end));
    found
        .filter(|place| !places.is_code(place.start))
        .map(|place| whole_block(body, place))
}

/// Returns the places from one word to the next other one, both included.
fn between<'a>(
    body: &'a str,
    begin: &'a str,
    end: &'a str,
) -> impl Iterator<Item = Range<usize>> + 'a {
    let mut from = 0;
    std::iter::from_fn(move || {
        let start = from + body[from..].find(begin)?;
        let inside = start + begin.len();
        from = inside + body[inside..].find(end)? + end.len();
        Some(start..from)
    })
}

fn whole_block(body: &str, place: Range<usize>) -> Range<usize> {
    let around = lines_around(body, &place);
    let before = body[around.start..place.start].trim();
    let is_all = matches!(before, "" | "-") && body[place.end..around.end].trim().is_empty();
    if is_all {
        with_line_end(body, around)
    } else {
        place
    }
}

/// Finds `[shown]([[page]])`, which is `[[page|shown]]` to everyone else.
fn labelled_links<'a>(
    body: &'a str,
    places: &'a Places,
) -> impl Iterator<Item = (Range<usize>, String)> + 'a {
    body.match_indices("]([[")
        .filter(|(at, _)| !places.is_code(*at))
        .filter_map(|(at, _)| {
            let begin = label_start(&body[..at])?;
            let after = &body[at + 4..];
            let near = &after[..after.floor_char_boundary(limits::LONGEST_LABEL)];
            let target = &near[..near.find("]])")?];
            let link = links::wikilink(target, &body[begin + 1..at], "|")?;
            Some((begin..at + 4 + target.len() + 3, link))
        })
}

#[cfg(test)]
mod tests {
    use memory_text::places::places;

    use super::*;

    #[track_caller]
    fn check(body: &str, read: &str) {
        assert_eq!(readable(body, &places(body), &Blocks::default()), read);
    }

    #[test]
    fn queries_go_with_the_block_that_they_fill() {
        check("- a\n- {{query (and [[x]] [[y]])}}\n- b", "- a\n- b");
        check("- see {{query [[x]]}} here", "- see  here");
        check("- {{query x}}\n  query-table:: true\n- b", "- b");
        check(
            "- a\n  #+BEGIN_QUERY\n  {:x 1}\n  #+END_QUERY\n- b",
            "- a\n- b",
        );
        check("`{{query x}}` {{video y}}", "`{{query x}}` {{video y}}");
    }

    #[test]
    fn properties_of_no_use_go_but_not_from_code() {
        check(
            "- a\n  collapsed:: true\n  id:: 64\n  price:: 3\n\t- b",
            "- a\n  price:: 3\n\t- b",
        );
        check("- ```\n  id:: 64\n  ```", "- ```\n  id:: 64\n  ```");
    }

    #[test]
    fn labelled_links_become_wikilinks() {
        check("- [shown]([[Two Words]]) x", "- [[Two Words|shown]] x");
        check("- [[a]]([[b]])", "- [[a]]([[b]])");
    }

    #[test]
    fn tasks_keep_their_markers() {
        check("- TODO a\n- DONE b", "- TODO a\n- DONE b");
    }
}
