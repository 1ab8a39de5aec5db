//! The seven tools stand exactly as the specification writes them.

use memory_core::{Clock, Kind, Registry};
use memory_testkit::Home;
use serde_json::{Value, json};

use crate::common::{open, write};

#[test]
fn names_descriptions_and_schemas_are_the_specifications() {
    let home = Home::new();
    let registry = Registry::new(Clock::system()).with_kind(open(&home));
    let offered: Vec<Value> = registry
        .offers(&["banks"])
        .unwrap()
        .iter()
        .map(|offer| {
            json!({"name": offer.name, "description": offer.tool.spec.description, "inputSchema": offer.tool.schema()})
        })
        .collect();
    let specified: Vec<Value> = serde_json::from_str(include_str!("../golden/tools.json")).unwrap();
    assert_eq!(offered, specified);
}

#[test]
fn banks_are_read_by_address_and_completed_by_name() {
    let home = Home::new();
    let banks = open(&home);
    write(&banks, "session", "context", json!({ "n": 12 })).unwrap();
    let uris: Vec<String> = banks
        .resources()
        .into_iter()
        .map(|resource| resource.uri)
        .collect();
    assert_eq!(uris, ["memory://bank/{name}", "memory://bank/session"]);
    let content = banks
        .resource("memory://bank/session", memory_testkit::clock().now())
        .unwrap()
        .unwrap();
    assert!(content.text.contains("\"n\": 12"), "{}", content.text);
    assert!(
        banks
            .resource("memory://note/1", memory_testkit::clock().now())
            .unwrap()
            .is_none()
    );
    assert!(
        banks
            .resource("memory://bank/none", memory_testkit::clock().now())
            .is_err()
    );
    assert_eq!(banks.complete("name", "se"), ["session"]);
}
