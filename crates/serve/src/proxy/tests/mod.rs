//! The proxy as a client and an upstream see it.

mod kind;
mod stage;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use http_body_util::BodyExt;
use hyper::Response;
use hyper::body::{Bytes, Frame, Incoming};
use serde_json::{Value, json};

use self::kind::{Listener, listener, open};
use self::stage::{DONE, event, json, pieces, reply, stage, streamed, whole};
use super::bounds::Bounds;

const HI: &str = r#"{"model":"m","messages":[{"role":"user","content":"hi"}]}"#;
const HI_STREAMED: &str = r#"{"model":"m","stream":true,"messages":[{"role":"user","content":"hi"}]}"#;

fn error_of(body: &str) -> Value {
    let body: Value = serde_json::from_str(body).unwrap();
    assert!(
        ["message", "type", "param", "code"].iter().all(|name| body["error"].get(name).is_some()),
        "{body}"
    );
    body["error"].clone()
}

/// Reads the next piece of an answer.
async fn next(answer: &mut Response<Incoming>) -> Bytes {
    answer.frame().await.unwrap().unwrap().into_data().unwrap()
}

#[tokio::test]
async fn only_the_messages_change_on_the_way_there_and_only_the_hits_on_the_way_back() {
    let answer =
        "{\"usage\": {\"total\": 1.10}, \"choices\": [{\"index\":0,\"message\":{\"content\":\"hello\"}}] }";
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
    assert_eq!(lines[lines.len() - 3..], ["user one hi 0", "assistant one hello (turn of hi)", "drain one"]);
}

#[tokio::test]
async fn a_stream_passes_byte_for_byte_however_it_is_cut_and_is_heard_whole() {
    let stream = format!(": ping\r\n\r\n{}{}{DONE}", event("Größe "), event("大小 😀"));
    let sent = stream.clone();
    let stage =
        stage(move |_| pieces(sent.bytes().map(|byte| vec![byte].into()).collect(), false)).begin().await;
    let (status, body) = stage.chat(HI_STREAMED).await;
    assert_eq!((status, body), (200, stream));
    let lines = stage.diary.has("drain default").await;
    let kept = ["user default hi 0", "assistant default Größe 大小 😀 (turn of hi)", "drain default"];
    assert_eq!(lines[lines.len() - 3..], kept);
}

#[tokio::test]
async fn pieces_reach_the_client_when_they_come_and_the_users_turn_is_kept_before_them() {
    let (send, answer) = streamed();
    let answer = Mutex::new(Some(answer));
    let stage = stage(move |_| answer.lock().unwrap().take().unwrap()).begin().await;
    let first = tokio::spawn({
        let send = send.clone();
        async move { send.send(Ok(Frame::data(event("a").into()))).await.unwrap() }
    });
    let mut answer = stage.open_chat(HI_STREAMED).await;
    first.await.unwrap();
    assert_eq!(next(&mut answer).await, event("a"));
    assert!(stage.diary.lines().contains(&"user default hi 0".to_owned()));
    // The end is told only when the assistant's turn is kept too.
    send.send(Ok(Frame::data(DONE.into()))).await.unwrap();
    assert_eq!(next(&mut answer).await, DONE);
    assert!(stage.diary.lines().contains(&"assistant default a (turn of hi)".to_owned()));
}

#[tokio::test]
async fn errors_of_the_upstream_keep_status_headers_and_body() {
    for status in [400, 401, 404, 429, 500, 503] {
        let stage = stage(move |_| {
            let mut answer = json(status, format!("{{\"error\":{{\"message\":\"{status}\"}}}}"));
            answer.headers_mut().insert("retry-after", "7".parse().unwrap());
            answer
        });
        let stage = stage.begin().await;
        let answer = stage.open_chat(HI).await;
        assert_eq!(answer.headers()["retry-after"], "7");
        assert_eq!(whole(answer).await, (status, format!("{{\"error\":{{\"message\":\"{status}\"}}}}")));
        // A streamed chat has its user's turn at once, and that is all there is.
        let (told, _) = stage.chat(HI_STREAMED).await;
        assert_eq!(told, status);
        let lines = stage.diary.has("drain default").await;
        assert_eq!(lines.iter().filter(|line| line.starts_with("user ")).count(), 1);
        assert!(!lines.iter().any(|line| line.starts_with("assistant ")), "{lines:?}");
    }
}

#[tokio::test]
async fn an_upstream_that_is_not_there_is_a_bad_gateway() {
    let closed = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let stage = stage(|_| unreachable!()).begin_before(&format!("http://{closed}/v1"), Arc::default()).await;
    for asked in [HI, HI_STREAMED] {
        let (status, body) = stage.chat(asked).await;
        assert_eq!((status, error_of(&body)["code"].as_str()), (502, Some("upstream_unreachable")));
    }
    let lines = stage.diary.has("drain default").await;
    assert_eq!(lines.iter().filter(|line| line.starts_with("user ")).count(), 1, "{lines:?}");
}

