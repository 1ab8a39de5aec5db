//! Whatever stands in a file, an entry comes and goes without a trace.

use proptest::prelude::*;
use serde_json::json;

use super::*;

fn server() -> Vec<Step> {
    Step::keys(&["mcpServers", "memory"])
}

#[track_caller]
fn check(before: &str, after: &str) {
    let put = put(before, &server(), &json!({"command": "m"})).unwrap();
    assert_eq!(put, after);
    assert_eq!(
        super::put(&put, &server(), &json!({"command": "m"})).unwrap(),
        put,
        "again"
    );
}

#[test]
fn an_entry_is_laid_out_as_the_file_is() {
    check(
        "",
        "{\n  \"mcpServers\": {\n    \"memory\": {\n      \"command\": \"m\"\n    }\n  }\n}\n",
    );
    check(
        "{}",
        "{\n  \"mcpServers\": {\n    \"memory\": {\n      \"command\": \"m\"\n    }\n  }\n}",
    );
    check(
        "{\n\t\"a\": 1, // one\n\t\"mcpServers\": {\n\t\t\"x\": {}\n\t},\n}\n",
        "{\n\t\"a\": 1, // one\n\t\"mcpServers\": {\n\t\t\"x\": {},\n\t\t\"memory\": {\n\t\t\t\"command\": \"m\"\n\t\t}\n\t},\n}\n",
    );
    check(
        r#"{"a":1}"#,
        r#"{"a":1,"mcpServers":{"memory":{"command":"m"}}}"#,
    );
    check(
        r#"{"a": 1, "mcpServers": {}}"#,
        r#"{"a": 1, "mcpServers": {"memory":{"command":"m"}}}"#,
    );
    check(
        "{\r\n  \"a\": 1\r\n}\r\n",
        "{\r\n  \"a\": 1,\r\n  \"mcpServers\": {\r\n    \"memory\": {\r\n      \"command\": \"m\"\r\n    }\r\n  }\r\n}\r\n",
    );
    check(
        "{\n  \"a\": 1 // the last\n  /* end */\n}",
        "{\n  \"a\": 1, // the last\n  /* end */\n  \"mcpServers\": {\n    \"memory\": {\n      \"command\": \"m\"\n    }\n  }\n}",
    );
}

#[test]
fn an_entry_that_is_taken_leaves_its_neighbours_alone() {
    let check = |before: &str, after: &str| assert_eq!(take(before, &server()).unwrap(), after);
    check(
        "{\n  \"a\": 1,\n  \"mcpServers\": {\n    \"memory\": {}\n  }\n}\n",
        "{\n  \"a\": 1\n}\n",
    );
    check(
        "{\"mcpServers\": {\"memory\": {}, \"x\": 1}}",
        "{\"mcpServers\": {\"x\": 1}}",
    );
    check(
        "{\"mcpServers\": {\"w\": 0, \"memory\": {}, \"x\": 1}}",
        "{\"mcpServers\": {\"w\": 0, \"x\": 1}}",
    );
    check(
        "{\n  \"mcpServers\": {\n    // mine\n    \"x\": 1,\n    \"memory\": {}\n  }\n}",
        "{\n  \"mcpServers\": {\n    // mine\n    \"x\": 1\n  }\n}",
    );
    check("{\"mcpServers\": {\"memory\": {}}}", "{}");
    check("{\"other\": 1}", "{\"other\": 1}");
    check("", "");
}

#[test]
fn elements_of_lists_come_and_go_too() {
    let place = |n| [Step::keys(&["hooks", "SessionStart"]), vec![Step::Index(n)]].concat();
    let before = "{\n  \"hooks\": {\n    \"SessionStart\": [\n      1\n    ]\n  }\n}";
    let after = put(before, &place(1), &json!(2)).unwrap();
    assert_eq!(
        after,
        "{\n  \"hooks\": {\n    \"SessionStart\": [\n      1,\n      2\n    ]\n  }\n}"
    );
    assert_eq!(take(&after, &place(1)).unwrap(), before);
    assert_eq!(
        read(&put("{}", &place(0), &json!(2)).unwrap()).unwrap(),
        json!({"hooks": {"SessionStart": [2]}})
    );
}

#[test]
fn a_file_that_is_not_understood_is_left_alone() {
    let refused = |text: &str| put(text, &server(), &json!({})).unwrap_err().to_string();
    assert_eq!(
        refused("{\n  \"mcpServers\": [\n"),
        "line 3: it ends unexpectedly"
    );
    assert_eq!(refused("[]"), "the file is not an object");
    assert_eq!(
        refused("{\"mcpServers\": 3}"),
        "'mcpServers' is not an object"
    );
    assert_eq!(
        refused("{\"mcpServers\": {}, \"mcpServers\": {}}"),
        "'mcpServers' occurs twice"
    );
}

