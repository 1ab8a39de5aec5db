//! Splitting a text into the pieces of a vocabulary, exactly as BERT's tokenizer does.
//!
//! Controls go, accents go and letters become small where the model was taught so; Chinese
//! characters and punctuation stand alone; every word is cut into the longest known pieces from the
//! left. What looks like a special token in a text is text.

use memory_steps::count;
use unicode_general_category::{GeneralCategory, get_general_category};
use unicode_normalization::char::decompose_canonical;

use super::PieceTable;
use super::pieces::{Hash, OpenTable};
use super::script::is_ideograph;
use crate::ModelError;

/// A word of more characters is unknown as a whole.
const WORD_CHARS: usize = 100;

/// A vocabulary, and how words are found for it.
#[derive(Debug, Clone)]
pub(crate) struct WordPiece {
    table: PieceTable,
    /// What stands for a word that can't be cut; none when such words are left out.
    unknown: Option<u32>,
    lower: bool,
}

impl WordPiece {
    /// Returns a reader of small letters that leaves out what it does not know.
    pub(crate) fn forgetful(table: PieceTable) -> Self {
        WordPiece {
            table,
            unknown: None,
            lower: true,
        }
    }

    /// Returns a reader as BERT's; the vocabulary must have a piece for what is unknown.
    pub(crate) fn new(table: PieceTable, lower: bool) -> Result<Self, ModelError> {
        let unknown = table.find("[UNK]").ok_or(ModelError::Damaged)?;
        Ok(WordPiece {
            table,
            unknown: Some(unknown),
            lower,
        })
    }

    /// Returns the vocabulary.
    pub(crate) fn table(&self) -> &PieceTable {
        &self.table
    }

    /// Adds the pieces of a text, until there are `most`.
    pub(crate) fn split(&self, text: &str, most: usize, ids: &mut Vec<u32>) {
        let WordPiece {
            table,
            unknown,
            lower,
        } = self;
        let mut cutting = Cutting {
            table: table.open(),
            unknown: *unknown,
            lower: *lower,
            word: String::new(),
            ids,
        };
        for c in text.chars() {
            count(1);
            if cutting.ids.len() >= most {
                break;
            }
            cutting.take(c);
        }
        cutting.end();
        ids.truncate(most);
    }
}

/// A text on its way to pieces, character by character.
struct Cutting<'a> {
    table: OpenTable<'a>,
    unknown: Option<u32>,
    lower: bool,
    /// What has come of the word that is not at its end yet.
    word: String,
    ids: &'a mut Vec<u32>,
}

impl Cutting<'_> {
    fn take(&mut self, c: char) {
        match c {
            'a'..='z' | '0'..='9' => self.word.push(c),
            'A'..='Z' if self.lower => self.word.push(c.to_ascii_lowercase()),
            ' ' => self.end(),
            _ if is_dropped(c) => {}
            _ if c.is_whitespace() => self.end(),
            _ if is_ideograph(c) => {
                self.end();
                plain(c, self.lower, &mut self.word);
                self.end();
            }
            _ => self.take_marked(c),
        }
    }

    /// Takes a character that may be punctuation, large or have an accent.
    fn take_marked(&mut self, c: char) {
        let mut parts = String::new();
        plain(c, self.lower, &mut parts);
        for part in parts.chars() {
            if is_punctuation(part) {
                self.end();
                self.word.push(part);
                self.end();
            } else {
                self.word.push(part);
            }
        }
    }

    /// Cuts the word into its pieces, the longest first; one that can't be cut is unknown.
    fn end(&mut self) {
        let before = self.ids.len();
        let word = self.word.as_bytes();
        count(1 + word.len());
        let mut from = 0;
        let is_long = word.len() > WORD_CHARS && self.word.chars().count() > WORD_CHARS;
        while from < word.len() {
            let found = if is_long {
                None
            } else {
                longest(self.table, &word[from..], from > 0)
            };
            let Some((id, length)) = found else {
                self.ids.truncate(before);
                self.ids.extend(self.unknown);
                break;
            };
            self.ids.push(id);
            from += length;
        }
        self.word.clear();
    }
}

/// Adds a character without its accent and in small, if the model reads so.
fn plain(c: char, lower: bool, word: &mut String) {
    if lower {
        decompose_canonical(c, |part| {
            if get_general_category(part) != GeneralCategory::NonspacingMark {
                word.extend(part.to_lowercase());
            }
        })
    } else {
        word.push(c)
    }
}

