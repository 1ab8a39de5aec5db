//! Files that people write, copy, move and remove: seen, kept, and never hidden by a bad one.

use memory_testkit::Home;
use serde_json::json;

use crate::common::*;

#[test]
fn a_file_in_any_usual_form_is_a_note() {
    let home = Home::new();
    let kind = open(&home);
    for (name, bytes, content) in [
        ("no head", "just text\n", "just text"),
        (
            "crlf",
            "---\r\ntags: [a]\r\n---\r\none\r\ntwo\r\n",
            "one\r\ntwo",
        ),
        ("rule", "one\n\n---\n\ntwo\n", "one\n\n---\n\ntwo"),
        ("mark", "\u{feff}---\nid: mark-1\n---\nmarked\n", "marked"),
        (
            "order",
            "---\nversion: 3\ntags:\n- x\nid: order-1\n---\nordered\n",
            "ordered",
        ),
        ("中文 名字", "中文\n", "中文"),
        ("no-end", "---\nid: no-end\n---\nno newline", "no newline"),
        ("open", "---\nnever closed\n", "---\nnever closed"),
        ("a 'quoted' [name]", "quoted\n", "quoted"),
    ] {
        put(&home, &format!("categories/people/{name}.md"), bytes);
        let listed = call(&kind, "memory_list", json!({"category": "people"})).unwrap();
        assert!(
            contents(&listed).iter().any(|found| found == content),
            "{name}: {listed}"
        );
        check_index_now(&home);
    }
    check_order(&home);
    for id in notes(&kind).into_keys() {
        call(&kind, "memory_tag", json!({"id": id, "tags": ["tagged"]})).unwrap();
    }
    assert_eq!(
        call(&kind, "memory_list", json!({"tags": ["tagged"]})).unwrap()["total"],
        9
    );
    check_order(&home);
}

#[test]
fn unknown_fields_and_remarks_survive_a_rewrite() {
    let home = Home::new();
    let kind = open(&home);
    let head = "mood: good\n# a remark\nnested:\n  deep:\n    - 1\ntext: |\n  a\n\n  b\n\"odd name\": [x, 'y']\nbig: 123456789012345678901234567890\n";
    let path = put(
        &home,
        "categories/people/a.md",
        format!("---\nid: aaaa-1\n{head}---\nbody\n"),
    );
    call(&kind, "memory_tag", json!({"id": "aaaa-1", "tags": ["x"]})).unwrap();
    call(&kind, "memory_read", json!({"id": "aaaa-1"})).unwrap();
    assert!(read_file(path).contains(head));
}

#[test]
fn links_that_are_no_ids_stay_as_they_are() {
    let home = Home::new();
    let kind = open(&home);
    let path = put(
        &home,
        "categories/people/a.md",
        "---\nid: aaaa-1\nlinks:\n  - \"[[Some Page]]\"\n---\nbody\n",
    );
    call(&kind, "memory_tag", json!({"id": "aaaa-1", "tags": ["x"]})).unwrap();
    assert!(read_file(path).contains("[[Some Page]]"));
}

#[test]
fn files_of_one_name_in_several_folders_are_several_notes() {
    let home = Home::new();
    let kind = open(&home);
    for folder in ["people", "project", "soul"] {
        put(
            &home,
            &format!("categories/{folder}/index.md"),
            format!("about {folder}\n"),
        );
    }
    assert_eq!(notes(&kind).len(), 3);
    check_order(&home);
}

#[test]
fn a_file_written_again_and_again_where_one_was_moved_away_is_a_new_note_each_time() {
    let home = Home::new();
    let kind = open(&home);
    for n in 1..=4 {
        put(
            &home,
            "categories/inbox/idea.md",
            format!("idea number {n}\n"),
        );
        assert_eq!(notes(&kind).len(), n);
        check_order(&home);
        call(&kind, "dream", json!({"level": 1})).unwrap();
        check_order(&home);
    }
}

#[test]
fn a_copy_is_told_as_a_twin_and_hides_neither_the_first_nor_others() {
    let home = Home::new();
    let kind = open(&home);
    let id = write_in(&kind, "people", "the first");
    write_in(&kind, "people", "another");
    std::fs::copy(
        file(&home, &id),
        root(&home).join("categories/people/a copy.md"),
    )
    .unwrap();
    let listed = call(&kind, "memory_list", json!({})).unwrap();
    assert_eq!(
        (&listed["total"], listed["flaws"].as_array().unwrap().len()),
        (&json!(2), 1)
    );
    assert!(
        text(&listed["flaws"][0]["place"]).contains("a copy"),
        "{}",
        listed["flaws"]
    );
    call(&kind, "memory_tag", json!({"id": id, "tags": ["x"]})).unwrap();
    assert!(read_file(file(&home, &id)).contains("  - x\n"));
}

