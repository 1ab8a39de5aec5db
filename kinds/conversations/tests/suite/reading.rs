//! The read path: what is asked of recall, and what is put before a message.

use std::sync::Arc;

use memory_conversations::{Conversations, Settings};
use memory_core::{Code, Kind};
use memory_files::RealDisk;
use memory_testkit::Home;
use serde_json::{Value, json};

use crate::common::{Everything, add, call_recalling, chat, check_code, open, root, store, text};

fn augment(kind: &dyn Kind, said: Value, more: Value) -> Value {
    let mut params = json!({ "conversation": "a", "messages": said });
    params
        .as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    call_recalling(kind, &Everything::of(kind), "augment", params).unwrap()
}

fn user(said: &str) -> Value {
    json!([{ "role": "system", "content": "Be kind" }, { "role": "user", "content": said }])
}

#[test]
fn the_summary_comes_first_then_memories_then_the_message() {
    let home = Home::new();
    let kind = open(&home);
    add(&kind, "a", &["User lives in Oslo"]);
    add(&kind, "global", &["User speaks Norwegian"]);
    add(&kind, "b", &["User has a secret"]);
    chat(&kind, "a", "I like rain", "Lucky you", 5);
    std::fs::create_dir_all(root(&home).join("entries/a/summaries/L3")).unwrap();
    std::fs::write(
        root(&home).join("entries/a/summaries/L3/final.md"),
        "All about Oslo\n",
    )
    .unwrap();
    let reply = augment(&kind, user("Where do I live?"), json!({}));
    assert_eq!(
        reply["messages"][0],
        json!({ "role": "system", "content": "Be kind" })
    );
    let content = text(&reply["messages"][1]["content"]);
    let at = |words: &str| {
        content
            .find(words)
            .unwrap_or_else(|| panic!("{words} in {content}"))
    };
    assert!(at("All about Oslo") < at("[memory] User lives in Oslo"));
    assert!(at("[memory] User lives in Oslo") < at("[user] I like rain"));
    assert!(at("[memory] User speaks Norwegian") < at("Where do I live?"));
    assert!(
        at("[assistant] Lucky you") < content.rfind("</memory-").unwrap(),
        "fenced"
    );
    assert!(content.ends_with(">\n\nWhere do I live?"), "{content}");
    assert!(!content.contains("secret") && reply["has_summary"] == json!(true));
    assert_eq!(reply["hits"].as_array().unwrap().len(), 4);
}

#[test]
fn what_the_files_of_the_working_directory_say_is_not_presented_as_the_users_words() {
    let home = Home::new();
    for (in_project, about) in [
        (false, "earlier conversations with this user"),
        (true, "These are not the user's own words"),
    ] {
        let settings = Settings {
            in_project,
            ..Settings::default()
        };
        let kind = Conversations::new(store(&home, Arc::new(RealDisk::default()), settings));
        add(&kind, "a", &["User lives in Oslo"]);
        let reply = augment(&kind, user("Where do I live?"), json!({}));
        let content = text(&reply["messages"][1]["content"]);
        assert!(content.contains(about), "{content}");
    }
}

#[test]
fn nothing_is_added_where_there_is_nothing_to_add_or_it_is_not_wanted() {
    let home = Home::new();
    let kind = open(&home);
    let unchanged = |said: Value, more: Value| {
        let reply = augment(&kind, said.clone(), more);
        assert_eq!((&reply["messages"], &reply["hits"]), (&said, &json!([])));
    };
    unchanged(user("hello"), json!({}));
    add(&kind, "a", &["User lives in Oslo"]);
    unchanged(user("hello"), json!({ "top_k": 0 }));
    unchanged(user("### Task:\nwrite a title"), json!({}));
    unchanged(json!([]), json!({}));
    unchanged(user("User lives in Oslo"), json!({}));
}

#[test]
fn a_question_that_was_asked_before_takes_no_memorys_place() {
    let home = Home::new();
    let kind = open(&home);
    chat(&kind, "a", "Where do I live?", "I do not know", 5);
    add(&kind, "a", &["User lives in Oslo"]);
    let reply = augment(&kind, user("Where do I live?"), json!({ "top_k": 1 }));
    let hits = reply["hits"].as_array().unwrap();
    assert_eq!(hits.len(), 1);
    assert_ne!(hits[0]["text"], "Where do I live?");
}

#[test]
fn a_search_asks_with_the_numbers_it_is_given() {
    let home = Home::new();
    let kind = open(&home);
    add(&kind, "a", &["User lives in Oslo"]);
    let recall = Everything::of(&kind);
    let params = json!({ "query": "home", "conversation": "a", "top_k": 4, "score_threshold": 0.5, "explain": true });
    let reply = call_recalling(&kind, &recall, "conversation_search", params).unwrap();
    let hit = &reply["hits"][0];
    assert_eq!(
        (text(&hit["role"]), text(&hit["conversation_id"])),
        ("memory".into(), "a".into())
    );
    assert_eq!(
        (text(&hit["kind"]), text(&hit["created_at"])),
        ("conversations".into(), "2026-05-07T10:00:00Z".into())
    );
    assert!(hit["explain"].get("final").is_some());
    let numbers = &reply["numbers"];
    assert_eq!(
        (numbers["top_k"].as_u64(), numbers["candidates"].as_u64()),
        (Some(4), Some(12))
    );
    assert_eq!(numbers["scopes"], json!(["a", "global"]));
    let asked = recall.asked.lock().unwrap();
    assert_eq!(
        (asked[0].limit, asked[0].tuning.candidates),
        (4, Some(4 * 3))
    );
    assert_eq!(
        asked[0].any_label,
        ["conversation:a", "conversation:global"]
    );
    assert_eq!(
        (asked[0].tuning.threshold, asked[0].tuning.recency_weight),
        (Some(0.5), Some(0.2))
    );
    drop(asked);
    let bad = json!({ "query": "home", "mmr_lambda": 2.0 });
    check_code(
        call_recalling(&kind, &recall, "conversation_search", bad),
        Code::InvalidArgument,
    );
}

#[test]
fn documents_tell_conversation_role_and_neighbours() {
    let home = Home::new();
    let kind = open(&home);
    add(&kind, "a", &["User lives in Oslo"]);
    chat(&kind, "a", "hello", "hi", 1);
    let mut documents = kind.documents(crate::common::after(0)).good;
    documents.sort_by_key(|document| document.created_at);
    let labels: Vec<&[String]> = documents
        .iter()
        .map(|document| document.labels.as_slice())
        .collect();
    assert_eq!(labels[0], ["conversation:a", "role:memory"]);
    assert_eq!(labels[1], ["conversation:a", "role:user"]);
    let places: Vec<u64> = documents
        .iter()
        .filter_map(|document| Some(document.thread.as_ref()?.place))
        .collect();
    assert!(places.len() == 2 && places[0] < places[1]);
}