#[tokio::test]
async fn an_upstream_that_never_answers_or_never_goes_on_is_given_up() {
    let short = Duration::from_millis(30);
    let bounds = Bounds { first_byte: short, pause: short, ..Bounds::default() };
    let held = Arc::new(Mutex::new(Vec::new()));
    let keep = held.clone();
    let stage = stage(move |got| {
        let (send, answer) = streamed();
        let begun = send.clone();
        tokio::spawn(async move { begun.send(Ok(Frame::data(event("a").into()))).await });
        keep.lock().unwrap().push(send);
        match got.body.contains("stream") {
            true => answer,
            false => {
                let (mut head, body) = answer.into_parts();
                head.headers.remove("content-type");
                Response::from_parts(head, body)
            }
        }
    });
    let stage = stage.with_bounds(bounds).begin().await;
    let (status, body) = stage.chat(HI).await;
    assert_eq!((status, error_of(&body)["code"].as_str()), (504, Some("upstream_timeout")));
    let (status, body) = stage.chat(HI_STREAMED).await;
    assert_eq!(status, 200);
    let told = body.strip_prefix(&event("a")).unwrap().strip_prefix("data: ").unwrap();
    assert_eq!(error_of(told)["code"], "upstream_failed");
}

#[tokio::test]
async fn a_stream_that_is_cut_is_told_to_the_client_and_the_half_of_it_not_kept() {
    let between = stage(|_| pieces(vec![event("a").into()], true)).begin().await;
    let (_, body) = between.chat(HI_STREAMED).await;
    let told = body.strip_prefix(&event("a")).unwrap().strip_prefix("data: ").unwrap();
    assert_eq!(error_of(told)["type"], "upstream_error");
    let within = stage(|_| pieces(vec![event("a").into(), "data: {\"cho".into()], true)).begin().await;
    let broken = within.open_chat(HI_STREAMED).await;
    assert!(broken.into_body().collect().await.is_err());
    let told =
        format!("{}data: {{\"error\":{{\"message\":\"overloaded\"}}}}\n\ndata: [DONE]\n\n", event("a"));
    let sent = told.clone();
    let failing = stage(move |_| pieces(vec![sent.clone().into()], false)).begin().await;
    assert_eq!(failing.chat(HI_STREAMED).await, (200, told));
    for stage in [between, within, failing] {
        let lines = stage.diary.has("drain default").await;
        assert!(lines.contains(&"user default hi 0".to_owned()));
        assert!(!lines.iter().any(|line| line.starts_with("assistant ")), "{lines:?}");
    }
}

#[tokio::test]
async fn what_a_client_heard_before_it_went_away_is_kept() {
    let (send, answer) = streamed();
    let answer = Mutex::new(Some(answer));
    let stage = stage(move |_| answer.lock().unwrap().take().unwrap()).begin().await;
    let first = tokio::spawn({
        let send = send.clone();
        async move { send.send(Ok(Frame::data(event("half").into()))).await.unwrap() }
    });
    let mut answer = stage.open_chat(HI_STREAMED).await;
    first.await.unwrap();
    next(&mut answer).await;
    drop(answer);
    stage.diary.has("assistant default half (turn of hi)").await;
    // The upstream need not go on.
    send.closed().await;
}

#[tokio::test]
async fn nonsense_passes_as_it_is_and_a_reply_that_breaks_off_is_a_bad_gateway() {
    let stage = stage(|got| match got.body.contains("break") {
        false => json(200, "<html>nonsense"),
        true => {
            let mut answer = pieces(vec!["{\"choices\"".into()], true);
            answer.headers_mut().remove("content-type");
            answer
        }
    });
    let stage = stage.begin().await;
    assert_eq!(stage.chat(HI).await, (200, "<html>nonsense".to_owned()));
    let (status, body) = stage.chat(&HI.replace("hi", "break")).await;
    assert_eq!((status, error_of(&body)["code"].as_str()), (502, Some("upstream_failed")));
    let lines = stage.diary.has("drain default").await;
    assert!(lines.contains(&"user default hi 0".to_owned()));
    assert!(!lines.iter().any(|line| line.starts_with("assistant ") || line.contains("break")), "{lines:?}");
}

#[tokio::test]
async fn jobs_pass_and_nothing_of_their_answer_is_kept() {
    let stage = stage(|_| json(200, reply("A title"))).begin().await;
    let (status, _) = stage.chat(&HI.replace("hi", "### Task: find a title")).await;
    assert_eq!(status, 200);
    let lines = stage.diary.has("drain default").await;
    assert!(!lines.iter().any(|line| line.starts_with("assistant ")), "{lines:?}");
}

