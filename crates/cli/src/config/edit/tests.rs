//! Texts before and after: what a change may touch, and what it must leave.

use proptest::prelude::*;

use super::*;

#[track_caller]
fn check_set(before: &str, key: &str, value: &str, after: &str) {
    assert_eq!(set(before, key, value).as_deref(), Ok(after), "{before:?}");
}

#[track_caller]
fn check_unset(before: &str, key: &str, after: Option<&str>) {
    assert_eq!(unset(before, key).unwrap().as_deref(), after, "{before:?}");
}

#[test]
fn a_value_is_replaced_where_it_stands() {
    check_set(
        "a:\n  b: 1 # why\n  c: 2\n",
        "a.b",
        "3",
        "a:\n  b: 3 # why\n  c: 2\n",
    );
    check_set(
        "tz:   \"UTC\"  # z\n",
        "tz",
        "Asia/Tokyo",
        "tz:   \"Asia/Tokyo\"  # z\n",
    );
    check_set("p: 'x'\n", "p", "it's", "p: 'it''s'\n");
    check_set("\"p\": x", "p", "y", "\"p\": y");
    check_set(
        "a: {b: 1, c: 2} # one\n",
        "a.c",
        "3",
        "a: {b: 1, c: 3} # one\n",
    );
    check_set(
        "a:\n  b:   # none yet\nc: 1\n",
        "a.b",
        "2",
        "a:\n  b: 2   # none yet\nc: 1\n",
    );
    check_set("a: {b}\n", "a.b", "2", "a: {b: 2}\n");
    check_set("a: ~ # no\n", "a", "2", "a: 2 # no\n");
    check_set("a: [1, 2] # two\nb: 1\n", "a", "3", "a: 3 # two\nb: 1\n");
    check_set("a:\n  - 1\n  - 2\nb: 1\n", "a", "3", "a: 3\nb: 1\n");
    check_set("a: |\n  x\n\nb: 1\n", "a", "3", "a: 3\n\nb: 1\n");
    check_set(
        "\u{feff}a: 1\r\nb: 2\r\n",
        "b",
        "3",
        "\u{feff}a: 1\r\nb: 3\r\n",
    );
    check_set(
        "p:\n  path: x\nq:\n  path: y\n",
        "q.path",
        "z",
        "p:\n  path: x\nq:\n  path: z\n",
    );
}

#[test]
fn a_new_value_goes_below_its_section_as_that_is_written() {
    check_set("", "a.b", "1", "a:\n  b: 1\n");
    check_set("# mine", "a", "1", "# mine\na: 1\n");
    check_set("---\n", "a.b.c", "1", "---\na:\n  b:\n    c: 1\n");
    check_set("x: 1\n...\n", "a", "2", "x: 1\na: 2\n...\n");
    check_set(
        "a:\n    b: 1\nz: 2\n",
        "a.c",
        "3",
        "a:\n    b: 1\n    c: 3\nz: 2\n",
    );
    check_set(
        "a:\n   b: 1",
        "a.c.d",
        "3",
        "a:\n   b: 1\n   c:\n      d: 3\n",
    );
    check_set(
        "a:\n  b: 1\n  # c: 2\n\n# z\nz: 1\n",
        "a.c",
        "3",
        "a:\n  b: 1\n  # c: 2\n  c: 3\n\n# z\nz: 1\n",
    );
    check_set(
        "a: # empty\nz: 1\n",
        "a.b",
        "2",
        "a: # empty\n  b: 2\nz: 1\n",
    );
    check_set(
        "a: null # empty\nz: 1\n",
        "a.b",
        "2",
        "a: # empty\n  b: 2\nz: 1\n",
    );
    check_set("a:", "a.b", "2", "a:\n  b: 2");
    check_set("a: {b: 1}\n", "a.c", "2", "a: {c: 2, b: 1}\n");
    check_set("a: {}\n", "a.b.c", "2", "a: {b: {c: 2}}\n");
    check_set("{a: 1}\n", "b.c", "2", "{b: {c: 2}, a: 1}\n");
    check_set("x: 1\r\n", "a.b", "2", "x: 1\r\na:\r\n  b: 2\r\n");
    check_set("l:\n  - 1\n  - 2\n", "a", "3", "l:\n  - 1\n  - 2\na: 3\n");
}

#[test]
fn a_value_is_quoted_only_if_it_must_be() {
    for (value, written) in [
        ("60s", "60s"),
        ("~/my notes/中", "~/my notes/中"),
        ("~", "\"~\""),
        ("null", "\"null\""),
        ("a: b", "\"a: b\""),
        ("x #y", "\"x #y\""),
        ("-x", "\"-x\""),
        ("a\nb", "\"a\\nb\""),
        ("C:\\x", "\"C:\\\\x\""),
    ] {
        check_set("", "k", value, &format!("k: {written}\n"));
    }
}

#[test]
fn a_name_is_taken_out_with_its_line() {
    check_unset("a:\n  b: 1 # why\n  c: 2\n", "a.b", Some("a:\n  c: 2\n"));
    check_unset("a:\n  b: 1", "a.b", Some("a:\n"));
    check_unset(
        "deamon:\n  x: 1\n  y: [1,\n   2]\nz: 1\n",
        "deamon",
        Some("z: 1\n"),
    );
    check_unset("a: {b: 1, c: 2}\n", "a.b", Some("a: {c: 2}\n"));
    check_unset("a: {b: 1, c: 2}\n", "a.c", Some("a: {b: 1}\n"));
    check_unset("a: {b: , c: 2}\n", "a.b", Some("a: {c: 2}\n"));
    check_unset("a: {b: 1}\n", "a.b", Some("a: {}\n"));
    check_unset("a: |\n  x\n\nb: 1\n", "a", Some("b: 1\n"));
    check_unset("a:\n  -\nb: 1\n", "a", Some("b: 1\n"));
    check_unset("a: 1\n", "b", None);
}

