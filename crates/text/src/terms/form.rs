//! The form in which a word is compared: small letters without accents, without ending.

use memory_steps::count;
use rust_stemmers::{Algorithm, Stemmer};

use super::irregular;
use super::stems::{LONGEST_WORD, Stems};
use crate::stem::american;

/// Makes forms in a buffer of its own, so that a term costs no allocation.
pub(super) struct Forms {
    stemmer: Stemmer,
    buffer: String,
    /// Those that were met lately, for whoever reads more than one text.
    known: Option<Stems>,
}

impl Default for Forms {
    fn default() -> Self {
        Forms {
            stemmer: Stemmer::create(Algorithm::English),
            buffer: String::new(),
            known: None,
        }
    }
}

impl Forms {
    /// Returns forms that remember the stems of words they have met.
    pub(super) fn remembering() -> Self {
        Forms {
            known: Some(Stems::default()),
            ..Forms::default()
        }
    }

    /// Returns the stem of a word, or the digits of a number without what decorates them.
    pub(super) fn stem(&mut self, word: &str) -> &str {
        self.fold(word, |c| !matches!(c, '\'' | '’' | ','));
        self.drop_possessive(word);
        if self
            .buffer
            .as_bytes()
            .first()
            .is_some_and(u8::is_ascii_digit)
        {
            return self.number();
        }
        let is_english = self.buffer.bytes().all(|b| b.is_ascii_lowercase());
        if is_english && (3..=LONGEST_WORD).contains(&self.buffer.len()) {
            self.english();
        }
        &self.buffer
    }

    fn english(&mut self) {
        if let Some(stem) = self
            .known
            .as_ref()
            .and_then(|known| known.get(&self.buffer))
        {
            self.buffer.clear();
            self.buffer.push_str(stem);
            return;
        }
        let word = irregular::base(&self.buffer).unwrap_or(&self.buffer);
        let spelling = american(word);
        let stem = self.stemmer.stem(&spelling);
        if let Some(known) = &mut self.known {
            known.put(&self.buffer, &stem);
        }
        if *stem != *self.buffer {
            self.buffer = stem.into_owned();
        }
    }

    /// 8th is 8, 05 is 5; a number of another shape stays as it is.
    fn number(&self) -> &str {
        let ordinal = ["st", "nd", "rd", "th"]
            .iter()
            .find_map(|ending| self.buffer.strip_suffix(ending));
        let number = ordinal
            .filter(|digits| digits.bytes().all(|b| b.is_ascii_digit()))
            .unwrap_or(&self.buffer);
        match number.as_bytes() {
            [b'0', b'0'..=b'9'] => &number[1..],
            _ => number,
        }
    }

    /// Returns a name without what separates its parts: `get_user` and `getUser` are one, and so are e-mail and email.
    pub(super) fn together(&mut self, name: &str) -> &str {
        self.fold(name, |c| c.is_alphanumeric());
        &self.buffer
    }

    /// Returns a path or a name with points, with one kind of slash.
    pub(super) fn path(&mut self, path: &str) -> &str {
        self.fold(path, |_| true);
        if self.buffer.contains(['\\', ':']) {
            self.buffer = self.buffer.replace("::", "/").replace('\\', "/");
        }
        &self.buffer
    }

    pub(super) fn with_suffix(&mut self, word: &str, suffix: &str) -> &str {
        self.fold(word, |_| true);
        self.buffer.push_str(suffix);
        &self.buffer
    }

    fn drop_possessive(&mut self, word: &str) {
        if ["'s", "’s", "'S", "’S"]
            .iter()
            .any(|ending| word.ends_with(ending))
        {
            self.buffer.pop();
        }
    }

    fn fold(&mut self, word: &str, keeps: impl Fn(char) -> bool) {
        count(word.len());
        self.buffer.clear();
        for c in word.chars().filter(|c| keeps(*c)) {
            if c.is_ascii() {
                self.buffer.push(c.to_ascii_lowercase());
            } else {
                self.buffer.extend(plain(c).to_lowercase());
            }
        }
    }
}

/// Returns a Latin letter without its accent, and wide letters and digits in their usual width.
fn plain(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
        '\u{c0}'..='\u{17f}' => unaccented(c),
        _ => c,
    }
}

#[rustfmt::skip]
fn unaccented(c: char) -> char {
    match c {
        'À'..='Å' | 'à'..='å' | 'Ā'..='ą' => 'a',
        'Ç' | 'ç' | 'Ć'..='č' => 'c',
        'Ď'..='đ' => 'd',
        'È'..='Ë' | 'è'..='ë' | 'Ē'..='ě' => 'e',
        'Ĝ'..='ģ' => 'g',
        'Ĥ'..='ħ' => 'h',
        'Ì'..='Ï' | 'ì'..='ï' | 'Ĩ'..='ı' => 'i',
        'Ĵ' | 'ĵ' => 'j',
        'Ķ' | 'ķ' => 'k',
        'Ĺ'..='ł' => 'l',
        'Ñ' | 'ñ' | 'Ń'..='ň' => 'n',
        'Ò'..='Ö' | 'Ø' | 'ò'..='ö' | 'ø' | 'Ō'..='ő' => 'o',
        'Ŕ'..='ř' => 'r',
        'Ś'..='š' => 's',
        'Ţ'..='ŧ' => 't',
        'Ù'..='Ü' | 'ù'..='ü' | 'Ũ'..='ų' => 'u',
        'Ŵ' | 'ŵ' => 'w',
        'Ý' | 'ý' | 'ÿ' | 'Ŷ'..='Ÿ' => 'y',
        'Ź'..='ž' => 'z',
        _ => c,
    }
}
