//! The archive: maintenance removes nothing that people use, and what it removes stays within reach.

use memory_core::{Code, Kind};
use memory_testkit::Home;
use serde_json::{Value, json};

use crate::common::*;

fn maintain(kind: &dyn Kind, seconds: i64) -> Vec<(String, String)> {
    deeds(&call_at(kind, "consolidate", json!({}), seconds).unwrap())
}

fn list_at(kind: &dyn Kind, params: Value, seconds: i64) -> Value {
    call_at(kind, "memory_list", params, seconds).unwrap()
}

fn ids(reply: &Value) -> Vec<String> {
    reply["memories"]
        .as_array()
        .unwrap()
        .iter()
        .map(|note| text(&note["id"]))
        .collect()
}

#[test]
fn what_expires_or_decays_goes_to_the_archive_and_comes_back_when_it_is_read_or_restored() {
    let home = Home::new();
    let kind = open(&home);
    let (inbox, old) = (
        write(&kind, "a passing thought"),
        write_in(&kind, "soul", "never used"),
    );
    link(&kind, &inbox, &old);
    assert_eq!(
        maintain(&kind, 8 * DAY),
        [("expire".to_owned(), inbox.clone())]
    );
    assert_eq!(
        maintain(&kind, 40 * DAY),
        [("decay".to_owned(), old.clone())]
    );
    assert!(
        root(&home)
            .join(format!("archive/inbox/{inbox}.md"))
            .exists()
    );
    assert!(root(&home).join(format!("archive/soul/{old}.md")).exists());
    let listed = list_at(&kind, json!({}), 40 * DAY);
    assert_eq!(
        (&listed["total"], &listed["archived"]),
        (&json!(0), &json!(2))
    );
    let archived = list_at(&kind, json!({"archived": true}), 40 * DAY);
    assert_eq!(
        (ids(&archived).len(), &archived["memories"][0]["archived"]),
        (2, &json!(true))
    );
    let filtered = list_at(
        &kind,
        json!({"archived": true, "category": "soul"}),
        40 * DAY,
    );
    assert_eq!(ids(&filtered), std::slice::from_ref(&old));

    call_at(&kind, "restore", json!({"id": &old[..8]}), 41 * DAY).unwrap();
    let read = call_at(&kind, "memory_read", json!({"id": &inbox[..8]}), 41 * DAY).unwrap();
    assert_eq!(
        (&read["content"], &read["access_count"]),
        (&json!("a passing thought"), &json!(1))
    );
    assert!(read["archived"].is_null(), "it was moved back: {read}");
    let listed = list_at(&kind, json!({}), 41 * DAY);
    assert_eq!(
        (&listed["total"], &listed["archived"]),
        (&json!(2), &json!(0))
    );
    assert_eq!(
        links(&kind, &inbox),
        std::slice::from_ref(&old),
        "links stand on both sides again"
    );
    check_order(&home);
    assert!(maintain(&kind, 42 * DAY).is_empty(), "what came back stays");
    assert_eq!(maintain(&kind, 49 * DAY), [("expire".to_owned(), inbox)]);
    check_code(
        call_at(&kind, "restore", json!({"id": "no-such-note"}), 0),
        Code::NotFound,
    );
}

