//! Obsidian's vaults: notes in folders, with a YAML head, `#tags`, `%%comments%%` and `^blocks`.

use std::ops::Range;
use std::path::Path;

use jiff::tz::TimeZone;
use memory_files::ItemKind;
use memory_text::places::{Places, is_within, places};

use super::draft::Draft;
use super::edits::{Edits, lines, with_line_end};
use super::gather::{Ground, Text, is_hidden, is_markdown};
use super::{Foreign, Haul, IngestError, dates, head, limits, links, tags};

pub(super) fn read(ground: &Ground<'_>) -> Result<Haul, IngestError> {
    let tree = ground.survey(&wanted)?;
    Ok(ground
        .gather(&tree, limits::MOST_BYTES)
        .turn(|text| note(text, ground.zone)))
}

/// Settings (`.obsidian`) and deleted notes (`.trash`) are in hidden folders, as are other tools'.
fn wanted(path: &Path, kind: ItemKind) -> bool {
    !is_hidden(path) && (kind == ItemKind::Folder || is_markdown(path))
}

/// Reads one note.
fn note(file: &Text, zone: &TimeZone) -> Option<Foreign> {
    let (fields, body) = head::split(&file.text);
    let mut draft = head::draft(&fields, zone);
    let day = dates::day_of_name(file.stem());
    draft.created_at = draft.created_at.or_else(|| dates::start_of(day?, zone));
    draft.title = file.stem().to_owned();
    add_body(&mut draft, body, &file.folders().collect::<Vec<_>>());
    draft.finish(file)
}

fn add_body(draft: &mut Draft, body: &str, folder: &[&str]) {
    let places = places(body);
    let comments = comments(body, &places);
    let found = tags::inline_tags(body, &|at| places.is_taken(at) || is_within(&comments, at));
    draft.tags.extend(found.into_iter().map(str::to_owned));
    let mut edits = Edits::default();
    for link in &places.links {
        if let Some(wikilink) = links::as_wikilink(body, link, folder) {
            edits.replace(link.place.clone(), wikilink);
        }
    }
    block_ids(body, &places).for_each(|place| edits.remove(place));
    comments.into_iter().for_each(|place| edits.remove(place));
    draft.content = edits.apply(body);
}

/// Returns the comments; one that fills its lines goes with its line end. An open one is none.
fn comments(body: &str, places: &Places) -> Vec<Range<usize>> {
    let marks: Vec<usize> = body
        .match_indices("%%")
        .map(|(at, _)| at)
        .filter(|at| !places.is_code(*at))
        .collect();
    let pairs = marks.chunks_exact(2).map(|pair| pair[0]..pair[1] + 2);
    pairs
        .map(|comment| {
            if fills_its_lines(body, &comment) {
                with_line_end(body, comment)
            } else {
                comment
            }
        })
        .collect()
}

fn fills_its_lines(body: &str, place: &Range<usize>) -> bool {
    let begins = place.start == 0 || body[..place.start].ends_with('\n');
    begins && (place.end == body.len() || body[place.end..].starts_with('\n'))
}

