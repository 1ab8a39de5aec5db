//! Which texts say the same thing in nearly the same words? English and Chinese.
//!
//! One of two such texts can be dropped without a loss, so precision comes first: `reading` says what
//! counts. No text is compared with every other; those that say the same have a key in common.

mod digest;
mod english;
mod lexicon;
mod order;
mod pieces;
mod plain;
mod reading;
mod tables;
mod traits;

use std::collections::HashMap;

use digest::Digesting;
use lexicon::Lexicon;
use order::{Keys, compare};
use reading::Reading;

/// Two texts that say the same, by their places in what was given.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Likeness {
    /// The earlier one.
    pub first: usize,
    pub second: usize,
    /// How much of their wording they share, whichever its order: 1 is all of it.
    pub score: f32,
}

/// With how many texts of the same key a text is compared. Keys are equal by accident only where
/// names differ in their endings.
const MOST_COMPARED: usize = 8;

/// Finds texts that say the same in nearly the same words.
///
/// - Two texts that differ in a number, a name, a negation or any word that means something are
///   never a pair. Case, layout, punctuation, articles, plural, spelling and width may differ, and so
///   may the order of clauses where it says nothing.
/// - Of several texts that say the same, each is paired once, with the first of them.
/// - Pairs are in the order of `second`.
pub fn near_duplicates(texts: &[&str]) -> Vec<Likeness> {
    let mut lexicon = Lexicon::default();
    let mut read = |text: &str| Reading::of(text, &mut lexicon);
    let keys: Vec<Option<Keys>> = texts.iter().map(|text| Keys::of(&read(text))).collect();
    let bearers = count(&keys);
    let mut firsts = Firsts::default();
    let mut found = Vec::new();
    for (second, keys) in keys.iter().enumerate() {
        let Some(keys) = keys.filter(|keys| keys.both().iter().any(|key| bearers[key] > 1)) else {
            continue;
        };
        let reading = read(texts[second]);
        let alike = |first: usize| Some((first, compare(&read(texts[first]), &reading)?));
        let like = firsts.bearers_of(keys).find_map(alike);
        match like {
            Some((first, score)) => found.push(Likeness {
                first,
                second,
                score,
            }),
            None => firsts.remember(second, keys),
        }
    }
    found
}

/// What texts that say the same have in common: by it, a text is told from most others without reading them
/// again.
#[derive(Debug, Clone, Copy)]
pub struct Imprint(Option<Keys>);

impl Imprint {
    /// Returns the imprint of a text.
    pub fn of(text: &str) -> Self {
        Imprint(Keys::of(&Reading::of(text, &mut Lexicon::default())))
    }

    /// Says whether two texts may say the same; if not, [`near_duplicates`] makes no pair of them.
    pub fn may_be(&self, other: &Imprint) -> bool {
        let (Some(own), Some(others)) = (self.0, other.0) else {
            return false;
        };
        own.both().iter().any(|key| others.both().contains(key))
    }
}

/// Counts the texts that bear each key, so that those with keys of their own are read once only.
fn count(keys: &[Option<Keys>]) -> HashMap<u64, usize, Digesting> {
    let mut bearers = HashMap::default();
    for key in keys.iter().flatten().flat_map(|keys| keys.both()) {
        *bearers.entry(key).or_default() += 1;
    }
    bearers
}

/// For each key the texts that bear it and are not like an earlier one.
#[derive(Default)]
struct Firsts(HashMap<u64, Vec<usize>, Digesting>);

impl Firsts {
    fn bearers_of(&self, keys: Keys) -> impl Iterator<Item = usize> {
        let some = |key| self.0.get(&key).into_iter().flatten().take(MOST_COMPARED);
        keys.both().into_iter().flat_map(some).copied()
    }

    fn remember(&mut self, text: usize, keys: Keys) {
        for key in keys.both() {
            self.0.entry(key).or_default().push(text);
        }
    }
}
