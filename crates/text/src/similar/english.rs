//! What an English word says: its stem, without contractions and without what is said by the way.

use std::borrow::Cow;

use super::tables;
use crate::stem::stem;

/// What a word in lower case stands for.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Meaning<'a> {
    /// The word alone: "do" of "don't", "user" of "user's".
    pub(super) word: &'a str,
    /// What was contracted with it and counts: "not", "have", "will".
    pub(super) tail: Option<&'static str>,
}

/// Takes contractions and possessives off a word in lower case.
pub(super) fn uncontracted(word: &str) -> Meaning<'_> {
    if let Some((word, tail)) = tables::contraction(word) {
        return Meaning {
            word,
            tail: Some(tail),
        };
    }
    if let Some(word) = word.strip_suffix("n't") {
        return Meaning {
            word,
            tail: Some("not"),
        };
    }
    let Some((base, ending)) = word.rsplit_once('\'') else {
        return Meaning { word, tail: None };
    };
    match ending {
        "s" | "re" | "m" => Meaning {
            word: base,
            tail: None,
        },
        "ve" => Meaning {
            word: base,
            tail: Some("have"),
        },
        "ll" => Meaning {
            word: base,
            tail: Some("will"),
        },
        _ => Meaning { word, tail: None },
    }
}

/// Returns the form by which words are compared: a number for "three", a stem for the others.
pub(super) fn comparable(word: &str) -> Cow<'_, str> {
    match tables::number(word) {
        Some(digits) => Cow::Borrowed(digits),
        None => stem(word),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(word: &str, base: &str, tail: Option<&'static str>) {
        assert_eq!(uncontracted(word), Meaning { word: base, tail });
    }

    #[test]
    fn contractions_are_written_out() {
        check("don't", "do", Some("not"));
        check("dont", "do", Some("not"));
        check("can't", "can", Some("not"));
        check("won't", "will", Some("not"));
        check("cannot", "can", Some("not"));
        check("let's", "let", Some("us"));
        check("we've", "we", Some("have"));
        check("user's", "user", None);
        check("it's", "it", None);
        check("i'd", "i'd", None);
    }

    #[test]
    fn numbers_in_words_are_numbers() {
        assert_eq!(comparable("three"), "3");
        assert_eq!(comparable("one"), "one");
        assert_eq!(comparable("colours"), "color");
    }
}
