//! What each word stands for, worked out once however often it occurs.

use std::borrow::Cow;
use std::collections::HashMap;

use super::digest::{Digesting, digest};
use super::english::{comparable, uncontracted};
use super::tables;
use super::traits::{Traits, traits};
use crate::stem::american;

/// What a word stands for, wherever it stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lexeme {
    /// Equal for words that differ in plural, spelling or case only.
    pub(super) key: u64,
    /// Equal for words that differ in spelling or case only.
    pub(super) surface: u64,
    pub(super) role: Role,
    pub(super) traits: Traits,
    pub(super) is_capital: bool,
    pub(super) is_common: bool,
    /// What was contracted with it and counts: "not", "have", "will".
    pub(super) tail: Option<&'static str>,
}

/// Words that count or not by where they stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// "is", "are"
    Copula,
    /// "am" of a person or of a clock
    Am,
    /// "i"
    Speaker,
    /// "a", as an article or as a name
    Article,
    /// "plan", "option": what stands behind is its name
    Label,
    Other,
}

/// The words that were seen so far.
#[derive(Default)]
pub(super) struct Lexicon {
    /// By how they were written.
    known: HashMap<Box<str>, Lexeme, Digesting>,
}

impl Lexicon {
    /// Returns what a word stands for, as it is written in a text.
    pub(super) fn look_up(&mut self, written: &str) -> Lexeme {
        if let Some(lexeme) = self.known.get(written) {
            return *lexeme;
        }
        let lexeme = work_out(written);
        self.known.insert(written.into(), lexeme);
        lexeme
    }
}

fn work_out(written: &str) -> Lexeme {
    let lower = written.to_lowercase();
    let meaning = uncontracted(&lower);
    let form = comparable(meaning.word);
    let spelling =
        tables::number(meaning.word).map_or_else(|| american(meaning.word), Cow::Borrowed);
    Lexeme {
        key: digest(&*form),
        surface: digest(&*spelling),
        role: role(meaning.word),
        traits: traits(meaning.word),
        is_capital: written.starts_with(char::is_uppercase),
        is_common: traits(&form).is_common,
        tail: meaning.tail,
    }
}

fn role(word: &str) -> Role {
    match word {
        "is" | "are" => Role::Copula,
        "am" => Role::Am,
        "i" => Role::Speaker,
        "a" => Role::Article,
        "plan" | "option" | "type" | "vitamin" | "class" | "grade" | "group" | "part"
        | "section" | "case" | "step" | "phase" | "version" | "level" | "variant" | "choice"
        | "point" | "side" | "appendix" | "service" | "server" | "node" | "column" | "row"
        | "key" | "drive" | "model" => Role::Label,
        _ => Role::Other,
    }
}
