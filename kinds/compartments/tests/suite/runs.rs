//! Whose memory is whose: runs, the session, and plans of either.

use memory_compartments::{Compartments, RunId, Settings};
use memory_core::{Code, Kind};
use memory_files::RealDisk;
use memory_testkit::Home;
use serde_json::{Value, json};

use crate::common::{call, check_code, contents, open, open_with_run_plans, save, store_on};

fn save_of(kind: &dyn Kind, compartment: &str, run: &str) {
    let params = json!({"compartment": compartment, "content": format!("{compartment} of {run}"), "run": run});
    call(kind, "save_memory", params).unwrap();
}

fn seen(kind: &dyn Kind, compartment: &str, run: Option<&str>) -> Vec<String> {
    let mut question = json!({"compartment": compartment});
    if let Some(run) = run {
        question["run"] = Value::from(run);
    }
    contents(kind, question)
}

#[test]
fn run_memory_is_one_runs_and_session_memory_everyones() {
    let home = Home::new();
    let kind = open(&home);
    save_of(&kind, "run", "a");
    save_of(&kind, "run", "b");
    save(&kind, "run", "of nobody");
    save_of(&kind, "session", "a");
    assert_eq!(seen(&kind, "run", Some("a")), ["run of a"]);
    assert_eq!(seen(&kind, "run", None), ["of nobody"]);
    assert_eq!(seen(&kind, "session", Some("b")), ["session of a"]);
}

#[test]
fn ending_a_run_clears_that_run_only() {
    let home = Home::new();
    let kind = open(&home);
    for compartment in ["run", "session", "plan"] {
        save_of(&kind, compartment, "a");
        save_of(&kind, compartment, "b");
    }
    let ended = call(&kind, "end_run", json!({"run": "a"})).unwrap();
    assert_eq!(
        (&ended["cleared"], &ended["message"]),
        (
            &json!(1),
            &json!("Cleared 1 entry from the run memory of run 'a'")
        )
    );
    assert_eq!(seen(&kind, "run", Some("a")), [""; 0]);
    assert_eq!(seen(&kind, "run", Some("b")), ["run of b"]);
    assert_eq!(
        seen(&kind, "plan", None).len(),
        2,
        "plans are the session's"
    );
    assert_eq!(
        call(&kind, "end_run", json!({"run": "a"})).unwrap()["cleared"],
        0
    );
}

#[test]
fn plans_can_be_the_runs_own() {
    let home = Home::new();
    let kind = open_with_run_plans(&home);
    save_of(&kind, "plan", "a");
    save_of(&kind, "plan", "b");
    save_of(&kind, "run", "a");
    assert_eq!(seen(&kind, "plan", Some("a")), ["plan of a"]);
    let ended = call(&kind, "end_run", json!({"run": "a"})).unwrap();
    assert_eq!(ended["cleared"], 2);
    assert_eq!(seen(&kind, "plan", Some("a")), [""; 0]);
    assert_eq!(seen(&kind, "plan", Some("b")), ["plan of b"]);
}

#[test]
fn clearing_reaches_no_other_run() {
    let home = Home::new();
    let kind = open(&home);
    save_of(&kind, "run", "a");
    save_of(&kind, "run", "b");
    let cleared = call(
        &kind,
        "clear_memory",
        json!({"compartment": "run", "run": "a"}),
    )
    .unwrap();
    assert_eq!(cleared["cleared"], 1);
    assert_eq!(seen(&kind, "run", Some("b")), ["run of b"]);
}

#[test]
fn a_store_may_have_a_run_that_is_meant_when_none_is_named() {
    let home = Home::new();
    let store = store_on(
        &home,
        std::sync::Arc::new(RealDisk::default()),
        Settings::default(),
    );
    let kind = Compartments::new(store.for_run(Some(RunId::parse("usual").unwrap())));
    save(&kind, "run", "of the usual one");
    assert_eq!(
        seen(&open(&home), "run", Some("usual")),
        ["of the usual one"]
    );
    assert_eq!(seen(&kind, "run", Some("other")), [""; 0]);
}

#[test]
fn names_of_runs_are_checked() {
    let home = Home::new();
    let kind = open(&home);
    let long = "x".repeat(201);
    for bad in ["", " a", "a\n", long.as_str()] {
        let ended = call(
            &kind,
            "get_memory",
            json!({"compartment": "run", "run": bad}),
        );
        check_code(ended, Code::InvalidArgument);
    }
    save_of(&kind, "run", &"字".repeat(200));
}
