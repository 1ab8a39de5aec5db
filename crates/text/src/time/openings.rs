//! Where may a time phrase begin? The one pass over the whole text, so this file is the fast one.
//!
//! It names places and reads nothing: a place is the start of a word that opens phrases, of a
//! number, or a Chinese character that does. Code spans, code blocks and addresses are stepped over.

use memory_steps::count;

use super::cursor::{digit_value, is_word_char};
use super::{chinese, english, numbers};

/// The longest code span that is stepped over, in bytes.
const SPAN_BYTES: usize = 4_096;
/// How many underscores before a word are passed over to see what they join it to.
const UNDERSCORES: usize = 64;

pub(super) struct Openings<'t> {
    text: &'t str,
    place: usize,
}

impl<'t> Openings<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Openings { text, place: 0 }
    }

    /// Goes on behind a phrase that was read.
    pub(super) fn resume_at(&mut self, place: usize) {
        self.place = place.max(self.place);
    }

    pub(super) fn next_opening(&mut self) -> Option<usize> {
        loop {
            count(1);
            let start = self.place;
            let byte = *self.text.as_bytes().get(start)?;
            let opens = match byte {
                b'a'..=b'z' | b'A'..=b'Z' => self.step_over_word(),
                b'0'..=b'9' => self.step_over_number(),
                b'`' | b'~' => self.step_over_code(byte),
                0x80.. => self.step_over_character(),
                _ => self.step(1),
            };
            if opens {
                return Some(start);
            }
        }
    }

    fn step(&mut self, bytes: usize) -> bool {
        self.place += bytes;
        false
    }

    fn bytes_from(&self, place: usize) -> &'t [u8] {
        self.text.as_bytes().get(place..).unwrap_or_default()
    }

    fn step_over_word(&mut self) -> bool {
        let start = self.place;
        let length = self
            .bytes_from(start)
            .iter()
            .take_while(|byte| byte.is_ascii_alphabetic())
            .count();
        count(length);
        self.place += length;
        let (word, rest) = (
            self.bytes_from(start).get(..length).unwrap_or_default(),
            self.bytes_from(self.place),
        );
        if rest.starts_with(b"://") || word.eq_ignore_ascii_case(b"www") {
            self.step_over_address();
            return false;
        }
        english::opens(word, rest) && word_starts_cleanly(self.text, start)
    }

    fn step_over_address(&mut self) {
        let length = self
            .bytes_from(self.place)
            .iter()
            .take_while(|byte| byte.is_ascii_graphic())
            .count();
        count(length);
        self.place += length;
    }

    /// Steps over all that hangs together with a number, so that no part of a version, a phone
    /// number or a hash is ever taken for a number of its own.
    fn step_over_number(&mut self) -> bool {
        let start = self.place;
        let bytes = self.bytes_from(start);
        let joins = |index: usize| match bytes.get(index) {
            Some(byte) if byte.is_ascii_alphanumeric() => true,
            Some(b',') => bytes.get(index + 1).is_some_and(u8::is_ascii_digit),
            Some(b'.' | b'_' | b'-' | b'/' | b':' | b'+') => {
                bytes.get(index + 1).is_some_and(u8::is_ascii_alphanumeric)
            }
            _ => false,
        };
        let length = (1..bytes.len())
            .find(|index| !joins(*index))
            .unwrap_or(bytes.len());
        count(length);
        self.place += length;
        let digits = bytes
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        english::number_may_go_on(bytes.get(digits..).unwrap_or_default())
            && number_starts_cleanly(self.text, start)
    }

    fn step_over_character(&mut self) -> bool {
        let start = self.place;
        let Some(found) = self.text.get(start..).and_then(|rest| rest.chars().next()) else {
            return self.step(1);
        };
        self.place += found.len_utf8();
        if digit_value(found).is_none() && !numbers::is_numeral(found) {
            return chinese::opens(found, self.text.get(self.place..).unwrap_or_default());
        }
        self.step_over_numerals();
        let before = self
            .text
            .get(..start)
            .and_then(|before| before.chars().next_back());
        // An ordinal or "some ten" counts nothing that could be a time.
        let is_vague = before
            .is_some_and(|before| matches!(before, '第' | '几' | '数') || is_word_char(before));
        !is_vague && chinese::may_be_counted(self.text.get(self.place..).unwrap_or_default())
    }

    fn step_over_numerals(&mut self) {
        let rest = self.text.get(self.place..).unwrap_or_default();
        let is_part = |found: &char| digit_value(*found).is_some() || numbers::is_numeral(*found);
        let length = rest
            .chars()
            .take_while(is_part)
            .map(char::len_utf8)
            .sum::<usize>();
        count(length);
        self.place += length;
    }

    fn step_over_code(&mut self, mark: u8) -> bool {
        let start = self.place;
        let width = self
            .bytes_from(start)
            .iter()
            .take_while(|byte| **byte == mark)
            .count();
        self.place += width;
        if width >= 3 && opens_line(self.text, start) {
            let length = length_of_block(self.bytes_from(self.place), mark, width);
            count(length);
            self.place += length;
        } else if mark == b'`' {
            self.place += length_of_span(self.bytes_from(self.place), width);
        }
        false
    }
}

