//! Turns: kept at once, in order, and once.

use memory_testkit::Home;
use serde_json::json;

use crate::common::{call, call_at, chat, drain, facts, files, open, paths, say, turns};

#[test]
fn turns_are_kept_at_once_and_in_order_even_within_one_second() {
    let home = Home::new();
    let kind = open(&home);
    for n in 0..5 {
        chat(
            &kind,
            "a",
            &format!("question {n}"),
            &format!("answer {n}"),
            0,
        );
    }
    let expected: Vec<String> = (0..5)
        .flat_map(|n| {
            [
                format!("user: question {n}"),
                format!("assistant: answer {n}"),
            ]
        })
        .collect();
    assert_eq!(turns(&kind, "a"), expected);
    assert_eq!(paths(&home, "entries/a/turns/user").len(), 5);
    assert_eq!(paths(&home, "entries/a/turns/assistant").len(), 5);
}

#[test]
fn a_request_that_is_sent_again_is_kept_once() {
    let home = Home::new();
    let kind = open(&home);
    let first = say(&kind, "a", "hello", json!({}), 0);
    assert_eq!(
        (first["stored"].as_bool(), first["remember"].as_bool()),
        (Some(true), Some(true))
    );
    // No answer was kept: the request failed, and any client may send it again.
    let again = say(&kind, "a", "hello", json!({}), 5);
    assert_eq!(
        (again["stored"].as_bool(), &again["turn"]),
        (Some(false), &first["turn"])
    );
    // The answer was lost on its way: the client says so, and the new answer takes its place.
    let answer = |content: &str, retry| {
        let params = json!({ "conversation": "a", "content": content, "answers": first["turn"], "retry": retry });
        call_at(&kind, "record_assistant", params, 6).unwrap()
    };
    answer("lost", 0);
    let retry = say(&kind, "a", "hello", json!({ "retry": 1 }), 7);
    assert_eq!(
        (retry["stored"].as_bool(), &retry["turn"]),
        (Some(false), &first["turn"])
    );
    answer("seen", 1);
    assert_eq!(answer("seen", 2)["stored"], json!(false));
    assert_eq!(turns(&kind, "a"), ["user: hello", "assistant: seen"]);
    assert_eq!(paths(&home, "entries/a/deleted/turns/assistant").len(), 1);
}

#[test]
fn the_same_words_said_again_are_another_turn() {
    let home = Home::new();
    let kind = open(&home);
    chat(&kind, "a", "yes", "fine", 0);
    chat(&kind, "a", "yes", "fine", 10);
    assert_eq!(turns(&kind, "a").len(), 4);
}

#[test]
fn what_follows_a_tool_is_no_new_turn() {
    let home = Home::new();
    let kind = open(&home);
    let first = chat(&kind, "a", "weather?", "I'll look", 0);
    let messages = json!([
        { "role": "user", "content": "weather?" },
        { "role": "assistant", "content": "I'll look", "tool_calls": [] },
        { "role": "tool", "content": "sun" },
    ]);
    let reply = call(
        &kind,
        "record_user",
        json!({ "conversation": "a", "messages": messages }),
    )
    .unwrap();
    assert_eq!(
        (reply["stored"].as_bool(), &reply["turn"]),
        (Some(false), &first["turn"])
    );
    let answer = json!({ "conversation": "a", "content": "It is sunny", "answers": reply["turn"] });
    call(&kind, "record_assistant", answer).unwrap();
    assert_eq!(
        turns(&kind, "a"),
        [
            "user: weather?",
            "assistant: I'll look",
            "assistant: It is sunny"
        ]
    );
}

#[test]
fn an_answer_to_a_repeated_request_takes_the_place_of_its_own_and_of_no_other() {
    let home = Home::new();
    let kind = open(&home);
    let request = |messages: serde_json::Value, retry: u64| {
        let params = json!({ "conversation": "a", "messages": messages, "retry": retry });
        call(&kind, "record_user", params).unwrap()
    };
    let answer = |to: &serde_json::Value, content: &str, retry: u64| {
        let params = json!({ "conversation": "a", "content": content, "answers": to["turn"],
            "request": to["request"], "retry": retry });
        call(&kind, "record_assistant", params).unwrap()
    };
    let asked = json!({ "role": "user", "content": "weather?" });
    let first = request(json!([asked]), 0);
    answer(&first, "I'll look", 0);
    let after_tools = json!([asked, { "role": "assistant", "content": "I'll look" }, { "role": "tool", "content": "sun" }]);
    let second = request(after_tools.clone(), 0);
    answer(&second, "It is sunny, and this never arrived", 0);
    let again = request(after_tools, 1);
    assert_eq!(
        (&again["turn"], &again["request"]),
        (&first["turn"], &second["request"])
    );
    answer(&again, "It is sunny", 1);
    assert_eq!(
        turns(&kind, "a"),
        [
            "user: weather?",
            "assistant: I'll look",
            "assistant: It is sunny"
        ]
    );
}

#[test]
fn jobs_of_chat_programs_and_silence_are_not_kept() {
    let home = Home::new();
    let kind = open(&home);
    for said in ["### Task:\nGenerate a title", "  "] {
        let reply = say(&kind, "a", said, json!({}), 0);
        assert_eq!(
            (reply["remember"].as_bool(), reply["stored"].as_bool()),
            (Some(false), Some(false))
        );
    }
    assert!(files(&home).is_empty());
}

#[test]
fn credentials_are_masked_and_recalled_text_is_never_kept_again() {
    let home = Home::new();
    let kind = open(&home);
    let key = ["sk-", "proj-", "a1B2c3D4e5a1B2c3D4e5"].concat();
    let pieces = [memory_core::Fenced {
        origin: "x".into(),
        text: "I live in Atlantis.".into(),
    }];
    let fenced = memory_core::fence("Known.", &pieces, &memory_core::Ids::random(), 9_000).unwrap();
    say(
        &kind,
        "a",
        &format!("{fenced}\n\nI live in Oslo. My key is {key}"),
        json!({}),
        0,
    );
    assert_eq!(
        turns(&kind, "a"),
        ["user: I live in Oslo. My key is [masked: an OpenAI API key]"]
    );
    drain(&kind);
    assert_eq!(facts(&kind, "a")[0], "The user lives in Oslo");
    assert!(
        !files(&home)
            .values()
            .any(|text| text.contains("Atlantis") || text.contains(&key))
    );
}

#[test]
fn parts_are_read_and_an_image_alone_says_nothing() {
    let home = Home::new();
    let kind = open(&home);
    let user = |content| json!({ "messages": [{ "role": "user", "content": content }] });
    let parts = json!([{ "type": "text", "text": "look" }, { "type": "image_url", "image_url": { "url": "u" } }]);
    assert_eq!(
        call(&kind, "record_user", user(parts)).unwrap()["stored"],
        json!(true)
    );
    let image = json!([{ "type": "image_url", "image_url": { "url": "u" } }]);
    assert_eq!(
        call(&kind, "record_user", user(image)).unwrap()["why"],
        json!("silence")
    );
    assert_eq!(turns(&kind, "default"), ["user: look"]);
}
