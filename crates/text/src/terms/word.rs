//! One word and its terms: its stem, and the parts of an identifier.

use std::ops::Range;

use memory_steps::count;

use super::{Visit, form::Forms, is_word};

/// Returns where the word ends that begins here. An apostrophe belongs to it, and so does the comma of 1,000.
pub(super) fn end(text: &str, start: usize) -> usize {
    let mut end = start;
    let mut is_number = true;
    loop {
        let begin = end;
        end = text[end..]
            .char_indices()
            .find(|(_, c)| !is_word(*c))
            .map_or(text.len(), |(at, _)| end + at);
        count(1 + end - begin);
        is_number &= text[begin..end].bytes().all(|b| b.is_ascii_digit());
        match inner_mark(&text[end..], is_number) {
            Some(mark) => {
                end += mark.len_utf8();
                is_number &= mark == ',';
            }
            None => return end,
        }
    }
}

/// Returns the mark that a text begins with, if it stands inside of a word; `is_number` tells what is before it.
fn inner_mark(text: &str, is_number: bool) -> Option<char> {
    let mark = text.chars().next()?;
    let after = &text.as_bytes()[mark.len_utf8()..];
    let joins = match mark {
        '\'' | '’' => after.first().is_some_and(u8::is_ascii_alphabetic),
        ',' => {
            is_number
                && after.len() >= 3
                && after[..3].iter().all(u8::is_ascii_digit)
                && !after.get(3).is_some_and(u8::is_ascii_alphanumeric)
        }
        _ => false,
    };
    joins.then_some(mark)
}

/// Tells the terms of the word at `place`.
pub(super) fn each_term(
    text: &str,
    place: Range<usize>,
    forms: &mut Forms,
    visit: &mut impl Visit,
) {
    let word = &text[place.clone()];
    count(word.len());
    if word.bytes().all(|b| b.is_ascii_lowercase()) {
        return visit(forms.stem(word), place);
    }
    if let Some(suffix) = language_suffix(text, &place) {
        visit(
            forms.with_suffix(word, suffix),
            place.start..place.end + suffix.len(),
        );
    }
    if is_compound(word) {
        parts(word, place.start, forms, visit);
        visit(forms.together(word), place);
    } else {
        visit(forms.stem(word), place);
    }
}

/// C++ and C# and F# are other things than C and F.
fn language_suffix(text: &str, place: &Range<usize>) -> Option<&'static str> {
    let after = &text[place.end..];
    let suffix = ["++", "#"]
        .into_iter()
        .find(|suffix| after.starts_with(suffix))?;
    let is_last = !after[suffix.len()..].chars().next().is_some_and(is_word);
    (place.len() == 1 && is_last).then_some(suffix)
}

fn is_compound(word: &str) -> bool {
    word.contains('_') || boundaries(word).next().is_some()
}

/// Yields the places at which a new part begins by its case: user|Name, HTTP|Server.
fn boundaries(word: &str) -> impl Iterator<Item = usize> {
    let bytes = word.as_bytes();
    (1..bytes.len()).filter(|&at| {
        bytes[at].is_ascii_uppercase()
            && (bytes[at - 1].is_ascii_lowercase()
                || (bytes[at - 1].is_ascii_uppercase()
                    && bytes.get(at + 1).is_some_and(u8::is_ascii_lowercase)
                    && bytes.len() > at + 2))
    })
}

fn parts(word: &str, offset: usize, forms: &mut Forms, visit: &mut impl Visit) {
    let mut start = 0;
    let ends = boundaries(word).chain([word.len()]).collect::<Vec<_>>();
    for end in ends {
        let mut at = start;
        for part in word[start..end].split('_') {
            if !part.is_empty() {
                visit(forms.stem(part), offset + at..offset + at + part.len());
            }
            at += part.len() + 1;
        }
        start = end;
    }
}
