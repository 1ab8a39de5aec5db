//! JSON with comments as a tree of places: what stands where in a text, and nothing is copied.
//!
//! Accepts what editors' configurations have (`//`, `/* */`, commas before a closing bracket). A
//! place is a range of bytes, so that whoever changes an entry can leave the rest alone.

use std::ops::Range;

use serde_json::{Map, Value};

use super::Refusal;

/// Deepest nesting that is read.
const DEEPEST: usize = 128;

/// A value and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Node {
    pub(super) span: Range<usize>,
    pub(super) shape: Shape,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Shape {
    Object(Vec<Member>),
    Array(Vec<Node>),
    Scalar(Value),
}

/// A name and its value; the span covers both.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Member {
    pub(super) name: String,
    pub(super) begin: usize,
    pub(super) value: Node,
}

impl Node {
    /// Returns where each member or element stands, names included.
    pub(super) fn items(&self) -> Vec<Range<usize>> {
        match &self.shape {
            Shape::Object(members) => members
                .iter()
                .map(|member| member.begin..member.value.span.end)
                .collect(),
            Shape::Array(nodes) => nodes.iter().map(|node| node.span.clone()).collect(),
            Shape::Scalar(_) => vec![],
        }
    }

    /// Returns the value without its place. Of a name that stands twice the last counts.
    pub(super) fn value(&self) -> Value {
        match &self.shape {
            Shape::Scalar(value) => value.clone(),
            Shape::Array(nodes) => nodes.iter().map(Node::value).collect(),
            Shape::Object(members) => {
                let pairs = members
                    .iter()
                    .map(|member| (member.name.clone(), member.value.value()));
                Value::Object(pairs.collect::<Map<_, _>>())
            }
        }
    }
}

/// Reads a text; none when there is nothing in it but white space and comments.
pub(super) fn scan(text: &str) -> Result<Option<Node>, Refusal> {
    let mut scanner = Scanner {
        text,
        at: skip(text, start(text)),
        depth: 0,
    };
    if scanner.at == text.len() {
        return Ok(None);
    }
    let root = scanner.node()?;
    if skip(text, scanner.at) == text.len() {
        Ok(Some(root))
    } else {
        Err(scanner.broken("there is text after the end"))
    }
}

/// Some editors put a mark before the first character.
fn start(text: &str) -> usize {
    if text.starts_with('\u{feff}') {
        '\u{feff}'.len_utf8()
    } else {
        0
    }
}

/// Returns where the next thing stands that is neither white space nor a comment.
pub(super) fn skip(text: &str, from: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = from;
    while let Some(byte) = bytes.get(at) {
        match (byte, bytes.get(at + 1)) {
            (b' ' | b'\t' | b'\r' | b'\n', _) => at += 1,
            (b'/', Some(b'/')) => at = text[at..].find('\n').map_or(text.len(), |n| at + n),
            (b'/', Some(b'*')) => match text[at + 2..].find("*/") {
                Some(n) => at += n + 4,
                None => return at,
            },
            _ => break,
        }
    }
    at
}

struct Scanner<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
}

impl Scanner<'_> {
    fn node(&mut self) -> Result<Node, Refusal> {
        let begin = self.at;
        let shape = match self.byte() {
            Some(b'{') => Shape::Object(self.list(b'}', Scanner::member)?),
            Some(b'[') => Shape::Array(self.list(b']', Scanner::node)?),
            Some(_) => Shape::Scalar(self.scalar()?),
            None => return Err(self.broken("it ends unexpectedly")),
        };
        Ok(Node {
            span: begin..self.at,
            shape,
        })
    }

    fn list<T>(
        &mut self,
        close: u8,
        item: fn(&mut Self) -> Result<T, Refusal>,
    ) -> Result<Vec<T>, Refusal> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.broken("it is nested too deeply"));
        }
        self.at = skip(self.text, self.at + 1);
        let mut items = Vec::new();
        while self.byte() != Some(close) {
            items.push(item(self)?);
            self.at = skip(self.text, self.at);
            match self.byte() {
                Some(b',') => self.at = skip(self.text, self.at + 1),
                Some(byte) if byte == close => {}
                Some(_) => return Err(self.broken("a comma is missing")),
                None => return Err(self.broken("it ends unexpectedly")),
            }
        }
        self.at += 1;
        self.depth -= 1;
        Ok(items)
    }

    fn member(&mut self) -> Result<Member, Refusal> {
        let begin = self.at;
        let Value::String(name) = self.scalar()? else {
            return Err(self.broken("a name is not quoted"));
        };
        self.at = skip(self.text, self.at);
        if self.byte() != Some(b':') {
            return Err(self.broken("a colon is missing"));
        }
        self.at = skip(self.text, self.at + 1);
        Ok(Member {
            name,
            begin,
            value: self.node()?,
        })
    }

    fn scalar(&mut self) -> Result<Value, Refusal> {
        let rest = &self.text[self.at..];
        let length = if rest.starts_with('"') {
            quoted(rest).ok_or_else(|| self.broken("a string is not terminated"))?
        } else {
            rest.find(|c: char| !c.is_ascii_alphanumeric() && !"+-.".contains(c))
                .unwrap_or(rest.len())
        };
        let read = serde_json::from_str(&rest[..length]);
        let value = read.map_err(|_| self.broken("this is not JSON"))?;
        self.at += length;
        Ok(value)
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn broken(&self, what: &str) -> Refusal {
        let line = 1 + self.text[..self.at].matches('\n').count();
        Refusal::Broken {
            line,
            what: what.to_owned(),
        }
    }
}

/// Returns how long the quoted text is that this begins with.
fn quoted(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    text.bytes().enumerate().skip(1).find_map(|(n, byte)| {
        let ends = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        ends.then_some(n + 1)
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Value) {
        assert_eq!(scan(text).unwrap().unwrap().value(), expected, "{text}");
    }

    #[test]
    fn comments_and_last_commas_are_read_as_editors_do() {
        check(
            r#"{"a": 1, "b": [true, null, "x\"]"]}"#,
            json!({"a": 1, "b": [true, null, "x\"]"]}),
        );
        check(
            "\u{feff}// first\n{ /* in */ \"a\": -1.5e3, // end\n}\n// after",
            json!({"a": -1500.0}),
        );
        check("[1,2,]", json!([1, 2]));
        assert_eq!(scan(" // nothing\n").unwrap(), None);
    }

    #[test]
    fn what_is_no_json_is_told_with_its_line() {
        for (text, line) in [
            ("{\n\"a\" 1}", 2),
            ("{\"a\": 1\n\n\"b\": 2}", 3),
            ("{\"a\": \"x", 1),
            ("{a: 1}", 1),
            ("{} {}", 1),
            ("{", 1),
            ("/* no end", 1),
            ("nul", 1),
        ] {
            let refusal = scan(text).unwrap_err();
            assert!(
                matches!(refusal, Refusal::Broken { line: told, .. } if told == line),
                "{text}: {refusal}"
            );
        }
        assert!(scan(&"[".repeat(100_000)).is_err());
    }
}
