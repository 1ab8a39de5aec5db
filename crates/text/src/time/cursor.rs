//! Where are we in the text, and what stands there? The reading position of every grammar.
//!
//! A cursor is two words and is copied freely. Every reader either reads its thing and moves the
//! cursor behind it, or answers `None` and the cursor is of no more use: [`Cursor::attempt`] puts
//! it back.

use memory_steps::count;

/// The longest English word of a time phrase is shorter than this.
const WORD_BYTES: usize = 12;

#[derive(Debug, Clone, Copy)]
pub(super) struct Cursor<'t> {
    text: &'t str,
    place: usize,
}

impl<'t> Cursor<'t> {
    /// Invariant: `place` lies on a character boundary of `text`.
    pub(super) fn new(text: &'t str, place: usize) -> Self {
        Cursor { text, place }
    }

    pub(super) fn place(&self) -> usize {
        self.place
    }

    pub(super) fn rest(&self) -> &'t str {
        self.text.get(self.place..).unwrap_or_default()
    }

    /// The text up to the cursor.
    pub(super) fn before(&self) -> &'t str {
        self.text.get(..self.place).unwrap_or_default()
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn previous(&self) -> Option<char> {
        self.before().chars().next_back()
    }

    fn advance(&mut self, bytes: usize) {
        count(1 + bytes);
        self.place += bytes;
    }

    /// Reads something, or stays where it is.
    pub(super) fn attempt<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let mut ahead = *self;
        let got = read(&mut ahead)?;
        *self = ahead;
        Some(got)
    }

    /// Reads something that stands behind a space, or stays.
    pub(super) fn then<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        self.attempt(|cursor| {
            cursor.space()?;
            read(cursor)
        })
    }

    /// Reads exactly this text, or stays.
    pub(super) fn eat(&mut self, expected: &str) -> Option<()> {
        count(1);
        self.rest()
            .starts_with(expected)
            .then(|| self.advance(expected.len()))
    }

    /// Reads the first of these texts that stands here, or stays.
    pub(super) fn eat_any(&mut self, expected: &[&str]) -> Option<()> {
        expected.iter().find_map(|text| self.eat(text))
    }

    /// Reads one of these characters, or stays.
    pub(super) fn eat_char(&mut self, expected: &[char]) -> Option<char> {
        let found = self.peek().filter(|found| expected.contains(found))?;
        self.advance(found.len_utf8());
        Some(found)
    }

    /// Reads the entry of a table whose text stands here; longer texts come first in a table.
    pub(super) fn eat_entry<T: Copy>(&mut self, table: &[(&str, T)]) -> Option<T> {
        table
            .iter()
            .find_map(|(text, value)| self.eat(text).map(|()| *value))
    }

    /// Skips blanks, but never leaves the line.
    pub(super) fn blanks(&mut self) {
        loop {
            match self.rest().as_bytes().first() {
                Some(b' ' | b'\t') => self.advance(1),
                Some(0x80..) if self.eat_char(&['\u{a0}', '\u{3000}']).is_some() => {}
                _ => return,
            }
        }
    }

    /// Skips the space between two words: blanks, and one line break at most, for prose is wrapped.
    pub(super) fn space(&mut self) -> Option<()> {
        let start = self.place;
        self.blanks();
        self.eat("\r");
        self.eat("\n");
        self.blanks();
        (self.place > start).then_some(())
    }

    /// Reads a whole English word.
    pub(super) fn word(&mut self) -> Option<Word> {
        let word = self.letters()?;
        self.ends_cleanly().then_some(word)
    }

    /// Reads a run of letters, whatever follows.
    pub(super) fn letters(&mut self) -> Option<Word> {
        let length = self
            .rest()
            .bytes()
            .take_while(u8::is_ascii_alphabetic)
            .count();
        count(1 + length);
        let word = Word::new(self.rest().get(..length)?)?;
        self.advance(length);
        Some(word)
    }

    /// Reads this English word, in whatever case, or stays.
    pub(super) fn eat_word(&mut self, expected: &str) -> Option<()> {
        let found = self.rest().as_bytes().get(..expected.len())?;
        found
            .eq_ignore_ascii_case(expected.as_bytes())
            .then_some(())?;
        self.attempt(|cursor| {
            cursor.advance(expected.len());
            cursor.ends_cleanly().then_some(())
        })
    }

    /// Reads these English words one after the other, or stays.
    pub(super) fn eat_words(&mut self, expected: &[&str]) -> Option<()> {
        self.attempt(|cursor| {
            for (index, word) in expected.iter().enumerate() {
                if index > 0 {
                    cursor.space()?;
                }
                cursor.eat_word(word)?;
            }
            Some(())
        })
    }

    /// Reads a whole number of at most four digits, ASCII or full-width; says how many there were.
    pub(super) fn digits(&mut self) -> Option<(i64, usize)> {
        let mut value = 0;
        let mut count = 0;
        while let Some(digit) = self.peek().and_then(digit_value) {
            value = value * 10 + digit;
            count += 1;
            if count > 4 {
                return None;
            }
            self.advance(self.peek().map_or(0, char::len_utf8));
        }
        (count > 0).then_some((value, count))
    }

    /// Reads a number of one or two digits.
    pub(super) fn two_digits(&mut self) -> Option<i64> {
        self.digits()
            .filter(|(_, count)| *count <= 2)
            .map(|(value, _)| value)
    }

    pub(super) fn at_digit(&self) -> bool {
        self.peek()
            .is_some_and(|found| digit_value(found).is_some())
    }

    /// Whether what was read ends here, and does not go on as a name, a path, a version or a price.
    pub(super) fn ends_cleanly(&self) -> bool {
        let Some(last) = self.previous().filter(char::is_ascii_alphanumeric) else {
            return true;
        };
        let mut next = self.rest().chars();
        let (Some(first), second) = (next.next(), next.next()) else {
            return true;
        };
        match first {
            '%' => false,
            // One closes _emphasis_, or goes on as a snake_case name.
            '_' => {
                let after = self.rest().trim_start_matches('_');
                count(self.rest().len() - after.len());
                !after.chars().next().is_some_and(char::is_alphanumeric)
            }
            '(' => second != Some(')'),
            ',' | ':' => !(last.is_ascii_digit() && second.is_some_and(|c| c.is_ascii_digit())),
            '-' | '.' | '/' | '\\' | '@' | '=' => !second.is_some_and(is_word_char),
            _ => !is_word_char(first),
        }
    }
}

