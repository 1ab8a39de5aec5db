//! MCP clients of both eras, in the same process.

use rmcp::ServiceExt;
use rmcp::model::{ArgumentInfo, ReadResourceRequestParams, Reference};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};

use super::*;
use crate::testing::{desk, guarded_desk};

/// Sends messages to a server, waits for an answer to each that has an id, and returns what it said, by id.
async fn converse(messages: &[Value]) -> Vec<Value> {
    converse_at(desk().0, messages).await
}

async fn converse_at(desk: Desk, messages: &[Value]) -> Vec<Value> {
    let (ours, theirs) = tokio::io::duplex(1 << 20);
    let (read, write) = tokio::io::split(theirs);
    let server = tokio::spawn(stdio::converse(desk, read, write));
    let (from, mut to) = tokio::io::split(ours);
    for message in messages {
        to.write_all(format!("{message}\n").as_bytes())
            .await
            .unwrap();
    }
    let mut lines = BufReader::new(from).lines();
    let mut said: Vec<Value> = Vec::new();
    let count = |said: &[Value]| said.iter().filter(|message| message["id"].is_u64()).count();
    while count(&said) < count(messages) {
        said.push(serde_json::from_str(&lines.next_line().await.unwrap().unwrap()).unwrap());
    }
    to.shutdown().await.unwrap();
    server.await.unwrap().unwrap();
    said.sort_by_key(|reply| reply["id"].as_u64());
    said
}

fn request(id: u64, method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

/// A request of the modern era says with each message what it speaks.
fn modern(id: u64, method: &str, mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "progressToken": 7,
    });
    request(id, method, params)
}

fn initialize(version: &str) -> Value {
    let client = json!({ "name": "test", "version": "1" });
    request(
        0,
        "initialize",
        json!({ "protocolVersion": version, "capabilities": {}, "clientInfo": client }),
    )
}

#[tokio::test]
async fn the_end_of_input_is_the_end_even_before_the_beginning() {
    assert!(converse(&[]).await.is_empty());
    let stray = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } });
    assert!(converse(&[stray]).await.is_empty());
}

