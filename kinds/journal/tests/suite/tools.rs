//! The five tools as models see them, and the resources.

use memory_core::Kind;
use memory_testkit::{Home, clock};
use serde_json::{Value, json};

use crate::common::{add, core, open};

#[test]
fn the_tools_have_the_schemas_that_were_agreed() {
    let home = Home::new();
    let tools = open(&home).tools();
    let offered = tools.iter().filter(|tool| tool.spec.alias.is_some());
    let shown: Vec<Value> = offered
        .map(|tool| json!({"name": tool.spec.name, "description": tool.spec.description, "inputSchema": tool.schema()}))
        .collect();
    for tool in &shown {
        for fancy in ["oneOf", "anyOf", "allOf"] {
            assert_eq!(tool["inputSchema"].get(fancy), None, "{tool}");
        }
        assert_eq!(tool["inputSchema"]["type"], "object");
    }
    let text = format!("{}\n", serde_json::to_string_pretty(&shown).unwrap());
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/tools.json");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path, &text).unwrap();
    }
    assert_eq!(text, std::fs::read_to_string(path).unwrap());
}

#[test]
fn each_resource_shows_its_records() {
    let home = Home::new();
    let journal = open(&home);
    core(&journal, "a fact");
    add(
        &journal,
        json!({"type": "learning", "content": "an insight"}),
    );
    add(
        &journal,
        json!({"type": "task", "content": "done", "status": "completed"}),
    );
    add(
        &journal,
        json!({"type": "task", "content": "going", "status": "in-progress"}),
    );
    add(
        &journal,
        json!({"type": "task", "content": "stuck", "blockers": ["x"]}),
    );
    let shown = |uri: &str| {
        let content = journal.resource(uri, clock().now()).unwrap().unwrap();
        let reply: Value = serde_json::from_str(&content.text).unwrap();
        let records = reply["records"].as_array().unwrap().clone();
        assert_eq!(reply["total"], records.len());
        records
            .iter()
            .map(|record| record["content"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    let uris: Vec<String> = journal
        .resources()
        .into_iter()
        .map(|resource| resource.uri)
        .collect();
    assert_eq!(
        uris,
        [
            "memory://recent",
            "memory://core",
            "memory://learnings",
            "memory://tasks/active",
            "memory://tasks/completed"
        ]
    );
    assert_eq!(
        shown("memory://recent"),
        ["stuck", "going", "done", "an insight", "a fact"]
    );
    assert_eq!(shown("memory://core"), ["a fact"]);
    assert_eq!(shown("memory://learnings"), ["an insight"]);
    assert_eq!(shown("memory://tasks/active"), ["stuck", "going"]);
    assert_eq!(shown("memory://tasks/completed"), ["done"]);
    assert!(
        journal
            .resource("memory://bank/x", clock().now())
            .unwrap()
            .is_none()
    );
}
