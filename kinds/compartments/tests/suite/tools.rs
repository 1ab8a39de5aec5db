//! The three tools of the specification: parameters, validation, behaviour.

use memory_core::{Code, Kind};
use memory_testkit::Home;
use serde_json::{Value, json};

use crate::common::{call, check_code, contents, open, save, text};

fn schema(kind: &dyn Kind, tool: &str) -> Value {
    kind.tools()
        .iter()
        .find(|found| found.spec.name == tool)
        .unwrap()
        .schema()
}

#[track_caller]
fn check_schema(tool: &str, parameters: &str, required: &[&str]) {
    let schema = schema(&open(&Home::new()), tool);
    let names: Vec<&str> = schema["properties"]
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    assert_eq!(names.join(" "), parameters);
    assert_eq!(schema["required"], json!(required));
    assert_eq!(
        schema["properties"]["compartment"]["enum"],
        json!(["run", "session", "plan"])
    );
    assert!(
        ["oneOf", "anyOf", "allOf"]
            .iter()
            .all(|fancy| schema.get(fancy).is_none())
    );
}

#[test]
fn the_parameters_are_the_specifications_and_the_run() {
    check_schema(
        "save_memory",
        "compartment content category tags metadata priority run",
        &["compartment", "content"],
    );
    check_schema(
        "get_memory",
        "compartment id category tags run",
        &["compartment"],
    );
    check_schema(
        "clear_memory",
        "compartment category tags run",
        &["compartment"],
    );
    let kind = open(&Home::new());
    let offered: Vec<&str> = kind
        .tools()
        .iter()
        .filter(|tool| tool.spec.alias.is_some())
        .map(|tool| tool.spec.name)
        .collect();
    assert_eq!(offered, ["save_memory", "get_memory", "clear_memory"]);
}

#[test]
fn a_wrong_compartment_is_told_the_right_ones() {
    let kind = open(&Home::new());
    for (tool, mut params) in [
        ("save_memory", json!({"content": "c"})),
        ("get_memory", json!({})),
        ("clear_memory", json!({})),
    ] {
        params["compartment"] = "sesion".into();
        let error = check_code(call(&kind, tool, params), Code::InvalidArgument);
        assert_eq!(
            error.message,
            "'sesion' is not a compartment; expected run, session or plan"
        );
        assert_eq!(error.hint.as_deref(), Some("Did you mean 'session'?"));
    }
}

#[test]
fn content_can_not_be_empty_and_nothing_is_written_then() {
    let home = Home::new();
    for empty in ["", " \n\t"] {
        let ended = call(
            &open(&home),
            "save_memory",
            json!({"compartment": "run", "content": empty}),
        );
        assert_eq!(
            check_code(ended, Code::InvalidArgument).message,
            "The content is empty"
        );
    }
    assert!(home.snapshot().is_empty());
}

#[test]
fn parameters_of_another_shape_are_refused() {
    let home = Home::new();
    let kind = open(&home);
    for (tool, params) in [
        ("save_memory", json!({"compartment": "run"})),
        (
            "save_memory",
            json!({"compartment": "run", "content": "c", "metadata": {"n": 1}}),
        ),
        (
            "save_memory",
            json!({"compartment": "run", "content": "c", "tags": "t"}),
        ),
        (
            "save_memory",
            json!({"compartment": "run", "content": "c", "priority": "high"}),
        ),
        (
            "save_memory",
            json!({"compartment": "run", "content": "c", "importance": 1}),
        ),
        ("get_memory", json!({"id": "x"})),
        ("get_memory", json!({"compartment": "run", "category": ""})),
        (
            "clear_memory",
            json!({"compartment": "run", "category": " "}),
        ),
        (
            "clear_memory",
            json!({"compartment": "run", "tags": ["a", ""]}),
        ),
    ] {
        check_code(call(&kind, tool, params), Code::InvalidArgument);
    }
    assert!(home.snapshot().is_empty());
}

#[test]
fn secrets_are_refused_wherever_they_stand_unless_they_are_meant() {
    let home = Home::new();
    let kind = open(&home);
    let token = format!(
        "ghp_{}",
        "a1B2c3D4e5".repeat(4).chars().take(36).collect::<String>()
    );
    for params in [
        json!({"compartment": "run", "content": format!("use {token}")}),
        json!({"compartment": "run", "content": "c", "tags": [token]}),
        json!({"compartment": "run", "content": "c", "metadata": {"key": token}}),
        json!({"compartment": "run", "content": "c", "run": token}),
    ] {
        check_code(call(&kind, "save_memory", params), Code::SecretDetected);
    }
    let meant = json!({"compartment": "run", "content": token, "allow_secret": true});
    call(&kind, "save_memory", meant).unwrap();
}

