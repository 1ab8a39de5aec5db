//! What search is shown.

use memory_core::Kind;
use memory_testkit::{Home, clock};
use serde_json::json;

use crate::common::{call, file, open, save};

#[test]
fn session_and_plan_are_shown_and_what_is_a_runs_alone_is_not() {
    let home = Home::new();
    let kind = open(&home);
    save(&kind, "run", "of the run");
    let plan = save(&kind, "plan", "\n first line\nsecond");
    let params = json!({"compartment": "session", "content": "c", "category": "k", "tags": ["t"], "priority": 10});
    call(&kind, "save_memory", params).unwrap();
    let shown = kind.documents(clock().now());
    assert!(shown.flaws.is_empty());
    let [session, planned] = shown.good.as_slice() else {
        panic!("{:?}", shown.good)
    };
    assert_eq!(
        planned.address.to_string(),
        format!("compartments:plan/{plan}")
    );
    assert_eq!(
        (planned.title.as_str(), planned.weight),
        ("first line", 1.0)
    );
    assert_eq!(
        session.labels,
        ["tag:t", "compartment:session", "category:k"]
    );
    assert!((1.05..=1.1).contains(&session.weight), "a modest advantage");
}

#[test]
fn the_file_is_the_one_source_and_its_state_follows_it() {
    let home = Home::new();
    let kind = open(&home);
    assert!(kind.sources().good.is_empty());
    save(&kind, "session", "one");
    let first = kind.sources().good;
    assert_eq!(first[0].name, file(&home).display().to_string());
    assert_eq!(kind.sources().good, first);
    assert_eq!(
        kind.documents_of(&first[0].name).good,
        kind.documents(clock().now()).good
    );
    assert!(kind.documents_of("another").good.is_empty());
    let pulse = kind.pulse();
    save(&kind, "session", "two");
    assert_ne!(kind.sources().good, first);
    assert_ne!(kind.pulse(), pulse);
}