#[test]
fn what_only_a_person_should_change_is_refused() {
    let by_hand = |text: &str, key: &str| match set(text, key, "1") {
        Err(Refusal::ByHand { line, why }) => (line, why),
        other => panic!("{other:?}"),
    };
    assert_eq!(
        by_hand("x: 1\na: [1]\n", "a.b"),
        (2, "'a' is not a section, so it cannot contain 'a.b'".into())
    );
    assert_eq!(by_hand("a:\n  b: 1\n", "a"), (1, "'a' is a section".into()));
    assert_eq!(
        by_hand("null\n", "a"),
        (2, "its syntax is not supported".into())
    );
    assert!(matches!(set("a: [1\n", "b", "1"), Err(Refusal::Broken(_))));
}

/// A file that people could have written: sections, comments, blank lines, quotes, any indentation.
fn file() -> impl Strategy<Value = String> {
    let value = prop_oneof![
        Just(String::new()),
        Just(" 60s".to_owned()),
        Just(" \"q: #\"  ".to_owned()),
        Just(" 'it''s'".to_owned()),
        Just(" [1, {x: y}]".to_owned()),
        Just(" null".to_owned()),
    ];
    let comment = prop_oneof![3 => Just(""), 1 => Just(" # a: b")];
    let extra =
        prop_oneof![4 => Just(""), 1 => Just("\n"), 1 => Just("  # note\n"), 1 => Just("# x: 1\n")];
    let field = (value, comment, extra);
    let fields = proptest::collection::vec(field, 0..4);
    let section = (1..5_usize, any::<bool>(), fields);
    (
        proptest::collection::vec(section, 0..4),
        any::<bool>(),
        any::<bool>(),
        any::<bool>(),
    )
        .prop_map(|(sections, is_windows, has_mark, is_cut)| {
            let mut text: String = sections
                .iter()
                .enumerate()
                .map(|(n, section)| rendered(n, section))
                .collect();
            if is_cut {
                text.truncate(text.trim_end_matches('\n').len());
            }
            let text = if is_windows {
                text.replace('\n', "\r\n")
            } else {
                text
            };
            if has_mark {
                format!("\u{feff}{text}")
            } else {
                text
            }
        })
}

type Section = (usize, bool, Vec<(String, &'static str, &'static str)>);

fn rendered(n: usize, (indent, in_braces, fields): &Section) -> String {
    let name = ["a", "b", "c"][n % 3];
    if *in_braces {
        let inside = fields
            .iter()
            .zip(["x", "y", "z"])
            .map(|((value, ..), name)| format!("{name}:{value}"));
        return format!(
            "{name}: {{{}}} # braces\n",
            inside.collect::<Vec<_>>().join(" , ")
        );
    }
    let lines = fields
        .iter()
        .zip(["x", "y", "z"])
        .map(|((value, comment, extra), name)| {
            format!(
                "{:indent$}{name}:{value}{comment}\n{extra}",
                "",
                indent = *indent
            )
        });
    format!("{name}:\n{}", lines.collect::<String>())
}

proptest! {
    #[test]
    fn a_set_adds_one_setting_and_touches_no_other_line(
        text in file(),
        key in "[abd](\\.[xyw]){0,2}",
        value in "[a-z0-9~/ :#'\"中-]{1,12}",
    ) {
        let value = value.trim();
        let before = yaml::parse(without_mark(&text)).map_err(|flaw| TestCaseError::reject(flaw.what))?;
        match set(&text, &key, value) {
            Ok(after) => {
                let mut wanted = says(&before, without_mark(&text));
                wanted.insert(key.clone(), format!("={value}"));
                let read = yaml::parse(without_mark(&after)).unwrap();
                prop_assert_eq!(says(&read, without_mark(&after)), wanted);
                let (old, new) = (kept(&text), kept(&after));
                let same_head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
                let same_tail =
                    old[same_head..].iter().rev().zip(new[same_head..].iter().rev()).take_while(|(a, b)| a == b).count();
                prop_assert!(old.len() - same_head - same_tail <= 1, "{:?} became {:?}", text, after);
                prop_assert_eq!(set(&after, &key, value), Ok(after.clone()), "again");
                let gone = unset(&after, &key).unwrap().unwrap();
                prop_assert!(!says(&yaml::parse(without_mark(&gone)).unwrap(), &gone).contains_key(&key));
            }
            Err(Refusal::ByHand { why, .. }) => {
                prop_assert!(why != "its syntax is not supported", "{:?} {}", text, key);
            }
            Err(Refusal::Broken(flaw)) => prop_assert!(false, "{:?}", flaw),
        }
    }

    #[test]
    fn no_text_makes_it_panic(text in "[-ab:\"'\\[\\]{}|?#,.~ \r\n中\u{feff}]{0,40}", key in "[ab](\\.[ab])?") {
        let _ = (set(&text, &key, "x"), unset(&text, &key));
    }
}

fn kept(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}
