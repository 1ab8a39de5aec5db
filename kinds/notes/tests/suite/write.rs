//! What is written, where it lands, and what is refused.

use memory_core::Code;
use memory_testkit::Home;
use serde_json::json;

use crate::common::*;

#[test]
fn a_note_is_one_file_with_the_thirteen_fields_in_order() {
    let home = Home::new();
    let kind = open(&home);
    let reply = call(
        &kind,
        "memory_write",
        json!({"content": "user prefers dark mode", "category": "preferences", "tags": ["preference", "ui"],
               "source": "claude", "scope": "agent:claude"}),
    )
    .unwrap();
    let id = text(&reply["id"]);
    let path = root(&home).join(format!("categories/preferences/{id}.md"));
    assert_eq!(reply["path"], path.to_str().unwrap());
    assert_eq!(
        (&reply["phase"], &reply["category"]),
        (&json!("organized"), &json!("preferences"))
    );
    assert_eq!(reply["created"], true);
    let hash = memory_notes::ContentHash::of("user prefers dark mode");
    let expected = format!(
        "---\nid: {id}\ncontent_hash: {hash}\nphase: organized\ncategory: preferences\nscope: agent:claude\n\
         tags:\n  - preference\n  - ui\nsource: claude\ncreated_at: 2026-05-07T10:00:00Z\n\
         updated_at: 2026-05-07T10:00:00Z\nexpires_at: null\naccess_count: 0\nlinks: []\nversion: 1\n---\n\
         user prefers dark mode\n"
    );
    assert_eq!(read_file(path), expected);
    check_order(&home);
}

#[test]
fn a_note_without_a_category_waits_seven_days_in_the_inbox() {
    let home = Home::new();
    let kind = open(&home);
    let id = write(&kind, "something");
    let note = note(&kind, &id);
    assert_eq!(
        (&note["phase"], &note["category"]),
        (&json!("inbox"), &json!("inbox"))
    );
    assert_eq!(note["expires_at"], "2026-05-14T10:00:00Z");
    assert_eq!(
        (&note["scope"], &note["source"]),
        (&json!("global"), &json!(""))
    );
    assert!(
        root(&home)
            .join(format!("categories/inbox/{id}.md"))
            .exists()
    );
}

#[test]
fn each_of_the_fourteen_categories_has_its_folder() {
    let home = Home::new();
    let kind = open(&home);
    for category in memory_notes::Category::ALL {
        let id = write_in(&kind, category.as_str(), &format!("about {category}"));
        assert!(
            root(&home)
                .join(format!("categories/{category}/{id}.md"))
                .exists()
        );
        let phase = if category.as_str() == "inbox" {
            "inbox"
        } else {
            "organized"
        };
        assert_eq!(note(&kind, &id)["phase"], phase);
    }
    check_order(&home);
}

#[test]
fn the_same_content_in_the_same_scope_is_one_note_that_gets_the_new_tags() {
    let home = Home::new();
    let kind = open(&home);
    let first = write_with(&kind, json!({"content": "same", "tags": ["a"]}));
    let again = call(
        &kind,
        "memory_write",
        json!({"content": "same\n", "tags": ["b", "a"]}),
    )
    .unwrap();
    assert_eq!(
        (&again["id"], &again["created"]),
        (&json!(first), &json!(false))
    );
    assert_eq!(note(&kind, &first)["tags"], json!(["a", "b"]));
    let other = write_with(&kind, json!({"content": "same", "scope": "agent:claude"}));
    assert_ne!(other, first);
    let insisted = write_with(&kind, json!({"content": "same", "new": true}));
    assert!(insisted != first && insisted != other);
    assert_eq!(notes(&kind).len(), 3);
    check_order(&home);
}

#[test]
fn a_duplicate_that_brings_nothing_changes_nothing() {
    let home = Home::new();
    let kind = open(&home);
    write_with(&kind, json!({"content": "same", "tags": ["a"]}));
    let before = home.snapshot();
    let reply = call_at(
        &kind,
        "memory_write",
        json!({"content": "same", "tags": ["a"]}),
        99,
    )
    .unwrap();
    assert_eq!(reply["created"], false);
    assert_eq!(home.snapshot(), before);
}

#[test]
fn a_duplicate_with_a_category_sorts_the_note_that_is_there() {
    let home = Home::new();
    let kind = open(&home);
    let id = write(&kind, "same");
    let reply = call(
        &kind,
        "memory_write",
        json!({"content": "same", "category": "soul"}),
    )
    .unwrap();
    assert_eq!(
        (&reply["id"], &reply["category"]),
        (&json!(id), &json!("soul"))
    );
    assert_eq!(files(&home).len(), 1);
    assert!(note(&kind, &id)["expires_at"].is_null());
    check_order(&home);
}

