//! What becomes of a chat when the upstream, the client or the memory fails.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use http_body_util::BodyExt;
use hyper::Response;
use hyper::body::Frame;

use super::kind::{Listener, listener};
use super::stage::{Got, event, json, pieces, reply, stage, streamed, streaming, whole};
use super::{HI, HI_STREAMED, error_of};
use crate::proxy::bounds::Bounds;

#[tokio::test]
async fn errors_of_the_upstream_keep_status_headers_and_body() {
    for status in [400, 401, 404, 429, 500, 503] {
        let stage = stage(move |_| {
            let mut answer = json(
                status,
                format!("{{\"error\":{{\"message\":\"{status}\"}}}}"),
            );
            answer
                .headers_mut()
                .insert("retry-after", "7".parse().unwrap());
            answer
        });
        let stage = stage.begin().await;
        let answer = stage.open_chat(HI).await;
        assert_eq!(answer.headers()["retry-after"], "7");
        assert_eq!(
            whole(answer).await,
            (
                status,
                format!("{{\"error\":{{\"message\":\"{status}\"}}}}")
            )
        );
        // A streamed chat has its user's turn at once, and that is all there is.
        let (told, _) = stage.chat(HI_STREAMED).await;
        assert_eq!(told, status);
        let lines = stage.diary.has("drain default").await;
        assert_eq!(
            lines
                .iter()
                .filter(|line| line.starts_with("user "))
                .count(),
            1
        );
        assert!(
            !lines.iter().any(|line| line.starts_with("assistant ")),
            "{lines:?}"
        );
    }
}

#[tokio::test]
async fn an_upstream_that_is_not_there_is_a_bad_gateway() {
    let closed = tokio::net::TcpListener::bind("127.0.0.1:0")
        .await
        .unwrap()
        .local_addr()
        .unwrap();
    let stage = stage(|_| unreachable!())
        .begin_before(&format!("http://{closed}/v1"), Arc::default())
        .await;
    for asked in [HI, HI_STREAMED] {
        let (status, body) = stage.chat(asked).await;
        assert_eq!(
            (status, error_of(&body)["code"].as_str()),
            (502, Some("upstream_unreachable"))
        );
    }
    let lines = stage.diary.has("drain default").await;
    assert_eq!(
        lines
            .iter()
            .filter(|line| line.starts_with("user "))
            .count(),
        1,
        "{lines:?}"
    );
}

#[tokio::test]
async fn an_upstream_that_never_answers_or_never_goes_on_is_given_up() {
    let short = Duration::from_millis(30);
    let held = Arc::new(Mutex::new(Vec::new()));
    let keep = held.clone();
    let upstream = move |got: &Got| {
        let (send, answer) = streamed();
        let begun = send.clone();
        tokio::spawn(async move { begun.send(Ok(Frame::data(event("a").into()))).await });
        keep.lock().unwrap().push(send);
        if got.body.contains("stream") {
            answer
        } else {
            let (mut head, body) = answer.into_parts();
            head.headers.remove("content-type");
            Response::from_parts(head, body)
        }
    };
    let first_byte = Bounds {
        first_byte: short,
        ..Bounds::default()
    };
    let pause = Bounds {
        pause: short,
        ..Bounds::default()
    };
    let never_answers = stage(upstream.clone())
        .with_bounds(first_byte)
        .begin()
        .await;
    let (status, body) = never_answers.chat(HI).await;
    assert_eq!(
        (status, error_of(&body)["code"].as_str()),
        (504, Some("upstream_timeout"))
    );
    let never_goes_on = stage(upstream).with_bounds(pause).begin().await;
    let (status, body) = never_goes_on.chat(HI_STREAMED).await;
    assert_eq!(status, 200);
    let told = body
        .strip_prefix(&event("a"))
        .unwrap()
        .strip_prefix("data: ")
        .unwrap();
    assert_eq!(error_of(told)["code"], "upstream_failed");
}

#[tokio::test]
async fn a_stream_that_is_cut_is_told_to_the_client_and_the_half_of_it_not_kept() {
    let between = stage(|_| pieces(vec![event("a").into()], true))
        .begin()
        .await;
    let (_, body) = between.chat(HI_STREAMED).await;
    let told = body
        .strip_prefix(&event("a"))
        .unwrap()
        .strip_prefix("data: ")
        .unwrap();
    assert_eq!(error_of(told)["type"], "upstream_error");
    let within = stage(|_| pieces(vec![event("a").into(), "data: {\"cho".into()], true))
        .begin()
        .await;
    let broken = within.open_chat(HI_STREAMED).await;
    assert!(broken.into_body().collect().await.is_err());
    let told = format!(
        "{}data: {{\"error\":{{\"message\":\"overloaded\"}}}}\n\ndata: [DONE]\n\n",
        event("a")
    );
    let sent = told.clone();
    let failing = stage(move |_| pieces(vec![sent.clone().into()], false))
        .begin()
        .await;
    assert_eq!(failing.chat(HI_STREAMED).await, (200, told));
    for stage in [between, within, failing] {
        let lines = stage.diary.has("drain default").await;
        assert!(lines.contains(&"user default hi 0".to_owned()));
        assert!(
            !lines.iter().any(|line| line.starts_with("assistant ")),
            "{lines:?}"
        );
    }
}

#[tokio::test]
async fn what_a_client_heard_before_it_went_away_is_kept() {
    let (stage, send, answer) = streaming(listener(), "half").await;
    drop(answer);
    stage.diary.has("assistant default half (turn of hi)").await;
    // The upstream need not go on.
    send.closed().await;
}

#[tokio::test]
async fn nonsense_passes_as_it_is_and_a_reply_that_breaks_off_is_a_bad_gateway() {
    let stage = stage(|got| {
        if !got.body.contains("break") {
            json(200, "<html>nonsense")
        } else {
            let mut answer = pieces(vec!["{\"choices\"".into()], true);
            answer.headers_mut().remove("content-type");
            answer
        }
    });
    let stage = stage.begin().await;
    assert_eq!(stage.chat(HI).await, (200, "<html>nonsense".to_owned()));
    let (status, body) = stage.chat(&HI.replace("hi", "break")).await;
    assert_eq!(
        (status, error_of(&body)["code"].as_str()),
        (502, Some("upstream_failed"))
    );
    let lines = stage.diary.has("drain default").await;
    assert!(lines.contains(&"user default hi 0".to_owned()));
    assert!(
        !lines
            .iter()
            .any(|line| line.starts_with("assistant ") || line.contains("break")),
        "{lines:?}"
    );
}

#[tokio::test]
async fn a_memory_that_fails_fails_no_chat() {
    let stage = stage(|_| json(200, reply("hello")))
        .with_kind(Listener::broken())
        .begin()
        .await;
    let (status, body) = stage.chat(HI).await;
    assert!(
        status == 200 && body.contains("hello") && body.contains("\"memory_hits\":[]"),
        "{body}"
    );
    assert_eq!(stage.last_got().body, HI);
}
