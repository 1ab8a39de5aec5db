//! Filter text into tokens.
//!
//! Strings are cut at their `\(…)`, whose inside is tokens again; the lexer remembers which
//! brackets are open to know where such an inside ends.

use super::SyntaxError;
use crate::value::unescape;

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kind {
    /// An operator, bracket or separator.
    Symbol(&'static str),
    /// A keyword or the name of a filter.
    Name(String),
    /// `.name`
    Field(String),
    /// `$name`
    Variable(String),
    /// `@name`
    Format(String),
    Number(String),
    TextStart,
    Text(String),
    FillStart,
    FillEnd,
    TextEnd,
    End,
}

#[derive(Debug, Clone)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) at: usize,
}

/// Longest first, so that `//=` is not taken for `//`.
const SYMBOLS: &[&str] = &[
    "?//", "//=", "!=", "==", "//", "|=", "+=", "-=", "*=", "/=", "%=", "<=", ">=", "..", "?", "=",
    ";", ",", ":", "|", "+", "-", "*", "/", "%", "<", ">", ".",
];

/// The tokens of a text, ended by [`Kind::End`].
pub(super) fn lex(text: &str) -> Result<Vec<Token>, SyntaxError> {
    let mut lexer = Lexer {
        text,
        at: 0,
        open: Vec::new(),
        tokens: Vec::new(),
    };
    while lexer.step()? {}
    lexer.push(Kind::End, text.trim_end().len());
    Ok(lexer.tokens)
}

#[derive(Clone, Copy, PartialEq)]
enum Open {
    Bracket(&'static str),
    /// `\(` within a string
    Fill,
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    open: Vec<Open>,
    tokens: Vec<Token>,
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn push(&mut self, kind: Kind, at: usize) {
        self.tokens.push(Token { kind, at });
    }

    /// Takes one token; false at the end.
    fn step(&mut self) -> Result<bool, SyntaxError> {
        self.skip_space();
        let at = self.at;
        let Some(first) = self.rest().chars().next() else {
            return Ok(false);
        };
        match first {
            '"' => {
                self.at += 1;
                self.push(Kind::TextStart, at);
                self.string()?;
            }
            '(' | '[' | '{' => self.open_bracket(first),
            ')' | ']' | '}' => self.close_bracket(first)?,
            'a'..='z' | 'A'..='Z' | '_' => {
                let name = self.take_name();
                self.push(Kind::Name(name), at);
            }
            '$' | '@' => self.prefixed(first)?,
            '.' if self.starts_field() => {
                self.at += 1;
                let name = self.take_word();
                self.push(Kind::Field(name), at);
            }
            _ if self.number() => {}
            _ => self.symbol()?,
        }
        Ok(true)
    }

    /// Skips white space and comments; a backslash at its end carries a comment on.
    fn skip_space(&mut self) {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start_matches([' ', '\t', '\n', '\r']);
            self.at += rest.len() - trimmed.len();
            if !trimmed.starts_with('#') {
                return;
            }
            loop {
                let rest = self.rest();
                let end = rest.find('\n').unwrap_or(rest.len());
                let line = rest[..end].trim_end_matches('\r');
                let backslashes = line.bytes().rev().take_while(|byte| *byte == b'\\').count();
                self.at = (self.at + end + 1).min(self.text.len());
                if backslashes % 2 == 0 || self.rest().is_empty() {
                    break;
                }
            }
        }
    }

    fn starts_field(&self) -> bool {
        self.rest()[1..].starts_with(|next: char| next.is_ascii_alphabetic() || next == '_')
    }

    fn take_word(&mut self) -> String {
        let rest = self.rest();
        let end = rest
            .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .unwrap_or(rest.len());
        let word = rest[..end].to_owned();
        self.at += end;
        word
    }

    /// A name with the modules before it, as in `module::name`.
    fn take_name(&mut self) -> String {
        let mut name = self.take_word();
        while self.rest().starts_with("::")
            && self.rest()[2..].starts_with(|next: char| next.is_ascii_alphabetic() || next == '_')
        {
            self.at += 2;
            name.push_str("::");
            name.push_str(&self.take_word());
        }
        name
    }

