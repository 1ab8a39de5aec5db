//! The dependency arrows of ARCHITECTURE.md: they only point down, and kinds never see each other.

#![allow(clippy::panic)] // a test fails by panicking

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;

/// Each crate's level, and the crates that it may see.
fn allowed(name: &str) -> &'static [&'static str] {
    const GROUND: &[&str] =
        &["memory-core", "memory-files", "memory-jq", "memory-models", "memory-steps", "memory-text"];
    match name {
        "memory-steps" => &[],
        "memory-core" | "memory-jq" | "memory-text" => &["memory-steps"],
        "memory-files" => &["memory-core"],
        "memory-models" => &["memory-core", "memory-files", "memory-steps"],
        "memory-testkit" => &["memory-core", "memory-files"],
        "memory-serve" => &["memory-core", "memory-files"],
        "memory" => {
            const KINDS: &[&str] = &[
                "memory-banks",
                "memory-compartments",
                "memory-conversations",
                "memory-core",
                "memory-files",
                "memory-index",
                "memory-journal",
                "memory-models",
                "memory-notes",
                "memory-serve",
                "memory-steps",
                "memory-text",
            ];
            KINDS
        }
        kind if kind.starts_with("memory-") => GROUND,
        other => panic!("{other} has no place in the architecture yet"),
    }
}

fn metadata() -> Value {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    serde_json::from_slice(&output.stdout).expect("cargo speaks JSON")
}

fn arrows() -> BTreeMap<String, BTreeSet<String>> {
    let packages = metadata()["packages"].as_array().expect("packages").clone();
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    packages
        .iter()
        .map(|package| {
            let dependencies = package["dependencies"].as_array().expect("dependencies");
            let ours = dependencies
                .iter()
                .filter(|dependency| dependency["kind"].is_null() && dependency["path"].is_string())
                .map(|dependency| text(&dependency["name"]));
            (text(&package["name"]), ours.collect())
        })
        .collect()
}

#[test]
fn arrows_only_point_down() {
    let arrows = arrows();
    assert!(arrows.len() >= 6, "{arrows:?}");
    for (name, seen) in &arrows {
        for below in seen {
            assert!(allowed(name).contains(&below.as_str()), "{name} must not depend on {below}");
        }
    }
}
