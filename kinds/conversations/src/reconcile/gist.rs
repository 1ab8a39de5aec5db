//! What a fact says, as far as it can be told from others by it: read once, compared often.
//!
//! Words are numbers here: a process that stays holds a gist for every fact.

use memory_text::similar::{Imprint, near_duplicates};
use memory_text::words::fold;
use xxhash_rust::xxh3::xxh3_64;

use super::meaning;
use super::topic::Topic;

/// The gist of a fact.
#[derive(Debug, Clone)]
pub(crate) struct Gist {
    folded: u64,
    imprint: Imprint,
    /// Its words of meaning.
    meaning: Box<[u64]>,
    /// The question that it answers.
    question: Option<u64>,
    /// What it likes or does not.
    object: Option<Box<[u64]>>,
    /// Its words of meaning without those that deny.
    core: u64,
}

impl Gist {
    pub(crate) fn of(fact: &str) -> Self {
        let topic = Topic::of(fact);
        Gist {
            folded: number(&fold(fact)),
            imprint: Imprint::of(fact),
            meaning: numbers(&meaning(fact)),
            question: topic.question.as_deref().map(number),
            object: topic.liking.as_ref().map(|(_, object)| numbers(object)),
            core: number(&topic.core.join("\n")),
        }
    }

    /// How much two facts have to do with each other: the words of meaning that they share, and whether they
    /// can't be looked at apart.
    pub(super) fn nearness(&self, other: &Gist) -> usize {
        let shared = self
            .meaning
            .iter()
            .filter(|word| other.meaning.contains(word))
            .count();
        shared + if self.touches(other) { 10 } else { 0 }
    }

    fn touches(&self, other: &Gist) -> bool {
        let same_question = self.question.is_some() && self.question == other.question;
        let within = |a: &[u64], b: &[u64]| !a.is_empty() && a.iter().all(|word| b.contains(word));
        let same_object = match (&self.object, &other.object) {
            (Some(a), Some(b)) => within(a, b) || within(b, a),
            _ => false,
        };
        same_question || same_object || self.core == other.core
    }
}

/// A fact with its gist.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fact<'f> {
    pub(crate) text: &'f str,
    pub(crate) gist: &'f Gist,
}

impl Fact<'_> {
    /// Says whether two facts say the same in nearly the same words.
    pub(super) fn is_same(&self, other: &Fact<'_>) -> bool {
        let alike = || !near_duplicates(&[self.text, other.text]).is_empty();
        self.gist.folded == other.gist.folded
            || self.gist.imprint.may_be(&other.gist.imprint) && alike()
    }
}

fn number(text: &str) -> u64 {
    xxh3_64(text.as_bytes())
}

fn numbers(words: &[String]) -> Box<[u64]> {
    words.iter().map(|word| number(word)).collect()
}
