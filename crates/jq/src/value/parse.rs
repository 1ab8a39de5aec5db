//! JSON text into a value, with the leniencies and the words of jq's own parser.
//!
//! Not recursive: open arrays and objects wait on a stack whose height is the depth bound.

use std::collections::HashMap;

use memchr::memchr2;
use memory_steps::count;

use super::{Items, Number, Object, Text, Value};
use crate::budget;
use crate::error::LimitKind;
use crate::limits::VALUE_DEPTH;

/// Why a text is no JSON value.
#[derive(Debug)]
pub(crate) enum ParseError {
    Invalid(String),
    Limit(LimitKind),
}

impl From<LimitKind> for ParseError {
    fn from(limit: LimitKind) -> Self {
        ParseError::Limit(limit)
    }
}

/// Reads the one JSON value a text holds.
pub(crate) fn parse(text: &str) -> Result<Value, ParseError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    budget::spend_for(text.len() / 4)?;
    let mut parser = Parser {
        text,
        at: 0,
        open: Vec::new(),
        next: None,
        values: Vec::new(),
        seen: HashMap::default(),
    };
    match parser.run() {
        Ok(()) => {}
        Err(Problem::Limit(limit)) => return Err(ParseError::Limit(limit)),
        Err(Problem::Words(words)) => return Err(ParseError::Invalid(parser.locate(&words))),
    }
    let mut values = parser.values;
    match (values.pop(), values.is_empty()) {
        (Some(value), true) => Ok(value),
        (Some(_), false) => Err(ParseError::Invalid(
            "Unexpected extra JSON values".to_owned(),
        )),
        (None, _) => Err(ParseError::Invalid("Expected JSON value".to_owned())),
    }
}

/// Reads a number, or one of the words that stand for what is no finite number.
pub(crate) fn parse_number(text: &str) -> Option<Number> {
    let (sign, word) = match text.strip_prefix('-') {
        Some(word) => (-1.0, word),
        None => (1.0, text.strip_prefix('+').unwrap_or(text)),
    };
    match word.to_ascii_lowercase().as_str() {
        "nan" => Some(Number::from(f64::NAN)),
        "infinity" | "inf" => Some(Number::from(sign * f64::INFINITY)),
        _ => Number::parse(text),
    }
}

enum Problem {
    Words(String),
    Limit(LimitKind),
}

impl From<LimitKind> for Problem {
    fn from(limit: LimitKind) -> Self {
        Problem::Limit(limit)
    }
}

fn problem<T>(words: &str) -> Result<T, Problem> {
    Err(Problem::Words(words.to_owned()))
}

/// An array or object whose end has not been seen.
enum Open {
    Array(Items),
    Object { object: Object, key: Option<Text> },
}

struct Parser<'a> {
    text: &'a str,
    /// Bytes read so far.
    at: usize,
    open: Vec<Open>,
    /// A value that waits for the comma or bracket after it.
    next: Option<Value>,
    values: Vec<Value>,
    /// Short strings seen lately: the keys of like objects are one string, not thousands.
    seen: HashMap<&'a str, Text>,
}

/// How long a string may be, and how many there may be, to be kept for the next time it comes.
const SEEN_BYTES: usize = 32;
const SEEN_STRINGS: usize = 256;

