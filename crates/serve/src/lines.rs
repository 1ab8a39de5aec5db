//! Lines out of bytes as they come, never holding more than the longest line.
//!
//! A line that is too long is told once, as soon as that is clear; the rest of it is passed over
//! without being kept. No socket appears here, so that any cut of the bytes can be tried in a test.

use crate::limits::LINE_BYTES;

/// What some bytes completed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// A line, without its end.
    Whole(Vec<u8>),
    /// A line beyond the limit, of which only the beginning is kept.
    TooLong(Vec<u8>),
}

/// So much of a line that is too long is kept: it may tell who waits for an answer.
const BEGINNING: usize = 256;

/// What was read, up to the line that is not yet whole.
#[derive(Debug)]
pub struct Lines {
    most: usize,
    /// Read, and taken apart up to `taken`.
    read: Vec<u8>,
    taken: usize,
    /// The beginning of a line that is not yet whole.
    held: Vec<u8>,
    is_skipping: bool,
    has_ended: bool,
}

impl Default for Lines {
    fn default() -> Self {
        Lines::up_to(LINE_BYTES)
    }
}

impl Lines {
    /// Returns a reader of lines with at most so many bytes.
    pub fn up_to(most: usize) -> Self {
        Lines {
            most,
            read: Vec::new(),
            taken: 0,
            held: Vec::new(),
            is_skipping: false,
            has_ended: false,
        }
    }

    /// Takes what was read; nothing at all is the end. All lines before it must have been asked for.
    pub fn hear(&mut self, bytes: &[u8]) {
        self.has_ended |= bytes.is_empty();
        self.read.extend_from_slice(bytes);
    }

    /// Returns the next line; the last one may have come without an end.
    pub fn next_line(&mut self) -> Option<Line> {
        while self.taken < self.read.len() {
            if let Some(line) = self.take() {
                return Some(line);
            }
        }
        (self.taken, self.read) = (0, Vec::new());
        let is_last = self.has_ended && !self.held.is_empty();
        is_last.then(|| Line::Whole(std::mem::take(&mut self.held)))
    }

    /// Takes bytes up to the end of a line.
    fn take(&mut self) -> Option<Line> {
        let bytes = &self.read[self.taken..];
        let end = bytes.iter().position(|byte| *byte == b'\n');
        let piece = &bytes[..end.unwrap_or(bytes.len())];
        self.taken += end.map_or(bytes.len(), |at| at + 1);
        let was_skipping = self.is_skipping;
        if was_skipping || self.held.len() + piece.len() > self.most {
            let beginning = || {
                self.held
                    .iter()
                    .chain(piece)
                    .take(BEGINNING)
                    .copied()
                    .collect()
            };
            let told = (!was_skipping).then(|| Line::TooLong(beginning()));
            self.held = Vec::new();
            self.is_skipping = end.is_none();
            return told;
        }
        self.held.extend_from_slice(piece);
        end.map(|_| Line::Whole(std::mem::take(&mut self.held)))
    }

    /// Says whether a line has begun that is not whole yet.
    pub fn is_waiting(&self) -> bool {
        self.is_skipping || !self.held.is_empty()
    }

    /// Says whether nothing more will come.
    pub fn has_ended(&self) -> bool {
        self.has_ended
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(text: &str) -> Line {
        Line::Whole(text.into())
    }

    /// Feeds the text in pieces of every size: the lines must be the same.
    #[track_caller]
    fn check(text: &str, expected: &[Line]) {
        for size in 1..=text.len() {
            let mut lines = Lines::up_to(5);
            let mut found = Vec::new();
            for piece in text.as_bytes().chunks(size).chain([&b""[..]]) {
                lines.hear(piece);
                found.extend(std::iter::from_fn(|| lines.next_line()));
                assert!(
                    lines.held.capacity() <= 16 && lines.read.capacity() == 0,
                    "nothing is kept beyond it"
                );
            }
            assert!(lines.has_ended());
            found.iter_mut().for_each(|line| {
                if let Line::TooLong(beginning) = line {
                    beginning.truncate(6);
                }
            });
            assert_eq!(found, expected, "in pieces of {size}");
        }
    }

    #[test]
    fn lines_are_the_same_however_the_bytes_are_cut() {
        check("one\ntwo\n", &[whole("one"), whole("two")]);
        check(
            "one\n\n\ntwo",
            &[whole("one"), whole(""), whole(""), whole("two")],
        );
        check("12345\n", &[whole("12345")]);
    }

    #[test]
    fn a_line_that_is_too_long_is_told_once_and_the_next_one_is_read() {
        let check = |text: &str, rest: &[Line]| {
            // How much of it has come when it is clear depends on the pieces; the beginning is the same.
            check(text, &[&[Line::TooLong(b"123456".into())], rest].concat());
        };
        check("123456\nok\n", &[whole("ok")]);
        check(
            "1234567890123456789012345678901234567890\nok\n",
            &[whole("ok")],
        );
        check("123456", &[]);
    }
}
