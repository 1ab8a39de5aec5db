//! The history of a store, read behind its back.

// A test reads the files of the store.
#![allow(clippy::disallowed_methods)]

use std::fs;
use std::path::Path;

/// Returns the ids of the steps in the history of a store, oldest first.
pub fn history(store: &Path) -> Vec<String> {
    let mut files: Vec<_> = fs::read_dir(store.join(".memory-history"))
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|end| end == "jsonl"))
        .collect();
    files.sort();
    let texts = files
        .iter()
        .filter_map(|path| fs::read_to_string(path).ok());
    let lines: Vec<serde_json::Value> = texts
        .flat_map(|text| text.lines().map(serde_json::from_str).collect::<Vec<_>>())
        .flatten()
        .collect();
    let steps = lines.iter().filter_map(|line| line["step"].as_str());
    steps.map(str::to_owned).collect()
}
