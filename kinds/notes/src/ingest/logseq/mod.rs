//! Logseq's graphs of files: pages and journals, each an outline of blocks.
//!
//! Blocks refer to each other across the graph, so all pages are read before the first is turned.

mod body;
mod config;
mod names;
mod properties;
mod references;

use std::path::Path;

use jiff::tz::TimeZone;
use memory_core::Flaw;
use memory_files::{ForeignTree, ItemKind};
use memory_text::places::places;

use super::draft::Draft;
use super::gather::{Ground, Text, is_hidden, is_markdown};
use super::{Foreign, Haul, IngestError, dates, head, limits, tags};
use config::Config;
use properties::Property;
use references::Blocks;

const SETTINGS: &str = "logseq/config.edn";

pub(super) fn read(ground: &Ground<'_>) -> Result<Haul, IngestError> {
    let mut tree = ground.survey(&wanted)?;
    tell_databases(&mut tree);
    let mut gathered = ground.gather(&tree, limits::MOST_BYTES);
    let (settings, pages) = gathered
        .texts
        .into_iter()
        .partition(|text| text.relative.ends_with(SETTINGS));
    gathered.texts = pages;
    let graphs = Graphs::new(&settings);
    let mut blocks = Blocks::default();
    gathered
        .texts
        .iter()
        .for_each(|page| blocks.add_page(&page.text));
    Ok(gathered.turn(|text| page(text, &blocks, graphs.config_of(text), ground.zone)))
}

fn wanted(path: &Path, kind: ItemKind) -> bool {
    let is_kept_by_logseq = ["logseq/bak", "logseq/.recycle", "logseq/version-files"];
    match kind {
        ItemKind::Folder => {
            !is_hidden(path) && !is_kept_by_logseq.iter().any(|kept| path.ends_with(kept))
        }
        _ => is_markdown(path) || path.ends_with(SETTINGS) || is_database(path),
    }
}

fn is_database(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "sqlite")
}

/// Newer graphs are databases, which hold no Markdown.
fn tell_databases(tree: &mut ForeignTree) {
    let (databases, files) = tree
        .files
        .drain(..)
        .partition(|file| is_database(&file.relative));
    tree.files = files;
    let databases: Vec<memory_files::ForeignPath> = databases;
    tree.flaws.extend(databases.iter().map(|file| Flaw {
        remedy: Some(
            "Export it as Markdown in Logseq, and name the exported folder with --path".to_owned(),
        ),
        ..Flaw::new(
            file.relative.display().to_string(),
            "is a database graph, which holds no Markdown",
        )
    }));
}

/// The settings of every graph below the root, by the folder that it begins in.
struct Graphs(Vec<(String, Config)>);

impl Graphs {
    fn new(settings: &[Text]) -> Self {
        let graph = |text: &Text| {
            let folder = text.relative.strip_suffix(SETTINGS).unwrap_or_default();
            (folder.to_owned(), config::parse(&text.text))
        };
        Graphs(settings.iter().map(graph).collect())
    }

    fn config_of(&self, page: &Text) -> Config {
        let around = self
            .0
            .iter()
            .filter(|(folder, _)| page.relative.starts_with(folder.as_str()));
        around
            .max_by_key(|(folder, _)| folder.len())
            .map(|(_, config)| config.clone())
            .unwrap_or_default()
    }
}

/// Reads one page or journal.
fn page(file: &Text, blocks: &Blocks, config: Config, zone: &TimeZone) -> Option<Foreign> {
    let (fields, body) = head::split(&file.text);
    let mut draft = head::draft(&fields, zone);
    name(&mut draft, file, &config, zone);
    let (found, place) = properties::of_page(body);
    found
        .iter()
        .for_each(|property| add_property(&mut draft, property, zone));
    let body = &body[place.end..];
    let places = places(body);
    let inline = tags::inline_tags(body, &|at| places.is_taken(at));
    draft.tags.extend(inline.into_iter().map(str::to_owned));
    let content = body::readable(body, &places, blocks);
    let says_something = content.contains(|c: char| !c.is_whitespace() && c != '-');
    draft.content = if says_something {
        content
    } else {
        String::new()
    };
    draft.finish(file)
}