#[test]
fn the_index_follows_files_that_are_edited_added_renamed_and_removed() {
    let home = Home::new();
    let kind = open(&home);
    let id = write_in(&kind, "people", "first title");
    let index = || read_file(root(&home).join("memory.md"));
    let path = file(&home, &id);
    std::fs::write(
        &path,
        read_file(&path).replace("first title", "other title"),
    )
    .unwrap();
    call(&kind, "memory_list", json!({})).unwrap();
    assert!(index().contains("other title") && !index().contains("first title"));
    put(&home, "categories/soul/new.md", "added by hand\n");
    // A command that changes nothing tells the truth all the same.
    call(&kind, "memory_write", json!({"content": "other title"})).unwrap();
    assert!(index().contains("added by hand"));
    let renamed = path.with_file_name("renamed by me.md");
    std::fs::rename(&path, &renamed).unwrap();
    call(&kind, "consolidate", json!({})).unwrap();
    assert!(index().contains("renamed by me.md"));
    assert!(notes(&kind).contains_key(&id));
    std::fs::remove_file(renamed).unwrap();
    call(&kind, "memory_search", json!({"query": "hand"})).unwrap();
    assert!(!index().contains("renamed by me.md"));
    std::fs::write(root(&home).join("memory.md"), "scribbled").unwrap();
    call(&kind, "notify", json!({})).unwrap();
    check_index_now(&home);
    std::fs::remove_file(root(&home).join("memory.md")).unwrap();
    call(&kind, "dream", json!({"level": 1})).unwrap();
    check_index_now(&home);
}

#[test]
fn a_dry_run_writes_no_page_even_after_a_hand_was_there() {
    let home = Home::new();
    let kind = open(&home);
    write(&kind, "x");
    put(
        &home,
        "categories/inbox/new.md",
        "added by hand, see [[x]]\n",
    );
    let before = home.snapshot();
    for tool in ["decay", "consolidate", "resolve_links", "notify"] {
        call(&kind, tool, json!({"dry_run": true})).unwrap();
    }
    call(&kind, "dream", json!({"level": 3, "dry_run": true})).unwrap();
    assert_eq!(home.snapshot(), before);
}

#[test]
fn names_of_any_form_beside_the_notes_disturb_no_one() {
    let home = Home::new();
    let kind = open(&home);
    write_in(&kind, "people", "a note");
    for name in [
        "中a",
        "备注x",
        "é",
        "md",
        ".md",
        ".hidden.md",
        "笔记.c",
        "a.txt",
        "x.md.bak",
        "字.MD",
    ] {
        put(&home, &format!("categories/people/{name}"), "text\n");
    }
    std::fs::create_dir_all(root(&home).join("categories/people/folder.md")).unwrap();
    std::fs::create_dir_all(root(&home).join("categories/unknown")).unwrap();
    put(&home, "categories/unknown/x.md", "not ours\n");
    assert_eq!(notes(&kind).len(), 2, "the note and 字.MD");
}

#[test]
fn one_damaged_file_hides_no_other() {
    let home = Home::new();
    let kind = open(&home);
    write_in(&kind, "people", "a good note");
    for (name, bytes) in [
        ("time", &b"---\ncreated_at: nonsense\n---\nx\n"[..]),
        ("bytes", b"\xff\xfe\x00"),
        ("count", b"---\naccess_count: many\n---\nx\n"),
        ("scope", b"---\nscope: user\n---\nx\n"),
        ("form", b"---\nsource: >\n  folded\n---\nx\n"),
    ] {
        put(&home, &format!("categories/people/{name}.md"), bytes);
    }
    let listed = call(&kind, "memory_list", json!({})).unwrap();
    assert_eq!(
        (contents(&listed), listed["flaws"].as_array().unwrap().len()),
        (vec!["a good note".to_owned()], 5)
    );
    assert_eq!(
        call(&kind, "memory_search", json!({"query": "good"})).unwrap()["total"],
        1
    );
    forget_accesses(&home);
    let before = bytes(&home);
    call(&kind, "dream", json!({"level": 3})).unwrap();
    call(&kind, "consolidate", json!({})).unwrap();
    assert_eq!(bytes(&home), before, "no damaged file was touched");
}

#[test]
fn a_folder_in_the_place_of_the_index_stops_no_change() {
    let home = Home::new();
    let kind = open(&home);
    std::fs::create_dir_all(root(&home).join("memory.md/inside")).unwrap();
    let (one, two) = (write(&kind, "one"), write(&kind, "two"));
    link(&kind, &one, &two);
    delete(&kind, &one);
    assert!(links(&kind, &two).is_empty());
    undo(&kind);
    assert_eq!(links(&kind, &two), [one]);
}
