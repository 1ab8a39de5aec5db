//! Claude's own files: instructions (`CLAUDE.md`, rules) and the memories of projects.
//!
//! The folder may be `~/.claude` or that of a project. Transcripts are not read, nor is
//! `MEMORY.md`, which only lists the memories beside it.

use std::path::Path;

use jiff::tz::TimeZone;
use memory_files::{ItemKind, Spot};
use memory_text::yaml;

use super::gather::{Ground, Text, is_markdown, plain_text};
use super::head::Field;
use super::{Foreign, Haul, IngestError, head, imports, limits};

pub(super) fn read(ground: &Ground<'_>) -> Result<Haul, IngestError> {
    let is_home = is_home(ground)?;
    let tree = ground.survey(&|path, kind| wanted(path, kind, is_home))?;
    let is_in_home = is_named_claude(ground);
    let load = |relative: &str| {
        let relative = if is_in_home {
            relative.trim_start_matches("~/.claude/")
        } else {
            relative
        };
        let file = tree
            .read_one(Path::new(relative), limits::MOST_BYTES)
            .ok()
            .flatten()?;
        plain_text(file.bytes)
    };
    Ok(ground.gather(&tree, limits::MOST_BYTES).turn(|file| {
        if is_memory(file) {
            memory(file, ground.zone)
        } else {
            instructions(file, ground.zone, &load)
        }
    }))
}

/// Says whether the folder is Claude's own, and not one of a project.
fn is_home(ground: &Ground<'_>) -> Result<bool, IngestError> {
    let items = ground.files.list(&Spot::anchor(ground.root))?;
    let has = |name: &str| {
        items
            .iter()
            .any(|item| item.name == name && item.kind == ItemKind::Folder)
    };
    Ok(is_named_claude(ground) || (has("projects") && !has(".claude")))
}

fn is_named_claude(ground: &Ground<'_>) -> bool {
    ground
        .root
        .file_name()
        .is_some_and(|name| name == ".claude")
}

fn wanted(path: &Path, kind: ItemKind, is_home: bool) -> bool {
    let parts: Option<Vec<&str>> = path.iter().map(|part| part.to_str()).collect();
    let Some(parts) = parts else { return false };
    let inside = match parts.split_first() {
        Some((&".claude", inside)) => inside,
        _ if is_home => parts.as_slice(),
        _ => {
            return kind == ItemKind::File
                && matches!(parts[..], ["CLAUDE.md" | "CLAUDE.local.md"]);
        }
    };
    match kind {
        ItemKind::Folder => matches!(
            inside,
            [] | ["rules", ..] | ["projects"] | ["projects", _] | ["projects", _, "memory", ..]
        ),
        _ => is_markdown(path) && is_wanted_file(inside),
    }
}

fn is_wanted_file(inside: &[&str]) -> bool {
    match inside {
        ["CLAUDE.md" | "CLAUDE.local.md"] | ["rules", _, ..] | ["projects", _, "CLAUDE.md"] => true,
        ["projects", _, "memory", .., name] => *name != "MEMORY.md",
        _ => false,
    }
}

fn is_memory(file: &Text) -> bool {
    let folders: Vec<&str> = file.folders().collect();
    matches!(
        folders[..],
        ["projects", _, "memory", ..] | [".claude", "projects", _, "memory", ..]
    )
}

/// Reads instructions, with what they import from below the root.
fn instructions(
    file: &Text,
    zone: &TimeZone,
    load: &dyn Fn(&str) -> Option<String>,
) -> Option<Foreign> {
    let (fields, body) = head::split(&file.text);
    let mut draft = head::draft(&fields, zone);
    draft.title = file.stem().to_owned();
    draft.content = imports::inline(&file.relative, body, load);
    draft.finish(file)
}