#[test]
fn a_note_counts_as_archived_from_the_moment_it_expires() {
    let home = Home::new();
    let kind = open(&home);
    let id = write(&kind, "a passing thought");
    let counts = |seconds| {
        let listed = list_at(&kind, json!({}), seconds);
        (listed["total"].clone(), listed["archived"].clone())
    };
    assert_eq!(counts(7 * DAY - 1), (json!(1), json!(0)));
    assert_eq!(counts(7 * DAY), (json!(0), json!(1)));
    let found = |tool: &str, seconds| {
        let reply = call_at(&kind, tool, json!({"query": "passing thought"}), seconds).unwrap();
        ["memories", "hits"]
            .iter()
            .filter_map(|name| reply[*name].as_array())
            .map(Vec::len)
            .sum::<usize>()
    };
    assert_eq!(
        (found("memory_search", DAY), found("memory_search", 7 * DAY)),
        (1, 0)
    );
    assert_eq!(
        (
            found("memory_smart_search", DAY),
            found("memory_smart_search", 7 * DAY)
        ),
        (1, 0)
    );
    assert_eq!(
        ids(&list_at(&kind, json!({"archived": true}), 7 * DAY)),
        std::slice::from_ref(&id)
    );
    call_at(&kind, "restore", json!({ "id": id }), 8 * DAY).unwrap();
    assert_eq!(counts(8 * DAY), (json!(1), json!(0)));
    // Writing it again makes it current as well.
    let again = call_at(
        &kind,
        "memory_write",
        json!({"content": "a passing thought"}),
        20 * DAY,
    )
    .unwrap();
    assert_eq!(
        (&again["id"], &again["created"]),
        (&json!(id), &json!(false))
    );
    assert_eq!(counts(20 * DAY), (json!(1), json!(0)));
}

#[test]
fn an_undone_archiving_leaves_nothing_in_the_archive_and_is_not_repeated_at_once() {
    let home = Home::new();
    let kind = open(&home);
    let id = write_in(&kind, "preferences", "likes tea");
    maintain(&kind, 40 * DAY);
    undo(&kind);
    assert_eq!(
        notes(&kind).into_keys().collect::<Vec<_>>(),
        std::slice::from_ref(&id)
    );
    assert_eq!(list_at(&kind, json!({}), 0)["archived"], 0);
    assert!(maintain(&kind, 41 * DAY).is_empty());
}

#[test]
fn two_archived_notes_of_one_file_name_stay_two() {
    let home = Home::new();
    let kind = open(&home);
    put(
        &home,
        "categories/soul/plan.md",
        "---\ncreated_at: 2026-01-01T00:00:00Z\n---\nthe first\n",
    );
    maintain(&kind, 1);
    put(
        &home,
        "categories/soul/plan.md",
        "---\ncreated_at: 2026-01-02T00:00:00Z\n---\nthe second\n",
    );
    maintain(&kind, 2);
    assert_eq!(ids(&list_at(&kind, json!({"archived": true}), 2)).len(), 2);
}

#[test]
fn what_was_searched_or_delivered_does_not_decay() {
    let home = Home::new();
    let kind = open(&home);
    let searched = write_in(&kind, "preferences", "prefers dark mode");
    let asked = write_in(&kind, "preferences", "drinks green tea");
    let injected = write_in(&kind, "decisions", "use PostgreSQL");
    let unused = write_in(&kind, "soul", "something else");
    call_at(&kind, "memory_search", json!({"query": "dark mode"}), DAY).unwrap();
    call_at(
        &kind,
        "memory_smart_search",
        json!({"query": "which tea"}),
        DAY,
    )
    .unwrap();
    kind.record_access(&[&injected]);
    assert_eq!(maintain(&kind, 400 * DAY), [("decay".to_owned(), unused)]);
    for id in [searched, asked, injected] {
        assert_eq!(note(&kind, &id)["access_count"], 1, "merged into the note");
    }
}

#[test]
fn two_opposite_decisions_under_one_header_both_stay() {
    let home = Home::new();
    let kind = open(&home);
    let header = "# Weekly meeting of the storage group\n\nPresent: Ann, Bob, Carol, Dave, Erin, Frank, Grace and Heidi.\n\n";
    write_in(
        &kind,
        "decisions",
        &format!("{header}Decision: we use PostgreSQL."),
    );
    write_in(
        &kind,
        "decisions",
        &format!("{header}Decision: we do not use PostgreSQL."),
    );
    let done = maintain(&kind, 60);
    assert_eq!(
        done.iter()
            .map(|(action, _)| action.as_str())
            .collect::<Vec<_>>(),
        ["join"]
    );
    let all = notes(&kind);
    assert_eq!(all.len(), 1);
    let content = text(&all.values().next().unwrap()["content"]);
    assert!(
        content.contains("we use PostgreSQL.") && content.contains("we do not use PostgreSQL."),
        "{content}"
    );
    assert!(content.contains("\n\n2026-05-07: we "), "{content}");
    assert!(maintain(&kind, 120).is_empty());
}

