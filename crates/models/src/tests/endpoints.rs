//! What endpoints are asked, and what is made of their answers.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};

use crate::loopback::{Loopback, Reply};
use crate::{Chat, Embed, Endpoint, EndpointChat, EndpointEmbedder, Message};

fn endpoint(server: &Loopback) -> Endpoint {
    let key = Some("sk-very-secret".to_owned());
    Endpoint::new(&format!("{}/v1/", server.url), key, Duration::from_secs(20)).pausing(|_| {})
}

fn reply(status: u16, body: &Value) -> Reply {
    Reply::new(status, body.to_string()).with("content-type", "application/json")
}

#[test]
fn vectors_are_read_as_lists_and_as_base64_in_the_order_of_their_texts() {
    // 3.0 and 4.0 as little-endian floats.
    let body = json!({"data": [
        {"index": 1, "embedding": "AABAQAAAgEA="},
        {"index": 0, "embedding": [1.0, 0.0]},
    ]});
    let server = Loopback::new(move |_| reply(200, &body));
    let model = EndpointEmbedder::new(endpoint(&server), "small");
    assert_eq!(model.dimensions(), 0);
    assert_eq!(
        model.documents(&["a", "b"]).unwrap(),
        [[1.0, 0.0], [0.6, 0.8]]
    );
    assert_eq!(model.dimensions(), 2);
    let asked = &server.asked()[0];
    assert_eq!(asked.path, "/v1/embeddings");
    assert_eq!(asked.header("authorization"), Some("Bearer sk-very-secret"));
    let sent: Value = serde_json::from_str(&asked.body).unwrap();
    assert_eq!(sent["input"], json!(["a", "b"]));
    assert_eq!(sent["model"], "small");
}

#[test]
fn many_texts_are_asked_in_batches() {
    let server = Loopback::new(|request| {
        let sent: Value = serde_json::from_str(&request.body).unwrap();
        let count = sent["input"].as_array().unwrap().len();
        reply(
            200,
            &json!({"data": vec![json!({"embedding": [0.0, 1.0]}); count]}),
        )
    });
    let model = EndpointEmbedder::new(endpoint(&server), "small");
    assert_eq!(model.documents(&["x"; 150]).unwrap().len(), 150);
    assert_eq!(server.asked().len(), 3);
}

#[test]
fn what_may_pass_is_tried_again_and_what_will_not_is_not() {
    let left = AtomicUsize::new(2);
    let server = Loopback::new(move |_| {
        match left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |n| n.checked_sub(1)) {
            Ok(2) => Reply::new(429, "").with("retry-after", "1"),
            Ok(_) => Reply::new(503, ""),
            Err(_) => reply(200, &json!({"data": [{"embedding": [1.0]}]})),
        }
    });
    EndpointEmbedder::new(endpoint(&server), "small")
        .question("x")
        .unwrap();
    assert_eq!(server.asked().len(), 3);
    let refusing = Loopback::new(|_| Reply::new(401, "no"));
    let failed = EndpointEmbedder::new(endpoint(&refusing), "small")
        .question("x")
        .unwrap_err();
    assert_eq!(refusing.asked().len(), 1);
    assert_eq!(
        failed.message,
        format!("{}/v1/embeddings answered 401", refusing.url)
    );
    let down = Loopback::new(|_| Reply::new(500, ""));
    assert!(
        EndpointEmbedder::new(endpoint(&down), "small")
            .question("x")
            .is_err()
    );
    assert_eq!(down.asked().len(), 4);
}

#[test]
fn answers_that_are_none_are_failures() {
    for body in [
        json!({}),
        json!({"data": []}),
        json!({"data": [{"embedding": []}]}),
        json!({"data": [{"embedding": "%"}]}),
    ] {
        let server = Loopback::new(move |_| reply(200, &body));
        assert!(
            EndpointEmbedder::new(endpoint(&server), "small")
                .question("x")
                .is_err()
        );
    }
}

#[test]
fn a_language_model_is_told_the_messages_and_not_asked_again_when_it_refuses() {
    let server = Loopback::new(|_| {
        reply(
            200,
            &json!({"choices": [{"message": {"content": "Hello"}}]}),
        )
    });
    let message = |role: &str, content: &str| Message {
        role: role.to_owned(),
        content: content.to_owned(),
    };
    let chat = EndpointChat::new(endpoint(&server), "talker");
    assert_eq!(
        chat.answer(&[message("system", "Be brief"), message("user", "Hi")])
            .unwrap(),
        "Hello"
    );
    let sent: Value = serde_json::from_str(&server.asked()[0].body).unwrap();
    assert_eq!(
        sent["messages"][1],
        json!({"role": "user", "content": "Hi"})
    );
    let refusing = Loopback::new(|_| Reply::new(429, ""));
    assert!(
        EndpointChat::new(endpoint(&refusing), "talker")
            .answer(&[])
            .is_err()
    );
    assert_eq!(refusing.asked().len(), 1);
}

#[test]
fn a_key_is_never_shown() {
    let server = Loopback::new(|_| Reply::new(401, ""));
    let model = EndpointEmbedder::new(endpoint(&server), "small");
    let failed = model.question("x").unwrap_err();
    assert!(!format!("{model:?} {failed:?} {}", failed.to_value()).contains("secret"));
}
