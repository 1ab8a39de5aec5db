//! JSON values that are kept and shown as text, so that no digit of a number is ever lost.
//!
//! A tree of values would round large integers and long decimals. Where a value is only stored,
//! read and printed we therefore hold the text itself: checked once, without white space.

use std::borrow::Cow;
use std::fmt::Write as _;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use crate::text::{is_visible, replace_unseen};

/// Deepest nesting of a value that is kept, so that no reader runs out of stack.
pub const MAX_DEPTH: usize = 128;
/// How much deeper a reply or an export may be, which has such a value inside.
const ENVELOPE: usize = 16;

/// One JSON value as text.
///
/// Invariant: valid JSON whose strings are text (no half of a surrogate pair), no white space
/// between tokens, at most [`MAX_DEPTH`] levels deep and those of an envelope around it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Json {
    text: String,
    depth: usize,
}

/// Why a text is not a [`Json`].
#[derive(Debug, thiserror::Error)]
pub enum JsonFlaw {
    #[error("{what} at line {line} column {column}")]
    Syntax {
        what: String,
        line: usize,
        column: usize,
    },
    #[error("it is nested {depth} levels deep; the limit is {MAX_DEPTH}")]
    TooDeep { depth: usize },
    #[error("the string {string} has half of a surrogate pair in it")]
    NotText { string: String },
}

impl Json {
    /// Reads any JSON text.
    pub fn parse(text: &str) -> Result<Self, JsonFlaw> {
        let valid: &RawValue = serde_json::from_str(text).map_err(syntax)?;
        let (text, depth) = compact(valid.get());
        if depth > MAX_DEPTH + ENVELOPE {
            return Err(JsonFlaw::TooDeep { depth });
        }
        match half_a_pair(&text) {
            Some(string) => Err(JsonFlaw::NotText {
                string: string.chars().take(40).collect(),
            }),
            None => Ok(Json { text, depth }),
        }
    }

    /// Reads a value that is to be kept: without room for an envelope.
    pub fn parse_value(text: &str) -> Result<Self, JsonFlaw> {
        let json = Json::parse(text)?;
        if json.depth > MAX_DEPTH {
            Err(JsonFlaw::TooDeep { depth: json.depth })
        } else {
            Ok(json)
        }
    }

    /// Renders a value of ours.
    pub fn of(value: &impl Serialize) -> Result<Self, JsonFlaw> {
        let text = serde_json::to_string(value).map_err(syntax)?;
        Json::parse(&text)
    }

    /// Returns the value without white space.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns how many bytes it takes, which is what limits count.
    pub fn size(&self) -> usize {
        self.text.len()
    }

    /// Returns how many arrays and objects are nested in it.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Returns the value on several lines, indented by two spaces, control and invisible characters escaped.
    pub fn pretty(&self) -> String {
        pretty(&self.text)
    }

    /// Returns the value on one line, control and invisible characters escaped.
    pub fn line(&self) -> String {
        let mut out = String::with_capacity(self.text.len());
        push_printable(&mut out, &self.text);
        out
    }

    /// Reads the value into a type.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, JsonFlaw> {
        let mut deserializer = serde_json::Deserializer::from_str(&self.text);
        // The depth is bounded already, a little above what serde would allow.
        deserializer.disable_recursion_limit();
        T::deserialize(&mut deserializer).map_err(syntax)
    }

    /// Returns the strings in it, names of members included, as they read without escapes.
    pub fn strings(&self) -> impl Iterator<Item = Cow<'_, str>> {
        tokens(&self.text).filter_map(|token| match token {
            Token::Scalar(text) if text.starts_with('"') => Some(unescaped(text)),
            _ => None,
        })
    }
}

/// Returns what a string token says.
fn unescaped(token: &str) -> Cow<'_, str> {
    let inside = token.get(1..token.len() - 1).unwrap_or_default();
    if inside.contains('\\') {
        serde_json::from_str::<String>(token)
            .unwrap_or_default()
            .into()
    } else {
        inside.into()
    }
}

/// Returns the first string that no decoder can turn into text.
fn half_a_pair(text: &str) -> Option<&str> {
    if !text.contains("\\ud") && !text.contains("\\uD") {
        return None;
    }
    tokens(text).find_map(|token| match token {
        Token::Scalar(string)
            if string.contains("\\u") && serde_json::from_str::<String>(string).is_err() =>
        {
            Some(string)
        }
        _ => None,
    })
}