#[test]
fn long_notes_that_only_begin_alike_are_linked() {
    let home = Home::new();
    let kind = open(&home);
    let header = "Minutes of the platform group, in the usual room, with the usual people, on the usual day of the week.";
    let body = |word: &str| {
        format!(
            "{header}\n\n{}",
            format!("We talked about {word}. ").repeat(20)
        )
    };
    let (one, two) = (
        write_in(&kind, "project", &body("budgets")),
        write_in(&kind, "project", &body("offices")),
    );
    assert_eq!(
        maintain(&kind, 60)
            .iter()
            .map(|(action, _)| action.as_str())
            .collect::<Vec<_>>(),
        ["link"]
    );
    assert_eq!(notes(&kind).len(), 2);
    assert_eq!(links(&kind, &one), [two]);
    assert!(
        maintain(&kind, 120).is_empty(),
        "a second time nothing is left to do"
    );
}

#[test]
fn an_ingested_vault_stays_while_its_files_exist() {
    let home = Home::new();
    let kind = open(&home);
    let vault = home.path().join("vault");
    std::fs::create_dir_all(&vault).unwrap();
    std::fs::write(vault.join("Tea.md"), "Steep it for three minutes.\n").unwrap();
    std::fs::write(vault.join("Rum.md"), "Not before noon.\n").unwrap();
    let source = json!({"sources": [{"source": "obsidian", "path": vault}]});
    call(&kind, "ingest", source).unwrap();
    assert!(maintain(&kind, 400 * DAY).is_empty());
    call_at(&kind, "dream", json!({"level": 1}), 400 * DAY).unwrap();
    assert!(
        maintain(&kind, 800 * DAY).is_empty(),
        "nor after it was sorted"
    );
    assert_eq!(list_at(&kind, json!({}), 800 * DAY)["total"], 2);
    std::fs::remove_file(vault.join("Rum.md")).unwrap();
    assert_eq!(
        maintain(&kind, 900 * DAY).len(),
        1,
        "a note whose file is gone is archived like others"
    );
    assert_eq!(list_at(&kind, json!({}), 900 * DAY)["archived"], 1);
}

#[test]
fn a_pages_name_and_aliases_are_searched_and_shown() {
    let home = Home::new();
    let kind = open(&home);
    let vault = home.path().join("vault");
    std::fs::create_dir_all(&vault).unwrap();
    std::fs::write(
        vault.join("Zephyr.md"),
        "---\naliases: [West wind]\n---\nIt blows in spring.\n",
    )
    .unwrap();
    call(
        &kind,
        "ingest",
        json!({"sources": [{"source": "obsidian", "path": vault}]}),
    )
    .unwrap();
    for query in ["zephyr", "west wind"] {
        let found = call(&kind, "memory_search", json!({ "query": query })).unwrap();
        assert_eq!(
            (&found["total"], &found["memories"][0]["title"]),
            (&json!(1), &json!("Zephyr")),
            "{query}"
        );
        assert_eq!(found["memories"][0]["aliases"], json!(["West wind"]));
        let asked = call(&kind, "memory_smart_search", json!({ "query": query })).unwrap();
        assert!(
            text(&asked["hits"][0]["text"]).starts_with("Zephyr (West wind)\n\n"),
            "{asked}"
        );
    }
    let brief = call(&kind, "memory_list", json!({"brief": true})).unwrap();
    assert_eq!(brief["memories"][0]["title"], "Zephyr");
    let document = kind.documents(after(0)).good.remove(0);
    assert_eq!(document.title, "Zephyr");
    assert!(document.text.contains("West wind") && document.text.contains("spring"));
    let linking = write(&kind, "see [[Zephyr]]");
    call(&kind, "resolve_links", json!({})).unwrap();
    assert_eq!(links(&kind, &linking).len(), 1);
}

