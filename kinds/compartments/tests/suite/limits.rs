//! Every limit at its edge.

use std::sync::Arc;

use memory_compartments::{Compartments, Settings};
use memory_core::Code;
use memory_files::RealDisk;
use memory_testkit::Home;
use serde_json::json;

use crate::common::{call, check_code, contents, open, save, store_on, text};

#[test]
fn a_compartment_holds_ten_thousand_characters_and_not_one_more() {
    let home = Home::new();
    let kind = open(&home);
    // Characters, not bytes.
    save(&kind, "session", &"字".repeat(9_999));
    let before = text(&home);
    let refused = call(
        &kind,
        "save_memory",
        json!({"compartment": "session", "content": "ab"}),
    );
    let error = check_code(refused, Code::LimitExceeded);
    assert_eq!(
        error.message,
        "The session memory has 9999 of 10000 characters; this entry has 2"
    );
    let context = json!({"compartment": "session", "size": 9999, "entry_size": 2, "limit": 10000});
    assert_eq!(serde_json::Value::from(error.context), context);
    assert_eq!(text(&home), before);
    save(&kind, "session", "a");
    check_code(
        call(
            &kind,
            "save_memory",
            json!({"compartment": "session", "content": "a"}),
        ),
        Code::LimitExceeded,
    );
    // The others have their own.
    save(&kind, "plan", &"x".repeat(10_000));
    save(&kind, "run", &"x".repeat(10_000));
}

#[test]
fn each_run_has_a_compartment_of_its_own() {
    let home = Home::new();
    let kind = open(&home);
    for run in ["a", "b"] {
        let params = json!({"compartment": "run", "content": "x".repeat(10_000), "run": run});
        call(&kind, "save_memory", params.clone()).unwrap();
        let error = check_code(call(&kind, "save_memory", params), Code::LimitExceeded);
        assert!(
            error
                .message
                .starts_with(&format!("The run memory of run '{run}' has 10000 of")),
            "{error}"
        );
    }
}

#[test]
fn the_limit_is_a_setting_and_counts_all_that_was_given() {
    let home = Home::new();
    let settings = Settings {
        max_size_per_compartment: 10,
        ..Settings::default()
    };
    let kind = Compartments::new(store_on(&home, Arc::new(RealDisk::default()), settings));
    let full = json!({"compartment": "plan", "content": "1234", "category": "5", "tags": ["6", "7"],
        "metadata": {"8": "90"}});
    call(&kind, "save_memory", full).unwrap();
    let error = check_code(
        call(
            &kind,
            "save_memory",
            json!({"compartment": "plan", "content": "1"}),
        ),
        Code::LimitExceeded,
    );
    assert_eq!(error.context["limit"], 10);
    // What is cleared makes room.
    call(&kind, "clear_memory", json!({"compartment": "plan"})).unwrap();
    save(&kind, "plan", "1234567890");
}

#[test]
fn priorities_go_from_one_to_ten() {
    let home = Home::new();
    let kind = open(&home);
    let with = |priority: i64| {
        call(
            &kind,
            "save_memory",
            json!({"compartment": "run", "content": "c", "priority": priority}),
        )
    };
    for good in [1, 10] {
        with(good).unwrap();
    }
    for bad in [0, 11, -1] {
        let error = check_code(with(bad), Code::InvalidArgument);
        assert_eq!(
            error.message,
            format!("Priority {bad} is not between 1 and 10")
        );
    }
    assert_eq!(contents(&kind, json!({"compartment": "run"})).len(), 2);
}

#[test]
fn new_files_are_for_everyone_to_read_as_the_umask_allows() {
    use std::os::unix::fs::PermissionsExt;
    let home = Home::new();
    save(&open(&home), "session", "c");
    // The umask of whoever runs this is taken off a folder and a file made by hand.
    std::fs::create_dir(home.path().join("made")).unwrap();
    std::fs::write(home.path().join("made/by-hand"), "").unwrap();
    let mode = |path: &str| {
        std::fs::metadata(home.path().join(path))
            .unwrap()
            .permissions()
            .mode()
            & 0o777
    };
    assert_eq!(mode("work"), mode("made") & 0o755);
    assert_eq!(mode("work/memory.json"), mode("made/by-hand") & 0o644);
}
