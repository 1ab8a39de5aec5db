//! `((block))` references: the blocks of a graph by their ids, and their texts put in place.

use std::collections::HashMap;
use std::ops::Range;

use memory_text::places::{Places, places};

use super::properties::{is_bullet, property};
use crate::ingest::edits::{Edits, lines};
use crate::ingest::limits;

/// The texts of the blocks that have an id.
#[derive(Debug, Default)]
pub(super) struct Blocks(HashMap<String, String>);

/// A reference in a text.
#[derive(Debug, PartialEq, Eq)]
struct Reference<'a> {
    /// With what stands around it: `{{embed …}}`, or a label.
    place: Range<usize>,
    id: &'a str,
    label: Option<&'a str>,
}

impl Blocks {
    /// Adds the blocks of a page.
    pub(super) fn add_page(&mut self, body: &str) {
        if !body.contains("id:: ") {
            return;
        }
        let mut block: Vec<&str> = Vec::new();
        for (_, line) in lines(body) {
            if is_bullet(line) {
                self.add_block(&block);
                block.clear();
            }
            block.push(line);
        }
        self.add_block(&block);
    }

    fn add_block(&mut self, block: &[&str]) {
        let mut ids = block
            .iter()
            .filter_map(|line| property(line))
            .filter(|property| property.key == "id");
        let Some(id) = ids.next() else { return };
        let text = block
            .iter()
            .filter(|line| property(line).is_none())
            .map(|line| bare(line));
        let text = text.collect::<Vec<&str>>().join("\n");
        self.0
            .insert(id.value.to_lowercase(), text.trim().to_owned());
    }

    /// Finds the references of a text that name a block, with what is to stand in their places.
    pub(super) fn resolve(&self, body: &str) -> Vec<(Range<usize>, String)> {
        Resolver {
            blocks: self,
            left: limits::MOST_ADDED,
        }
        .shown_in(body, 0)
    }
}

/// Returns a line without its bullet and its indent.
fn bare(line: &str) -> &str {
    let line = line.trim_start();
    match line.strip_prefix('-') {
        Some(rest) if is_bullet(line) => rest.trim_start(),
        _ => line,
    }
}

struct Resolver<'a> {
    blocks: &'a Blocks,
    /// How many bytes may still be added.
    left: usize,
}

impl Resolver<'_> {
    fn shown_in(&mut self, text: &str, depth: usize) -> Vec<(Range<usize>, String)> {
        if !text.contains("((") || depth >= limits::MOST_DEEP {
            return vec![];
        }
        // Without these marks there is no code that a reference could stand in.
        let places = if text.contains(['`', '~']) {
            places(text)
        } else {
            Places::default()
        };
        let found: Vec<Reference<'_>> = references(text)
            .filter(|found| !places.is_code(found.place.start))
            .collect();
        found
            .into_iter()
            .filter_map(|found| {
                let shown = self.shown(found.id, depth)?;
                let shown = found.label.map_or(shown, str::to_owned);
                Some((
                    found.place.clone(),
                    indented(text, found.place.start, &shown),
                ))
            })
            .collect()
    }

    fn shown(&mut self, id: &str, depth: usize) -> Option<String> {
        let text = self.blocks.0.get(&id.to_lowercase())?;
        self.left = self.left.checked_sub(text.len() + id.len())?;
        let mut edits = Edits::default();
        for (place, shown) in self.shown_in(text, depth + 1) {
            edits.replace(place, shown);
        }
        Some(edits.apply(text))
    }
}

/// Indents the lines after the first, so that they stay in the block that they are shown in.
fn indented(text: &str, at: usize, shown: &str) -> String {
    if !shown.contains('\n') {
        return shown.to_owned();
    }
    let line = &text[text[..at].rfind('\n').map_or(0, |end| end + 1)..];
    let blank = line.len() - line.trim_start_matches([' ', '\t']).len();
    let hanging = if is_bullet(line) { "  " } else { "" };
    shown.replace('\n', &format!("\n{}{hanging}", &line[..blank]))
}