#[test]
fn the_type_of_a_memory_of_claude_determines_its_category() {
    let home = Home::new();
    let kind = open(&home);
    let memories = home.path().join(".claude/projects/-x/memory");
    std::fs::create_dir_all(&memories).unwrap();
    for (name, kind) in [
        ("a", "user"),
        ("b", "feedback"),
        ("c", "project"),
        ("d", "reference"),
        ("e", "other"),
    ] {
        let text =
            format!("---\nname: fact {name}\nmetadata:\n  type: {kind}\n---\nThe fact {name}.\n");
        std::fs::write(memories.join(format!("{name}.md")), text).unwrap();
    }
    let path = home.path().join(".claude");
    call(
        &kind,
        "ingest",
        json!({"sources": [{"source": "claude", "path": path}]}),
    )
    .unwrap();
    let mut found: Vec<(String, String)> = notes(&kind)
        .values()
        .map(|note| (text(&note["title"]), text(&note["category"])))
        .collect();
    found.sort();
    let expected = ["people", "feedback", "project", "knowledge", "inbox"];
    assert_eq!(
        found
            .iter()
            .map(|(_, category)| category.as_str())
            .collect::<Vec<_>>(),
        expected
    );
}

#[test]
fn what_a_dream_wrote_is_not_evidence_unless_the_question_is_about_what_is_due() {
    let home = Home::new();
    let kind = open(&home);
    write_in(
        &kind,
        "project",
        "The dentist bill is due, call tomorrow at 9am",
    );
    call(&kind, "dream", json!({"level": 3})).unwrap();
    assert_eq!(notes(&kind).len(), 2, "a note and its reminder");
    let hits = |query: &str| {
        let found = call(&kind, "memory_smart_search", json!({ "query": query })).unwrap();
        found["hits"].as_array().unwrap().len()
    };
    assert_eq!(hits("dentist bill"), 1);
    assert_eq!(hits("dentist bill due"), 2);
    let derived = kind.documents(after(0)).good;
    let derived = derived
        .iter()
        .filter(|document| document.labels.iter().any(|l| l == memory_core::DERIVED));
    assert_eq!(derived.count(), 1);
}

#[test]
fn an_older_export_overwrites_nothing_newer_and_brings_nothing_back_that_was_deleted() {
    let home = Home::new();
    let kind = open(&home);
    let (kept, changed) = (
        write_in(&kind, "soul", "kept"),
        write_in(&kind, "soul", "changed"),
    );
    let (deleted, archived) = (write_in(&kind, "soul", "deleted"), write(&kind, "archived"));
    let lines = text(&call(&kind, "export", json!({})).unwrap()["lines"]);
    call_at(
        &kind,
        "memory_tag",
        json!({"id": changed, "tags": ["new"]}),
        60,
    )
    .unwrap();
    call_at(&kind, "memory_delete", json!({ "id": deleted }), 60).unwrap();
    maintain(&kind, 8 * DAY);
    let import = |prefer: &str| {
        call_at(
            &kind,
            "import",
            json!({"lines": lines, "prefer": prefer}),
            9 * DAY,
        )
        .unwrap()
    };
    let conflicts = |reply: &Value| {
        let mut found: Vec<(String, String)> = reply["conflicts"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|conflict| (text(&conflict["id"]), text(&conflict["why"])))
            .collect();
        found.sort();
        found
    };
    let reply = import("newer");
    let mut expected = [
        (
            changed.clone(),
            "it changed here 2026-05-07T10:01:00Z".to_owned(),
        ),
        (
            deleted.clone(),
            "it was deleted here 2026-05-07T10:01:00Z".to_owned(),
        ),
    ];
    expected.sort();
    assert_eq!(conflicts(&reply), expected);
    assert_eq!(
        (&reply["created"], &reply["replaced"], &reply["unchanged"]),
        (&json!(0), &json!(0), &json!(2))
    );
    assert_eq!(note(&kind, &changed)["tags"], json!(["new"]));
    assert_eq!(
        list_at(&kind, json!({}), 9 * DAY)["archived"],
        1,
        "{archived} stays archived"
    );
    assert!(conflicts(&import("mine")).is_empty(), "decided");
    assert_eq!(notes(&kind).len(), 2);
    let reply = import("theirs");
    assert_eq!(
        (
            conflicts(&reply).len(),
            &reply["created"],
            &reply["replaced"]
        ),
        (0, &json!(1), &json!(2))
    );
    assert_eq!(note(&kind, &changed)["tags"], json!([]));
    assert!(notes(&kind).contains_key(&deleted) && notes(&kind).contains_key(&kept));
    check_order(&home);
}

