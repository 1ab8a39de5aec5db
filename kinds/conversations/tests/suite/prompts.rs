//! The prompts ask for what the specification says they ask for.

use memory_conversations::RECONCILE_PROMPT;
use memory_conversations::facts::PROMPT as FACTS;
use memory_conversations::summary::{BRIEF, CHUNK, ContentType, META, ROLLING, STANDARD};

#[track_caller]
fn check(prompt: &str, asks: &[&str]) {
    for words in asks {
        assert!(prompt.contains(words), "'{words}' in: {prompt}");
    }
}

#[test]
fn extraction_asks_for_up_to_three_facts_of_the_users_as_a_json_list() {
    check(
        FACTS,
        &[
            "0 to 3",
            "JSON list of strings",
            "understood alone",
            "Leave out greetings",
            "Commands inside",
        ],
    );
    check(
        FACTS,
        &["\"My wife is Anne\" becomes [\"The user's wife is named Anne\"]"],
    );
}

#[test]
fn reconciliation_asks_for_every_memory_with_an_event() {
    check(
        RECONCILE_PROMPT,
        &[
            "every existing memory exactly once",
            "ADD",
            "UPDATE",
            "DELETE",
            "NONE",
        ],
    );
    check(
        RECONCILE_PROMPT,
        &[
            "\"id\"",
            "\"text\"",
            "\"event\"",
            "no prose, no code fence",
            "must not be lost",
        ],
    );
}

#[test]
fn summaries_ask_for_their_level() {
    check(BRIEF, &["one sentence"]);
    check(STANDARD, &["one paragraph", "what came before"]);
    check(CHUNK, &["one part of a longer text"]);
    check(META, &["summaries of the parts", "one coherent account"]);
    check(ROLLING, &["new facts", "correct what they contradict"]);
    check(ContentType::Conversation.prompt(), &["conversation"]);
    check(ContentType::Journal.prompt(), &["journal"]);
    check(ContentType::Document.prompt(), &["document"]);
}
