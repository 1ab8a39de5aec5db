//! Random changes, undone one by one: each undo restores the state before its change.

use std::sync::Arc;

use memory_compartments::{Compartment, Compartments, format::Contents};
use memory_core::{Actor, Call, Kind, Result};
use memory_files::{Breakage, Brittle, RealDisk};
use memory_testkit::{Home, clock};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::common::{contents, file, open, open_on};

#[derive(Debug, Clone)]
struct Op {
    tool: &'static str,
    params: Value,
    by: Actor,
    /// Where the process is killed; the operation may then have happened or not.
    dies_at: Option<usize>,
}

fn op() -> impl Strategy<Value = Op> {
    let compartment = prop_oneof![Just("run"), Just("session"), Just("plan")];
    let actor = prop_oneof![Just(Actor::Person), Just(Actor::Agent)];
    let dies_at = prop_oneof![3 => Just(None), 1 => (0_usize..20).prop_map(Some)];
    let tool =
        prop_oneof![5 => Just("save"), 1 => Just("clear"), 1 => Just("tag"), 1 => Just("end")];
    (tool, compartment, 0..4_u8, actor, dies_at).prop_map(|(tool, compartment, n, by, dies_at)| {
        let tag = format!("tag {}", n % 2);
        let (tool, params) = match tool {
            "save" => (
                "save_memory",
                json!({"compartment": compartment, "content": format!("中 {n}"), "tags": [tag]}),
            ),
            "clear" => ("clear_memory", json!({"compartment": compartment})),
            "tag" => (
                "clear_memory",
                json!({"compartment": compartment, "tags": [tag]}),
            ),
            _ => ("end_run", json!({})),
        };
        Op {
            tool,
            params,
            by,
            dies_at,
        }
    })
}

fn call_by(kind: &Compartments, op: &Op) -> Result<()> {
    let raw = serde_json::value::to_raw_value(&op.params).unwrap();
    let tools = kind.tools();
    let tool = tools.iter().find(|tool| tool.spec.name == op.tool).unwrap();
    let call = Call {
        by: op.by,
        ..Call::alone(clock().now())
    };
    tool.call(&call, &raw).map(drop)
}

/// Returns the ids and contents of all entries in their order.
fn state(home: &Home) -> Vec<(String, String)> {
    let text = std::fs::read_to_string(file(home)).unwrap_or_else(|_| "{}".to_owned());
    let contents = Contents::parse(&text).unwrap();
    Compartment::ALL
        .into_iter()
        .flat_map(|one| contents.entries(one).cloned().collect::<Vec<_>>())
        .map(|entry| (entry.id, entry.content))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn undoing_all_changes_in_reverse_restores_each_state(ops in prop::collection::vec(op(), 1..14)) {
        let home = Home::new();
        let mut states = vec![state(&home)];
        for op in &ops {
            let ended = match op.dies_at {
                Some(step) => {
                    let dying = Arc::new(Brittle::new(Breakage::Dies, step));
                    call_by(&open_on(&home, dying), op)
                }
                None => call_by(&open_on(&home, Arc::new(RealDisk::default())), op),
            };
            // Completes what was interrupted.
            let steps = open(&home).steps();
            prop_assert!(steps.flaws.is_empty(), "{:?}", steps.flaws);
            // Being read is no change.
            contents(&open(&home), json!({"compartment": "session"}));
            let now = state(&home);
            if now != *states.last().unwrap() {
                states.push(now);
            }
            prop_assert!(ended.is_err() || steps.good.len() + 1 == states.len());
        }
        while let Some(step) = open(&home).steps().good.into_iter().next() {
            states.pop();
            let undone = open(&home).undo(&step, Actor::Person, clock().now()).unwrap().unwrap();
            prop_assert!(undone.conflicts.is_empty(), "{}: {:?}", step.what, undone.conflicts);
            prop_assert_eq!(&state(&home), states.last().unwrap(), "{}", step.what);
        }
        prop_assert!(state(&home).is_empty());
    }
}
