//! Lines and their answers.

use super::*;
use crate::testing::desk;

#[track_caller]
fn check(line: &str, expected: &str) {
    let (desk, _) = desk();
    let reply = answer(&desk, line.as_bytes()).unwrap_or_default();
    let reply = String::from_utf8(reply).unwrap();
    assert_eq!(reply.trim_end(), expected, "{line}");
    assert_eq!(
        reply.matches('\n').count(),
        usize::from(!reply.is_empty()),
        "one line is answered by one"
    );
}

#[test]
fn the_forms_of_the_specification_are_answered_in_its_form() {
    check(
        r#"{"id":1,"method":"tools/call","params":{"name":"say","params":{"word":"a"}}}"#,
        r#"{"id":1,"result":"a"}"#,
    );
    check(
        r#"{"id":2,"method":"tools/call","params":{"name":"say","arguments":{"word":"a"}}}"#,
        r#"{"id":2,"result":"a"}"#,
    );
    check(
        r#"{"id":3,"method":"say","params":{"word":"a"}}"#,
        r#"{"id":3,"result":"a"}"#,
    );
    check(
        r#"{"id":3,"method":"say","arguments":{"word":"a"}}"#,
        r#"{"id":3,"result":"a"}"#,
    );
    check(
        r#"{"method":"count"}"#,
        r#"{"id":null,"result":{"count":0}}"#,
    );
    check(
        r#"{"id":4,"method":"say","params":{"word":"fail"}}"#,
        r#"{"id":4,"error":{"code":"CONFLICT","message":"It can't be said","hint":"Say less"}}"#,
    );
}

#[test]
fn version_two_is_answered_in_version_two() {
    check(
        r#"{"jsonrpc":"2.0","id":"x","method":"count"}"#,
        r#"{"jsonrpc":"2.0","id":"x","result":{"count":0}}"#,
    );
    check(
        r#"{"jsonrpc":"2.0","id":1,"method":"say","params":{"word":"fail"}}"#,
        concat!(
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"It can't be said","#,
            r#""data":{"code":"CONFLICT","message":"It can't be said","hint":"Say less"}}}"#
        ),
    );
    check(r#"{"jsonrpc":"2.0","method":"count"}"#, "");
}

#[test]
fn ids_come_back_as_they_were_sent() {
    for id in [
        "0",
        "-7",
        "12345678901234567890123",
        "1.50",
        r#""a\n\"b""#,
        "null",
    ] {
        let line = format!(r#"{{"id":{id},"method":"count"}}"#);
        check(&line, &format!(r#"{{"id":{id},"result":{{"count":0}}}}"#));
    }
}

#[track_caller]
fn check_refusal(line: &[u8], parts: &[&str]) {
    let (desk, _) = desk();
    let reply = String::from_utf8(answer(&desk, line).unwrap()).unwrap();
    for part in parts {
        assert!(reply.contains(part), "{reply}");
    }
}

#[test]
fn what_is_no_request_is_told_in_the_form_that_it_seems_to_have() {
    check_refusal(
        b"garbage",
        &[r#"{"id":null,"error":{"code":"INVALID_JSON""#],
    );
    check_refusal(
        br#"{"jsonrpc":"2.0","id":1"#,
        &[r#""jsonrpc":"2.0","id":null"#, "-32700"],
    );
    check_refusal(
        br#"{"jsonrpc":"2.0","id":1}"#,
        &[r#""id":1,"#, "-32600", "missing field `method`"],
    );
    check_refusal(
        br#"{"id":"a","metod":"count"}"#,
        &[r#"{"id":"a","error":{"code":"INVALID_ARGUMENT""#],
    );
    check_refusal(
        br#"[1,"2.0","count",{}]"#,
        &[r#""id":null"#, "The line is a list, not a request"],
    );
    check_refusal(
        br#"{"id":{},"method":"count"}"#,
        &[r#""id":null"#, "INVALID_ARGUMENT"],
    );
    check_refusal(b"[1,2]", &["INVALID_ARGUMENT"]);
    check_refusal(b"\xff\xfe", &["not UTF-8"]);
    let deep = "[".repeat(100_000);
    check_refusal(deep.as_bytes(), &["The line is a list, not a request"]);
    check_refusal(
        format!(r#"{{"id":1,"method":"count","params":{deep}"#).as_bytes(),
        &["INVALID_JSON"],
    );
    check_refusal(
        br#"{"jsonrpc":"2.0","id":1,"method":"coun"}"#,
        &["-32601", "Did you mean 'count'?"],
    );
    check_refusal(
        br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nope"}}"#,
        &["-32602", "Unknown tool 'nope'"],
    );
    check_refusal(
        br#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#,
        &["-32602", "needs a name"],
    );
    check_refusal(
        br#"{"jsonrpc":"2.0","id":1,"method":"say","params":[1]}"#,
        &["-32602"],
    );
}

#[test]
fn empty_lines_are_passed_over() {
    check("", "");
    check(" \r", "");
}

#[test]
fn the_list_has_names_descriptions_and_schemas() {
    let (desk, _) = desk();
    let reply = answer(&desk, br#"{"id":1,"method":"tools/list"}"#).unwrap();
    let reply: Value = serde_json::from_slice(&reply).unwrap();
    let tool = &reply["result"]["tools"][0];
    assert_eq!(tool["name"], "say");
    assert_eq!(
        tool["inputSchema"]["properties"]["word"]["description"],
        "A word"
    );
}
