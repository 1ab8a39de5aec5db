//! The pieces of a plain text: words, ideographs, marks, and what must be taken to the letter.
//!
//! Code, quotations, numbers, addresses, paths and identifiers are [`Piece::Exact`], whole. Marks of
//! Markdown that only lay a text out are passed over; a box that is ticked or not is no layout.

use memory_steps::count;

use super::plain::{BREAK, QUOTE};
use crate::words::is_chinese;

/// One piece of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    /// A word of letters, as it is written, perhaps with an apostrophe.
    Word(&'a str),
    /// Something that is the same only if it is the same to the letter.
    Exact(&'a str),
    /// An ideograph.
    Sign(char),
    /// The end of a clause.
    Comma,
    /// The end of a sentence, a line of a list, or a paragraph.
    Stop,
}

/// Returns the pieces of a text that [`super::plain::plain`] made.
pub(super) fn pieces(plain: &str) -> Vec<Piece<'_>> {
    let mut reader = Reader {
        rest: plain,
        open_stars: 0,
        line: Line::Prose,
        unclosed: 0,
    };
    let mut pieces = Vec::with_capacity(plain.len() / 4);
    reader.begin_line();
    while let Some(piece) = reader.next_piece() {
        pieces.extend(piece);
    }
    pieces
}

/// Whether a line is part of a paragraph, or ends where it ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Line {
    Prose,
    Marked,
}

struct Reader<'a> {
    rest: &'a str,
    /// Marks of emphasis that were opened.
    open_stars: usize,
    line: Line,
    /// How many code spans were found not to be closed.
    unclosed: usize,
}

/// How many apostrophes are tried as the end of a quotation that an apostrophe opens.
const FARTHEST: usize = 16;
/// The longest word or run of marks that is read as one, in bytes.
const AHEAD: usize = 256;
/// How much of a line may stand between a quotation's or an emphasis' two marks, in bytes.
const LINE_AHEAD: usize = 1_000;
/// After so many code spans that are never closed, others are not looked for.
const UNCLOSED: usize = 16;

/// What a step of the reader yields: the end, nothing (white space, layout), or a piece.
type Step<'a> = Option<Option<Piece<'a>>>;