/// Returns the longest piece that the bytes begin with, and its length.
fn longest(table: OpenTable<'_>, rest: &[u8], inside: bool) -> Option<(u32, usize)> {
    let start = if inside {
        Hash::of_inside()
    } else {
        Hash::of_start()
    };
    // Only the bytes of a word's beginning can be a piece; no vocabulary has longer ones.
    let rest = &rest[..rest.len().min(PIECE_BYTES)];
    count(rest.len());
    let mut hashes = [start; PIECE_BYTES + 1];
    for (n, byte) in rest.iter().enumerate() {
        hashes[n + 1] = hashes[n].over(&[*byte]);
    }
    (1..=rest.len()).rev().find_map(|length| {
        Some((
            table.look_up(hashes[length], &rest[..length], inside)?,
            length,
        ))
    })
}

/// The longest piece that is looked for, in bytes. BERT's vocabularies have none above 60.
const PIECE_BYTES: usize = 72;

fn is_dropped(c: char) -> bool {
    use GeneralCategory::{Control, Format, PrivateUse, Unassigned};
    let is_other = || {
        matches!(
            get_general_category(c),
            Control | Format | PrivateUse | Unassigned
        )
    };
    match c {
        '\t' | '\n' | '\r' => false,
        '\0' | '\u{fffd}' => true,
        _ if c.is_ascii() => c.is_ascii_control(),
        _ => is_other(),
    }
}

fn is_punctuation(c: char) -> bool {
    use GeneralCategory::{
        ClosePunctuation, ConnectorPunctuation, DashPunctuation, FinalPunctuation,
        InitialPunctuation, OpenPunctuation, OtherPunctuation,
    };
    if c.is_ascii() {
        c.is_ascii_punctuation()
    } else {
        matches!(
            get_general_category(c),
            ClosePunctuation
                | ConnectorPunctuation
                | DashPunctuation
                | FinalPunctuation
                | InitialPunctuation
                | OpenPunctuation
                | OtherPunctuation
        )
    }
}

#[cfg(test)]
mod tests {
    use crate::bytes::{Bytes, Tensors};
    use crate::text::{PieceTable, WordPiece, write_pieces};
    use crate::weights::Writer;

    /// Made by `tools/distil/tokenizer_fixture.py` with the reference implementation.
    static VOCABULARY: &str = include_str!("fixtures/vocabulary.txt");
    static EXPECTED: &str = include_str!("fixtures/expected.json");

    fn reader() -> WordPiece {
        let mut writer = Writer::default();
        writer.pieces(write_pieces(VOCABULARY.lines()));
        let bytes = Bytes::Owned(writer.finish(&[]).into());
        WordPiece::new(PieceTable::of(&Tensors::of(&bytes).unwrap()).unwrap(), true).unwrap()
    }

    fn split(text: &str, most: usize) -> Vec<u32> {
        let mut ids = Vec::new();
        reader().split(text, most, &mut ids);
        ids
    }

    #[test]
    fn texts_are_cut_as_the_reference_cuts_them() {
        let cases: Vec<(String, Vec<u32>)> = serde_json::from_str(EXPECTED).unwrap();
        assert!(cases.len() > 20);
        for (text, expected) in cases {
            assert_eq!(split(&text, usize::MAX), expected, "{text}");
        }
    }

    #[test]
    fn a_long_text_is_read_up_to_its_limit() {
        let whole = split("The quick brown fox jumps over the lazy dog.", usize::MAX);
        for most in 0..whole.len() {
            assert_eq!(
                split("The quick brown fox jumps over the lazy dog.", most),
                whole[..most]
            );
        }
    }

    #[test]
    fn a_text_of_any_shape_is_cut_in_linear_time() {
        let reader = reader();
        for unit in [
            "a", "the", " ", "the ", "x1", ".", "中", "é", "\u{301}", "\0", "ﷺ", "##",
        ] {
            let text = |n: usize| unit.repeat(n);
            let growth = memory_steps::Growth::of(2_000, text, |text| {
                reader.split(&text, usize::MAX, &mut Vec::new());
                let _ = crate::text::Script::Latin.can_read(&text);
            });
            assert!(growth.is_linear(), "{unit:?}: {growth:?}");
        }
    }
}
