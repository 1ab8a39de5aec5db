//! What is no chat passes, what may not ask is refused, and what we ask ourselves carries nothing of a client.

use serde_json::{Value, json};

use super::stage::{json, reply, stage, whole};
use super::{HI, error_of};
use crate::access::{Access, OwnerOf};
use crate::proxy::bounds::Bounds;

#[tokio::test]
async fn everything_else_passes_both_ways() {
    let stage = stage(|_| {
        let mut answer = json(201, "{\"data\": []}");
        answer
            .headers_mut()
            .insert("x-request-id", "r1".parse().unwrap());
        answer
            .headers_mut()
            .insert("keep-alive", "timeout=5".parse().unwrap());
        answer
    });
    let stage = stage.with_key("own").begin().await;
    let headers = [
        ("x-custom", "1"),
        ("connection", "x-hop"),
        ("x-hop", "1"),
        ("accept-encoding", "gzip"),
    ];
    let answer = stage
        .send(
            "PUT",
            "/v1/files/a%20b?limit=2&x=%2F",
            &headers,
            "{\"a\":  1}",
        )
        .await;
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
    stage
        .send(
            "GET",
            "/v1/models",
            &[("authorization", "Bearer client")],
            "",
        )
        .await;
    assert_eq!(stage.last_got().headers["authorization"], "Bearer client");
    assert!(
        !stage
            .diary
            .lines()
            .iter()
            .any(|line| line.starts_with("user"))
    );
}

#[tokio::test]
async fn a_redirect_is_not_followed_and_not_passed_on() {
    let stage = stage(|_| {
        let mut answer = json(307, "");
        answer
            .headers_mut()
            .insert("location", "http://elsewhere.example/".parse().unwrap());
        answer
    });
    let stage = stage.begin().await;
    for (status, body) in [
        stage.chat(HI).await,
        whole(stage.send("GET", "/v1/models", &[], "").await).await,
    ] {
        assert_eq!(
            (status, error_of(&body)["code"].as_str()),
            (502, Some("upstream_redirect"))
        );
    }
}

#[tokio::test]
async fn what_can_not_be_understood_or_is_too_large_never_reaches_the_upstream() {
    let bounds = Bounds {
        chat_bytes: 100,
        ..Bounds::default()
    };
    let stage = stage(|_| unreachable!()).with_bounds(bounds).begin().await;
    let (status, body) = stage.chat("{\"messages\": [").await;
    assert_eq!(
        (status, error_of(&body)["type"].as_str()),
        (400, Some("invalid_request_error"))
    );
    let (status, body) = stage.chat(r#"{"memory_top_k":"many"}"#).await;
    assert_eq!(
        (status, error_of(&body)["param"].as_str()),
        (400, Some("memory_top_k"))
    );
    let (status, body) = stage.chat(&HI.replace("hi", &"x".repeat(100))).await;
    assert_eq!(
        (status, error_of(&body)["code"].as_str()),
        (413, Some("body_too_large"))
    );
}

#[tokio::test]
async fn what_leads_upwards_or_repeats_headers_never_reaches_the_upstream() {
    let stage = stage(|_| unreachable!()).with_key("own").begin().await;
    for (method, path, expected) in [
        ("TRACE", "/v1/models", 405),
        ("GET", "/v1/%2e%2e/admin", 400),
    ] {
        let (status, body) = whole(stage.send(method, path, &[], "").await).await;
        assert_eq!(
            (status, error_of(&body)["type"].as_str()),
            (expected, Some("invalid_request_error"))
        );
    }
    assert!(stage.got.lock().unwrap().is_empty());
}

#[tokio::test]
async fn a_page_of_another_site_is_refused_and_health_is_told() {
    let stage = stage(|_| unreachable!()).begin().await;
    for headers in [
        [("host", "evil.example")],
        [("origin", "http://evil.example")],
    ] {
        let (status, body) = whole(
            stage
                .send("POST", "/v1/chat/completions", &headers, HI)
                .await,
        )
        .await;
        assert_eq!(
            (status, error_of(&body)["code"].as_str()),
            (403, Some("forbidden"))
        );
    }
    let (status, body) = whole(stage.send("GET", "/health", &[], "").await).await;
    let health: Value = serde_json::from_str(&body).unwrap();
    assert_eq!(
        (status, &health["status"], &health["default_top_k"]),
        (200, &json!("ok"), &json!(5))
    );
    assert_eq!(health["memory_store"], "/memories");
    assert!(health["openai_base_url"].as_str().unwrap().ends_with("/v1"));
}

#[tokio::test]
async fn a_process_of_another_user_or_of_an_unknown_one_needs_the_token_as_its_key() {
    let another: OwnerOf = |_, _| Some(rustix::process::geteuid().as_raw() + 1);
    let unknown: OwnerOf = |_, _| None;
    for owner_of in [another, unknown] {
        let access = Access::new(Some("right".to_owned())).with_owners(owner_of);
        let stage = stage(|_| json(200, reply("hello")))
            .with_key("own")
            .with_access(access)
            .begin()
            .await;
        let chat = async |headers: &[(&str, &str)]| {
            whole(
                stage
                    .send("POST", "/v1/chat/completions", headers, HI)
                    .await,
            )
            .await
        };
        for wrong in [
            &[][..],
            &[("authorization", "Bearer sk-other")],
            &[("api-key", "wrong")],
        ] {
            let (status, body) = chat(wrong).await;
            assert_eq!(
                (status, error_of(&body)["code"].as_str()),
                (401, Some("invalid_api_key"))
            );
            let models = whole(stage.send("GET", "/v1/models", wrong, "").await).await;
            assert_eq!(models.0, 401);
            let health = whole(stage.send("GET", "/health", wrong, "").await).await;
            assert_eq!(health, (200, r#"{"status":"ok"}"#.to_owned()));
        }
        assert!(stage.got.lock().unwrap().is_empty());
        for right in [("authorization", "Bearer right"), ("api-key", "right")] {
            assert_eq!(chat(&[right]).await.0, 200);
            let got = stage.last_got();
            assert_eq!(got.headers["authorization"], "Bearer own");
            assert!(!got.headers.contains_key("api-key"));
        }
        assert_eq!(
            chat(&[("api-key", "right"), ("authorization", "Bearer sk-other")])
                .await
                .0,
            200
        );
        assert_eq!(stage.last_got().headers["authorization"], "Bearer sk-other");
    }
}

#[tokio::test]
async fn a_request_without_messages_is_left_to_the_upstream() {
    let stage = stage(|_| json(422, "{\"error\":{}}")).begin().await;
    assert_eq!(
        stage.chat(r#"{"messages":"hi","memory_id":"x"}"#).await,
        (422, "{\"error\":{}}".to_owned())
    );
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
    whole(
        stage
            .send("POST", "/v1/chat/completions", &headers, HI)
            .await,
    )
    .await;
    ask(None).await.unwrap().unwrap();
    assert_eq!(model_of_last(), "m");
    assert!(stage.last_got().headers.get("x-custom").is_none());
    ask(Some("mine")).await.unwrap().unwrap();
    assert_eq!(model_of_last(), "mine");
}
