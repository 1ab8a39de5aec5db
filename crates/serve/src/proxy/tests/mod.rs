//! The proxy as a client and an upstream see it.

mod bounded;
mod chats;
mod faults;
mod kind;
mod passing;
mod stage;
mod stopping;

use http_body_util::BodyExt;
use hyper::Response;
use hyper::body::{Bytes, Incoming};
use serde_json::Value;

const HI: &str = r#"{"model":"m","messages":[{"role":"user","content":"hi"}]}"#;
const HI_STREAMED: &str =
    r#"{"model":"m","stream":true,"messages":[{"role":"user","content":"hi"}]}"#;

fn error_of(body: &str) -> Value {
    let body: Value = serde_json::from_str(body).unwrap();
    assert!(
        ["message", "type", "param", "code"]
            .iter()
            .all(|name| body["error"].get(name).is_some()),
        "{body}"
    );
    body["error"].clone()
}

/// Reads the next piece of an answer.
async fn next(answer: &mut Response<Incoming>) -> Bytes {
    answer.frame().await.unwrap().unwrap().into_data().unwrap()
}