impl<'a> Parser<'a> {
    fn run(&mut self) -> Result<(), Problem> {
        while let Some(&byte) = self.text.as_bytes().get(self.at) {
            let start = self.at;
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' => {
                    self.at += 1;
                    self.flush();
                }
                b'"' => self.string()?,
                b'[' | b'{' | b']' | b'}' | b',' | b':' => {
                    self.at += 1;
                    self.token(byte)?;
                }
                _ => self.word()?,
            }
            count(1 + self.at - start);
        }
        self.flush();
        if self.open.is_empty() {
            Ok(())
        } else {
            problem("Unfinished JSON term")
        }
    }

    /// Moves a finished value of the outermost level to the results.
    fn flush(&mut self) {
        if self.open.is_empty() {
            self.values.extend(self.next.take());
        }
    }

    fn value(&mut self, value: Value) -> Result<(), Problem> {
        self.flush();
        if self.next.is_some() {
            return problem("Expected separator between values");
        }
        self.next = Some(value);
        Ok(())
    }

    fn token(&mut self, byte: u8) -> Result<(), Problem> {
        match byte {
            b'[' | b'{' => self.begin(byte),
            b']' => self.end_array(),
            b'}' => self.end_object(),
            b',' => self.comma(),
            _ => self.colon(),
        }
    }

    fn begin(&mut self, byte: u8) -> Result<(), Problem> {
        self.flush();
        if self.open.len() >= VALUE_DEPTH {
            return problem("Exceeds depth limit for parsing");
        }
        if self.next.is_some() {
            return problem("Expected separator between values");
        }
        self.open.push(match byte {
            b'[' => Open::Array(Items::new()?),
            _ => Open::Object {
                object: Object::new()?,
                key: None,
            },
        });
        Ok(())
    }

    fn end_array(&mut self) -> Result<(), Problem> {
        let Some(Open::Array(items)) = self.open.last_mut() else {
            return problem("Unmatched ']'");
        };
        match self.next.take() {
            Some(value) => items.push(value)?,
            None if items.len() > 0 => return problem("Expected another array element"),
            None => {}
        }
        if let Some(Open::Array(mut items)) = self.open.pop() {
            self.next = Some(items.finish()?);
        }
        Ok(())
    }

    fn end_object(&mut self) -> Result<(), Problem> {
        let Some(Open::Object { object, key }) = self.open.last_mut() else {
            return problem("Unmatched '}'");
        };
        match (self.next.take(), key.take()) {
            (Some(value), Some(key)) => object.insert(key, value)?,
            (Some(_), None) | (None, Some(_)) => {
                return problem("Objects must consist of key:value pairs");
            }
            (None, None) if object.len() > 0 => return problem("Expected another key-value pair"),
            (None, None) => {}
        }
        if let Some(Open::Object { object, .. }) = self.open.pop() {
            self.next = Some(Value::Object(object));
        }
        Ok(())
    }

    fn comma(&mut self) -> Result<(), Problem> {
        let Some(value) = self.next.take() else {
            return problem("Expected value before ','");
        };
        match self.open.last_mut() {
            None => problem("',' not as part of an array or object"),
            Some(Open::Array(items)) => Ok(items.push(value)?),
            Some(Open::Object { object, key }) => match key.take() {
                Some(key) => Ok(object.insert(key, value)?),
                None => problem("Objects must consist of key:value pairs"),
            },
        }
    }

    fn colon(&mut self) -> Result<(), Problem> {
        let Some(value) = self.next.take() else {
            return problem("Expected string key before ':'");
        };
        match (self.open.last_mut(), value) {
            (None | Some(Open::Array(_)), _) => problem("':' not as part of an object"),
            (Some(Open::Object { key: Some(_), .. }), _) => problem("':' should follow a key"),
            (Some(Open::Object { key, .. }), Value::String(text)) => {
                *key = Some(text);
                Ok(())
            }
            _ => problem("Object keys must be strings"),
        }
    }

    /// A number or a name: everything up to the next delimiter.
    fn word(&mut self) -> Result<(), Problem> {
        let rest = &self.text[self.at..];
        let end = rest.find(is_delimiter).unwrap_or(rest.len());
        let word = &rest[..end];
        // A faulty word is noticed at the delimiter after it.
        let seen = self.at + end + usize::from(end < rest.len());
        self.at += end;
        let value = match literal(word) {
            Ok(value) => value,
            Err(words) => {
                self.at = seen;
                return Err(Problem::Words(words));
            }
        };
        if let Err(found) = self.value(value) {
            self.at = seen;
            return Err(found);
        }
        Ok(())
    }

    fn string(&mut self) -> Result<(), Problem> {
        let start = self.at + 1;
        let Some((end, has_escape)) = end_of_string(self.text.as_bytes(), start) else {
            self.at = self.text.len();
            return problem("Unfinished string");
        };
        self.at = end + 1;
        let raw = self.text.get(start..end).unwrap_or_default();
        if raw.bytes().any(|byte| byte < b' ') {
            return problem(
                "Invalid string: control characters from U+0000 through U+001F must be escaped",
            );
        }
        let value = if has_escape {
            Value::string(unescape(raw).map_err(Problem::Words)?)?
        } else {
            Value::String(self.shared(raw)?)
        };
        self.value(value)
    }

    /// A string without escapes, shared with an equal one that came before it.
    fn shared(&mut self, raw: &'a str) -> Result<Text, Problem> {
        if raw.len() > SEEN_BYTES {
            return Ok(Text::copy(raw)?);
        }
        if let Some(text) = self.seen.get(raw) {
            return Ok(text.clone());
        }
        let text = Text::copy(raw)?;
        if self.seen.len() < SEEN_STRINGS {
            self.seen.insert(raw, text.clone());
        }
        Ok(text)
    }

    /// The words of a problem with where it was noticed.
    fn locate(&self, words: &str) -> String {
        let read = &self.text.as_bytes()[..self.at.min(self.text.len())];
        count(read.len());
        let line = read.iter().filter(|byte| **byte == b'\n').count() + 1;
        let column = read.iter().rev().take_while(|byte| **byte != b'\n').count();
        let at_end = read.len() == self.text.len() && is_noticed_at_end(words, read);
        let place = if at_end { "at EOF at" } else { "at" };
        format!("{words} {place} line {line}, column {column}")
    }
}