/// Reads a memory: it is linked by its name, and its type is a tag.
fn memory(file: &Text, zone: &TimeZone) -> Option<Foreign> {
    let (mut fields, body) = head::split(&file.text);
    let name = take_name(&mut fields);
    let mut draft = head::draft(&fields, zone);
    draft.tags.extend(head::kind(&fields));
    draft
        .aliases
        .extend(name.is_some().then(|| file.stem().to_owned()));
    draft.title = name.unwrap_or_else(|| file.stem().to_owned());
    draft.content = body.to_owned();
    draft.finish(file)
}

fn take_name(fields: &mut Vec<Field>) -> Option<String> {
    let at = fields.iter().position(|field| field.key() == "name")?;
    let name = yaml::scalar(&fields[at].lines).filter(|name| !name.trim().is_empty())?;
    fields.remove(at);
    Some(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ingest::Source;
    use crate::ingest::tests::{haul, text};

    #[test]
    fn a_memory_is_known_by_its_name_and_tagged_by_its_type() {
        let file = "---\nname: prefers-tabs\ndescription: How code is indented\nmetadata:\n  type: feedback\n---\n\nUse tabs, see [[style]].\n";
        let note = memory(&text("projects/-x/memory/tabs.md", file), &TimeZone::UTC).unwrap();
        assert_eq!(
            (note.title.as_str(), note.content.as_str()),
            ("prefers-tabs", "Use tabs, see [[style]].")
        );
        assert_eq!(
            (note.tags, note.aliases),
            (vec!["feedback".to_owned()], vec!["tabs".to_owned()])
        );
        assert_eq!(
            note.extra,
            "description: How code is indented\nmetadata:\n  type: feedback\n"
        );
        let older = memory(&text("a.md", "---\ntype: user\n---\nx"), &TimeZone::UTC).unwrap();
        assert_eq!(
            (older.title.as_str(), older.tags),
            ("a", vec!["user".to_owned()])
        );
    }

    #[test]
    fn claudes_home_is_read_without_transcripts_and_index() {
        let haul = haul(
            Source::Claude,
            &[
                ("CLAUDE.md", "Be brief. @notes/style.md"),
                ("notes/style.md", "Use tabs."),
                ("rules/rust.md", "---\npaths: \"**/*.rs\"\n---\nNo unwrap."),
                ("projects/-home-me/memory/MEMORY.md", "- [a](a.md)"),
                (
                    "projects/-home-me/memory/a.md",
                    "---\nname: a fact\n---\nText.",
                ),
                ("projects/-home-me/5f.jsonl", "{}"),
                ("todos/x.md", "no"),
            ],
        );
        assert_eq!(
            haul.lines(),
            [
                "CLAUDE.md (CLAUDE): Be brief. Use tabs.",
                "projects/-home-me/memory/a.md (a fact): Text.",
                "rules/rust.md (rust): No unwrap.",
            ]
        );
        assert_eq!(haul.found[2].extra, "paths: \"**/*.rs\"\n");
        assert!(haul.skipped.is_empty());
    }

    #[test]
    fn a_projects_folder_is_read_for_its_instructions_only() {
        let haul = haul(
            Source::Claude,
            &[
                ("CLAUDE.md", "a @../out.md"),
                ("CLAUDE.local.md", "b"),
                (".claude/CLAUDE.md", "c"),
                (".claude/rules/deep/d.md", "d"),
                ("rules/e.md", "no"),
                ("README.md", "no"),
            ],
        );
        assert_eq!(
            haul.lines(),
            [
                ".claude/CLAUDE.md (CLAUDE): c",
                ".claude/rules/deep/d.md (d): d",
                "CLAUDE.local.md (CLAUDE.local): b",
                "CLAUDE.md (CLAUDE): a @../out.md",
            ]
        );
    }

    proptest::proptest! {
        #[test]
        fn no_text_makes_it_panic(file in "(---\n)?((name|type|metadata):[ a\"'\n]{0,5}){0,4}(---\n)?[@`a中\n]{0,20}") {
            let _ = memory(&text("a/b.md", &file), &TimeZone::UTC);
            let _ = instructions(&text("a/b.md", &file), &TimeZone::UTC, &|_| Some(file.clone()));
        }
    }
}
