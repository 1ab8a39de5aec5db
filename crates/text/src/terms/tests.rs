//! What a text is found by, row by row, and that no text is too strange to be read.

use proptest::prelude::*;

use super::*;

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    assert_eq!(terms(text), expected, "{text}");
}

/// Every term of the first is one of the second.
#[track_caller]
fn check_finds(question: &str, memory: &str) {
    let memory = terms(memory);
    let missing: Vec<_> = terms(question)
        .into_iter()
        .filter(|term| !memory.contains(term))
        .collect();
    assert!(
        missing.is_empty(),
        "{question} has {missing:?}, which is not in {memory:?}"
    );
}

#[test]
fn words_lose_their_endings_accents_and_case() {
    check("Caroline's paintings", &["carolin", "paint"]);
    check(
        "He went; they go, she goes",
        &["he", "go", "they", "go", "she", "goe"],
    );
    check("Café crème COLOUR", &["cafe", "creme", "color"]);
    check("don’t I'm", &["dont", "im"]);
}

#[test]
fn whoever_reads_many_texts_reads_the_same_terms() {
    let mut reader = Reader::default();
    let text = "She went to the paintings' opening; colours were centred, getUserName() too";
    for _ in 0..2 {
        let mut found = Vec::new();
        reader.each_term(text, |term, _| found.push(term.to_owned()));
        assert_eq!(found, terms(text));
    }
}

#[test]
fn identifiers_are_found_whole_and_by_their_parts() {
    check("get_user_name", &["get", "user", "name", "getusername"]);
    check("getUserName", &["get", "user", "name", "getusername"]);
    check("HTTPServer", &["http", "server", "httpserver"]);
    check("__init__", &["init", "init"]);
    check("C++ or C#", &["c++", "c", "or", "c#", "c"]);
    check_finds("main.rs", "look into src/recall/main.rs first");
    check_finds("std fs", "std::fs::read");
    check_finds("e-mail", "E-Mail");
}

#[test]
fn numbers_are_found_however_they_are_decorated() {
    check("1,000", &["1000"]);
    check("the 8th", &["the", "8"]);
    check("2.10.3", &["2", "10", "3", "2.10", "2.10.3"]);
    check("10, 200", &["10", "200"]);
}

#[test]
fn a_date_is_found_by_every_way_to_write_it() {
    let day = [
        "2023-05-08",
        "8 May 2023",
        "May 8, 2023",
        "8th of May, 2023",
        "8 may 2023",
    ];
    for (question, memory) in day.iter().flat_map(|q| day.map(|m| (*q, m))) {
        let question = question.replace("8th of May,", "8 May");
        check_finds(&question, &format!("met on {memory} there"));
    }
    for wish in ["2023-05-08", "2023-05", "05-08"] {
        for text in day.iter().chain(&[
            "2023年5月8日",
            "2023/5/8",
            "2023-05-08T13:56:00Z",
            "8 May, 2023",
        ]) {
            assert!(
                terms(text).iter().any(|term| term == wish),
                "{wish} in {text}: {:?}",
                terms(text)
            );
        }
    }
    check_finds("in May 2023", "in 2023-05-08");
    check("5月8日", &["5", "may", "05-08", "月", "8", "日"]);
    check("May I", &["may", "i"]);
    check(
        "1-2 people at 12-1999",
        &["1", "2", "12", "person", "at", "12", "1999", "121999"],
    );
}

#[test]
fn chinese_is_found_by_characters_and_pairs() {
    check(
        "喜欢深色",
        &["喜", "欢", "喜欢", "深", "欢深", "色", "深色"],
    );
    check("用Rust写", &["用", "rust", "写"]);
    check("ＡＢＣ１２", &["abc12"]);
}

#[test]
fn places_are_where_the_words_stand() {
    let text = "Ask 小明 about getUserName";
    let mut places = Vec::new();
    each_term(text, |term, place| {
        places.push((term.to_owned(), &text[place]))
    });
    assert_eq!(places[0], ("ask".into(), "Ask"));
    assert_eq!(places[3], ("小明".into(), "小明"));
    assert_eq!(places[6], ("user".into(), "User"));
    assert_eq!(places[8], ("getusername".into(), "getUserName"));
}

#[test]
fn words_without_meaning_are_told_as_the_analyser_writes_them() {
    let stops = "What did you have, and where was it? What's the";
    assert!(
        terms(stops).iter().all(|term| is_stop(term)),
        "{:?}",
        terms(stops)
    );
    assert!(
        ["会议", "rust", "8", "may"]
            .iter()
            .all(|term| !is_stop(term))
    );
}

proptest! {
    #[test]
    fn any_text_yields_places_inside_of_it(text in any::<String>()) {
        each_term(&text, |term, place| {
            assert!(!term.is_empty());
            assert!(text.get(place.clone()).is_some_and(|read| !read.is_empty()), "{place:?}");
        });
    }

    #[test]
    fn marks_and_letters_in_any_order_yield_places(text in "[a-zA-Z0-9_./\\-:,'’年月日 é中8]{0,40}") {
        each_term(&text, |term, place| {
            assert!(!term.is_empty());
            assert!(text.get(place.clone()).is_some_and(|read| !read.is_empty()), "{place:?}");
        });
    }

    #[test]
    fn a_word_is_found_by_itself_in_any_company(word in "[a-zA-Z][a-zA-Z0-9_]{0,12}", before in "[a-z 中文.]{0,9}", after in "[a-z 中文.]{0,9}") {
        let alone = terms(&word);
        let among = terms(&format!("{before} {word} {after}"));
        prop_assert!(alone.iter().all(|term| among.contains(term)));
    }
}