#[tokio::test]
async fn a_retry_is_told_to_the_memory_and_the_conversation_comes_from_a_header() {
    let stage = stage(|_| json(200, reply("hello"))).begin().await;
    let headers = [("x-stainless-retry-count", "2"), ("x-openwebui-chat-id", "web"), ("x-memory-id", "own")];
    whole(stage.send("POST", "/v1/chat/completions", &headers, HI).await).await;
    stage.diary.has("user own hi 2").await;
    let got = stage.last_got();
    assert!(got.headers.get("x-memory-id").is_none());
    assert_eq!(got.headers["x-openwebui-chat-id"], "web");
}

#[tokio::test]
async fn fifty_chats_at_once_lose_nothing_and_double_nothing() {
    let stage = stage(|got| {
        let body: Value = serde_json::from_str(&got.body).unwrap();
        let said = body["messages"][0]["content"].as_str().unwrap().replace("(remembered) ", "");
        match body["stream"] == true {
            true => pieces(vec![event(&format!("to {said}")).into(), DONE.into()], false),
            false => json(200, reply(&format!("to {said}"))),
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
            assert_eq!(lines.iter().filter(|known| **known == line).count(), 1, "{line}");
            lines.iter().position(|known| *known == line).unwrap()
        };
        let user = place(format!("user c{c} hi {n} 0"));
        assert!(user < place(format!("assistant c{c} to hi {n} (turn of hi {n})")));
    }
}

#[tokio::test]
async fn a_proxy_that_is_stopped_ends_its_streams_and_does_what_follows() {
    let (send, answer) = streamed();
    let answer = Mutex::new(Some(answer));
    let kind = listener();
    let gate = kind.gate.clone();
    *gate.0.lock().unwrap() = true;
    let mut stage = stage(move |_| answer.lock().unwrap().take().unwrap()).with_kind(kind).begin().await;
    let first = tokio::spawn({
        let send = send.clone();
        async move { send.send(Ok(Frame::data(event("a").into()))).await.unwrap() }
    });
    let mut answer = stage.open_chat(HI_STREAMED).await;
    first.await.unwrap();
    next(&mut answer).await;
    stage.stop();
    send.send(Ok(Frame::data(DONE.into()))).await.unwrap();
    drop(send);
    assert_eq!(next(&mut answer).await, DONE);
    assert!(answer.frame().await.is_none());
    assert!(!stage.ended.is_finished());
    open(&gate);
    stage.ended.await.unwrap();
    assert_eq!(stage.diary.lines().last().unwrap(), "drain default");
}

#[tokio::test]
async fn a_stream_without_end_does_not_keep_a_stopped_proxy() {
    let held = Arc::new(Mutex::new(Vec::new()));
    let keep = held.clone();
    let stage = stage(move |_| {
        let (send, answer) = streamed();
        keep.lock().unwrap().push(send);
        answer
    });
    let bounds = Bounds { stream_farewell: Duration::from_millis(20), ..Bounds::default() };
    let mut stage = stage.with_bounds(bounds).begin().await;
    let answer = stage.open_chat(HI_STREAMED).await;
    stage.stop();
    let (_, body) = whole(answer).await;
    assert_eq!(error_of(body.strip_prefix("data: ").unwrap())["code"], "upstream_failed");
    stage.ended.await.unwrap();
}

#[tokio::test]
async fn what_an_earlier_run_left_is_taken_up_at_the_start() {
    let stage = stage(|_| unreachable!()).begin().await;
    stage.diary.has("drain ").await;
}

#[tokio::test]
async fn everything_else_passes_both_ways() {
    let stage = stage(|_| {
        let mut answer = json(201, "{\"data\": []}");
        answer.headers_mut().insert("x-request-id", "r1".parse().unwrap());
        answer.headers_mut().insert("keep-alive", "timeout=5".parse().unwrap());
        answer
    });
    let stage = stage.with_key("own").begin().await;
    let headers = [("x-custom", "1"), ("connection", "x-hop"), ("x-hop", "1"), ("accept-encoding", "gzip")];
    let answer = stage.send("PUT", "/v1/files/a%20b?limit=2&x=%2F", &headers, "{\"a\":  1}").await;
    assert_eq!(answer.headers()["x-request-id"], "r1");
    assert!(answer.headers().get("keep-alive").is_none());
    assert_eq!(whole(answer).await, (201, "{\"data\": []}".to_owned()));
    let got = stage.last_got();
    assert_eq!(
        (&*got.method, &*got.target, &*got.body),
        ("PUT", "/v1/files/a%20b?limit=2&x=%2F", "{\"a\":  1}")
    );
    assert_eq!(
        (&got.headers["x-custom"], &got.headers["accept-encoding"]),
        (&"1".parse().unwrap(), &"gzip".parse().unwrap())
    );
    assert_eq!(got.headers["authorization"], "Bearer own");
    assert!(got.headers.get("x-hop").is_none());
    stage.send("GET", "/v1/models", &[("authorization", "Bearer client")], "").await;
    assert_eq!(stage.last_got().headers["authorization"], "Bearer client");
    assert!(!stage.diary.lines().iter().any(|line| line.starts_with("user")));
}

#[tokio::test]
async fn a_redirect_is_not_followed_and_not_passed_on() {
    let stage = stage(|_| {
        let mut answer = json(307, "");
        answer.headers_mut().insert("location", "http://elsewhere.example/".parse().unwrap());
        answer
    });
    let stage = stage.begin().await;
    for (status, body) in [stage.chat(HI).await, whole(stage.send("GET", "/v1/models", &[], "").await).await]
    {
        assert_eq!((status, error_of(&body)["code"].as_str()), (502, Some("upstream_redirect")));
    }
}

#[tokio::test]
async fn what_can_not_be_understood_or_is_too_large_never_reaches_the_upstream() {
    let bounds = Bounds { chat_bytes: 100, ..Bounds::default() };
    let stage = stage(|_| unreachable!()).with_bounds(bounds).begin().await;
    let (status, body) = stage.chat("{\"messages\": [").await;
    assert_eq!((status, error_of(&body)["type"].as_str()), (400, Some("invalid_request_error")));
    let (status, body) = stage.chat(r#"{"memory_top_k":"many"}"#).await;
    assert_eq!((status, error_of(&body)["param"].as_str()), (400, Some("memory_top_k")));
    let (status, body) = stage.chat(&HI.replace("hi", &"x".repeat(100))).await;
    assert_eq!((status, error_of(&body)["code"].as_str()), (413, Some("body_too_large")));
}

#[tokio::test]
async fn a_page_of_another_site_is_refused_and_health_is_told() {
    let stage = stage(|_| unreachable!()).begin().await;
    for headers in [[("host", "evil.example")], [("origin", "http://evil.example")]] {
        let (status, body) = whole(stage.send("POST", "/v1/chat/completions", &headers, HI).await).await;
        assert_eq!((status, error_of(&body)["code"].as_str()), (403, Some("forbidden")));
    }
    let (status, body) = whole(stage.send("GET", "/health", &[], "").await).await;
    let health: Value = serde_json::from_str(&body).unwrap();
    assert_eq!((status, &health["status"], &health["default_top_k"]), (200, &json!("ok"), &json!(5)));
    assert_eq!(health["memory_store"], "/memories");
    assert!(health["openai_base_url"].as_str().unwrap().ends_with("/v1"));
}

#[tokio::test]
async fn a_memory_that_fails_fails_no_chat() {
    let stage = stage(|_| json(200, reply("hello"))).with_kind(Listener::broken()).begin().await;
    let (status, body) = stage.chat(HI).await;
    assert!(status == 200 && body.contains("hello") && body.contains("\"memory_hits\":[]"), "{body}");
    assert_eq!(stage.last_got().body, HI);
}

#[tokio::test]
async fn a_request_without_messages_is_left_to_the_upstream() {
    let stage = stage(|_| json(422, "{\"error\":{}}")).begin().await;
    assert_eq!(stage.chat(r#"{"messages":"hi","memory_id":"x"}"#).await, (422, "{\"error\":{}}".to_owned()));
    assert_eq!(stage.last_got().body, r#"{"messages":"hi"}"#);
}

#[tokio::test]
async fn questions_of_our_own_go_to_the_model_that_is_asked_for_and_carry_nothing_of_the_client() {
    let stage = stage(|got| match got.target.as_str() {
        "/v1/models" => json(200, r#"{"data":[{"id":"text-embedding"},{"id":"first"}]}"#),
        _ => json(200, reply("hello")),
    });
    let stage = stage.with_key("own").begin().await;
    let ask = |model: Option<&'static str>| {
        let upstream = stage.upstream.clone();
        crate::runtime::aside(move || upstream.answer(model, &[("system", "s"), ("user", "u")]))
    };
    let model_of_last = || {
        let got = stage.last_got();
        assert_eq!(got.headers["authorization"], "Bearer own");
        serde_json::from_str::<Value>(&got.body).unwrap()["model"].clone()
    };
    assert_eq!(ask(None).await.unwrap().unwrap(), "hello");
    assert_eq!(model_of_last(), "first");
    let headers = [("authorization", "Bearer client"), ("x-custom", "1")];
    whole(stage.send("POST", "/v1/chat/completions", &headers, HI).await).await;
    ask(None).await.unwrap().unwrap();
    assert_eq!(model_of_last(), "m");
    assert!(stage.last_got().headers.get("x-custom").is_none());
    ask(Some("mine")).await.unwrap().unwrap();
    assert_eq!(model_of_last(), "mine");
}