#[test]
fn an_import_over_an_archived_note_can_be_undone() {
    for prefer in ["newer", "theirs"] {
        let home = Home::new();
        let kind = open(&home);
        let id = write_in(&kind, "soul", "the text that was here");
        maintain(&kind, 40 * DAY);
        let line = json!({"id": id, "content": "imported", "category": "soul", "updated_at": "2026-06-20T10:00:00Z"});
        let import = json!({"lines": line.to_string(), "prefer": prefer});
        let dry = json!({"lines": line.to_string(), "prefer": prefer, "dry_run": true});
        call_at(&kind, "import", dry, 50 * DAY).unwrap();
        assert_eq!(
            list_at(&kind, json!({}), 50 * DAY)["archived"],
            1,
            "a dry run changes nothing"
        );
        call_at(&kind, "import", import, 50 * DAY).unwrap();
        assert_eq!(note(&kind, &id)["content"], "imported");
        undo(&kind);
        assert_eq!(
            note(&kind, &id)["content"],
            "the text that was here",
            "{prefer}"
        );
        check_order(&home);
    }
}

#[test]
fn an_export_has_the_archived_notes_and_an_import_brings_them() {
    let (home, other) = (Home::new(), Home::new());
    let kind = open(&home);
    write_in(&kind, "soul", "current");
    maintain(&kind, 30);
    let (old, waiting) = (
        write_in(&kind, "habits", "never used"),
        write(&kind, "a passing thought"),
    );
    kind.record_access(&[&ids(&list_at(&kind, json!({"category": "soul"}), 0))[0]]);
    maintain(&kind, 40 * DAY);
    let exported = call_at(&kind, "export", json!({}), 40 * DAY).unwrap();
    assert_eq!(exported["count"], 3);
    let there = open(&other);
    call_at(
        &there,
        "import",
        json!({"lines": exported["lines"]}),
        40 * DAY,
    )
    .unwrap();
    maintain(&there, 41 * DAY);
    let mut archived = ids(&list_at(&there, json!({"archived": true}), 41 * DAY));
    archived.sort();
    let mut expected = [old, waiting];
    expected.sort();
    assert_eq!(
        archived, expected,
        "what was archived there is archived here"
    );
}

#[test]
fn a_damaged_archived_file_is_reported_and_hides_no_other() {
    let home = Home::new();
    let kind = open(&home);
    write_in(&kind, "soul", "never used");
    maintain(&kind, 40 * DAY);
    put(
        &home,
        "archive/soul/broken.md",
        "---\ncategory: nonsense\n---\nx\n",
    );
    let listed = list_at(&kind, json!({"archived": true}), 40 * DAY);
    assert_eq!(
        (ids(&listed).len(), &listed["flaws"][0]["place"]),
        (1, &json!("archive/soul/broken.md"))
    );
    let flaws = kind
        .repair(after(40 * DAY), memory_core::Rehearsal::Dry)
        .unwrap();
    assert_eq!(
        flaws
            .iter()
            .map(|flaw| flaw.place.as_str())
            .collect::<Vec<_>>(),
        ["archive/soul/broken.md"]
    );
}

