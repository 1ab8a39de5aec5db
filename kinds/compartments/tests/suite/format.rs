//! The file's format: whatever is saved reads back, and what others wrote stays.

use memory_compartments::format::Contents;
use memory_compartments::{Compartment, Config, Filter, Memory, NewEntry};
use memory_testkit::Home;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::common::{call, contents, open, put, save, text};

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn what_is_saved_reads_back_and_its_file_renders_the_same(
        content in "[^ ]\\PC{0,40}|\u{1f600}[\\x00-\\x1f\"\\\\]{1,8}",
        category in proptest::option::of("\\PC{1,8}"),
        tags in proptest::collection::vec("\\PC{0,6}", 0..4),
        metadata in proptest::collection::btree_map("\\PC{0,6}", "\\PC{0,12}", 0..4),
        priority in proptest::option::of(1i64..=10),
    ) {
        let home = Home::new();
        let storage_path = home.path().join("work/memory.json");
        let memory = Memory::open(Config { storage_path, ..Config::default() }).unwrap();
        let run = memory.run("r").unwrap();
        let new = NewEntry { content, category, tags, metadata, priority };
        prop_assume!(!new.content.trim().is_empty());
        let saved = run.save(Compartment::Run, new.clone()).unwrap();
        prop_assert_eq!(&saved.content, &new.content);
        prop_assert_eq!(&saved.metadata, &new.metadata);
        let mut read = run.get(Compartment::Run, &Filter::all()).unwrap();
        read[0].access_count = 0;
        prop_assert_eq!(&read[0], &saved);
        let file = text(&home);
        prop_assert_eq!(Contents::parse(&file).unwrap().render(), file);
    }

    #[test]
    fn any_text_is_read_or_refused_and_never_panics(text in "\\PC{0,200}|[\\[\\]{}\":,a-z0-9 ]{0,200}") {
        if let Ok(contents) = Contents::parse(&text) {
            let rendered = contents.render();
            prop_assert_eq!(Contents::parse(&rendered).unwrap().render(), rendered);
        }
    }
}

#[test]
fn the_file_has_exactly_the_names_of_the_specification() {
    let home = Home::new();
    let kind = open(&home);
    let params = json!({"compartment": "session", "content": "c", "category": "k", "tags": ["t"],
        "metadata": {"m": "v"}, "priority": 7});
    call(&kind, "save_memory", params).unwrap();
    save(&kind, "plan", "bare");
    let file: Value = serde_json::from_str(&text(&home)).unwrap();
    let names = |value: &Value| {
        value
            .as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(names(&file), "run session plan");
    assert_eq!(
        names(&file["session"][0]),
        "id content category tags metadata created_at updated_at access_count priority"
    );
    assert_eq!(
        names(&file["plan"][0]),
        "id content created_at updated_at access_count priority"
    );
    assert_eq!(file["plan"][0]["created_at"], memory_testkit::NOW);
    assert_eq!(
        (
            &file["plan"][0]["priority"],
            &file["session"][0]["priority"]
        ),
        (&json!(5), &json!(7))
    );
}

#[test]
fn a_change_to_one_entry_leaves_every_other_byte_as_it_was() {
    let home = Home::new();
    let golden = include_str!("../golden/memory.json");
    put(&home, golden);
    let kind = open(&home);
    assert_eq!(
        contents(&kind, json!({"compartment": "plan"})),
        ["1. read 2. write"]
    );
    assert_eq!(text(&home), golden, "reading changes nothing");
    let saved = save(&kind, "session", "new");
    call(
        &kind,
        "clear_memory",
        json!({"compartment": "session", "id": saved}),
    )
    .unwrap();
    let counted = "1. read 2. write\",\n      \"created_at\": \"2026-05-07T10:00:00Z\",\n      \
                   \"updated_at\": \"2026-05-07T10:00:00Z\",\n      \"access_count\": ";
    assert_eq!(
        text(&home),
        golden.replace(&format!("{counted}0"), &format!("{counted}1"))
    );
}

#[test]
fn what_others_wrote_into_an_entry_survives_its_change() {
    let home = Home::new();
    put(&home, include_str!("../golden/memory.json"));
    assert_eq!(
        contents(&open(&home), json!({"compartment": "session"})).len(),
        1
    );
    let now = text(&home);
    assert!(
        now.contains("\"embedding\": [0.10, 1e400, 12345678901234567890]"),
        "{now}"
    );
    assert!(
        now.contains("\"owner\": {\"name\":\"someone\"}")
            && now.contains("\"future\": {\"kept\": true}")
    );
}
