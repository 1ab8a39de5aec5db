//! The documentation is true: links lead somewhere, and examples print what they show.
//!
//! All ```console blocks of a page are one session in an empty home, in the order in which they are
//! written. A line that starts with `$ ` is a command, lines after it that start with `> ` continue
//! it, and the rest is the output of both streams. `UPDATE=1 cargo test -p memory-cli --test docs`
//! writes the present output into the pages.

#![allow(clippy::disallowed_methods)] // a test reads the repository

mod session;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use session::{Session, assert_same};

/// What the home directory is called in the pages.
const HOME: &str = "/home/you";

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .expect("the repository is there")
}

/// Returns every page below `docs`, by its path in the repository.
fn pages() -> BTreeMap<PathBuf, String> {
    let mut pages = BTreeMap::new();
    let mut directories = vec![PathBuf::from("docs")];
    while let Some(directory) = directories.pop() {
        let entries = std::fs::read_dir(repository().join(&directory)).expect("a directory");
        for entry in entries {
            let path = directory.join(entry.expect("an entry").file_name());
            if repository().join(&path).is_dir() {
                directories.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                let text = read(&path);
                pages.insert(path, text);
            }
        }
    }
    pages
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(repository().join(path)).expect("a page in UTF-8")
}

/// A fenced code block: the language that its fence names, and its lines.
struct Block<'a> {
    language: &'a str,
    lines: Vec<&'a str>,
}

/// A piece of a page.
enum Piece<'a> {
    Text(&'a str),
    Code(Block<'a>),
}

/// Splits a page into lines of text and code blocks.
fn pieces(page: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        match line.trim_start().strip_prefix("```") {
            None => pieces.push(Piece::Text(line)),
            Some(language) => {
                let inside = lines
                    .by_ref()
                    .take_while(|line| line.trim_start() != "```")
                    .collect();
                pieces.push(Piece::Code(Block {
                    language,
                    lines: inside,
                }));
            }
        }
    }
    pieces
}

fn blocks<'a>(page: &'a str, language: &str) -> Vec<Block<'a>> {
    let code = pieces(page).into_iter().filter_map(|piece| match piece {
        Piece::Code(block) => Some(block),
        Piece::Text(_) => None,
    });
    code.filter(|block| block.language == language).collect()
}

/// Returns a page with the output that its commands have now.
fn replay(page: &str) -> String {
    let session = Session::of_one_shell(HOME);
    let mut now = String::new();
    for piece in pieces(page) {
        match piece {
            Piece::Text(line) => now.extend([line, "\n"]),
            Piece::Code(block) if block.language == "console" => {
                now.extend(["```console\n", &run(&block, &session), "```\n"]);
            }
            Piece::Code(block) => {
                let lines = block.lines.iter().flat_map(|line| [*line, "\n"]);
                now.extend(
                    ["```", block.language, "\n"]
                        .into_iter()
                        .chain(lines)
                        .chain(["```\n"]),
                );
            }
        }
    }
    now
}

fn run(block: &Block<'_>, session: &Session) -> String {
    let mut now = String::new();
    let mut lines = block.lines.iter().peekable();
    while let Some(line) = lines.next() {
        let Some(first) = line.strip_prefix("$ ") else {
            continue;
        };
        let mut command = first.to_owned();
        now.extend([line, "\n"]);
        while let Some(more) = lines.next_if(|line| line.starts_with('>')) {
            command.extend(["\n", more.strip_prefix("> ").unwrap_or("")]);
            now.extend([more, "\n"]);
        }
        now.push_str(&session.run(&command));
        if !now.ends_with('\n') {
            now.push('\n');
        }
    }
    now
}

#[track_caller]
fn check_examples(path: &Path, page: &str) {
    let now = replay(page);
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(repository().join(path), now).expect("the page is written");
    } else {
        assert_same(&path.display().to_string(), page, &now);
    }
}

/// Returns the targets of the links of a page.
fn links(page: &str) -> Vec<&str> {
    let mut targets = Vec::new();
    for piece in pieces(page) {
        let Piece::Text(line) = piece else { continue };
        let outside_code = line.split('`').step_by(2);
        for part in outside_code {
            let after = part.split("](").skip(1);
            targets.extend(
                after
                    .filter_map(|rest| rest.split_once(')'))
                    .map(|(target, _)| target),
            );
        }
    }
    targets
}