#[test]
fn content_comes_back_as_it_was_written() {
    let home = Home::new();
    let kind = open(&home);
    for content in [
        "---\nid: evil\n---\nbody",
        "\n\nblank lines first",
        "\r\ncarriage",
        "tabs\tand\r\nlines",
        "emoji 🎉 中文 \u{202e}",
        "\u{feff}mark",
        "nul \0 byte",
        "...\n---",
    ] {
        let id = write(&kind, content);
        assert_eq!(note(&kind, &id)["content"], content);
        let again = call(&kind, "memory_write", json!({ "content": content })).unwrap();
        assert_eq!(again["id"], id, "{content:?} is known again");
    }
    check_order(&home);
}

#[test]
fn what_is_no_note_is_refused_and_leaves_nothing() {
    let home = Home::new();
    let kind = open(&home);
    for content in ["", " ", "\n\n", "\t\r\n"] {
        check_code(
            call(&kind, "memory_write", json!({ "content": content })),
            Code::InvalidArgument,
        );
    }
    let error = check_code(
        call(
            &kind,
            "memory_write",
            json!({"content": "x", "category": "prefrences"}),
        ),
        Code::InvalidArgument,
    );
    assert!(error.message.contains("preferences") && error.hint.unwrap().contains("preferences"));
    let error = check_code(
        call(
            &kind,
            "memory_write",
            json!({"content": "x", "scope": "user"}),
        ),
        Code::InvalidArgument,
    );
    assert!(
        error.message.contains("global") && error.message.contains("agent:"),
        "{error}"
    );
    check_code(
        call(&kind, "memory_write", json!({"content": "x", "tag": ["a"]})),
        Code::InvalidArgument,
    );
    check_code(
        call(
            &kind,
            "memory_write",
            json!({"content": "x", "tags": ["a,b"]}),
        ),
        Code::InvalidArgument,
    );
    check_code(
        call(
            &kind,
            "memory_write",
            json!({"content": "x", "source": "a\nb"}),
        ),
        Code::InvalidArgument,
    );
    assert!(!root(&home).exists());
}

#[test]
fn a_credential_is_refused_unless_it_is_meant() {
    let home = Home::new();
    let kind = open(&home);
    let content = ["my key is sk-", "ant-", "a1B2c3D4e5a1B2c3D4e5"].concat();
    let error = check_code(
        call(&kind, "memory_write", json!({ "content": content })),
        Code::SecretDetected,
    );
    assert!(
        !error.to_string().contains("a1B2c3"),
        "the message does not repeat it"
    );
    assert!(notes(&kind).is_empty());
    write_with(&kind, json!({"content": content, "allow_secret": true}));
    assert_eq!(notes(&kind).len(), 1);
}

#[test]
fn a_credential_is_refused_in_every_field_of_a_note() {
    let home = Home::new();
    let kind = open(&home);
    let key = ["gh", "p_", &"a1B2c3D4e5".repeat(4)[..36]].concat();
    let id = write(&kind, "tea");
    for params in [
        json!({"content": "x", "tags": [key]}),
        json!({"content": "x", "source": key}),
        json!({"content": "x", "scope": format!("agent:{key}")}),
    ] {
        check_code(call(&kind, "memory_write", params), Code::SecretDetected);
    }
    check_code(
        call(&kind, "memory_tag", json!({"id": id, "tags": [key]})),
        Code::SecretDetected,
    );
    let lines = format!(
        "{}\n{}",
        json!({ "content": key }),
        json!({"content": "rum"})
    );
    let reply = call(&kind, "import", json!({ "lines": lines })).unwrap();
    assert_eq!(
        (
            reply["created"].as_u64(),
            reply["flaws"].as_array().map(Vec::len)
        ),
        (Some(1), Some(1)),
        "{reply}"
    );
    assert!(
        bytes(&home)
            .values()
            .all(|file| !String::from_utf8_lossy(file).contains(&key))
    );
    call(
        &kind,
        "memory_tag",
        json!({"id": id, "tags": [key], "allow_secret": true}),
    )
    .unwrap();
    let reply = call(
        &kind,
        "import",
        json!({"lines": lines, "allow_secret": true}),
    )
    .unwrap();
    assert_eq!(
        (reply["created"].as_u64(), reply["flaws"].is_null()),
        (Some(1), true),
        "{reply}"
    );
}