#[test]
fn getting_by_id_category_and_any_tag_counts_each_access() {
    let home = Home::new();
    let kind = open(&home);
    let first = save(&kind, "session", "plain");
    for (content, category, tags) in [
        ("one", "k", vec!["a", "b"]),
        ("two", "k", vec!["c"]),
        ("three", "l", vec!["b"]),
    ] {
        let params = json!({"compartment": "session", "content": content, "category": category, "tags": tags});
        call(&kind, "save_memory", params).unwrap();
    }
    let get = |mut question: Value| {
        question["compartment"] = "session".into();
        contents(&kind, question)
    };
    assert_eq!(get(json!({})), ["plain", "one", "two", "three"]);
    assert_eq!(get(json!({"id": first})), ["plain"]);
    assert_eq!(get(json!({"category": "k"})), ["one", "two"]);
    assert_eq!(get(json!({"tags": ["a", "c"]})), ["one", "two"]);
    assert_eq!(
        get(json!({"category": "k", "tags": ["b", "nothing"]})),
        ["one"]
    );
    assert_eq!(get(json!({"category": "K"})), [""; 0]);
    assert_eq!(get(json!({"tags": []})).len(), 4);
    // Counts are kept: another instance goes on from them.
    let counts: Vec<u64> = call(
        &open(&home),
        "get_memory",
        json!({"compartment": "session"}),
    )
    .unwrap()["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| entry["access_count"].as_u64().unwrap())
        .collect();
    assert_eq!(counts, [4, 6, 5, 3]);
    assert!(
        !text(&home).contains("\"access_count\": 6"),
        "they are counted beside the file"
    );
    save(&kind, "plan", "the next change");
    assert!(text(&home).contains("\"access_count\": 6"));
}

#[test]
fn an_id_that_is_not_there_is_not_found() {
    let home = Home::new();
    let kind = open(&home);
    let id = save(&kind, "session", "c");
    let missing = call(
        &kind,
        "get_memory",
        json!({"compartment": "plan", "id": id}),
    );
    let error = check_code(missing, Code::NotFound);
    assert_eq!(
        error.message,
        format!("There is no entry '{id}' in the plan memory")
    );
    check_code(
        call(
            &kind,
            "clear_memory",
            json!({"compartment": "plan", "id": id}),
        ),
        Code::NotFound,
    );
    assert_eq!(contents(&kind, json!({"compartment": "plan"})), [""; 0]);
}

#[test]
fn clearing_takes_away_exactly_what_getting_shows() {
    for filter in [
        json!({}),
        json!({"category": "k"}),
        json!({"tags": ["a", "c"]}),
        json!({"tags": ["none"]}),
    ] {
        let home = Home::new();
        let kind = open(&home);
        for (content, category, tags) in [
            ("one", "k", vec!["a", "b"]),
            ("two", "l", vec!["c"]),
            ("three", "k", vec!["b"]),
        ] {
            let params = json!({"compartment": "plan", "content": content, "category": category, "tags": tags});
            call(&kind, "save_memory", params).unwrap();
        }
        save(&kind, "session", "another compartment's");
        let mut question = filter.clone();
        question["compartment"] = "plan".into();
        let shown = call(&kind, "get_memory", question.clone()).unwrap()["entries"].clone();
        let shown: Vec<&Value> = shown
            .as_array()
            .unwrap()
            .iter()
            .map(|entry| &entry["id"])
            .collect();
        let cleared = call(&kind, "clear_memory", question.clone()).unwrap();
        assert_eq!(
            cleared["ids"]
                .as_array()
                .unwrap()
                .iter()
                .collect::<Vec<_>>(),
            shown,
            "{filter}"
        );
        assert_eq!(contents(&kind, question), [""; 0]);
        assert_eq!(
            contents(&kind, json!({"compartment": "plan"})).len(),
            3 - shown.len()
        );
        assert_eq!(contents(&kind, json!({"compartment": "session"})).len(), 1);
    }
}

#[test]
fn clearing_tells_what_it_did() {
    let home = Home::new();
    let kind = open(&home);
    save(&kind, "session", "one");
    save(&kind, "session", "two");
    let reply = call(&kind, "clear_memory", json!({"compartment": "session"})).unwrap();
    assert_eq!(
        reply["message"],
        "Cleared 2 entries from the session memory"
    );
    let again = call(&kind, "clear_memory", json!({"compartment": "session"})).unwrap();
    assert_eq!(
        (&again["message"], &again["cleared"]),
        (
            &json!("Cleared 0 entries from the session memory"),
            &json!(0)
        )
    );
}

#[test]
fn a_file_edited_by_hand_is_seen_at_once() {
    let home = Home::new();
    let kind = open(&home);
    save(&kind, "session", "before");
    crate::common::put(&home, text(&home).replace("before", "after"));
    assert_eq!(
        contents(&kind, json!({"compartment": "session"})),
        ["after"]
    );
}
