//! Programs that keep plain Markdown: car-agent, and fingersaver's chats.
//!
//! Only the beginning of a file is kept (specification 001, "Ingestion").

use std::path::Path;

use jiff::tz::TimeZone;
use memory_files::ItemKind;

use super::gather::{Ground, Text, is_hidden, is_markdown};
use super::{Foreign, Haul, IngestError, Source, head, limits};

pub(super) fn read(ground: &Ground<'_>) -> Result<Haul, IngestError> {
    let tree = ground.survey(&|path, kind| wanted(ground.source, path, kind))?;
    Ok(ground
        .gather(&tree, limits::MOST_BYTES_TO_CUT)
        .turn(|text| note(text, ground.zone)))
}

fn wanted(source: Source, path: &Path, kind: ItemKind) -> bool {
    match (kind, source) {
        (ItemKind::Folder, _) => !is_hidden(path),
        (_, Source::Fingersaver) => path.file_name().is_some_and(|name| name == "chat.md"),
        _ => is_markdown(path),
    }
}

/// Reads the beginning of one file.
fn note(file: &Text, zone: &TimeZone) -> Option<Foreign> {
    let (fields, body) = head::split(&file.text);
    let mut draft = head::draft(&fields, zone);
    draft.title = file.stem().to_owned();
    draft.content = body.to_owned();
    draft.most_chars = Some(limits::CUT_CHARS);
    draft.finish(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ingest::tests::{haul, text};

    #[test]
    fn only_the_beginning_is_kept_in_characters() {
        let long = "长".repeat(5001);
        let note = note(
            &text("a.md", &format!("---\ntags: x\n---\n{long}")),
            &TimeZone::UTC,
        )
        .unwrap();
        assert_eq!(note.content.chars().count(), 5000);
        assert_eq!(note.tags, ["x"]);
    }

    #[test]
    fn a_credential_is_masked_before_it_could_be_cut_in_two() {
        let key = ["ghp_", &"a1B2c3D4e5".repeat(4)].concat();
        let file = format!("{}{key}", "a ".repeat(2490));
        let note = note(&text("a.md", &file), &TimeZone::UTC).unwrap();
        assert!(
            note.content.ends_with(" [masked: a GitHub to"),
            "{}",
            &note.content[4970..]
        );
        assert_eq!(note.masked, 1);
    }

    #[test]
    fn all_markdown_of_car_agent_is_read() {
        let files = [
            ("a.md", "one"),
            ("deep/b.MD", "two"),
            ("c.txt", "no"),
            (".cache/d.md", "no"),
        ];
        assert_eq!(
            haul(Source::CarAgent, &files).lines(),
            ["a.md (a): one", "deep/b.MD (b): two"]
        );
    }

    #[test]
    fn the_chats_of_fingersaver_are_read_also_large_ones() {
        let long = "x".repeat(2 * 1024 * 1024);
        let haul = haul(
            Source::Fingersaver,
            &[
                ("chat.md", &long),
                ("notes.md", "no"),
                ("old/chat.md", "old"),
            ],
        );
        assert_eq!(
            haul.found
                .iter()
                .map(|note| note.content.len())
                .collect::<Vec<_>>(),
            [5000, 3]
        );
        assert!(haul.skipped.is_empty());
    }

    proptest::proptest! {
        #[test]
        fn no_text_makes_it_panic(file in "(---\n)?([a-z]{0,3}:[ -a中\n]{0,9}){0,6}(---\n)?\\PC{0,30}") {
            let _ = note(&text("a/b.md", &file), &TimeZone::UTC);
        }
    }
}
