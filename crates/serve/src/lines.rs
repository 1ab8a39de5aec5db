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
    /// A line beyond the limit.
    TooLong,
}

/// The line that is not yet whole.
#[derive(Debug)]
pub struct Lines {
    most: usize,
    held: Vec<u8>,
    is_skipping: bool,
}

impl Default for Lines {
    fn default() -> Self {
        Lines::up_to(LINE_BYTES)
    }
}

impl Lines {
    /// Returns a reader of lines with at most so many bytes.
    pub fn up_to(most: usize) -> Self {
        Lines { most, held: Vec::new(), is_skipping: false }
    }

    /// Takes bytes up to the end of a line; returns what is left of them and what was completed.
    pub fn take<'b>(&mut self, bytes: &'b [u8]) -> (&'b [u8], Option<Line>) {
        let end = bytes.iter().position(|byte| *byte == b'\n');
        let (piece, rest) = match end {
            Some(at) => (&bytes[..at], &bytes[at + 1..]),
            None => (bytes, &bytes[bytes.len()..]),
        };
        let was_skipping = self.is_skipping;
        if was_skipping || self.held.len() + piece.len() > self.most {
            self.held = Vec::new();
            self.is_skipping = end.is_none();
            return (rest, (!was_skipping).then_some(Line::TooLong));
        }
        self.held.extend_from_slice(piece);
        (rest, end.map(|_| Line::Whole(std::mem::take(&mut self.held))))
    }

    /// Returns the last line, if it came without an end.
    pub fn finish(&mut self) -> Option<Line> {
        let last = std::mem::take(&mut self.held);
        (!last.is_empty()).then_some(Line::Whole(last))
    }

    /// Says whether a line has begun that is not whole yet.
    pub fn is_waiting(&self) -> bool {
        self.is_skipping || !self.held.is_empty()
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
            for mut piece in text.as_bytes().chunks(size) {
                while !piece.is_empty() {
                    let (rest, line) = lines.take(piece);
                    found.extend(line);
                    piece = rest;
                }
                assert!(lines.held.capacity() <= 16, "nothing is kept beyond the limit");
            }
            found.extend(lines.finish());
            assert_eq!(found, expected, "in pieces of {size}");
        }
    }

    #[test]
    fn lines_are_the_same_however_the_bytes_are_cut() {
        check("one\ntwo\n", &[whole("one"), whole("two")]);
        check("one\n\n\ntwo", &[whole("one"), whole(""), whole(""), whole("two")]);
        check("12345\n", &[whole("12345")]);
    }

    #[test]
    fn a_line_that_is_too_long_is_told_once_and_the_next_one_is_read() {
        check("123456\nok\n", &[Line::TooLong, whole("ok")]);
        check("1234567890123456789012345678901234567890\nok\n", &[Line::TooLong, whole("ok")]);
        check("123456", &[Line::TooLong]);
    }
}