fn syntax(error: serde_json::Error) -> JsonFlaw {
    let whole = error.to_string();
    let what = whole.split(" at line ").next().unwrap_or_default();
    let what = what.replace("expected ident", "expected null, true or false");
    JsonFlaw::Syntax {
        what,
        line: error.line(),
        column: error.column(),
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let raw: &RawValue = serde_json::from_str(&self.text).map_err(serde::ser::Error::custom)?;
        raw.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        Json::parse(raw.get()).map_err(D::Error::custom)
    }
}

impl JsonSchema for Json {
    fn schema_name() -> Cow<'static, str> {
        "Any".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        true.into()
    }
}

/// A token of valid JSON, as far as laying it out needs to know.
enum Token<'a> {
    Open(char),
    Close(char),
    Comma,
    Colon,
    Scalar(&'a str),
}

/// Splits valid JSON into tokens; white space between them is dropped.
fn tokens(valid: &str) -> impl Iterator<Item = Token<'_>> {
    let bytes = valid.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        while bytes.get(at)?.is_ascii_whitespace() {
            at += 1;
        }
        let start = at;
        at += 1;
        Some(match bytes[start] {
            open @ (b'{' | b'[') => Token::Open(open.into()),
            close @ (b'}' | b']') => Token::Close(close.into()),
            b',' => Token::Comma,
            b':' => Token::Colon,
            b'"' => {
                at = end_of_string(bytes, at);
                Token::Scalar(&valid[start..at])
            }
            _ => {
                while bytes.get(at).is_some_and(|b| !is_boundary(*b)) {
                    at += 1;
                }
                Token::Scalar(&valid[start..at])
            }
        })
    })
}

fn is_boundary(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b',' | b':' | b'}' | b']')
}

/// Returns the place after the quote that ends the string whose text begins at `at`.
fn end_of_string(bytes: &[u8], mut at: usize) -> usize {
    while let Some(byte) = bytes.get(at) {
        at += match byte {
            b'"' => return at + 1,
            b'\\' => 2,
            _ => 1,
        };
    }
    bytes.len()
}

fn compact(valid: &str) -> (String, usize) {
    let mut out = String::with_capacity(valid.len());
    let (mut depth, mut deepest) = (0usize, 0);
    for token in tokens(valid) {
        match token {
            Token::Open(c) => {
                out.push(c);
                depth += 1;
                deepest = deepest.max(depth);
            }
            Token::Close(c) => {
                out.push(c);
                depth = depth.saturating_sub(1);
            }
            Token::Comma => out.push(','),
            Token::Colon => out.push(':'),
            Token::Scalar(text) => out.push_str(text),
        }
    }
    (out, deepest)
}

fn pretty(valid: &str) -> String {
    let mut out = String::with_capacity(valid.len() * 5 / 4);
    let mut depth = 0usize;
    let mut just_opened = false;
    for token in tokens(valid) {
        if just_opened && !matches!(token, Token::Close(_)) {
            new_line(&mut out, depth);
        }
        let opened = std::mem::replace(&mut just_opened, matches!(token, Token::Open(_)));
        match token {
            Token::Open(c) => {
                out.push(c);
                depth += 1;
            }
            Token::Close(c) => {
                depth = depth.saturating_sub(1);
                if !opened {
                    new_line(&mut out, depth);
                }
                out.push(c);
            }
            Token::Comma => {
                out.push(',');
                new_line(&mut out, depth);
            }
            Token::Colon => out.push_str(": "),
            Token::Scalar(text) => push_printable(&mut out, text),
        }
    }
    out
}

fn new_line(out: &mut String, depth: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", depth));
}

