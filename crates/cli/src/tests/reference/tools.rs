//! `tools.md`: every tool of every toolset, with its parameters from its JSON Schema.

use std::fmt::Write as _;
use std::sync::Arc;

use memory_core::{Effect, Offer};
use memory_files::RealDisk;
use memory_testkit::{Home, clock};
use serde_json::Value;

use super::{cell, check, escaped, heading};
use crate::environment::Environment;
use crate::house::build_in;

#[test]
fn the_tools() {
    let home = Home::new();
    let environment = Environment {
        home: Some(home.path().to_owned()),
        directory: Some(home.path().to_owned()),
        clock: clock(),
        ..Environment::default()
    };
    let house = build_in(environment, Arc::new(RealDisk::default())).expect("the program starts");
    let mut page = heading("Tools");
    page.push_str(
        "The tools that agents call, by toolset. They are the same over MCP (`memory mcp`), the socket (`memory serve`) and\n\
         standard input (`memory agent`). `--tools SET,…` selects the toolsets; without it, `memory agent` and the socket\n\
         serve `notes` and `recall`, and MCP serves `notes`, `recall` and `compartments`.\n\n\
         A tool that fails returns an [error object](errors.md).\n",
    );
    for set in house.registry.toolsets() {
        let _ = writeln!(page, "\n## Toolset `{set}`");
        for offer in house.registry.offers(&[set]).expect("the toolset is there") {
            write_tool(&mut page, &offer);
        }
    }
    check("tools.md", &page);
}

fn write_tool(page: &mut String, offer: &Offer<'_>) {
    let spec = offer.tool.spec;
    let _ = writeln!(
        page,
        "\n### `{}` of `{}`\n\n{}\n",
        spec.name,
        spec.toolset,
        escaped(spec.description)
    );
    let effect = match spec.effect {
        Effect::Reads => "Changes nothing.",
        Effect::Writes => {
            "Adds or replaces. Calling it twice has the same effect as calling it once."
        }
        Effect::Edits => "Changes what is stored. Calling it twice applies the change twice.",
        Effect::Removes => "Removes.",
    };
    let _ = writeln!(page, "{effect}");
    if let Some(alias) = spec.alias.filter(|alias| *alias != spec.name) {
        let _ = writeln!(
            page,
            "Its name is `{alias}` if another selected toolset has a tool of the same name."
        );
    }
    page.push('\n');
    let schema = offer.tool.schema();
    let properties = schema["properties"]
        .as_object()
        .cloned()
        .unwrap_or_default();
    if properties.is_empty() {
        page.push_str("It takes no parameters.\n");
        return;
    }
    page.push_str("| parameter | type | required | meaning |\n|---|---|---|---|\n");
    for (name, property) in &properties {
        let is_required = schema["required"]
            .as_array()
            .is_some_and(|required| required.contains(&name.as_str().into()));
        let required = if is_required { "yes" } else { "" };
        let meaning = property["description"].as_str().unwrap_or_default();
        let default = property
            .get("default")
            .map(|default| format!("; default `{default}`"))
            .unwrap_or_default();
        let _ = writeln!(
            page,
            "| `{name}` | {} | {required} | {}{default} |",
            kind(property),
            cell(meaning)
        );
    }
}

fn kind(property: &Value) -> String {
    if let Some(values) = property["enum"].as_array() {
        return values
            .iter()
            .map(|value| format!("`{value}`"))
            .collect::<Vec<_>>()
            .join(", ");
    }
    match property["type"].as_str() {
        Some("array") => format!("array of {}", kind(&property["items"])),
        Some(name) => name.to_owned(),
        None => "any".to_owned(),
    }
}
