//! What a text says, as a row of tokens that can be compared one by one.
//!
//! Everything counts but what the tables call a filler: that is how two texts which differ in a
//! number, a name, a negation or any other word can never be taken for the same.

use memory_steps::count;

use super::digest::digest;
use super::lexicon::{Lexeme, Lexicon, Role};
use super::pieces::{Piece, pieces};
use super::plain::plain;
use super::tables;
use super::traits::{Traits, traits};

/// One thing that a text says. Two are the same thing if their keys are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) key: u64,
    /// The word before it was inflected and spelt alike.
    pub(super) surface: u64,
    /// It may be a name, so that even its ending counts.
    pub(super) may_be_name: bool,
}

impl Token {
    /// Says whether two tokens are the same, and the same name if either may be one.
    pub(super) fn says_the_same(&self, other: &Token) -> bool {
        let is_name = self.may_be_name || other.may_be_name;
        self.key == other.key && (!is_name || self.surface == other.surface)
    }
}

/// The tokens between two marks of punctuation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Clause {
    pub(super) tokens: Vec<Token>,
    /// It tells how things are, so that it can stand before or after another.
    pub(super) tells_a_state: bool,
}

/// A text, read.
#[derive(Debug, Default)]
pub(super) struct Reading {
    /// None of them is empty.
    pub(super) clauses: Vec<Clause>,
    /// How many words were left out.
    pub(super) fillers: usize,
    /// A negation occurs: where a clause ends may turn the sense.
    pub(super) is_negated: bool,
    /// Something leans on what stands before it: clauses must stay where they are.
    pub(super) leans: bool,
}

impl Reading {
    /// Reads a text, with the help of what is known of words.
    pub(super) fn of(text: &str, lexicon: &mut Lexicon) -> Self {
        let plain = plain(text);
        let pieces = pieces(&plain);
        let mut reader = Reader {
            lexicon,
            reading: Reading::default(),
            clause: Clause::default(),
            last: Role::Other,
        };
        for sentence in pieces.split(|piece| *piece == Piece::Stop) {
            reader.read_sentence(sentence);
        }
        reader.reading
    }
}

struct Reader<'a> {
    lexicon: &'a mut Lexicon,
    reading: Reading,
    clause: Clause,
    /// What the last word was.
    last: Role,
}

/// Where a word stands, which tells what its capital letter means.
#[derive(Clone, Copy)]
struct Place<'a> {
    begins_sentence: bool,
    /// The sentence has words with small initials, so that a capital one says something.
    has_small_words: bool,
    next: Option<&'a Piece<'a>>,
}

