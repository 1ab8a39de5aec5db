//! What a text says, as a row of tokens that can be compared one by one.
//!
//! Everything counts but what the tables call a filler: that is how two texts which differ in a
//! number, a name, a negation or any other word can never be taken for the same.

use std::borrow::Cow;
use std::hash::Hash;

use super::digest::digest;
use super::english::{comparable, uncontracted};
use super::pieces::{Piece, pieces};
use super::plain::plain;
use super::tables;
use super::traits::{Traits, traits};
use crate::stem::american;

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

/// Reads a text.
pub(super) fn read(text: &str) -> Reading {
    let plain = plain(text);
    let pieces = pieces(&plain);
    let mut reader = Reader::default();
    for sentence in pieces.split(|piece| *piece == Piece::Stop) {
        reader.read_sentence(sentence);
    }
    reader.reading
}

#[derive(Default)]
struct Reader {
    reading: Reading,
    clause: Clause,
    /// A word in lower case, kept to save allocations.
    lower: String,
}

/// Where a word stands, which tells what its capital letter means.
#[derive(Clone, Copy)]
struct Place<'a> {
    begins_sentence: bool,
    /// The sentence has words with small initials, so that a capital one says something.
    has_small_words: bool,
    next: Option<&'a str>,
}

impl Reader {
    fn read_sentence(&mut self, pieces: &[Piece<'_>]) {
        let has_small_words = pieces
            .iter()
            .any(|piece| matches!(piece, Piece::Word(word) if word.starts_with(char::is_lowercase)));
        let mut begins_sentence = true;
        for (at, piece) in pieces.iter().enumerate() {
            match piece {
                Piece::Word(word) => {
                    let next = match pieces.get(at + 1) {
                        Some(Piece::Word(next)) => Some(*next),
                        _ => None,
                    };
                    self.read_word(word, Place { begins_sentence, has_small_words, next });
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
        let mut lower = std::mem::take(&mut self.lower);
        lower.clear();
        lower.extend(word.chars().flat_map(char::to_lowercase));
        let meaning = uncontracted(&lower);
        self.read_meaning(meaning.word, word.starts_with(char::is_uppercase), place);
        if let Some(tail) = meaning.tail {
            self.push_token(tail, tail, false);
            self.note(traits(tail));
        }
        self.lower = lower;
    }

    fn read_meaning(&mut self, word: &str, is_capital: bool, place: Place<'_>) {
        let traits = traits(word);
        let is_name = is_capital && place.has_small_words && !place.begins_sentence;
        if is_name && traits.is_another_as_a_name {
            self.push_token(&("name", word), word, true);
        } else if self.is_left_out(word, traits, place) {
            self.reading.fillers += 1;
        } else {
            self.push_word(word, is_name, is_capital);
        }
        self.note(traits);
    }

    fn push_word(&mut self, word: &str, is_name: bool, is_capital: bool) {
        let form = comparable(word);
        let spelling = tables::number(word).map_or_else(|| american(word), Cow::Borrowed);
        let may_be_name = is_name || (is_capital && !traits(&form).is_common);
        self.push_token(&*form, &*spelling, may_be_name);
    }

    /// Says whether a word counts for nothing where it stands.
    fn is_left_out(&self, word: &str, has: Traits, place: Place<'_>) -> bool {
        match word {
            // "Is it done" is no "it is done".
            "is" | "are" => !self.clause.tokens.is_empty(),
            "am" => self.clause.tokens.last().is_some_and(|token| token.surface == digest("i")),
            "a" => place.next.is_some_and(|next| !traits(&next.to_lowercase()).follows_a_name),
            _ => has.is_filler,
        }
    }

    fn note(&mut self, traits: Traits) {
        self.reading.is_negated |= traits.is_negation;
        self.reading.leans |= traits.leans;
        self.clause.tells_a_state |= traits.tells_a_state;
    }

    fn read_exact(&mut self, exact: &str) {
        if folds_case(exact) {
            let lower = exact.to_lowercase();
            self.push_token(&*lower, &lower, false);
        } else {
            let layout_forgotten: Vec<&str> = exact.split_whitespace().collect();
            self.push_token(&("exact", layout_forgotten), exact, false);
        }
        // A colon or an arrow says that what follows belongs to what stands before.
        self.reading.leans |= exact.chars().all(|c| c.is_ascii_punctuation());
    }

    fn read_sign(&mut self, sign: char, before: &[Piece<'_>], after: &[Piece<'_>]) {
        self.reading.is_negated |= tables::is_negating_sign(sign);
        self.reading.leans |= tables::sign_leans(sign);
        self.clause.tells_a_state |= tables::sign_tells_a_state(sign);
        let is_owning =
            sign == '的' && is_after_owner(before) && matches!(after.first(), Some(Piece::Sign(_)));
        if is_owning || tables::is_filling_sign(sign) {
            self.reading.fillers += 1;
        } else {
            self.push_token(&sign, &sign, false);
        }
    }

    fn push_token<K: Hash + ?Sized, S: Hash + ?Sized>(&mut self, key: &K, surface: &S, may_be_name: bool) {
        let token = Token { key: digest(key), surface: digest(surface), may_be_name };
        self.clause.tokens.push(token);
    }
}

/// Says whether capital letters mean nothing in something that is taken to the letter: "3PM", "GPT-4".
fn folds_case(exact: &str) -> bool {
    let is_number = exact.contains(|c: char| c.is_ascii_digit());
    let is_simple = |c: char| c.is_alphanumeric() || matches!(c, '-' | ',' | ':' | '%' | '$' | '+' | '.');
    let has_extension = || exact.split('.').skip(1).any(|part| part.starts_with(char::is_alphabetic));
    is_number && exact.chars().all(is_simple) && !has_extension()
}

fn is_after_owner(before: &[Piece<'_>]) -> bool {
    tables::OWNERS.iter().any(|owner| {
        let mut pieces = before.iter().rev();
        owner.chars().rev().all(|sign| pieces.next() == Some(&Piece::Sign(sign)))
    })
}