/// Whether a problem shows only once the text is over, not at its last character.
fn is_noticed_at_end(words: &str, read: &[u8]) -> bool {
    let is_word = words.starts_with("Invalid numeric") || words.starts_with("Invalid literal");
    let ends_open = read.last().is_some_and(|byte| !is_delimiter(*byte as char));
    words.starts_with("Unfinished")
        || words.starts_with("Invalid string literal")
        || is_word && ends_open
}

/// Where the string that begins at `at` ends, and whether it has escapes.
fn end_of_string(bytes: &[u8], mut at: usize) -> Option<(usize, bool)> {
    let mut has_escape = false;
    loop {
        at += memchr2(b'"', b'\\', bytes.get(at..)?)?;
        if bytes[at] == b'"' {
            return Some((at, has_escape));
        }
        has_escape = true;
        at += 2;
    }
}

fn is_delimiter(character: char) -> bool {
    matches!(
        character,
        ' ' | '\t' | '\r' | '\n' | '"' | '[' | ']' | '{' | '}' | ',' | ':'
    )
}

fn literal(word: &str) -> Result<Value, String> {
    match word {
        "true" => return Ok(Value::Bool(true)),
        "false" => return Ok(Value::Bool(false)),
        "null" => return Ok(Value::Null),
        _ => {}
    }
    if word.starts_with('\'') {
        return Err("Invalid string literal; expected \", but got '".to_owned());
    }
    match parse_number(word) {
        Some(number) => Ok(Value::Number(number)),
        None if word.starts_with(['t', 'f']) || word.starts_with("nu") || word == "n" => {
            Err("Invalid literal".to_owned())
        }
        None => Err("Invalid numeric literal".to_owned()),
    }
}

/// A string's text with its escapes replaced.
pub(crate) fn unescape(raw: &str) -> Result<String, String> {
    let mut text = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = rest.find('\\') {
        text.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let mut characters = rest.chars();
        let escaped = characters.next();
        rest = characters.as_str();
        text.push(match escaped {
            Some(plain @ ('"' | '\\' | '/')) => plain,
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('u') => {
                let (character, after) = unicode_escape(rest)?;
                rest = after;
                character
            }
            _ => return Err("Invalid escape".to_owned()),
        });
    }
    text.push_str(rest);
    Ok(text)
}

/// The character of `XXXX` or `XXXX\uXXXX`, and what comes after it.
fn unicode_escape(rest: &str) -> Result<(char, &str), String> {
    let hex = |text: &str| -> Option<u32> {
        let digits = text
            .get(..4)
            .filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
        u32::from_str_radix(digits, 16).ok()
    };
    let Some(high) = hex(rest) else {
        return Err("Invalid \\uXXXX escape".to_owned());
    };
    let rest = &rest[4..];
    if !(0xd800..0xdc00).contains(&high) {
        return Ok((
            char::from_u32(high).unwrap_or(char::REPLACEMENT_CHARACTER),
            rest,
        ));
    }
    let low = rest
        .strip_prefix("\\u")
        .and_then(hex)
        .filter(|low| (0xdc00..0xe000).contains(low));
    let Some(low) = low else {
        return Err("Invalid \\uXXXX\\uXXXX surrogate pair escape".to_owned());
    };
    let code = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
    Ok((
        char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER),
        &rest[6..],
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_of_any_shape_is_read_in_linear_time() {
        for unit in [
            "[",
            "[]",
            "{",
            "{\"a\":",
            "1",
            "1,",
            "[1,",
            "\"",
            "\\",
            "\"\\u0041",
            " ",
            "\n",
            "nul",
            "é",
            "-",
            "\"a\" ",
        ] {
            for begin in ["", "[", "[\"", "{\"a\":["] {
                let text = |n: usize| format!("{begin}{}", unit.repeat(n));
                let growth = memory_steps::Growth::of(2_000, text, |text| drop(parse(&text)));
                assert!(growth.is_linear(), "{begin}{unit}: {growth:?}");
            }
        }
    }
}
