//! What the words of a document are, in one place, for indexing and for questions alike.

use memory_core::Document;

/// Another number whenever other words come out: the index is then made anew.
pub(crate) const VERSION: u32 = 1;

/// Hands over the words that a document is found by; returns how many there are.
pub(crate) fn words_of(document: &Document, each: &mut dyn FnMut(&str)) -> u32 {
    let mut count = 0;
    for word in memory_text::words::words(&document.text) {
        each(&word);
        count += 1;
    }
    count
}
