//! Several at once: nothing is lost, nothing is doubled.

use std::thread;

use memory_core::Kind;
use memory_testkit::Home;

use crate::common::{chat, drain, facts, open, turns};

#[test]
fn fifty_chats_in_two_houses_over_one_store_lose_and_double_nothing() {
    let home = Home::new();
    let houses = [open(&home), open(&home)];
    thread::scope(|scope| {
        for n in 0..50 {
            let kind: &dyn Kind = &houses[n % 2];
            scope.spawn(move || {
                let conversation = format!("c{}", n % 5);
                chat(
                    kind,
                    &conversation,
                    &format!("I like number {n}"),
                    &format!("answer {n}"),
                    0,
                );
                drain(kind);
            });
        }
    });
    houses.iter().for_each(|kind| drop(drain(kind)));
    let kind = open(&home);
    for c in 0..5 {
        let conversation = format!("c{c}");
        let mut found = facts(&kind, &conversation);
        let mut expected: Vec<String> = (0..10)
            .map(|n| format!("The user likes number {}", n * 5 + c))
            .collect();
        found.sort();
        expected.sort();
        assert_eq!(found, expected);
        assert_eq!(turns(&kind, &conversation).len(), 20);
    }
}

#[test]
fn turns_are_seen_to_in_the_order_they_were_said() {
    let home = Home::new();
    let kind = open(&home);
    for (n, city) in ["Paris", "Oslo", "Rome", "Bonn", "Graz"].iter().enumerate() {
        chat(&kind, "a", &format!("I moved to {city}"), "ok", n as i64);
    }
    drain(&kind);
    assert_eq!(facts(&kind, "a"), ["The user moved to Graz"]);
}