/// JSON lets DEL, the C1 controls and invisible characters stand unescaped: a terminal obeys some of them, and a person
/// sees none.
fn push_printable(out: &mut String, text: &str) {
    if is_visible(text) {
        return out.push_str(text);
    }
    out.push_str(&replace_unseen(text, |c, out| {
        for unit in c.encode_utf16(&mut [0; 2]) {
            let _ = write!(out, "\\u{unit:04x}");
        }
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, kept: &str) {
        assert_eq!(Json::parse(text).unwrap().as_str(), kept);
    }

    #[test]
    fn digits_order_and_strings_are_kept_and_white_space_is_not() {
        check(
            " 123456789012345678901234567890 ",
            "123456789012345678901234567890",
        );
        check("[1.10, 2.50e+10 ,-0]", "[1.10,2.50e+10,-0]");
        check(
            "{ \"b\" : 1 ,\n \"a\" : \"x , : \\\" y\" }",
            r#"{"b":1,"a":"x , : \" y"}"#,
        );
        check("{}", "{}");
        check("\"\\ud83d\\ude00 \u{4e2d}\"", "\"\\ud83d\\ude00 \u{4e2d}\"");
    }

    #[test]
    fn a_flaw_says_what_and_where() {
        let flaw = Json::parse("{\"a\": tru}").unwrap_err().to_string();
        assert_eq!(flaw, "expected null, true or false at line 1 column 10");
        assert!(Json::parse("").is_err());
        assert!(Json::parse("1 2").is_err());
    }

    #[test]
    fn strings_are_text_and_read_without_their_escapes() {
        assert!(matches!(
            Json::parse(r#"{"a": "\ud800x"}"#),
            Err(JsonFlaw::NotText { .. })
        ));
        assert!(Json::parse(r#""\uDC00""#).is_err());
        let json = Json::parse(r#"{"k\u0041": ["a\\ud800", "\ud83d\ude00", 1]}"#).unwrap();
        assert_eq!(json.strings().collect::<Vec<_>>(), ["kA", "a\\ud800", "😀"]);
    }

    #[test]
    fn nesting_is_bounded_however_deep_the_text() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert_eq!(
            Json::parse_value(&nested(MAX_DEPTH)).unwrap().depth(),
            MAX_DEPTH
        );
        assert!(Json::parse_value(&nested(MAX_DEPTH + 1)).is_err());
        let envelope = Json::parse(&nested(MAX_DEPTH + 10)).unwrap();
        assert!(envelope.read::<serde_json::Value>().is_ok());
        let flaw = Json::parse(&nested(100_000)).unwrap_err();
        assert!(matches!(flaw, JsonFlaw::TooDeep { depth: 100_000 }));
    }

    #[test]
    fn pretty_is_two_spaces_deep_and_leaves_empty_containers_on_their_line() {
        let json = Json::parse(r#"{"a":[1,{"b":[]}],"c":{}}"#).unwrap();
        assert_eq!(
            json.pretty(),
            "{\n  \"a\": [\n    1,\n    {\n      \"b\": []\n    }\n  ],\n  \"c\": {}\n}"
        );
    }

    #[test]
    fn control_and_invisible_characters_that_json_allows_are_not_sent_to_a_terminal() {
        let json = Json::parse("\"a\u{9b}31m\u{7f}\"").unwrap();
        assert_eq!(json.pretty(), "\"a\\u009b31m\\u007f\"");
        let json = Json::parse("{\"k\u{202e}\":\"密\u{200b}\u{2028}\u{e0041}é\"}").unwrap();
        assert_eq!(
            json.line(),
            "{\"k\\u202e\":\"密\\u200b\\u2028\\udb40\\udc41é\"}"
        );
        assert_eq!(
            json.pretty().parse::<serde_json::Value>().unwrap(),
            json.as_str().parse::<serde_json::Value>().unwrap()
        );
    }

    fn any_json() -> impl proptest::strategy::Strategy<Value = serde_json::Value> {
        use proptest::prelude::*;
        let leaf = prop_oneof![
            Just(serde_json::Value::Null),
            any::<bool>().prop_map(Into::into),
            any::<i64>().prop_map(Into::into),
            "\\PC{0,8}".prop_map(Into::into),
        ];
        leaf.prop_recursive(4, 32, 5, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Into::into),
                prop::collection::vec(("\\PC{0,5}", inner), 0..5)
                    .prop_map(|pairs| pairs.into_iter().collect::<serde_json::Map<_, _>>().into()),
            ]
        })
    }

    proptest::proptest! {
        #[test]
        fn laying_out_never_changes_the_value(value in any_json()) {
            let indented = serde_json::to_string_pretty(&value).unwrap();
            let json = Json::parse(&indented).unwrap();
            assert_eq!(json.as_str(), value.to_string());
            let again: serde_json::Value = serde_json::from_str(&json.pretty()).unwrap();
            assert_eq!(again, value);
        }

        #[test]
        fn any_text_is_read_or_refused(text in "[\\[\\]{}\",:a0-9\\\\ \n]{0,40}") {
            assert_eq!(Json::parse(&text).is_ok(), serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok());
        }
    }
}