/// Returns the anchors of a page's headings, as code hosts and mdbook derive them.
fn anchors(page: &str) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    for piece in pieces(page) {
        let Piece::Text(line) = piece else { continue };
        let title = line.trim_start_matches('#');
        if title.len() == line.len() || !title.starts_with(' ') {
            continue;
        }
        let kept = title
            .trim()
            .chars()
            .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        let anchor: String = kept
            .map(|c| if c == ' ' { '-' } else { c })
            .collect::<String>()
            .to_lowercase();
        let is_new = anchors.insert(anchor.clone());
        if !is_new {
            let number = (1..)
                .find(|n| !anchors.contains(&format!("{anchor}-{n}")))
                .expect("a number");
            anchors.insert(format!("{anchor}-{number}"));
        }
    }
    anchors
}

/// Returns the links of a page that lead nowhere.
fn broken_links(path: &Path, page: &str) -> Vec<String> {
    let is_broken = |target: &&str| {
        if target.contains("://") || target.starts_with("mailto:") {
            return false;
        }
        let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
        let linked = match file {
            "" => path.to_owned(),
            file => path.parent().expect("a page is in a directory").join(file),
        };
        if !repository().join(&linked).exists() {
            return true;
        }
        !anchor.is_empty() && !anchors(&read(&linked)).contains(anchor)
    };
    let broken = links(page).into_iter().filter(is_broken);
    broken
        .map(|target| format!("{}: {target}", path.display()))
        .collect()
}

#[test]
fn every_link_of_the_book_leads_to_a_file_and_a_heading() {
    let broken: Vec<String> = pages()
        .iter()
        .flat_map(|(path, page)| broken_links(path, page))
        .collect();
    assert!(broken.is_empty(), "broken links:\n{}", broken.join("\n"));
}

#[test]
fn every_link_of_the_readme_leads_to_a_file_and_a_heading() {
    let broken = broken_links(Path::new("README.md"), &read(Path::new("README.md")));
    assert!(broken.is_empty(), "broken links:\n{}", broken.join("\n"));
}

#[test]
fn the_examples_of_the_book_print_what_it_shows() {
    for (path, page) in pages() {
        if !blocks(&page, "console").is_empty() {
            check_examples(&path, &page);
        }
    }
}

#[test]
fn the_examples_of_the_readme_print_what_it_shows() {
    check_examples(Path::new("README.md"), &read(Path::new("README.md")));
}

#[test]
fn every_page_is_in_the_table_of_contents_once() {
    let contents = Path::new("docs/SUMMARY.md");
    let page = read(contents);
    let targets = links(&page).into_iter().filter(|target| !target.is_empty());
    let mut listed: Vec<PathBuf> = targets
        .map(|target| Path::new("docs").join(target))
        .collect();
    listed.sort();
    let there: Vec<PathBuf> = pages()
        .into_keys()
        .filter(|path| path != contents)
        .collect();
    assert_eq!(listed, there);
}

#[test]
fn json_in_the_book_is_valid() {
    for (path, page) in pages() {
        for block in blocks(&page, "json") {
            let text = block.lines.join("\n");
            let parsed = serde_json::from_str::<serde_json::Value>(&text);
            assert!(
                parsed.is_ok(),
                "{}: {}\n{text}",
                path.display(),
                parsed.unwrap_err()
            );
        }
    }
}

#[test]
fn yaml_in_the_book_is_a_configuration_that_the_program_accepts() {
    for (path, page) in pages() {
        for block in blocks(&page, "yaml") {
            let session = Session::of_one_shell(HOME);
            let text = block.lines.join("\n");
            let command = format!(
                "mkdir -p ~/.memory && cat > ~/.memory/config.yaml <<'END'\n{text}\nEND\nmemory config list --json"
            );
            let shown = session.run(&command);
            assert!(
                !shown.contains("[exit"),
                "{}: {shown}\n{text}",
                path.display()
            );
        }
    }
}

#[test]
fn every_page_that_the_source_code_names_is_there() {
    let mut missing = Vec::new();
    let mut directories = vec![repository().join("crates"), repository().join("kinds")];
    while let Some(directory) = directories.pop() {
        for entry in std::fs::read_dir(directory).expect("a directory") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                directories.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&path).expect("a source file");
                missing.extend(named_pages(&text).filter(|page| !repository().join(page).exists()));
            }
        }
    }
    assert!(missing.is_empty(), "{missing:?}");
}

/// Returns the pages that a comment names, such as `docs/formats/index.md`.
fn named_pages(source: &str) -> impl Iterator<Item = String> + '_ {
    let comments = source
        .lines()
        .filter(|line| line.trim_start().starts_with("//"));
    comments
        .flat_map(|line| line.split("docs/").skip(1))
        .filter_map(|rest| {
            let end = rest
                .find(|c: char| !(c.is_alphanumeric() || "/-_.".contains(c)))
                .unwrap_or(rest.len());
            let page = rest[..end].trim_end_matches('.');
            page.ends_with(".md").then(|| format!("docs/{page}"))
        })
}