/// A short English word in lower case, as it is looked up.
#[derive(Debug, Clone, Copy)]
pub(super) struct Word {
    letters: [u8; WORD_BYTES],
    length: usize,
    /// It was written with a capital.
    pub(super) is_capital: bool,
}

impl Word {
    /// `None` for nothing, and for what is too long to be of interest.
    pub(super) fn new(raw: &str) -> Option<Self> {
        let mut letters = [0; WORD_BYTES];
        let room = letters.get_mut(..raw.len())?;
        room.copy_from_slice(raw.as_bytes());
        room.make_ascii_lowercase();
        let is_capital = raw.as_bytes().first()?.is_ascii_uppercase();
        Some(Word {
            letters,
            length: raw.len(),
            is_capital,
        })
    }

    pub(super) fn as_str(&self) -> &str {
        self.letters
            .get(..self.length)
            .and_then(|bytes| std::str::from_utf8(bytes).ok())
            .unwrap_or_default()
    }
}

/// Letters and digits of scripts that put spaces between words. Chinese does not, so a phrase may
/// stand right beside a Chinese character.
pub(super) fn is_word_char(found: char) -> bool {
    found == '_' || (found < '\u{2e80}' && found.is_alphanumeric())
}

/// The value of a digit, ASCII or full-width.
pub(super) fn digit_value(found: char) -> Option<i64> {
    match found {
        '0'..='9' => Some(i64::from(u32::from(found) - u32::from('0'))),
        '０'..='９' => Some(i64::from(u32::from(found) - u32::from('０'))),
        _ => None,
    }
}
