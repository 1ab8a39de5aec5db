//! The seven tools stand exactly as the specification writes them.

use memory_core::{Clock, Registry};
use memory_testkit::Home;
use serde_json::{Value, json};

use crate::common::open;

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
