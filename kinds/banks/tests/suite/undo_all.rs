//! Random changes, undone one by one: each undo restores the state before its change.

use std::collections::BTreeMap;
use std::sync::Arc;

use memory_banks::Banks;
use memory_core::{Actor, Call, Fields, Kind, Result};
use memory_files::{Breakage, Brittle, RealDisk};
use memory_testkit::{Home, clock};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::common::open_on;

#[derive(Debug, Clone)]
struct Op {
    tool: &'static str,
    params: Value,
    by: Actor,
    /// Where the process is killed; the operation may then have happened or not.
    dies_at: Option<usize>,
}

fn op() -> impl Strategy<Value = Op> {
    let key = prop_oneof![Just("k"), Just("l"), Just("中 \"m\"")];
    let bank = prop_oneof![3 => Just("a"), 1 => Just("b")];
    let actor = prop_oneof![Just(Actor::Person), Just(Actor::Agent), Just(Actor::Daemon)];
    let dies_at = prop_oneof![3 => Just(None), 1 => (0_usize..24).prop_map(Some)];
    let tool = prop_oneof![
        4 => Just("memory_write"),
        2 => Just("memory_update"),
        2 => Just("memory_delete"),
        1 => Just("delete_bank"),
        1 => Just("schema"),
        1 => Just("import"),
    ];
    (tool, bank, key, 0..1_000_i64, actor, dies_at).prop_map(
        |(tool, bank, key, value, by, dies_at)| {
            let value = json!({ "n": value, "list": [1.50, null] });
            let (tool, params) = match tool {
                "memory_write" => (tool, json!({"bank": bank, "key": key, "value": value})),
                "memory_update" => (tool, json!({"bank": bank, "key": key, "filter": ".n += 1"})),
                "memory_delete" => (tool, json!({"bank": bank, "key": key})),
                "delete_bank" => ("memory_delete", json!({"bank": bank})),
                "schema" => {
                    let schema = json!({"type": "object", "title": value["n"].to_string()});
                    (
                        tool,
                        json!({"bank": bank, "action": "set", "schema": schema}),
                    )
                }
                _ => {
                    let entries = json!({key: {"value": value}, "imported": {"value": value}});
                    let document = json!({"_meta": {}, "entries": entries});
                    (
                        tool,
                        json!({"bank": bank, "document": document, "replace": true}),
                    )
                }
            };
            Op {
                tool,
                params,
                by,
                dies_at,
            }
        },
    )
}

fn call_by(banks: &Banks, op: &Op) -> Result<()> {
    let raw = serde_json::value::to_raw_value(&op.params).unwrap();
    let tools = banks.tools();
    let tool = tools.iter().find(|tool| tool.spec.name == op.tool).unwrap();
    let call = Call {
        by: op.by,
        ..Call::alone(clock().now())
    };
    tool.call(&call, &raw).map(drop)
}

/// Returns each entry's text, in the order of its bank, and each bank's schema.
fn state(home: &Home) -> BTreeMap<String, Vec<(String, String)>> {
    let mut banks = BTreeMap::new();
    for name in ["a", "b"] {
        let path = home.path().join(format!("project/{name}.json"));
        let Ok(text) = std::fs::read_to_string(path) else {
            continue;
        };
        let bank = Fields::parse(&text).unwrap();
        let meta = Fields::parse(bank.get("_meta").unwrap().get()).unwrap();
        let schema = meta.get("schema").unwrap().get().to_owned();
        let mut entries = vec![("schema".to_owned(), schema)];
        for (key, text) in Fields::parse(bank.get("entries").unwrap().get()).unwrap() {
            entries.push((key.to_string(), text.get().to_owned()));
        }
        banks.insert(name.to_owned(), entries);
    }
    banks
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn undoing_all_changes_in_reverse_restores_each_state(ops in prop::collection::vec(op(), 1..12)) {
        let home = Home::new();
        let banks = || open_on(&home, Arc::new(RealDisk::default()), true, false);
        let mut states = vec![state(&home)];
        for op in &ops {
            let ended = match op.dies_at {
                Some(step) => {
                    let dying = Arc::new(Brittle::new(Breakage::Dies, step));
                    call_by(&open_on(&home, dying, true, false), op)
                }
                None => call_by(&banks(), op),
            };
            // Completes what was interrupted.
            let steps = banks().steps();
            prop_assert!(steps.flaws.is_empty(), "{:?}", steps.flaws);
            let now = state(&home);
            if now != *states.last().unwrap() {
                states.push(now);
            }
            prop_assert!(ended.is_err() || steps.good.len() + 1 >= states.len());
        }
        // A change without an effect on entries, such as an update of a bank's time, is no state.
        while states.len() > 1 {
            let expected = &states[states.len() - 2];
            let before = state(&home);
            let step = banks().steps().good.into_iter().next().unwrap();
            let undone = banks().undo(&step, Actor::Person, clock().now()).unwrap().unwrap();
            prop_assert!(undone.conflicts.is_empty(), "{}: {:?}", step.what, undone.conflicts);
            let now = state(&home);
            if now != before {
                prop_assert_eq!(&now, expected, "{}", step.what);
                states.pop();
            }
        }
    }
}