/// A value as somebody may have typed it: with any layout, comments and last commas.
fn typed(depth: u32) -> BoxedStrategy<String> {
    let scalar = prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        (-1000i64..1000).prop_map(|n| n.to_string()),
        Just("1.50e2".to_owned()),
        "[ -~é深]{0,6}".prop_map(|text| Value::from(text).to_string()),
        Just("\"\\u00e9 // no comment /* \"".to_owned()),
    ];
    if depth == 0 {
        return scalar.boxed();
    }
    let object = members(depth - 1, &["a", "b", "c", "深", "x y"]);
    let list = (
        prop::collection::vec((gap(), typed(depth - 1), gap()), 0..3),
        gap(),
        any::<bool>(),
    );
    let list = list.prop_map(|(items, end, comma)| {
        let items: Vec<String> = items
            .into_iter()
            .map(|(a, item, b)| format!("{a}{item}{b}"))
            .collect();
        joined('[', &items, comma, &end, ']')
    });
    prop_oneof![scalar, object, list].boxed()
}

fn members(depth: u32, names: &'static [&'static str]) -> BoxedStrategy<String> {
    let member = (gap(), gap(), typed(depth), gap());
    let chosen = prop::sample::subsequence(names, 0..=names.len());
    (
        chosen,
        prop::collection::vec(member, names.len()),
        gap(),
        any::<bool>(),
    )
        .prop_map(|(names, members, end, comma)| {
            let items: Vec<String> = names
                .iter()
                .zip(members)
                .map(|(name, (a, b, value, c))| format!("{a}\"{name}\":{b}{value}{c}"))
                .collect();
            joined('{', &items, comma, &end, '}')
        })
        .boxed()
}

fn joined(open: char, items: &[String], comma: bool, end: &str, close: char) -> String {
    let comma = if comma && !items.is_empty() { "," } else { "" };
    format!("{open}{}{comma}{end}{close}", items.join(","))
}

fn gap() -> BoxedStrategy<String> {
    prop::sample::select(vec![
        "",
        "",
        "",
        " ",
        "\n",
        "\n  ",
        "\n\t",
        "\r\n    ",
        " // c, \"}\n",
        " /* { */ ",
    ])
    .prop_map(str::to_owned)
    .boxed()
}

/// Says whether all of one text stands in another, in its order.
fn is_kept_in(old: &str, new: &str) -> bool {
    let mut rest = new.bytes();
    old.bytes().all(|byte| rest.any(|other| other == byte))
}

/// Reads a file, and leaves out servers if there are none.
fn without_empty(text: &str) -> Value {
    let mut value = read(text).unwrap();
    if value["mcpServers"] == json!({}) {
        value.as_object_mut().unwrap().shift_remove("mcpServers");
    }
    value
}

#[test]
fn a_comment_at_the_end_of_a_line_swallows_nothing_when_the_next_item_goes() {
    let text = "{\"a\":null, // c, \"}\n\"mcpServers\":{\"memory\":{}} /* { */ ,}";
    let back = take(text, &server()).unwrap();
    assert_eq!(read(&back).unwrap(), json!({ "a": null }));
    assert!(back.contains("// c") && back.contains("/* { */"), "{back}");
}

proptest! {
    #[test]
    fn everything_else_stays_byte_for_byte(
        file in members(3, &["a", "mcpServers", "z"]),
        end in gap(),
    ) {
        let before = format!("{file}{end}");
        let entry = json!({"command": "/bin/memory", "args": ["mcp"]});
        match put(&before, &server(), &entry) {
            Ok(after) => {
                prop_assert!(is_kept_in(&before, &after), "{before:?}\n{after:?}");
                let found = read(&after).unwrap();
                prop_assert_eq!(look_up(&found, &server()), Some(&entry));
                let back = take(&after, &server()).unwrap();
                prop_assert_eq!(without_empty(&back), without_empty(&before));
                let comments = |text: &str| (text.matches("// c").count(), text.matches("/* {").count());
                prop_assert_eq!(comments(&back), comments(&before));
            }
            Err(refusal) => {
                let servers = read(&before).unwrap()["mcpServers"].clone();
                prop_assert!(!servers.is_object() && !servers.is_null() || before.contains("null"), "{refusal}");
            }
        }
    }

    #[test]
    fn no_text_makes_it_panic(text in "[{}\\[\\],:\"/*\\\\ a1\n]{0,40}") {
        let _ = put(&text, &server(), &json!({}));
        let _ = take(&text, &server());
    }
}