impl Reader<'_> {
    fn read_sentence(&mut self, pieces: &[Piece<'_>]) {
        let is_small = |piece: &Piece<'_>| matches!(piece, Piece::Word(word) if word.starts_with(char::is_lowercase));
        let has_small_words = pieces.iter().any(is_small);
        let mut begins_sentence = true;
        count(pieces.len());
        for (at, piece) in pieces.iter().enumerate() {
            match piece {
                Piece::Word(word) => {
                    self.read_word(
                        word,
                        Place {
                            begins_sentence,
                            has_small_words,
                            next: pieces.get(at + 1),
                        },
                    );
                }
                Piece::Exact(exact) => self.read_exact(exact),
                Piece::Sign(sign) => self.read_sign(*sign, &pieces[..at], &pieces[at + 1..]),
                Piece::Comma | Piece::Stop => self.end_clause(),
            }
            begins_sentence = matches!(piece, Piece::Exact(":" | "?"));
        }
        self.end_clause();
    }

    fn end_clause(&mut self) {
        if !self.clause.tokens.is_empty() {
            self.reading.clauses.push(std::mem::take(&mut self.clause));
        }
        self.clause.tells_a_state = false;
    }

    fn read_word(&mut self, word: &str, place: Place<'_>) {
        let lexeme = self.lexicon.look_up(word);
        let is_name = lexeme.is_capital && place.has_small_words && !place.begins_sentence;
        let Lexeme { key, surface, .. } = lexeme;
        if is_name && lexeme.traits.is_another_as_a_name {
            self.clause.tokens.push(Token {
                key: !key,
                surface,
                may_be_name: true,
            });
        } else if self.is_left_out(lexeme, place) {
            self.reading.fillers += 1;
        } else {
            let may_be_name = is_name || (lexeme.is_capital && !lexeme.is_common);
            self.clause.tokens.push(Token {
                key,
                surface,
                may_be_name,
            });
        }
        self.note(lexeme.traits);
        self.last = lexeme.role;
        if let Some(tail) = lexeme.tail {
            self.push(digest(tail));
            self.note(traits(tail));
        }
    }

    /// Says whether a word counts for nothing where it stands.
    fn is_left_out(&mut self, lexeme: Lexeme, place: Place<'_>) -> bool {
        match (lexeme.role, place.next) {
            // "Is it done" is no "it is done".
            (Role::Copula, _) => !self.clause.tokens.is_empty(),
            (Role::Am, _) => self.last == Role::Speaker,
            (Role::Article, _) if self.last == Role::Label => false,
            (Role::Article, Some(Piece::Word(next))) => {
                !self.lexicon.look_up(next).traits.follows_a_name
            }
            (Role::Article, _) => false,
            _ => lexeme.traits.is_filler,
        }
    }

    fn note(&mut self, traits: Traits) {
        self.reading.is_negated |= traits.is_negation;
        self.reading.leans |= traits.leans;
        self.clause.tells_a_state |= traits.tells_a_state;
    }

    fn read_exact(&mut self, exact: &str) {
        if folds_case(exact) {
            self.push(digest(&*exact.to_lowercase()));
        } else {
            let layout_forgotten: Vec<&str> = exact.split_whitespace().collect();
            self.push(digest(&("exact", layout_forgotten)));
        }
        // A colon or an arrow says that what follows belongs to what stands before.
        self.reading.leans |= exact.chars().all(|c| c.is_ascii_punctuation());
    }

    fn read_sign(&mut self, sign: char, before: &[Piece<'_>], after: &[Piece<'_>]) {
        self.reading.is_negated |= tables::is_negating_sign(sign);
        self.reading.leans |= tables::sign_leans(sign);
        self.clause.tells_a_state |= tables::sign_tells_a_state(sign);
        if self.is_filling(sign, before, after) {
            self.reading.fillers += 1;
        } else {
            self.push(digest(&sign));
        }
    }

    /// Says whether a sign counts for nothing where it stands.
    fn is_filling(&self, sign: char, before: &[Piece<'_>], after: &[Piece<'_>]) -> bool {
        let Some(Piece::Sign(next)) = after.first() else {
            return tables::is_filling_sign(sign);
        };
        match sign {
            '的' => is_after_owner(before) && !matches!(next, '确' | '士' | '话' | '当'),
            // 请 asks, but 请假 and 请求 are words.
            '请' => {
                self.clause.tokens.is_empty()
                    && !matches!(next, '假' | '求' | '客' | '教' | '示' | '问' | '柬' | '愿')
            }
            _ => tables::is_filling_sign(sign),
        }
    }

    fn push(&mut self, key: u64) {
        self.last = Role::Other;
        self.clause.tokens.push(Token {
            key,
            surface: key,
            may_be_name: false,
        });
    }
}

/// Says whether capital letters mean nothing in something that is taken to the letter: "3PM", "GPT-4".
fn folds_case(exact: &str) -> bool {
    let is_number = exact.contains(|c: char| c.is_ascii_digit());
    let is_simple =
        |c: char| c.is_alphanumeric() || matches!(c, '-' | ',' | ':' | '%' | '$' | '+' | '.');
    let has_extension = || {
        exact
            .split('.')
            .skip(1)
            .any(|part| part.starts_with(char::is_alphabetic))
    };
    is_number && exact.chars().all(is_simple) && !has_extension()
}

fn is_after_owner(before: &[Piece<'_>]) -> bool {
    tables::OWNERS.iter().any(|owner| {
        let mut pieces = before.iter().rev();
        owner
            .chars()
            .rev()
            .all(|sign| pieces.next() == Some(&Piece::Sign(sign)))
    })
}
