//! Hard limits refuse, soft ones tell; both name what was used least.

use memory_core::Code;
use memory_testkit::Home;
use serde_json::{Value, json};

use crate::common::{call, check_code, core, get, index, line, open, put, query, text};

fn full(home: &Home, kind: &str, file: &str, count: usize, changes: impl Fn(usize) -> Value) {
    let lines: String = (0..count).map(|n| line(n, kind, changes(n))).collect();
    put(home, file, &lines);
}

#[test]
fn the_thousandth_core_memory_is_kept_and_the_next_is_refused() {
    let home = Home::new();
    full(
        &home,
        "core",
        "core_memories.jsonl",
        999,
        |n| json!({"access_count": n + 5}),
    );
    let journal = open(&home);
    let reply = call(
        &journal,
        "store_memory",
        json!({"type": "core", "content": "the last"}),
    )
    .unwrap();
    let warning = reply["warnings"][0].as_str().unwrap();
    assert!(
        warning.contains("1000 memories")
            && warning.contains("'the last'")
            && warning.contains("'memory 0'"),
        "{warning}"
    );
    let before = text(&home, "core_memories.jsonl");
    let error = check_code(
        call(
            &journal,
            "store_memory",
            json!({"type": "core", "content": "x"}),
        ),
        Code::LimitExceeded,
    );
    assert_eq!(
        (&error.context["size"], &error.context["limit"]),
        (&json!(1000), &json!(1000))
    );
    assert!(error.hint.unwrap().contains("'memory 0'"));
    assert_eq!(text(&home, "core_memories.jsonl"), before);
    // Archived ones do not count.
    call(&journal, "delete_memory", json!({"id": reply["id"]})).unwrap();
    core(&journal, "room again");
    assert_eq!(index(&home)["statistics"]["by_type"]["core"], 1000);
}

#[test]
fn ten_megabytes_of_core_memories_are_kept_and_no_more() {
    let home = Home::new();
    let journal = open(&home);
    let line = line(0, "core", json!({"padding": ""}));
    let fill = |size: usize| {
        put(
            &home,
            "core_memories.jsonl",
            &line.replace(
                "\"padding\":\"\"",
                &format!("\"padding\":\"{}\"", "x".repeat(size - line.len())),
            ),
        )
    };
    fill(1000);
    let id = core(&journal, "x");
    let added = text(&home, "core_memories.jsonl").len() - 1000;
    fill((10 << 20) - added + 1);
    check_code(
        call(
            &journal,
            "store_memory",
            json!({"type": "core", "content": "x"}),
        ),
        Code::LimitExceeded,
    );
    fill((10 << 20) - added);
    core(&journal, "y");
    assert_eq!(text(&home, "core_memories.jsonl").len(), 10 << 20);
    check_code(
        call(
            &journal,
            "update_memory",
            json!({"id": "550e8400", "content": "longer than it was"}),
        ),
        Code::LimitExceeded,
    );
    check_code(call(&journal, "get", json!({"id": id})), Code::NotFound);
}

#[test]
fn past_a_soft_limit_a_record_is_kept_and_the_least_used_are_named() {
    for (kind, file, limit) in [
        ("learning", "learnings.jsonl", 500),
        ("task", "tasks.jsonl", 200),
    ] {
        let home = Home::new();
        full(&home, kind, file, limit - 1, |n| json!({"access_count": n}));
        let journal = open(&home);
        let add = || {
            call(
                &journal,
                "store_memory",
                json!({"type": kind, "content": "one more"}),
            )
            .unwrap()
        };
        assert_eq!(add().get("warnings"), None, "{kind} at its limit");
        let warning = add()["warnings"][0].as_str().unwrap().to_owned();
        assert!(
            warning.contains("'memory 0'")
                && warning.contains(&format!("the soft limit is {limit}")),
            "{warning}"
        );
        assert_eq!(
            query(&journal, json!({"type": kind, "limit": 1}))["total"],
            limit + 1
        );
    }
}

#[test]
fn past_a_soft_limit_what_is_old_is_archived_by_itself() {
    let home = Home::new();
    let old = json!({"accessed_at": "2026-01-01T00:00:00Z"});
    full(&home, "learning", "learnings.jsonl", 500, |n| {
        if n < 20 { old.clone() } else { json!({}) }
    });
    let journal = open(&home);
    let reply = call(
        &journal,
        "store_memory",
        json!({"type": "learning", "content": "new"}),
    )
    .unwrap();
    assert_eq!(reply.get("warnings"), None);
    assert_eq!(index(&home)["statistics"]["by_type"]["learning"], 481);
    assert_eq!(index(&home)["statistics"]["archived_count"], 20);
    assert_eq!(
        get(&journal, "550e8400-e29b-41d4-a716-000000000003")["archived"],
        true
    );
}