#[tokio::test]
async fn what_was_asked_before_the_end_is_answered_and_the_last_line_needs_no_end() {
    let word = json!({ "name": "say", "arguments": { "word": "a" } });
    let input = format!(
        "{}\n{}",
        initialize("2025-06-18"),
        modern(1, "tools/call", word)
    );
    let (mut ours, theirs) = tokio::io::duplex(1 << 20);
    let server = stdio::converse(desk().0, std::io::Cursor::new(input.into_bytes()), theirs);
    server.await.unwrap();
    let mut said = String::new();
    ours.read_to_string(&mut said).await.unwrap();
    assert!(
        said.lines()
            .last()
            .unwrap()
            .contains(r#""structuredContent":{"result":"a"}"#),
        "{said}"
    );
}

#[tokio::test]
async fn the_older_era_begins_with_initialize() {
    for (asked, given) in [
        ("2024-11-05", "2024-11-05"),
        ("2025-06-18", "2025-06-18"),
        ("1999-01-01", "2025-11-25"),
    ] {
        let said = converse(&[initialize(asked), request(1, "tools/list", json!({}))]).await;
        assert_eq!(said[0]["result"]["protocolVersion"], given);
        assert!(
            said[0]["result"]["instructions"]
                .as_str()
                .unwrap()
                .contains("Say what matters.")
        );
        let tool = &said[1]["result"]["tools"][1];
        assert_eq!(tool["name"], "count");
        assert_eq!(
            tool["annotations"],
            json!({ "readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false })
        );
    }
}

#[tokio::test]
async fn the_modern_era_needs_no_beginning_and_says_its_version_each_time() {
    let said = converse(&[
        modern(0, "server/discover", json!({})),
        modern(1, "tools/call", json!({ "name": "count" })),
        modern(2, "resources/read", json!({ "uri": "memory://word/none" })),
        request(3, "tools/list", json!({})),
    ])
    .await;
    let versions = said[0]["result"]["supportedVersions"].as_array().unwrap();
    assert!(versions.contains(&json!("2026-07-28")) && versions.contains(&json!("2025-06-18")));
    assert_eq!(said[1]["result"]["resultType"], "complete");
    assert_eq!(
        said[1]["result"]["structuredContent"],
        json!({ "count": 0 })
    );
    assert_eq!(said[2]["error"]["code"], -32602);
    assert_eq!(said[3]["error"]["code"], -32602, "a request without _meta");
}

#[tokio::test]
async fn a_reply_is_an_object_and_the_same_as_text_and_a_failure_is_a_result() {
    let call = |id, name: &str, word: Value| {
        request(
            id,
            "tools/call",
            json!({ "name": name, "arguments": { "word": word } }),
        )
    };
    let said = converse(&[
        initialize("2025-11-25"),
        call(1, "say", json!("a")),
        call(2, "say", json!("fail")),
        call(3, "say", json!(1)),
        call(4, "nope", json!("a")),
        call(5, "say", json!("panic")),
    ])
    .await;
    assert_eq!(
        said[1]["result"]["structuredContent"],
        json!({ "result": "a" })
    );
    assert_eq!(said[1]["result"]["content"][0]["text"], r#"{"result":"a"}"#);
    for (n, code) in [(2, "CONFLICT"), (3, "INVALID_ARGUMENT")] {
        assert_eq!(said[n]["result"]["isError"], true);
        assert_eq!(
            said[n]["result"]["structuredContent"]["error"]["code"],
            code
        );
    }
    assert_eq!(said[4]["error"]["code"], -32602);
    assert_eq!(said[5]["error"]["code"], -32603);
}

/// Sends text to a server, and returns what it said until its end.
async fn answers(input: String) -> Vec<Value> {
    let (mut ours, theirs) = tokio::io::duplex(16 << 20);
    stdio::converse(desk().0, std::io::Cursor::new(input.into_bytes()), theirs)
        .await
        .unwrap();
    let mut said = String::new();
    ours.read_to_string(&mut said).await.unwrap();
    said.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[tokio::test]
async fn whatever_asks_for_an_answer_gets_one() {
    let call = |id: u64, arguments: &str| {
        let head = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":"#);
        format!(r#"{head}{{"name":"say","arguments":{arguments}}}}}"#)
    };
    let lines = [
        initialize("2025-06-18").to_string(),
        call(1, r#"{"word":"cut \ud83d"}"#),
        call(
            2,
            &format!(r#"{{"word":{}1{}}}"#, "[".repeat(300), "]".repeat(300)),
        ),
        call(3, r#"{"word":1e400}"#),
        call(4, r#"["a"]"#),
        r#"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"arguments":{}}}"#.to_owned(),
        "garbage".to_owned(),
        call(6, &format!(r#"{{"word":"{}"}}"#, "x".repeat(5 << 20))),
        r#"{"jsonrpc":"2.0","id":7}"#.to_owned(),
        r#"{"jsonrpc":"2.0","method":"of/others"}"#.to_owned(),
        call(8, r#"{"word":"a"}"#),
    ];
    let said = answers(lines.join("\n")).await;
    let to = |id: u64| {
        said.iter()
            .find(|message| message["id"] == id)
            .unwrap_or(&Value::Null)
    };
    for id in 1..=4 {
        assert_eq!(to(id)["result"]["isError"], true, "{id}: {said:?}");
    }
    assert_eq!(to(5)["error"]["code"], -32602);
    assert_eq!(to(6)["error"]["code"], -32600, "too long");
    assert_eq!(to(7)["error"]["code"], -32600);
    assert_eq!(
        to(8)["result"]["structuredContent"],
        json!({ "result": "a" })
    );
    let nameless: Vec<&Value> = said
        .iter()
        .filter(|message| message["id"].is_null())
        .collect();
    assert!(
        matches!(nameless[..], [garbage] if garbage["error"]["code"] == -32700),
        "{nameless:?}"
    );
}

#[tokio::test]
async fn a_call_that_breaks_off_where_it_was_read_hurts_no_other() {
    let call = |id, word: &str| {
        let word = json!({ "name": "say", "arguments": { "word": word } });
        request(id, "tools/call", word)
    };
    let quick = (1..20).map(|id| call(id, "a"));
    let messages: Vec<Value> = [initialize("2025-06-18")]
        .into_iter()
        .chain(quick)
        .chain([call(20, "panic"), call(21, "b")])
        .collect();
    // One after the other, so that each is known to be quick before the next one comes.
    let (ours, theirs) = tokio::io::duplex(1 << 20);
    let (read, write) = tokio::io::split(theirs);
    let server = tokio::spawn(stdio::converse(desk().0, read, write));
    let (from, mut to) = tokio::io::split(ours);
    let mut lines = BufReader::new(from).lines();
    let mut last = Value::Null;
    for message in messages {
        let broke_off = last["error"]["code"] == -32603;
        assert!(
            last["error"].is_null() || (broke_off && last["id"] == 20),
            "{last}"
        );
        to.write_all(format!("{message}\n").as_bytes())
            .await
            .unwrap();
        last = serde_json::from_str(&lines.next_line().await.unwrap().unwrap()).unwrap();
    }
    assert_eq!(
        last["result"]["structuredContent"],
        json!({ "result": "b" })
    );
    to.shutdown().await.unwrap();
    server.await.unwrap().unwrap();
}

#[tokio::test]
async fn progress_is_told_to_those_who_asked() {
    let word = json!({ "name": "say", "arguments": { "word": "a" } });
    let said = converse(&[modern(1, "tools/call", word.clone())]).await;
    let told = said
        .iter()
        .find(|message| message["method"] == "notifications/progress")
        .unwrap();
    assert_eq!(told["params"]["progressToken"], 7);
    assert_eq!(told["params"]["message"], "half");
    let said = converse(&[initialize("2025-06-18"), request(1, "tools/call", word)]).await;
    assert_eq!(said.len(), 2);
}

#[tokio::test]
async fn a_client_of_the_library_finds_resources_prompts_and_completions() {
    let (ours, theirs) = tokio::io::duplex(1 << 20);
    let (read, write) = tokio::io::split(theirs);
    let server = tokio::spawn(stdio::converse(desk().0, read, write));
    let client = ().serve(ours).await.unwrap();
    assert_eq!(
        client.list_all_resources().await.unwrap()[0].uri,
        "memory://words"
    );
    assert_eq!(
        client.list_all_resource_templates().await.unwrap()[0].uri_template,
        "memory://word/{place}"
    );
    client
        .read_resource(ReadResourceRequestParams::new("memory://words"))
        .await
        .unwrap();
    let missing = client
        .read_resource(ReadResourceRequestParams::new("memory://else"))
        .await
        .unwrap_err();
    assert!(
        missing
            .to_string()
            .contains("Resource memory://else was not found"),
        "{missing}"
    );
    assert_eq!(client.list_all_prompts().await.unwrap()[0].name, "greet");
    let arguments = json!({ "word": "you" }).as_object().cloned().unwrap();
    let prompt = GetPromptRequestParams::new("greet").with_arguments(arguments);
    let prompt = serde_json::to_value(client.get_prompt(prompt).await.unwrap()).unwrap();
    assert_eq!(prompt["messages"][0]["content"]["text"], "Hello you");
    let place = CompleteRequestParams::new(
        Reference::for_resource("memory://word/{place}"),
        ArgumentInfo::new("place", "place-1"),
    );
    let completed = client.complete(place).await.unwrap().completion;
    assert_eq!(
        (completed.values.len(), completed.total, completed.has_more),
        (100, Some(111), Some(true))
    );
    let unknown =
        CompleteRequestParams::new(Reference::for_prompt("none"), ArgumentInfo::new("word", ""));
    assert!(
        client
            .complete(unknown)
            .await
            .unwrap()
            .completion
            .values
            .is_empty()
    );
    client.cancel().await.unwrap();
    server.await.unwrap().unwrap();
}

#[tokio::test]
async fn hooks_guard_resources_prompts_and_completions() {
    let prompt = |word: &str| json!({ "name": "greet", "arguments": { "word": word } });
    let completion = |value: &str| {
        let reference = json!({ "type": "ref/prompt", "name": "greet" });
        json!({ "ref": reference, "argument": { "name": "word", "value": value } })
    };
    let said = converse_at(
        guarded_desk(),
        &[
            initialize("2025-06-18"),
            request(1, "resources/read", json!({ "uri": "memory://words" })),
            request(2, "resources/read", json!({ "uri": "memory://secret" })),
            request(3, "prompts/get", prompt("x")),
            request(4, "prompts/get", prompt("secret")),
            request(5, "completion/complete", completion("word-1")),
            request(6, "completion/complete", completion("secret")),
        ],
    )
    .await;
    assert_eq!(said[1]["result"]["contents"][0]["text"], "ALL");
    assert_eq!(
        said[3]["result"]["messages"][0]["content"]["text"],
        "HELLO x"
    );
    assert!(said[5]["result"]["completion"]["values"][0].is_string());
    for (refused, name) in [
        (&said[2], "resource"),
        (&said[4], "prompt"),
        (&said[6], "completion"),
    ] {
        assert_eq!(
            refused["error"]["message"],
            format!("A hook refused '{name}'"),
            "{refused}"
        );
    }
}