impl<'a> Reader<'a> {
    fn next_piece(&mut self) -> Step<'a> {
        count(1);
        let first = self.rest.chars().next()?;
        if first.is_whitespace() {
            return Some(self.cross_space());
        }
        Some(match first {
            _ if is_chinese(first) => self.take(first.len_utf8(), Piece::Sign(first)),
            '[' if self.rest.starts_with("[ ]") => self.take_exact(3),
            ',' | '(' | ')' | '[' | ']' | '{' | '}' => self.take(1, Piece::Comma),
            BREAK | ';' | '|' => self.take(1, Piece::Stop),
            '!' if !self.rest.starts_with("!=") => self.take(1, Piece::Stop),
            ':' | '?' => self.take_exact(1),
            '.' if !self.dot_begins_a_name() => self.take(1, Piece::Stop),
            '-' if self.is_dash() => self.take_dash(),
            '*' => self.cross_stars(),
            '~' if self.rest.starts_with("~~") => self.take_exact(2),
            '`' => self.take_code(),
            QUOTE => self.take_quotation(QUOTE),
            '\'' if self.rest[1..].starts_with(char::is_alphanumeric) => self.take_quotation('\''),
            _ => self.take_chunk(),
        })
    }

    fn take(&mut self, length: usize, piece: Piece<'a>) -> Option<Piece<'a>> {
        self.rest = &self.rest[length..];
        Some(piece)
    }

    fn take_exact(&mut self, length: usize) -> Option<Piece<'a>> {
        let exact = &self.rest[..length];
        self.take(length, Piece::Exact(exact))
    }

    /// Passes white space; says whether a sentence ends there.
    fn cross_space(&mut self) -> Option<Piece<'a>> {
        let after = self.rest.trim_start();
        let space = &self.rest[..self.rest.len() - after.len()];
        self.rest = after;
        let lines = space.matches('\n').count();
        if lines == 0 {
            return None;
        }
        self.open_stars = 0;
        let was = self.line;
        self.begin_line();
        let ends = lines > 1 || was == Line::Marked || self.line == Line::Marked;
        ends.then_some(Piece::Stop)
    }

    /// Passes the marks before a line's text: headings, quotations, bullets.
    fn begin_line(&mut self) {
        self.line = Line::Prose;
        loop {
            let after = self.rest.trim_start_matches(['#', '>', '-', '*', '+']);
            count(1 + self.rest.len() - after.len());
            let mark = &self.rest[..self.rest.len() - after.len()];
            let is_mark = !mark.is_empty()
                && after.starts_with([' ', '\t', '\n'])
                && (mark.len() == 1 || mark.chars().all(|c| matches!(c, '#' | '>')));
            if !is_mark {
                break;
            }
            self.line = Line::Marked;
            self.rest = after.trim_start_matches([' ', '\t']);
        }
        if self
            .rest
            .starts_with(|c: char| c.is_ascii_digit() || c == '|')
        {
            self.line = Line::Marked;
        }
    }

    /// Returns so much of what is ahead as is looked at before anything is taken.
    fn ahead(&self, most: usize) -> &'a str {
        let ahead = &self.rest[..self.rest.floor_char_boundary(most)];
        count(ahead.len());
        ahead
    }

    /// Returns what is left of the line behind so many bytes, as far as it is looked at.
    fn line_ahead(&self, skipped: usize) -> &'a str {
        let ahead = self
            .ahead(LINE_AHEAD + skipped)
            .get(skipped..)
            .unwrap_or_default();
        ahead.split('\n').next().unwrap_or_default()
    }

    fn dot_begins_a_name(&self) -> bool {
        let after = self.ahead(AHEAD).trim_start_matches('.');
        after.starts_with(|c: char| (c.is_alphanumeric() && !is_chinese(c)) || c == '/')
    }

    fn is_dash(&self) -> bool {
        let after = self.ahead(AHEAD).trim_start_matches('-');
        after.is_empty() || after.starts_with(char::is_whitespace)
    }

    /// Takes a dash; before a number it may be a minus.
    fn take_dash(&mut self) -> Option<Piece<'a>> {
        let after = self
            .ahead(AHEAD)
            .trim_start_matches('-')
            .trim_start_matches(' ');
        if after.starts_with(|c: char| c.is_ascii_digit()) {
            return self.take_exact(1);
        }
        self.rest = self.rest.trim_start_matches('-');
        Some(Piece::Stop)
    }

    /// Passes stars that come in pairs, for emphasis; a single one is kept to the letter.
    fn cross_stars(&mut self) -> Option<Piece<'a>> {
        let after = self.rest.trim_start_matches('*');
        let length = self.rest.len() - after.len();
        count(length);
        let line = self.line_ahead(length);
        let opens = !after.starts_with(char::is_whitespace) && line.contains(&self.rest[..length]);
        if self.open_stars == length {
            self.open_stars = 0;
        } else if self.open_stars == 0 && opens {
            self.open_stars = length;
        } else {
            return self.take_exact(length);
        }
        self.rest = after;
        None
    }

    /// Takes code between back ticks as one piece.
    fn take_code(&mut self) -> Option<Piece<'a>> {
        let after = self.rest.trim_start_matches('`');
        let ticks = &self.rest[..self.rest.len() - after.len()];
        let closing = if self.unclosed < UNCLOSED {
            after.find(ticks)
        } else {
            None
        };
        count(
            ticks.len()
                + closing.unwrap_or(if self.unclosed < UNCLOSED {
                    after.len()
                } else {
                    0
                }),
        );
        let Some(end) = closing else {
            self.unclosed += 1;
            return self.take_exact(ticks.len());
        };
        self.rest = &after[end + ticks.len()..];
        Some(Piece::Exact(after[..end].trim()))
    }

    /// Takes a quotation, or its mark alone if it is never closed.
    fn take_quotation(&mut self, mark: char) -> Option<Piece<'a>> {
        let after = &self.rest[1..];
        let line = self.line_ahead(1);
        let closes =
            |end: &usize| mark == QUOTE || !after[end + 1..].starts_with(char::is_alphanumeric);
        let Some(end) = line
            .match_indices(mark)
            .map(|(end, _)| end)
            .take(FARTHEST)
            .find(closes)
        else {
            return self.take_exact(1);
        };
        self.rest = &after[end + 1..];
        Some(Piece::Exact(
            after[..end].trim().trim_end_matches(['.', ',', BREAK]),
        ))
    }

    /// Takes what stands without white space: a word, or something to be taken to the letter.
    fn take_chunk(&mut self) -> Option<Piece<'a>> {
        let letters = self
            .ahead(AHEAD)
            .bytes()
            .take_while(u8::is_ascii_lowercase)
            .count();
        if letters > 0 && self.rest[letters..].starts_with(' ') {
            let word = &self.rest[..letters];
            return self.take(letters, Piece::Word(word));
        }
        let chunk = self.chunk();
        if !is_plain_word(chunk) {
            return self.take_exact(chunk.len());
        }
        // The parts of "dark-mode" are the words of "dark mode".
        let (word, after) = match chunk.split_once('-') {
            Some((word, _)) => (word, word.len() + 1),
            None => (chunk, chunk.len()),
        };
        self.take(after, Piece::Word(word))
    }

    fn chunk(&self) -> &'a str {
        let mut before = ' ';
        let ahead = self.ahead(AHEAD);
        let mut end = ahead.len();
        for (at, c) in ahead.char_indices() {
            if self.ends_chunk(before, c, &self.rest[at + c.len_utf8()..]) {
                end = at;
                break;
            }
            before = c;
        }
        let chunk = self.rest[..end].trim_end_matches(['.', ':', '\'']);
        let first = self.rest.chars().next().map_or(0, char::len_utf8);
        if chunk.is_empty() {
            &self.rest[..first]
        } else {
            chunk
        }
    }

    fn ends_chunk(&self, before: char, c: char, after: &str) -> bool {
        if c.is_ascii_alphanumeric() {
            return false;
        }
        let next = after.chars().next().unwrap_or(' ');
        match c {
            '"' | '`' | ';' | ')' | '[' | ']' | '{' | '}' | '|' | BREAK => {
                !(c == ')' && before == '(')
            }
            '!' | '?' | '=' | '&' => !next.is_ascii_alphanumeric() && next != '=',
            ',' => !(before.is_ascii_digit() && next.is_ascii_digit()),
            '(' => next != ')',
            ':' => next.is_whitespace() || is_chinese(next),
            '*' => self.open_stars > 0,
            _ => c.is_whitespace() || is_chinese(c),
        }
    }
}