#[test]
fn an_archived_note_is_read_as_a_resource_and_comes_back_when_it_is_changed() {
    let home = Home::new();
    let kind = open(&home);
    let (deleted, tagged) = (
        write_in(&kind, "soul", "to delete"),
        write_in(&kind, "soul", "to tag"),
    );
    maintain(&kind, 40 * DAY);
    let found = kind
        .resource(&format!("memory://note/{}", &tagged[..8]), after(40 * DAY))
        .unwrap()
        .unwrap();
    assert!(found.text.ends_with("to tag\n"), "{}", found.text);
    call_at(
        &kind,
        "memory_tag",
        json!({"id": tagged, "tags": ["x"]}),
        40 * DAY,
    )
    .unwrap();
    assert_eq!(note(&kind, &tagged)["tags"], json!(["x"]));
    call_at(&kind, "memory_delete", json!({ "id": deleted }), 40 * DAY).unwrap();
    assert_eq!(list_at(&kind, json!({}), 40 * DAY)["archived"], 0);
    undo(&kind);
    assert_eq!(notes(&kind).len(), 2);
    let again = check_code(
        call_at(&kind, "restore", json!({ "id": deleted }), 41 * DAY),
        Code::InvalidArgument,
    );
    assert!(again.message.ends_with("already exists"), "{again}");
}

#[test]
fn a_search_that_finds_nothing_tells_of_the_archive() {
    let home = Home::new();
    let kind = open(&home);
    write(&kind, "the gate code is on the blue card");
    maintain(&kind, 8 * DAY);
    let found = call_at(
        &kind,
        "memory_search",
        json!({"query": "gate code"}),
        8 * DAY,
    )
    .unwrap();
    assert_eq!(
        (&found["total"], &found["archived"]),
        (&json!(0), &json!(1))
    );
}

#[test]
fn a_page_that_becomes_one_with_a_note_is_still_found_by_its_name() {
    let home = Home::new();
    let kind = open(&home);
    write_in(&kind, "knowledge", "Steep green tea for three minutes.");
    let vault = home.path().join("vault");
    std::fs::create_dir_all(&vault).unwrap();
    let source = json!({"sources": [{"source": "obsidian", "path": vault}]});
    let search = |query: &str| {
        call(&kind, "memory_search", json!({ "query": query })).unwrap()["total"].clone()
    };
    std::fs::write(
        vault.join("Infusion.md"),
        "Steep green tea for three minutes.\n",
    )
    .unwrap();
    call(&kind, "ingest", source.clone()).unwrap();
    assert_eq!((notes(&kind).len(), search("infusion")), (1, json!(1)));
    let page = "---\naliases: [Brew]\n---\nSteep green tea for three minutes\n";
    std::fs::write(vault.join("Teatime.md"), page).unwrap();
    call(&kind, "ingest", source).unwrap();
    assert_eq!(notes(&kind).len(), 2);
    call(&kind, "dream", json!({"level": 2})).unwrap();
    assert_eq!(notes(&kind).len(), 1, "they say the same");
    for name in ["infusion", "teatime", "brew"] {
        assert_eq!(search(name), 1, "{name}");
    }
}

#[test]
fn a_page_that_is_renamed_keeps_its_note() {
    let home = Home::new();
    let kind = open(&home);
    let vault = home.path().join("vault");
    std::fs::create_dir_all(&vault).unwrap();
    let source = json!({"sources": [{"source": "obsidian", "path": vault}]});
    std::fs::write(vault.join("Tea.md"), "Steep it for three minutes.\n").unwrap();
    call(&kind, "ingest", source.clone()).unwrap();
    let id = notes(&kind).into_keys().next().unwrap();
    call(&kind, "memory_tag", json!({"id": id, "tags": ["kitchen"]})).unwrap();
    std::fs::rename(vault.join("Tea.md"), vault.join("Green tea.md")).unwrap();
    call(&kind, "ingest", source).unwrap();
    assert!(maintain(&kind, 400 * DAY).is_empty(), "its file is there");
    let kept = note(&kind, &id);
    assert!(
        text(&kept["source_path"]).ends_with("Green tea.md"),
        "{kept}"
    );
    assert_eq!(kept["tags"], json!(["kitchen"]));
    assert_eq!(
        call(&kind, "memory_search", json!({"query": "green"})).unwrap()["total"],
        1
    );
    // A disk that is not connected is no reason to archive what was read from it.
    std::fs::rename(&vault, home.path().join("elsewhere")).unwrap();
    assert!(maintain(&kind, 800 * DAY).is_empty());
    std::fs::create_dir_all(&vault).unwrap();
    assert_eq!(maintain(&kind, 800 * DAY).len(), 1);
    call_at(&kind, "restore", json!({ "id": id }), 801 * DAY).unwrap();
    assert!(
        maintain(&kind, 802 * DAY).is_empty(),
        "what was restored stays"
    );
}

