//! The plugin for Claude Code: its files are what Claude Code expects, within its limits.

#![allow(clippy::disallowed_methods)] // a test looks behind the door's back

use std::path::{Path, PathBuf};

use serde_json::Value;

fn plugin() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../plugin")
}

fn read(path: &str) -> String {
    std::fs::read_to_string(plugin().join(path)).expect("the file is there")
}

fn json(path: &str) -> Value {
    serde_json::from_str(&read(path)).expect("JSON")
}

/// Returns a field of a front matter that stands on one line.
fn field(text: &str, name: &str) -> String {
    let head = text
        .strip_prefix("---\n")
        .and_then(|rest| rest.split_once("\n---\n"))
        .expect("a front matter")
        .0;
    let line = head
        .lines()
        .find_map(|line| line.strip_prefix(&format!("{name}: ")));
    line.expect("the field is there").to_owned()
}

#[test]
fn the_manifest_has_the_version_of_the_program() {
    let manifest = json(".claude-plugin/plugin.json");
    assert_eq!(manifest["name"], "memory");
    assert_eq!(manifest["version"], env!("CARGO_PKG_VERSION"));
}

#[test]
fn the_server_and_the_hooks_start_our_program() {
    let server = json(".mcp.json")["mcpServers"]["memory"].clone();
    assert_eq!(
        (server["type"].as_str(), server["command"].as_str()),
        (Some("stdio"), Some("memory"))
    );
    assert_eq!(server["args"], serde_json::json!(["mcp"]));
    let hooks = json("hooks/hooks.json")["hooks"].clone();
    assert_eq!(hooks["SessionStart"][0]["matcher"], "startup|clear|compact");
    for event in ["SessionStart", "UserPromptSubmit"] {
        let handler = &hooks[event][0]["hooks"][0];
        assert_eq!(
            (handler["type"].as_str(), handler["timeout"].as_u64()),
            (Some("command"), Some(5))
        );
        assert_eq!(handler["command"], "memory hook --agent claude");
    }
}

#[test]
fn a_skill_is_named_as_its_folder_and_described_within_the_limit() {
    for entry in std::fs::read_dir(plugin().join("skills"))
        .expect("skills")
        .flatten()
    {
        let folder = entry.file_name().to_string_lossy().into_owned();
        let text = read(&format!("skills/{folder}/SKILL.md"));
        assert_eq!(field(&text, "name"), folder);
        assert!((1..=64).contains(&folder.len()));
        assert!(
            folder
                .bytes()
                .all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-'))
        );
        assert!((1..=1024).contains(&field(&text, "description").chars().count()));
    }
}

#[test]
fn it_has_a_page_for_people_and_the_licenses_that_it_names() {
    assert!(read("README.md").contains("memory connect claude-code"));
    assert_eq!(
        json(".claude-plugin/plugin.json")["license"],
        "MIT OR Apache-2.0"
    );
    assert_eq!(read("LICENSE"), read("../LICENSE-MIT"));
    assert_eq!(read("LICENSE-APACHE"), read("../LICENSE-APACHE"));
}