/// Says whether a chunk is made of letters, with hyphens and apostrophes between them only.
fn is_plain_word(chunk: &str) -> bool {
    let is_word = |part: &str| {
        part.starts_with(char::is_alphabetic)
            && part.chars().all(|c| c.is_alphabetic() || c == '\'')
    };
    chunk
        .split('-')
        .all(|part| is_word(part) && !is_camel_case(part))
}

/// Says whether a word has a capital letter after a small one, as `getUser` has.
fn is_camel_case(word: &str) -> bool {
    let mut small = false;
    let is_camel = word.chars().any(|c| {
        let rises = small && c.is_uppercase();
        small |= c.is_lowercase();
        rises
    });
    is_camel && !BRANDS.iter().any(|brand| brand.eq_ignore_ascii_case(word))
}

/// Names that people write with one capital letter or two as they please.
#[rustfmt::skip]
const BRANDS: &[&str] = &[
    "GitHub", "GitLab", "JavaScript", "TypeScript", "PostgreSQL", "MySQL", "SQLite", "MongoDB", "GraphQL",
    "macOS", "iOS", "iPhone", "iPad", "YouTube", "LinkedIn", "OpenAI", "ChatGPT", "DeepSeek", "WeChat",
    "WhatsApp", "PayPal", "DevOps", "PyTorch", "TensorFlow", "NumPy", "FastAPI", "NoSQL", "LaTeX", "VSCode",
    "CoffeeScript", "WebSocket", "DuckDB", "RabbitMQ", "CloudFlare", "PyCharm", "NeoVim", "WiFi",
];

#[cfg(test)]
mod tests {
    use super::super::plain::plain;
    use super::*;

    #[track_caller]
    fn check(text: &str, shown: &str) {
        let plain = plain(text);
        let found: Vec<String> = pieces(&plain)
            .into_iter()
            .map(|piece| match piece {
                Piece::Word(word) => word.to_owned(),
                Piece::Exact(exact) => format!("={exact}"),
                Piece::Sign(sign) => sign.to_string(),
                Piece::Comma => ",".to_owned(),
                Piece::Stop => ".".to_owned(),
            })
            .collect();
        assert_eq!(found.join(" "), shown, "{text}");
    }

    #[test]
    fn words_and_marks_are_told_apart() {
        check(
            "User prefers the dark-mode.",
            "User prefers the dark mode .",
        );
        check("使用Rust写", "使 用 Rust 写");
        check("Don't; use GitHub!", "Don't . use GitHub .");
        check("tea,coffee (hot)", "tea , coffee , hot ,");
    }

    #[test]
    fn what_counts_to_the_letter_is_kept_whole() {
        check("see src/main.rs, line 3.", "see =src/main.rs , line =3 .");
        check("at 10:30 on 2026-05-07", "at =10:30 on =2026-05-07");
        check("https://a.b/c?d=e.", "=https://a.b/c?d=e .");
        check(
            "call `a b` or getUser() or foo_bar",
            "call =a b or =getUser() or =foo_bar",
        );
        check("say “dark mode.” and 'x y'", "say =dark mode and =x y");
        check(
            "-5 to 5%, $3, @bob, --flag",
            "=-5 to =5% , =$3 , =@bob , =--flag",
        );
        check("C++ ~~old~~ why?", "=C++ =~~ =old~~ why =?");
        check("10 - 5", "=10 =- =5");
        check("1,000 is 1, 000", "=1,000 is =1 , =000");
    }

    #[test]
    fn layout_is_passed_over() {
        check(
            "# Title\n\n- **one** thing\n- *two*",
            "Title . one thing . two",
        );
        check("a line\nthat is wrapped", "a line that is wrapped");
        check("- [x] done", ", x , done");
        check("- [ ] done", "=[ ] done");
        check("pass **kwargs on", "pass =** kwargs on");
    }
}
