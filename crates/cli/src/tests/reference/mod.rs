//! The reference pages of the documentation, generated from the program.
//!
//! Each test compares a page below `docs/reference` with what the program declares.
//! `UPDATE=1 cargo test -p memory-cli --lib reference` rewrites the pages.

#![allow(clippy::disallowed_methods)] // a test reads the repository and its own environment

mod commands;
mod environment;
mod errors;
mod settings;
mod tools;

use std::path::Path;

/// The first lines of every page.
fn heading(title: &str) -> String {
    format!(
        "# {title}\n\n<!-- Generated. To rewrite this page: UPDATE=1 cargo test -p memory-cli --lib reference -->\n\n"
    )
}

#[track_caller]
fn check(name: &str, generated: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../docs/reference")
        .join(name);
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path, generated).expect("the page is written");
        return;
    }
    let page = std::fs::read_to_string(path).unwrap_or_default();
    for (n, (page, generated)) in page.lines().zip(generated.lines()).enumerate() {
        assert_eq!(
            page,
            generated,
            "docs/reference/{name}, line {} is out of date",
            n + 1
        );
    }
    assert_eq!(
        page.len(),
        generated.len(),
        "docs/reference/{name} is out of date"
    );
}

/// Returns a text as one cell of a table.
fn cell(text: &str) -> String {
    escaped(text).replace('|', "\\|").replace('\n', " ")
}

/// Returns a text in which nothing is taken for HTML.
fn escaped(text: &str) -> String {
    text.replace('<', "\\<").replace('*', "\\*")
}
