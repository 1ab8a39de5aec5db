//! What one client takes is bounded, and leaves room for others.

use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::kind::listener;
use super::stage::{Stage, json, reply, stage, streaming_within, whole};
use super::{HI, error_of};
use crate::proxy::bounds::Bounds;

/// Begins a chat with a body of this length, of which a part is sent.
async fn begin_chat(stage: &Stage, length: usize, sent: &str) -> TcpStream {
    let mut client = TcpStream::connect(stage.address).await.unwrap();
    let head = format!(
        "POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Length: {length}\r\n"
    );
    client
        .write_all(format!("{head}Connection: close\r\n\r\n{sent}").as_bytes())
        .await
        .unwrap();
    client
}

async fn status(mut client: TcpStream) -> u16 {
    let mut answer = Vec::new();
    // A connection that is closed while something was unread is reset.
    let _ = client.read_to_end(&mut answer).await;
    let answer = String::from_utf8_lossy(&answer).into_owned();
    answer
        .split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok())
        .unwrap_or(0)
}

async fn health(stage: &Stage) -> u16 {
    whole(
        stage
            .send("GET", "/health", &[("connection", "close")], "")
            .await,
    )
    .await
    .0
}

#[tokio::test]
async fn a_body_that_is_announced_as_too_large_is_refused_before_it_is_sent() {
    let bounds = Bounds {
        chat_bytes: 100,
        ..Bounds::default()
    };
    let stage = stage(|_| unreachable!()).with_bounds(bounds).begin().await;
    assert_eq!(status(begin_chat(&stage, 101, "").await).await, 413);
}

#[tokio::test]
async fn a_body_that_does_not_go_on_or_takes_too_long_is_refused() {
    let short = Duration::from_millis(20);
    for bounds in [
        Bounds {
            body_pause: short,
            ..Bounds::default()
        },
        Bounds {
            body_time: short,
            ..Bounds::default()
        },
    ] {
        let stage = stage(|_| unreachable!()).with_bounds(bounds).begin().await;
        assert_eq!(status(begin_chat(&stage, 100, "{").await).await, 408);
    }
}

#[tokio::test]
async fn bodies_together_are_bounded_and_give_back_what_they_took() {
    let bounds = Bounds {
        bodies_bytes: 100,
        ..Bounds::default()
    };
    let stage = stage(|_| json(200, reply("hello")))
        .with_bounds(bounds)
        .begin()
        .await;
    let (status, body) = stage.chat(&HI.replace("hi", &"x".repeat(100))).await;
    assert_eq!(
        (status, error_of(&body)["code"].as_str()),
        (503, Some("overloaded"))
    );
    for _ in 0..3 {
        assert_eq!(stage.chat(HI).await.0, 200);
    }
}

#[tokio::test]
async fn health_is_told_while_slow_clients_take_all_connections() {
    let bounds = Bounds {
        connections: 4,
        ..Bounds::default()
    };
    let stage = stage(|_| unreachable!()).with_bounds(bounds).begin().await;
    let mut slow = Vec::new();
    for _ in 0..4 {
        slow.push(begin_chat(&stage, 100, "{").await);
    }
    assert_eq!(health(&stage).await, 200);
    assert_eq!(
        status(slow.remove(0)).await,
        0,
        "the first one had to give way"
    );
}

#[tokio::test]
async fn chats_are_bounded_and_leave_room_for_other_questions() {
    let (stage, send, answer) = streaming_within(
        Bounds {
            chats: 1,
            ..Bounds::default()
        },
        listener(),
        "half",
    )
    .await;
    let (status, body) = stage.chat(HI).await;
    assert_eq!(
        (status, error_of(&body)["code"].as_str()),
        (503, Some("overloaded"))
    );
    assert_eq!(health(&stage).await, 200);
    drop((send, answer));
    stage.diary.has("drain default").await;
}

#[tokio::test]
async fn a_stream_without_end_is_broken_off() {
    let short = Duration::from_millis(20);
    let bounds = Bounds {
        stream_time: short,
        ..Bounds::default()
    };
    let (_stage, _send, answer) = streaming_within(bounds, listener(), "half").await;
    let (_, body) = whole(answer).await;
    assert!(body.contains("the request timed out"), "{body}");
}