/// Names a page by its file, and a journal by its day.
fn name(draft: &mut Draft, file: &Text, config: &Config, zone: &TimeZone) {
    let is_journal = file.folders().next_back() == Some(config.journals.as_str());
    if is_journal && let Some(day) = dates::day_of_name(file.stem()) {
        draft.title = day.to_string();
        draft
            .aliases
            .push(names::journal_title(day, &config.journal_title));
        draft.created_at = dates::start_of(day, zone);
    } else {
        draft.title = names::page_title(file.stem(), config);
    }
}

fn add_property(draft: &mut Draft, property: &Property<'_>, zone: &TimeZone) {
    match property.key.as_str() {
        "tags" | "tag" => draft.tags.extend(property.values()),
        "alias" | "aliases" => draft.aliases.extend(property.values()),
        "title" if !property.value.is_empty() => draft.title = property.value.to_owned(),
        _ if property.is_of_no_use() => {}
        key => {
            if matches!(key, "created" | "date") {
                let time = dates::time(property.value, zone);
                draft.created_at = draft.created_at.or(time);
            }
            draft.extra.add(key, property.value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ingest::Source;
    use crate::ingest::tests::{haul, text};

    fn read_page(relative: &str, file: &str) -> Foreign {
        page(
            &text(relative, file),
            &Blocks::default(),
            Config::default(),
            &TimeZone::UTC,
        )
        .unwrap()
    }

    #[test]
    fn a_page_is_read_with_its_properties() {
        let page = read_page(
            "pages/a___b.md",
            "title:: The Page\ntags:: one, [[two words]]\nalias:: other\ntype:: [[book]]\nid:: 64\n\n- text #three #[[four five]]\n",
        );
        assert_eq!(
            (page.title.as_str(), page.content.as_str()),
            ("The Page", "- text #three #[[four five]]")
        );
        assert_eq!(page.tags, ["one", "two words", "three", "four five"]);
        assert_eq!(
            (page.aliases, page.extra),
            (vec!["other".to_owned()], "type: \"[[book]]\"\n".to_owned())
        );
        assert_eq!(read_page("pages/a___b.md", "- x").title, "a/b");
    }

    #[test]
    fn a_journal_is_named_by_its_day() {
        let page = read_page("journals/2026_05_07.md", "- x");
        assert_eq!(
            (page.title.as_str(), page.aliases),
            ("2026-05-07", vec!["May 7th, 2026".to_owned()])
        );
        assert_eq!(page.created_at.unwrap().to_string(), "2026-05-07T00:00:00Z");
    }

    #[test]
    fn a_graph_is_read_as_a_whole() {
        let id = "64a1b2c3-0000-4000-8000-00000000000a";
        let haul = haul(
            Source::Logseq,
            &[
                ("logseq/config.edn", "{:file/name-format :triple-lowbar}"),
                ("logseq/bak/pages/old.md", "- old"),
                ("logseq/.recycle/gone.md", "- gone"),
                ("pages/v1.2.md", &format!("- [t]([[N]])\n- see (({id}))\n")),
                (
                    "journals/2026_05_07.md",
                    &format!("- DONE the block\n  id:: {id}\n"),
                ),
                ("older/logseq/config.edn", "{}"),
                ("older/pages/a.b.md", "- x"),
                ("pages/empty.md", "-\n"),
            ],
        );
        assert_eq!(
            haul.lines(),
            [
                "journals/2026_05_07.md (2026-05-07): - DONE the block",
                "older/pages/a.b.md (a/b): - x",
                "pages/v1.2.md (v1.2): - [[N|t]]\n- see DONE the block",
            ]
        );
        assert_eq!(haul.told(), ["pages/empty.md has no text"]);
    }

    #[test]
    fn a_database_graph_is_told_with_a_way_out() {
        let haul = haul(Source::Logseq, &[("graphs/mine/db.sqlite", "x")]);
        assert!(haul.found.is_empty());
        assert_eq!(
            haul.told(),
            ["graphs/mine/db.sqlite is a database graph, which holds no Markdown"]
        );
        assert!(
            haul.skipped[0]
                .remedy
                .as_deref()
                .unwrap()
                .contains("Export it as Markdown")
        );
    }

    proptest::proptest! {
        #[test]
        fn no_text_makes_it_panic(file in "(---\n)?([- \t]{0,3}[a#\\[\\](){}中:`]{0,12}(id:: |query|tags:: )?[^a]{0,4}\n){0,6}") {
            let (text, mut blocks) = (text("a/b.md", &file), Blocks::default());
            blocks.add_page(&file);
            let _ = page(&text, &blocks, Config::default(), &TimeZone::UTC);
        }
    }
}