/// Returns the ` ^id` at the ends of lines, by which Obsidian links to blocks.
fn block_ids<'a>(body: &'a str, places: &'a Places) -> impl Iterator<Item = Range<usize>> + 'a {
    let lines = body.contains('^').then(|| lines(body));
    lines.into_iter().flatten().filter_map(|(place, line)| {
        let (before, id) = line.trim_end().rsplit_once('^')?;
        let is_id = !id.is_empty() && id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
        let stands_apart = before.chars().next_back().is_none_or(char::is_whitespace);
        if !is_id || !stands_apart || places.is_taken(place.start + before.len()) {
            return None;
        }
        if before.trim().is_empty() {
            Some(with_line_end(body, place))
        } else {
            Some(place.start + before.trim_end().len()..place.end)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ingest::tests::{haul, text};

    fn read_note(relative: &str, file: &str) -> Foreign {
        note(&text(relative, file), &TimeZone::UTC).unwrap()
    }

    #[track_caller]
    fn check_content(body: &str, content: &str) {
        assert_eq!(read_note("a.md", body).content, content);
    }

    #[test]
    fn a_note_is_read_with_its_head_its_tags_and_its_names() {
        let note = read_note(
            "work/Plan.md",
            "---\ntags: [a]\naliases: [The Plan]\ncssclass: x\n---\n\nText #b/c and #A.\n![[Embedded]]\n",
        );
        assert_eq!(
            (note.title.as_str(), note.relative.as_str()),
            ("Plan", "work/Plan.md")
        );
        assert_eq!(note.content, "Text #b/c and #A.\n![[Embedded]]");
        assert_eq!(note.tags, ["a", "b/c"]);
        assert_eq!(note.aliases, ["The Plan"]);
        assert_eq!(note.extra, "cssclass: x\n");
    }

    #[test]
    fn comments_and_block_ids_go_but_not_from_code() {
        check_content("a %%hidden #x%% b ^id-1\nc", "a  b\nc");
        check_content("a\n%%\nmany\nlines\n%%\nb", "a\nb");
        check_content("`%%` and %% open", "`%%` and %% open");
        check_content("```\n%%a%% ^b\n```", "```\n%%a%% ^b\n```");
        check_content("- a\n- b\n\n^list\n\nc", "- a\n- b\n\n\nc");
        check_content("2^10 and [[a#^block]]", "2^10 and [[a#^block]]");
        assert!(
            read_note("a.md", "x %%#no%% `#no` [[a #no]] ")
                .tags
                .is_empty()
        );
    }

    #[test]
    fn markdown_links_to_notes_become_wikilinks() {
        check_content(
            "see [t](N%20x.md#H) and [u](http://x.y)",
            "see [[N x|t]] and [u](http://x.y)",
        );
        check_content("`[t](N.md)`", "`[t](N.md)`");
        let content = read_note(
            "a/b.md",
            "![[E]] [t](N%20x.md#H)\n\n| a |\n| - |\n| [t](../T.md) |\n",
        )
        .content;
        let targets = memory_text::wikilinks::wikilinks(&content)
            .into_iter()
            .map(|link| link.target);
        assert_eq!(targets.collect::<Vec<_>>(), ["E", "N x", "T"]);
    }

    #[test]
    fn a_daily_note_begins_with_its_day() {
        let created = |relative: &str, file: &str| {
            read_note(relative, file).created_at.map(|t| t.to_string())
        };
        assert_eq!(
            created("daily/2026-05-07.md", "x").as_deref(),
            Some("2026-05-07T00:00:00Z")
        );
        assert_eq!(
            created("2026-05-07.md", "---\ncreated: 2026-05-06\n---\nx").as_deref(),
            Some("2026-05-06T00:00:00Z")
        );
        assert_eq!(created("x.md", "x"), None);
    }

    #[test]
    fn a_vault_is_read_without_settings_trash_and_attachments() {
        let haul = haul(
            crate::ingest::Source::Obsidian,
            &[
                (".obsidian/app.md", "x"),
                (".trash/old.md", "x"),
                ("b/two.md", "two\r\nlines\r\n"),
                ("a.md", "one"),
                ("empty.md", "---\na: b\n---\n"),
                ("picture.png", "x"),
            ],
        );
        assert_eq!(
            haul.lines(),
            ["a.md (a): one", "b/two.md (two): two\nlines"]
        );
        assert_eq!(haul.told(), ["empty.md has no text"]);
    }

    proptest::proptest! {
        #[test]
        fn no_text_makes_it_panic(file in "(---\n)?[-%^#!\\[\\]()|`a中.md:\n\t ]{0,60}") {
            let _ = note(&text("a/b.md", &file), &TimeZone::UTC);
        }
    }
}