fn opens_line(text: &str, start: usize) -> bool {
    let all_before = text.get(..start).unwrap_or_default();
    let before = all_before.trim_end_matches([' ', '\t']);
    count(1 + all_before.len() - before.len());
    before.is_empty() || before.ends_with('\n')
}

/// The bytes of a fenced block behind its first marks; a block that is never closed takes the rest.
fn length_of_block(rest: &[u8], mark: u8, width: usize) -> usize {
    let mut length = 0;
    for line in rest.split_inclusive(|byte| *byte == b'\n') {
        let is_first = length == 0;
        length += line.len();
        let line = line.trim_ascii();
        if !is_first && line.len() >= width && line.iter().all(|byte| *byte == mark) {
            return length;
        }
    }
    length
}

/// The bytes of a code span behind its first marks, none when the line does not close it.
fn length_of_span(rest: &[u8], width: usize) -> usize {
    let rest = &rest[..rest.len().min(SPAN_BYTES)];
    let mut run = 0;
    for (index, byte) in rest.iter().enumerate() {
        count(1);
        match byte {
            b'`' => run += 1,
            _ if run == width => return index,
            b'\n' => return 0,
            _ => run = 0,
        }
    }
    if run == width { rest.len() } else { 0 }
}

fn word_starts_cleanly(text: &str, start: usize) -> bool {
    let mut before = text.get(..start).unwrap_or_default().chars().rev();
    let Some(last) = before.next() else {
        return true;
    };
    match last {
        '-' | '/' | '\\' | '#' | '@' | '$' | '&' | '=' | '+' | '%' => false,
        '.' | '\'' | '’' => !before.next().is_some_and(is_word_char),
        '_' => !before
            .take(UNDERSCORES)
            .find(|found| *found != '_')
            .is_some_and(is_word_char),
        _ => !is_word_char(last),
    }
}

fn number_starts_cleanly(text: &str, start: usize) -> bool {
    let before = text.get(..start).unwrap_or_default();
    let Some(last) = before.chars().next_back() else {
        return true;
    };
    match last {
        '-' | '/' | '\\' | '#' | '$' | '€' | '£' | '¥' | '￥' | '&' | '=' | '+' | '%' | '^'
        | '.' | '第' | '几' => false,
        ':' => ends_with_label(before),
        '@' => !before.chars().rev().nth(1).is_some_and(is_word_char),
        ',' | '\'' | '’' => !before
            .chars()
            .rev()
            .nth(1)
            .is_some_and(|found| found.is_ascii_digit()),
        _ => !is_word_char(last) && !numbers::is_numeral(last) && digit_value(last).is_none(),
    }
}

/// "due:" may stand before a time, "main.rs:" and "12:" may not.
fn ends_with_label(before: &str) -> bool {
    let label = before.trim_end_matches(':');
    let head = label.trim_end_matches(|found: char| found.is_ascii_alphabetic());
    let is_mid_name =
        |found: char| is_word_char(found) || matches!(found, '.' | '/' | '\\' | '-' | ':');
    label.len() + 1 == before.len() && !head.chars().next_back().is_some_and(is_mid_name)
}
