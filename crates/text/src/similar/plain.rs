//! A text with one way to write each character: half width, straight quotes, nothing invisible.
//!
//! What differs only here differs to the eye and not in meaning, so it is forgotten first of all.

use std::borrow::Cow;

use crate::words::is_chinese;

/// The mark that ends a clause, whichever it was.
pub(super) const BREAK: char = '\u{1e}';
/// The mark that opens or closes a quotation, whichever it was.
pub(super) const QUOTE: char = '"';

/// Returns the text in plain characters.
pub(super) fn plain(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(made_plain(text))
    }
}

fn made_plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut before = '\n';
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if is_invisible(c) {
            continue;
        }
        let after = chars.peek().copied().unwrap_or('\n');
        let c = plain_char(c, before, after);
        plain.push(c);
        before = c;
    }
    plain
}

fn plain_char(c: char, before: char, after: char) -> char {
    match c {
        '\0'..='~' => c,
        '、' if is_chinese(before) && is_chinese(after) => '和',
        '、' => ',',
        '–' | '‒' | '‐' | '‑' | '−' if !before.is_whitespace() || after.is_ascii_digit() => {
            '-'
        }
        '。' | '…' | '—' | '–' | '―' | '·' | '【' | '】' => BREAK,
        '“' | '”' | '„' | '「' | '」' | '『' | '』' | '《' | '》' | '«' | '»' => {
            QUOTE
        }
        '‘' | '’' | 'ʼ' => '\'',
        '\u{ff01}'..='\u{ff5e}' => half_width(c),
        _ if c.is_whitespace() => ' ',
        _ => c,
    }
}

fn half_width(c: char) -> char {
    char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c)
}

fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{fe0e}' | '\u{fe0f}' | '\u{feff}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn width_and_quotes_are_forgotten() {
        assert_eq!(plain("Ｖｉｍ　２．１，"), "Vim 2.1,");
        assert_eq!(plain("“don’t”"), "\"don't\"");
        assert_eq!(plain("茶、咖啡"), "茶和咖啡");
        assert_eq!(plain("5–10"), "5-10");
    }
}
