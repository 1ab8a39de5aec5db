//! Every reader of text takes twice the steps for twice the text, whatever stands in it.

#![allow(clippy::unwrap_used)] // a test fails by panicking

use memory_steps::Growth;
use memory_text::{
    due, front_matter, places, similar, stem, terms, time, tokens, wikilinks, words, yaml,
};

/// Texts that are repeated: what each reader looks for, beginnings without ends, and runs of one mark.
const UNITS: &[&str] = &[
    "a",
    "A",
    "1",
    " ",
    "\n",
    "\t",
    ".",
    ",",
    ":",
    ";",
    "-",
    "_",
    "*",
    "/",
    "\\",
    "'",
    "\"",
    "`",
    "~",
    "#",
    "!",
    "?",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    "|",
    "=",
    "+",
    "@",
    "é",
    "中",
    "一",
    "二",
    "ｘ",
    "１",
    "“",
    "、",
    "😀",
    "\r\n",
    " \n",
    "\n\n",
    "1,000,",
    "1.",
    "1-",
    "1:",
    "1/",
    "a.",
    "a-",
    "a_",
    "a'",
    "a::",
    "aB",
    "www.",
    "://",
    "at ",
    "on the ",
    "in ",
    "tomorrow ",
    "tomorrow at 9, ",
    "2027-01-01 ",
    "5 May ",
    "10:30 ",
    "16:9 ",
    "9-10-",
    "by ",
    "next ",
    "twenty-",
    "monday\n",
    "今",
    "明天",
    "下",
    "三点",
    "下午",
    "半小时后 ",
    "第一",
    "周",
    "过",
    "年",
    "5月8日",
    "--- ",
    "---\n",
    "- a\n",
    "a: b\n",
    "a: [",
    "'a', ",
    "\"a\", ",
    "a: \"\n",
    "\n\n- ",
    "# a\n",
    "```\n",
    "~~~\n",
    "``a",
    "`a",
    "*a",
    "**a ",
    "'a ",
    "\"a ",
    "....5",
    "-- 5",
    "[[",
    "[[a]] ",
    "](",
    "> ",
    "- - ",
    "don't ",
    "U.S. ",
    "e.g. ",
    "getUser ",
    "C++ ",
    "the ",
    "not ",
];

fn check(reader: &str, read: impl Fn(&str)) {
    for unit in UNITS {
        let text = |n: usize| unit.repeat(n);
        let growth = Growth::of(5_000, text, |text| read(&text));
        assert!(growth.is_linear(), "{reader} {unit:?}: {growth:?}");
    }
    // Runs of growing and of falling length, which close one another or never do.
    for mark in ["`", "*", "-", ".", "'", "\"", "~", "#", "_", " ", "一", "1"] {
        for is_falling in [false, true] {
            let text = |n: usize| {
                let longest = (1..).find(|length| length * length / 2 > n).unwrap_or(1);
                let run = |length: usize| format!("{} a", mark.repeat(length));
                let runs: Vec<String> = (1..=longest).map(run).collect();
                if is_falling {
                    runs.into_iter().rev().collect()
                } else {
                    runs.concat()
                }
            };
            let growth = Growth::of(20_000, text, |text| read(&text));
            assert!(growth.is_linear(), "{reader} runs of {mark:?}: {growth:?}");
        }
    }
}

#[test]
fn front_matter_is_read_in_linear_time() {
    check("split", |text| {
        assert!(front_matter::split(&format!("---\n{text}")).body.len() <= text.len() + 4)
    });
    check("fields", |text| {
        drop(front_matter::fields(&format!("a:\n{text}")))
    });
}

#[test]
fn fields_are_read_in_linear_time() {
    check("scalar", |text| drop(yaml::scalar(&format!("a: {text}"))));
    check("quoted", |text| {
        drop(yaml::scalar(&format!("a: \"{text}\"")))
    });
    check("flow list", |text| {
        drop(yaml::list(&format!("a: [{text}]")))
    });
    check("block list", |text| {
        drop(yaml::list(&format!("a:\n  - {text}")))
    });
}

#[test]
fn words_and_terms_are_read_in_linear_time() {
    check("words", |text| drop(words::words(text)));
    check("fold", |text| drop(words::fold(text)));
    check("terms", |text| drop(terms::terms(text)));
    check("due", |text| {
        assert!(!due::asks_what_is_due(&format!("{text} x")))
    });
    check("tokens", |text| assert!(tokens::count(text) > 0));
}

#[test]
fn times_are_found_in_linear_time() {
    let now = "2026-05-07T10:00:00Z".parse().unwrap();
    check("times", |text| {
        drop(time::find_moments(text, now, &jiff::tz::TimeZone::UTC))
    });
}

#[test]
fn likeness_is_read_in_linear_time() {
    check("imprint", |text| {
        assert!(!format!("{:?}", similar::Imprint::of(text)).is_empty())
    });
    check("pairs", |text| {
        assert!(similar::near_duplicates(&[text, text, "else"]).len() < 3)
    });
}

#[test]
fn links_and_code_are_looked_for_in_linear_time() {
    // What has any is read by the Markdown parser, which is linear itself; notes are bounded besides.
    check("wikilinks", |text| drop(wikilinks::wikilinks(text)));
    check("places", |text| drop(places::places(text)));
    assert_eq!(
        stem::stem("notes"),
        "note",
        "a stem is asked of one word, of at most some letters"
    );
}
