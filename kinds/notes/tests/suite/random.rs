//! Whatever is called in whatever order, the notes stay in order.

use memory_core::Kind;
use memory_testkit::{Home, clock};
use proptest::prelude::*;
use serde_json::json;

use crate::common::*;

#[derive(Debug, Clone)]
enum Deed {
    Write(u8),
    Tag(u8, u8),
    Untag(u8, u8),
    Link(u8, u8),
    Unlink(u8, u8),
    Delete(u8),
    Restore(u8),
    Upgrade(u8, u8),
    Undo(u8),
    Dream(u8),
    Consolidate(u8),
    Resolve,
    Read(u8),
    Hand(u8),
}

fn any_deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        4 => (0u8..12).prop_map(Deed::Write),
        1 => (any::<u8>(), 0u8..4).prop_map(|(n, tag)| Deed::Tag(n, tag)),
        1 => (any::<u8>(), 0u8..4).prop_map(|(n, tag)| Deed::Untag(n, tag)),
        4 => any::<(u8, u8)>().prop_map(|(a, b)| Deed::Link(a, b)),
        1 => any::<(u8, u8)>().prop_map(|(a, b)| Deed::Unlink(a, b)),
        2 => any::<u8>().prop_map(Deed::Delete),
        1 => any::<u8>().prop_map(Deed::Restore),
        1 => (any::<u8>(), 0u8..14).prop_map(|(n, category)| Deed::Upgrade(n, category)),
        4 => (0u8..4).prop_map(Deed::Undo),
        2 => (1u8..4).prop_map(Deed::Dream),
        1 => (0u8..9).prop_map(Deed::Consolidate),
        1 => Just(Deed::Resolve),
        1 => any::<u8>().prop_map(Deed::Read),
        1 => (0u8..4).prop_map(Deed::Hand),
    ]
}

const CONTENTS: [&str; 12] = [
    "Alpha\nsee [[Beta]]",
    "Beta\nsee [[Gamma]] and [[Alpha]]",
    "Gamma",
    "gamma",
    "The deploy script lives in tools/deploy and needs the staging token to run",
    "the deploy script lives in tools/deploy, and needs the staging token to run",
    "call Bob tomorrow at 9am",
    "Call Bob  tomorrow at 9am",
    "she prefers tea over [[nothing]]",
    "教训：先备份 [[Alpha]]",
    "a lesson learned in 2 hours",
    "plain",
];

fn run(kind: &dyn Kind, home: &Home, deed: &Deed) {
    let ids: Vec<String> = notes(kind).into_keys().collect();
    let pick = |n: u8| {
        ids.get(usize::from(n) % ids.len().max(1))
            .cloned()
            .unwrap_or("none".into())
    };
    // What is refused is refused: only what it leaves behind matters.
    let call = |tool, params| drop(call(kind, tool, params));
    match *deed {
        Deed::Write(n) => call(
            "memory_write",
            json!({"content": CONTENTS[usize::from(n)], "new": n % 5 == 0}),
        ),
        Deed::Tag(n, tag) => call(
            "memory_tag",
            json!({"id": pick(n), "tags": [format!("t{tag}")]}),
        ),
        Deed::Untag(n, tag) => {
            call(
                "memory_tag",
                json!({"id": pick(n), "tags": [], "remove": [format!("t{tag}")]}),
            );
        }
        Deed::Link(a, b) => call("link", json!({"source": pick(a), "target": pick(b)})),
        Deed::Unlink(a, b) => call(
            "link",
            json!({"source": pick(a), "target": pick(b), "remove": true}),
        ),
        Deed::Delete(n) => call("memory_delete", json!({"id": pick(n)})),
        Deed::Restore(n) => {
            let trash = crate::common::call(kind, "trash", json!({})).unwrap();
            let removed = trash["removed"].as_array().unwrap();
            if !removed.is_empty() {
                let id = &removed[usize::from(n) % removed.len()]["id"];
                crate::common::call(kind, "restore", json!({ "id": id }))
                    .expect("what the trash shows can be restored");
            }
        }
        Deed::Upgrade(n, category) => {
            let category = memory_notes::Category::ALL[usize::from(category)];
            call(
                "upgrade",
                json!({"id": pick(n), "category": category.as_str()}),
            );
        }
        Deed::Undo(n) => {
            if let Some(step) = kind.steps().good.get(usize::from(n)) {
                let _ = kind.undo(step, memory_core::Actor::Person, clock().now());
            }
        }
        Deed::Dream(level) => call("dream", json!({ "level": level })),
        Deed::Consolidate(days) => {
            let _ = call_at(kind, "consolidate", json!({}), i64::from(days) * DAY);
        }
        Deed::Resolve => call("resolve_links", json!({})),
        Deed::Read(n) => call("memory_read", json!({"id": pick(n)})),
        Deed::Hand(n) => {
            // A hand that writes over a file takes its links away on one side: that is for repair.
            let path = format!("categories/inbox/hand {}.md", n % 2);
            if !root(home).join(&path).exists() {
                put(home, &path, format!("by hand {n} [[Alpha]]\n"));
            }
            call("memory_list", json!({}));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn any_sequence_of_calls_keeps_the_notes_in_order(deeds in prop::collection::vec(any_deed(), 1..25)) {
        let home = Home::new();
        let kind = open(&home);
        for deed in &deeds {
            run(&kind, &home, deed);
            check_order(&home);
        }
    }

    #[test]
    fn whoever_stays_sees_what_someone_who_looks_anew_sees(
        deeds in prop::collection::vec((any_deed(), any::<bool>()), 1..25)
    ) {
        let home = Home::new();
        let kind = open(&home);
        kind.stay();
        for (deed, is_own) in &deeds {
            // Half of it is done by another process.
            match is_own {
                true => run(&kind, &home, deed),
                false => run(&open(&home), &home, deed),
            }
            kind.settle();
            let index = std::fs::read_to_string(root(&home).join("memory.md")).ok();
            let seen = notes(&kind);
            prop_assert_eq!(&seen, &notes(&open(&home)));
            prop_assert_eq!(index, std::fs::read_to_string(root(&home).join("memory.md")).ok());
            for word in ["deploy", "alpha", "hand"] {
                let find = |kind: &dyn Kind| {
                    forget_accesses(&home);
                    call(kind, "memory_search", json!({ "query": word })).unwrap()
                };
                prop_assert_eq!(find(&kind), find(&open(&home)));
            }
            check_order(&home);
        }
    }
}