/// Finds `((id))`, `{{embed ((id))}}` and `[label](((id)))`.
fn references(text: &str) -> impl Iterator<Item = Reference<'_>> {
    text.match_indices("((").filter_map(move |(at, _)| {
        // Of three, the first belongs to the link with the label.
        let at = at + usize::from(text[at + 2..].starts_with('('));
        let id = text[at + 2..].get(..ID_LENGTH).filter(|id| is_id(id))?;
        let end = at + 2 + ID_LENGTH;
        let after = text[end..].strip_prefix("))")?;
        let place = at..end + 2;
        if after.starts_with(')') && text[..at].ends_with("](") {
            let begin = label_start(&text[..at - 2])?;
            let label = Some(&text[begin + 1..at - 2]);
            return Some(Reference {
                place: begin..place.end + 1,
                id,
                label,
            });
        }
        let place = match text[..at].trim_end().strip_suffix("{{embed") {
            Some(before) if after.trim_start().starts_with("}}") => {
                before.len()..text.len() - after.trim_start().len() + 2
            }
            _ => place,
        };
        Some(Reference {
            place,
            id,
            label: None,
        })
    })
}

/// Returns where the bracket opens that is about to be closed, if that is near, on the same line.
pub(super) fn label_start(before: &str) -> Option<usize> {
    let mut closed = 0;
    let near = before.char_indices().rev().take(limits::LONGEST_LABEL);
    for (at, c) in near.take_while(|(_, c)| *c != '\n') {
        match c {
            '[' if closed == 0 => return Some(at),
            '[' => closed -= 1,
            ']' => closed += 1,
            _ => {}
        }
    }
    None
}

/// Ids are UUIDs.
const ID_LENGTH: usize = 36;

fn is_id(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_hexdigit() || b == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: &str = "64a1b2c3-0000-4000-8000-00000000000a";
    const B: &str = "64a1b2c3-0000-4000-8000-00000000000b";

    fn blocks() -> Blocks {
        let mut blocks = Blocks::default();
        blocks.add_page(&format!(
            "- the first\n  id:: {A}\n  more of it\n\t- child\n- loops (({B}))\n  id:: {B}\n"
        ));
        blocks
    }

    #[track_caller]
    fn check(body: &str, resolved: &str) {
        let mut edits = Edits::default();
        for (place, shown) in blocks().resolve(body) {
            edits.replace(place, shown);
        }
        assert_eq!(edits.apply(body), resolved);
    }

    #[test]
    fn references_show_the_block_that_they_name() {
        check(&format!("see (({A})) now"), "see the first\nmore of it now");
        check(
            &format!("- a\n\t- {{{{embed (({A}))}}}}\n- b"),
            "- a\n\t- the first\n\t  more of it\n- b",
        );
        check(&format!("[a label]((({A}))) here"), "a label here");
    }

    #[test]
    fn what_names_no_block_stays_as_written() {
        let unknown = "see ((64a1b2c3-0000-4000-8000-0000000000ff)) and ((a))";
        check(unknown, unknown);
        let code = format!("`(({A}))`");
        check(&code, &code);
    }

    #[test]
    fn blocks_that_name_themselves_come_to_an_end() {
        check(
            &format!("(({B}))"),
            &format!("loops loops loops loops loops (({B}))"),
        );
    }

    #[test]
    fn no_graph_grows_beyond_measure() {
        let mut blocks = Blocks::default();
        let many = format!("(({A})) ").repeat(500);
        blocks.add_page(&format!("- {many}\n  id:: {A}\n"));
        let added: usize = blocks
            .resolve(&many)
            .iter()
            .map(|(_, shown)| shown.len())
            .sum();
        assert!(added < 2 * limits::MOST_ADDED, "{added}");
    }

    proptest::proptest! {
        #[test]
        fn no_text_makes_it_panic(parts in proptest::collection::vec(
            proptest::sample::select(vec!["((", "))", ")", "](", "[", "{{embed ", "}}", A, B, "\n", "- ", "中", "`"]), 0..20)
        ) {
            let body = parts.concat();
            for (place, _) in blocks().resolve(&body) {
                assert!(body.get(place).is_some());
            }
        }
    }
}
