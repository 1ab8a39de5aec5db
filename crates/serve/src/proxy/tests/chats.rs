//! A chat as both sides see it: what changes on its way, when pieces pass, what is kept of it.

use std::sync::Arc;

use hyper::body::Frame;
use serde_json::{Value, json};

use super::kind::listener;
use super::stage::{DONE, event, json, pieces, reply, stage, streaming, whole};
use super::{HI, HI_STREAMED, next};

#[tokio::test]
async fn only_the_messages_change_on_the_way_there_and_only_the_hits_on_the_way_back() {
    let answer = "{\"usage\": {\"total\": 1.10}, \"choices\": [{\"index\":0,\"message\":{\"content\":\"hello\"}}] }";
    let stage = stage(move |_| json(200, answer)).begin().await;
    let asked = concat!(
        r#"{"tools": [{"type":"function","function":{"name":"f","parameters":{"z":1,"a":2}}}],"model":"m","#,
        r#""memory_id":"one","memory_top_k":3,"messages":[{"role":"system","content":"s"},{"role":"user","content":"hi"}],"#,
        r#""response_format": {"type":"json_schema","json_schema":{"strict":true}},"seed":123456789012345678901234567890,"#,
        r#""unknown":[1.50,null]}"#
    );
    let (status, body) = stage.chat(asked).await;
    assert_eq!(status, 200);
    let hits = r#","memory_hits":[{"text":"remembered","score":0.5}]}"#;
    assert_eq!(body, format!("{}{hits}", answer.trim_end_matches('}')));
    let changed = asked
        .replace(r#""memory_id":"one","memory_top_k":3,"#, "")
        .replace(r#""content":"hi""#, r#""content":"(remembered) hi""#)
        .replace(r#""tools": "#, r#""tools":"#)
        .replace(r#""response_format": "#, r#""response_format":"#);
    assert_eq!(stage.last_got().body, changed);
    let lines = stage.diary.has("drain one").await;
    assert_eq!(
        lines[lines.len() - 3..],
        [
            "user one hi 0",
            "assistant one hello (turn of hi)",
            "drain one"
        ]
    );
}

#[tokio::test]
async fn a_stream_passes_byte_for_byte_however_it_is_cut_and_is_heard_whole() {
    let stream = format!(
        ": ping\r\n\r\n{}{}{DONE}",
        event("Größe "),
        event("大小 😀")
    );
    let sent = stream.clone();
    let stage = stage(move |_| pieces(sent.bytes().map(|byte| vec![byte].into()).collect(), false))
        .begin()
        .await;
    let (status, body) = stage.chat(HI_STREAMED).await;
    assert_eq!((status, body), (200, stream));
    let lines = stage.diary.has("drain default").await;
    let kept = [
        "user default hi 0",
        "assistant default Größe 大小 😀 (turn of hi)",
        "drain default",
    ];
    assert_eq!(lines[lines.len() - 3..], kept);
}

#[tokio::test]
async fn pieces_reach_the_client_when_they_come_and_the_users_turn_is_kept_before_them() {
    let (stage, send, mut answer) = streaming(listener(), "a").await;
    assert!(
        stage
            .diary
            .lines()
            .contains(&"user default hi 0".to_owned())
    );
    // The end is told only when the assistant's turn is kept too.
    send.send(Ok(Frame::data(DONE.into()))).await.unwrap();
    assert_eq!(next(&mut answer).await, DONE);
    assert!(
        stage
            .diary
            .lines()
            .contains(&"assistant default a (turn of hi)".to_owned())
    );
}

#[tokio::test]
async fn jobs_pass_and_nothing_of_their_answer_is_kept() {
    let stage = stage(|_| json(200, reply("A title"))).begin().await;
    let (status, _) = stage
        .chat(&HI.replace("hi", "### Task: find a title"))
        .await;
    assert_eq!(status, 200);
    let lines = stage.diary.has("drain default").await;
    assert!(
        !lines.iter().any(|line| line.starts_with("assistant ")),
        "{lines:?}"
    );
}

#[tokio::test]
async fn a_retry_is_told_to_the_memory_and_the_conversation_comes_from_a_header() {
    let stage = stage(|_| json(200, reply("hello"))).begin().await;
    let headers = [
        ("x-stainless-retry-count", "2"),
        ("x-openwebui-chat-id", "web"),
        ("x-memory-id", "own"),
    ];
    whole(
        stage
            .send("POST", "/v1/chat/completions", &headers, HI)
            .await,
    )
    .await;
    stage.diary.has("user own hi 2").await;
    stage
        .diary
        .has("assistant own hello (turn of hi) again Some(2) r1")
        .await;
    let got = stage.last_got();
    assert!(got.headers.get("x-memory-id").is_none());
    assert_eq!(got.headers["x-openwebui-chat-id"], "web");
}

#[tokio::test]
async fn fifty_chats_at_once_lose_nothing_and_double_nothing() {
    let stage = stage(|got| {
        let body: Value = serde_json::from_str(&got.body).unwrap();
        let said = body["messages"][0]["content"]
            .as_str()
            .unwrap()
            .replace("(remembered) ", "");
        if body["stream"] == true {
            pieces(
                vec![event(&format!("to {said}")).into(), DONE.into()],
                false,
            )
        } else {
            json(200, reply(&format!("to {said}")))
        }
    });
    let stage = Arc::new(stage.begin().await);
    let chats = (0..50).map(|n| {
        let stage = stage.clone();
        tokio::spawn(async move {
            let messages = json!([{ "role": "user", "content": format!("hi {n}") }]);
            let body =
                json!({ "messages": messages, "memory_id": format!("c{}", n % 7), "stream": n % 2 == 0 });
            stage.chat(&body.to_string()).await
        })
    });
    for chat in chats.collect::<Vec<_>>() {
        let (status, body) = chat.await.unwrap();
        assert!(status == 200 && body.contains("to hi"), "{status} {body}");
    }
    let lines = stage.diary.lines();
    for n in 0..50 {
        let c = n % 7;
        let place = |line: String| {
            assert_eq!(
                lines.iter().filter(|known| **known == line).count(),
                1,
                "{line}"
            );
            lines.iter().position(|known| *known == line).unwrap()
        };
        let user = place(format!("user c{c} hi {n} 0"));
        assert!(user < place(format!("assistant c{c} to hi {n} (turn of hi {n})")));
    }
}
