//! How a proxy ends, and what the next one takes up.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use http_body_util::BodyExt;
use hyper::body::Frame;

use super::kind::{listener, open};
use super::stage::{DONE, stage, streamed, streaming, whole};
use super::{HI_STREAMED, error_of, next};
use crate::proxy::bounds::Bounds;

#[tokio::test]
async fn a_proxy_that_is_stopped_ends_its_streams_and_does_what_follows() {
    let kind = listener();
    let gate = kind.gate.clone();
    *gate.0.lock().unwrap() = true;
    let (mut stage, send, mut answer) = streaming(kind, "a").await;
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
    let bounds = Bounds {
        stream_farewell: Duration::from_millis(20),
        ..Bounds::default()
    };
    let mut stage = stage.with_bounds(bounds).begin().await;
    let answer = stage.open_chat(HI_STREAMED).await;
    stage.stop();
    let (_, body) = whole(answer).await;
    assert_eq!(
        error_of(body.strip_prefix("data: ").unwrap())["code"],
        "upstream_failed"
    );
    stage.ended.await.unwrap();
}

#[tokio::test]
async fn what_an_earlier_run_left_is_taken_up_at_the_start() {
    let stage = stage(|_| unreachable!()).begin().await;
    stage.diary.has("drain ").await;
}