#[test]
fn joined_notes_stand_in_the_order_of_their_dates_and_remind_of_none() {
    let home = Home::new();
    let kind = open(&home);
    let header = "# Weekly meeting of the storage group\n\nPresent: Ann, Bob, Carol, Dave, Erin, Frank, Grace and Heidi.\n\n";
    write_in(
        &kind,
        "decisions",
        &format!("{header}Decision: we use PostgreSQL."),
    );
    let later = format!("{header}Decision: we do not use PostgreSQL any more at all.");
    call_at(
        &kind,
        "memory_write",
        json!({"content": later, "category": "decisions"}),
        3 * DAY,
    )
    .unwrap();
    maintain(&kind, 3 * DAY + 60);
    let joined = notes(&kind).into_values().next().unwrap();
    let content = text(&joined["content"]);
    let (first, second) = (
        content.find("we use PostgreSQL.").unwrap(),
        content.find("any more at all").unwrap(),
    );
    assert!(
        first < second && content.contains("\n\n2026-05-10: we do not"),
        "{content}"
    );
    call_at(&kind, "dream", json!({"level": 3}), 3 * DAY + 120).unwrap();
    assert_eq!(
        notes(&kind).len(),
        1,
        "no reminder of the day on which it was written"
    );
}

#[test]
fn a_reminder_without_a_time_comes_with_a_warning() {
    let home = Home::new();
    let kind = open(&home);
    let timeless = json!({"content": "water the plants", "category": "reminders"});
    assert!(
        text(&call(&kind, "memory_write", timeless).unwrap()["warning"])
            .contains("No time was recognized")
    );
    let timed = json!({"content": "call Ann tomorrow at 9am", "category": "reminders"});
    assert!(call(&kind, "memory_write", timed).unwrap()["warning"].is_null());
    let id = write(&kind, "feed the cat");
    let sorted = call(&kind, "upgrade", json!({"id": id, "category": "reminders"})).unwrap();
    assert!(text(&sorted["warning"]).contains("No time was recognized"));
}

#[test]
fn suggestions_of_dreams_do_not_pile_up_in_the_archive() {
    let home = Home::new();
    let kind = open(&home);
    put(
        &home,
        "categories/knowledge/s.md",
        "---\nsource: dream\ncreated_at: 2026-01-01T00:00:00Z\n---\nDream suggestions\n",
    );
    assert!(maintain(&kind, 400 * DAY).is_empty());
}

#[test]
fn a_newer_import_replaces_what_is_here() {
    let home = Home::new();
    let kind = open(&home);
    let id = write_in(&kind, "soul", "here");
    let line = |at: &str, content: &str| {
        json!({"id": id, "content": content, "category": "soul", "created_at": "2026-05-07T10:00:00Z", "updated_at": at})
            .to_string()
    };
    let import = |line: String| call(&kind, "import", json!({ "lines": line })).unwrap();
    assert_eq!(import(line("2026-05-08T10:00:00Z", "newer"))["replaced"], 1);
    assert_eq!(
        import(line("2026-05-07T12:00:00Z", "older"))["conflicts"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    assert_eq!(note(&kind, &id)["content"], "newer");
}
