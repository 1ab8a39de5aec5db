//! Which terms is a text found by? Words without their endings, parts of identifiers, Chinese pairs, dates.
//!
//! Questions and memories go through the same function, so that what reads differently and says the
//! same meets: "went" and "go", `getUserName` and `get_user_name`, "8 May 2023" and 2023-05-08.
//! Every term comes with the bytes it was read from. Change what comes out and [`VERSION`] must change.

mod chunk;
mod date;
mod form;
mod irregular;
mod stems;
mod stops;
mod word;

use std::ops::Range;

use chunk::Chunk;
use memory_steps::count;
pub use stops::is_stop;

/// Terms of another version may not be compared with these.
pub const VERSION: u32 = 1;

/// How many bytes a term has at most: longer things (hashes, data in base64) are known by their beginning.
pub const LONGEST: usize = 64;

/// Receives a term and the bytes of the text that it stands for.
pub trait Visit: FnMut(&str, Range<usize>) {}
impl<F: FnMut(&str, Range<usize>)> Visit for F {}

/// Reads the terms of many texts: words that were met before cost less.
pub struct Reader(form::Forms);

impl Default for Reader {
    fn default() -> Self {
        Reader(form::Forms::remembering())
    }
}

impl Reader {
    /// Tells every term of a text; see [`each_term`].
    pub fn each_term(&mut self, text: &str, visit: impl Visit) {
        read(text, &mut self.0, visit);
    }
}

impl std::fmt::Debug for Reader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Reader")
    }
}

/// Tells every term of a text, in about the order they stand; one place may have several.
pub fn each_term(text: &str, visit: impl Visit) {
    read(text, &mut form::Forms::default(), visit);
}

fn read(text: &str, forms: &mut form::Forms, mut visit: impl Visit) {
    let mut visit = |term: &str, place: Range<usize>| {
        if !term.is_empty() {
            count(1);
            visit(&term[..term.floor_char_boundary(LONGEST)], place);
        }
    };
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        count(1);
        at = if is_unspaced(c) {
            unspaced(text, at, &mut visit)
        } else if is_word(c) {
            let chunk = Chunk::read(text, at);
            chunk.each_term(forms, &mut visit);
            chunk.end()
        } else {
            at + c.len_utf8()
        };
    }
}

/// Returns the terms of a text; see [`each_term`].
pub fn terms(text: &str) -> Vec<String> {
    let mut terms = Vec::new();
    each_term(text, |term, _| terms.push(term.to_owned()));
    terms
}

/// Says whether a character stands in a word that is told from its neighbours by more than itself.
fn is_word(c: char) -> bool {
    if c.is_ascii() {
        c.is_ascii_alphanumeric() || c == '_'
    } else {
        c.is_alphanumeric() && !is_unspaced(c)
    }
}

/// Says whether a character is of a script whose words are not found by looking for spaces.
fn is_unspaced(c: char) -> bool {
    c > '\u{0dff}'
        && (crate::words::is_chinese(c)
            || matches!(c, '\u{0e00}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' | '\u{ac00}'..='\u{d7a3}'))
}

/// Tells each character of a run and each pair of neighbours; returns where the run ends.
fn unspaced(text: &str, start: usize, visit: &mut impl Visit) -> usize {
    let mut before = None;
    let mut end = start;
    for c in text[start..].chars().take_while(|c| is_unspaced(*c)) {
        count(1);
        let (at, next) = (end, end + c.len_utf8());
        visit(&text[at..next], at..next);
        if let Some(before) = before {
            visit(&text[before..next], before..next);
        }
        before = Some(at);
        end = next;
    }
    end
}

#[cfg(test)]
mod tests;