    fn prefixed(&mut self, first: char) -> Result<(), SyntaxError> {
        let at = self.at;
        self.at += 1;
        let is_name = self
            .rest()
            .starts_with(|next: char| next.is_ascii_alphabetic() || next == '_');
        if !is_name {
            return Err(SyntaxError::new(
                format!("Expected a name after '{first}'"),
                at,
            ));
        }
        let name = self.take_name();
        self.push(
            if first == '$' {
                Kind::Variable(name)
            } else {
                Kind::Format(name)
            },
            at,
        );
        Ok(())
    }

    /// Takes a number if one starts here.
    fn number(&mut self) -> bool {
        let rest = self.rest();
        let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        let whole = digits(rest);
        let mut length = whole;
        if rest[length..].starts_with('.') {
            let fraction = digits(&rest[length + 1..]);
            if whole == 0 && fraction == 0 {
                return false;
            }
            // `1..2` is a number, then `.`, then a number.
            length += 1 + fraction;
        }
        if length == 0 {
            return false;
        }
        if rest[length..].starts_with(['e', 'E']) {
            let sign = usize::from(rest[length + 1..].starts_with(['+', '-']));
            let power = digits(&rest[length + 1 + sign..]);
            length += if power > 0 { 1 + sign + power } else { 0 };
        }
        let (number, at) = (rest[..length].to_owned(), self.at);
        self.at += length;
        self.push(Kind::Number(number), at);
        true
    }

    fn symbol(&mut self) -> Result<(), SyntaxError> {
        let found = SYMBOLS
            .iter()
            .find(|symbol| self.rest().starts_with(**symbol));
        let Some(symbol) = found else {
            let character = self.rest().chars().next().unwrap_or_default();
            return Err(SyntaxError::new(
                format!("Unexpected character '{character}'"),
                self.at,
            ));
        };
        self.push(Kind::Symbol(symbol), self.at);
        self.at += symbol.len();
        Ok(())
    }

    fn open_bracket(&mut self, bracket: char) {
        let (open, close) = match bracket {
            '(' => ("(", ")"),
            '[' => ("[", "]"),
            _ => ("{", "}"),
        };
        self.push(Kind::Symbol(open), self.at);
        self.open.push(Open::Bracket(close));
        self.at += 1;
    }

    fn close_bracket(&mut self, bracket: char) -> Result<(), SyntaxError> {
        let at = self.at;
        self.at += 1;
        match self.open.pop() {
            Some(Open::Bracket(close)) if close.starts_with(bracket) => {
                self.push(Kind::Symbol(close), at)
            }
            Some(Open::Fill) if bracket == ')' => {
                self.push(Kind::FillEnd, at);
                self.string()?;
            }
            _ => return Err(SyntaxError::new(format!("Unmatched '{bracket}'"), at)),
        }
        Ok(())
    }

    /// Takes the rest of a string, up to its end or the next `\(`.
    fn string(&mut self) -> Result<(), SyntaxError> {
        let start = self.at;
        let bytes = self.text.as_bytes();
        let mut end = start;
        loop {
            match (bytes.get(end), bytes.get(end + 1)) {
                (None, _) => {
                    return Err(SyntaxError::new(
                        "Unterminated string",
                        start.saturating_sub(1),
                    ));
                }
                (Some(b'"'), _) => {
                    self.string_text(start, end)?;
                    self.push(Kind::TextEnd, end);
                    self.at = end + 1;
                    return Ok(());
                }
                (Some(b'\\'), Some(b'(')) => {
                    self.string_text(start, end)?;
                    self.push(Kind::FillStart, end);
                    self.open.push(Open::Fill);
                    self.at = end + 2;
                    return Ok(());
                }
                (Some(b'\\'), _) => end += 2,
                (Some(_), _) => end += 1,
            }
        }
    }

    fn string_text(&mut self, start: usize, end: usize) -> Result<(), SyntaxError> {
        if start == end {
            return Ok(());
        }
        let raw = self.text.get(start..end).unwrap_or_default();
        let text = unescape(raw).map_err(|message| SyntaxError::new(message, start))?;
        self.push(Kind::Text(text), start);
        Ok(())
    }
}
