//! The dependency arrows of ARCHITECTURE.md: they only point down, and kinds never see each other.

#![allow(clippy::panic)] // a test fails by panicking

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;

/// Each crate's level, and the crates that it may see.
fn allowed(name: &str) -> &'static [&'static str] {
    const GROUND: &[&str] = &[
        "memory-cli-core",
        "memory-files",
        "memory-history",
        "memory-jq",
        "memory-models",
        "memory-steps",
        "memory-storage",
        "memory-text",
    ];
    match name {
        "memory-steps" => &[],
        "memory-cli-core" | "memory-jq" | "memory-text" => &["memory-steps"],
        "memory-files" => &["memory-cli-core"],
        "memory-storage" => &["memory-cli-core", "memory-files", "memory-steps"],
        "memory-history" => &["memory-cli-core", "memory-storage"],
        "memory-http" => &[],
        "memory-models" => &[
            "memory-cli-core",
            "memory-files",
            "memory-http",
            "memory-steps",
        ],
        "memory-testkit" => &["memory-cli-core", "memory-files"],
        "memory-cli-server" => &["memory-cli-core", "memory-files", "memory-http"],
        "memory-cli" => {
            const KINDS: &[&str] = &[
                "memory-banks",
                "memory-compartments",
                "memory-conversations",
                "memory-cli-core",
                "memory-files",
                "memory-index",
                "memory-journal",
                "memory-models",
                "memory-notes",
                "memory-cli-server",
                "memory-steps",
                "memory-storage",
                "memory-text",
            ];
            KINDS
        }
        kind if kind.starts_with("memory-") => GROUND,
        other => panic!("{other} has no place in the architecture yet"),
    }
}

fn metadata(arguments: &[&str]) -> Value {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--offline"])
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    serde_json::from_slice(&output.stdout).expect("cargo speaks JSON")
}

fn arrows() -> BTreeMap<String, BTreeSet<String>> {
    let packages = metadata(&["--no-deps"])["packages"]
        .as_array()
        .expect("packages")
        .clone();
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
            assert!(
                allowed(name).contains(&below.as_str()),
                "{name} must not depend on {below}"
            );
        }
    }
}

/// Returns a version of Rust as numbers that can be compared.
fn version(text: &str) -> (u32, u32) {
    let mut numbers = text
        .split('.')
        .map(|number| number.parse().unwrap_or_default());
    (
        numbers.next().unwrap_or_default(),
        numbers.next().unwrap_or_default(),
    )
}

#[test]
fn no_dependency_needs_a_newer_rust_than_the_manifest_names() {
    let rustc = Command::new("rustc")
        .arg("-vV")
        .output()
        .expect("rustc runs");
    let about = String::from_utf8(rustc.stdout).expect("text");
    let host = about
        .lines()
        .find_map(|line| line.strip_prefix("host: "))
        .expect("a host");
    let packages = metadata(&["--filter-platform", host])["packages"]
        .as_array()
        .expect("packages")
        .clone();
    let (ours, others): (Vec<_>, Vec<_>) = packages
        .iter()
        .partition(|package| package["source"].is_null());
    let minimum = version(
        ours[0]["rust_version"]
            .as_str()
            .expect("the manifest names a version"),
    );
    let needs = |package: &&&Value| {
        package["rust_version"]
            .as_str()
            .is_some_and(|needed| version(needed) > minimum)
    };
    let newer: Vec<String> = others
        .iter()
        .filter(needs)
        .map(|package| package["name"].to_string())
        .collect();
    assert!(others.len() > 100 && newer.is_empty(), "{newer:?}");
}

#[test]
fn libraries_are_required_in_the_version_of_the_workspace() {
    let metadata = metadata(&["--no-deps"]);
    for package in metadata["packages"].as_array().expect("packages") {
        let required = format!("={}", package["version"].as_str().expect("a version"));
        let dependencies = package["dependencies"].as_array().expect("dependencies");
        for dependency in dependencies
            .iter()
            .filter(|dependency| dependency["path"].is_string())
        {
            let is_published = dependency["name"] != "memory-testkit";
            let expected = if is_published { required.as_str() } else { "*" };
            assert_eq!(
                dependency["req"], expected,
                "{} requires {}",
                package["name"], dependency["name"]
            );
        }
    }
}
