//! What the words of a document are, in one place, for indexing and for questions alike.

use memory_core::Document;
use memory_text::terms;

/// Another number whenever other words come out: the index is then made anew.
pub(crate) const VERSION: u32 = terms::VERSION;

/// Hands over the words that a document is found by; returns how many there are.
pub(crate) fn words_of(
    document: &Document,
    reader: &mut terms::Reader,
    each: &mut dyn FnMut(&str),
) -> u32 {
    let mut count = 0;
    reader.each_term(&document.text, |term, _| {
        each(term);
        count += 1;
    });
    count
}
