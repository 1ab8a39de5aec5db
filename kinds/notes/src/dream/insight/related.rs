//! Which notes should be linked: those that share several words which few others have.
//!
//! How rare a word is, is measured over all notes that are pondered on. Only words in few notes are
//! looked up, so the work grows with the notes and not with their pairs.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::vocabulary::{candidates, term};
use super::{Insight, MOST, Thought};
use crate::NoteId;

/// A word in more notes than this relates none of them.
const WIDEST: usize = 20;
/// Fewest words that two notes must share.
const FEWEST_SHARED: usize = 3;
/// Most relations of one note.
const MOST_PER_NOTE: usize = 3;
/// Most words that are shown.
const MOST_SHOWN: usize = 5;

type Word = u32;

/// Returns the strongest relations between notes that are not linked and do not disagree.
pub(super) fn related(thoughts: &[Thought<'_>], disagreements: &[Insight]) -> Vec<Insight> {
    let library = Library::of(thoughts);
    let known = known_pairs(thoughts, disagreements);
    let mut ties = library.ties();
    ties.retain(|tie| !known.contains(&(thoughts[tie.first].id, thoughts[tie.second].id)));
    ties.sort_by(|a, b| {
        b.strength
            .total_cmp(&a.strength)
            .then_with(|| (a.first, a.second).cmp(&(b.first, b.second)))
    });
    strongest(ties)
        .into_iter()
        .map(|tie| library.insight(&tie, thoughts))
        .collect()
}

/// Returns the pairs that need no further word, in both orders.
fn known_pairs<'a>(
    thoughts: &[Thought<'a>],
    disagreements: &'a [Insight],
) -> HashSet<(&'a NoteId, &'a NoteId)> {
    let links = thoughts
        .iter()
        .flat_map(|thought| thought.links.iter().map(|link| (thought.id, link)));
    let pairs = links.chain(disagreements.iter().map(Insight::notes));
    pairs
        .flat_map(|(first, second)| [(first, second), (second, first)])
        .collect()
}

/// Takes from the beginning what keeps the limits.
fn strongest(ties: Vec<Tie>) -> Vec<Tie> {
    let mut taken: HashMap<usize, usize> = HashMap::new();
    let mut is_free = |tie: &Tie| {
        let full = [tie.first, tie.second]
            .iter()
            .any(|note| taken.get(note) >= Some(&MOST_PER_NOTE));
        if !full {
            [tie.first, tie.second]
                .iter()
                .for_each(|note| *taken.entry(*note).or_default() += 1);
        }
        !full
    };
    ties.into_iter()
        .filter(|tie| is_free(tie))
        .take(MOST)
        .collect()
}

/// Two notes that share words, and how strongly that binds them.
struct Tie {
    first: usize,
    second: usize,
    strength: f32,
}

/// The words of all notes.
struct Library<'a> {
    /// For each word, how it was written first.
    shown: Vec<&'a str>,
    /// For each word, in how many notes it stands.
    spread: Vec<u32>,
    /// For each word that is rare, the notes that have it, in order.
    notes: HashMap<Word, Vec<usize>>,
    /// For each note, its words, each once, in the order of the text.
    words: Vec<Vec<Word>>,
}

impl<'a> Library<'a> {
    fn of(thoughts: &[Thought<'a>]) -> Self {
        let mut index = Index::default();
        let words: Vec<Vec<Word>> = thoughts
            .iter()
            .map(|thought| index.read(thought.content))
            .collect();
        let Index { shown, spread, .. } = index;
        let mut library = Library {
            shown,
            spread,
            notes: HashMap::new(),
            words,
        };
        library.notes = library.bearers();
        library
    }

    /// Returns for each rare word the notes that have it.
    fn bearers(&self) -> HashMap<Word, Vec<usize>> {
        let mut notes: HashMap<Word, Vec<usize>> = HashMap::new();
        for (note, words) in self.words.iter().enumerate() {
            for word in words.iter().filter(|word| self.is_rare(**word)) {
                notes.entry(*word).or_default().push(note);
            }
        }
        notes
    }

    /// Returns all ties that are strong enough.
    fn ties(&self) -> Vec<Tie> {
        let mut shared = vec![0u32; self.words.len()];
        let mut ties = Vec::new();
        for first in 0..self.words.len() {
            let mut met = Vec::new();
            for second in self.words[first]
                .iter()
                .filter(|word| self.is_rare(**word))
                .flat_map(|word| self.after(*word, first))
            {
                if shared[second] == 0 {
                    met.push(second);
                }
                shared[second] += 1;
            }
            met.sort_unstable();
            for second in met {
                let count = std::mem::take(&mut shared[second]) as usize;
                if count >= FEWEST_SHARED {
                    ties.extend(self.tie(first, second));
                }
            }
        }
        ties
    }

    /// Returns the later notes that have a word.
    fn after(&self, word: Word, note: usize) -> impl Iterator<Item = usize> {
        let notes = self.notes.get(&word).map(Vec::as_slice).unwrap_or_default();
        let start = notes.partition_point(|other| *other <= note);
        notes[start..].iter().copied()
    }

    fn is_rare(&self, word: Word) -> bool {
        let widest = (self.words.len() / 10).clamp(3, WIDEST);
        (2..=widest).contains(&(self.spread[word as usize] as usize))
    }

    /// Says how much a word tells: the more, the fewer notes have it.
    fn weight(&self, word: Word) -> f32 {
        (1.0 + self.words.len() as f32 / self.spread[word as usize] as f32).ln()
    }

    /// Ties two notes if they share enough for their length.
    fn tie(&self, first: usize, second: usize) -> Option<Tie> {
        let phrases = self.shared_phrases(first, second);
        let shared: f32 = phrases.iter().map(|phrase| phrase.count).sum();
        let shorter = self.words[first].len().min(self.words[second].len()) as f32;
        let needed = (shorter.sqrt() / 1.5).max(FEWEST_SHARED as f32);
        let weight: f32 = phrases.iter().map(|phrase| phrase.weight).sum();
        let strength = weight / shorter.sqrt();
        (shared >= needed).then_some(Tie {
            first,
            second,
            strength,
        })
    }

    /// Returns what two notes share, in the order of the first: words, and runs of Chinese pairs.
    fn shared_phrases(&self, first: usize, second: usize) -> Vec<Phrase> {
        let has = |word: Word| {
            self.notes
                .get(&word)
                .is_some_and(|notes| notes.binary_search(&second).is_ok())
        };
        let mut phrases: Vec<Phrase> = Vec::new();
        for word in self.words[first]
            .iter()
            .copied()
            .filter(|word| self.is_rare(*word) && has(*word))
        {
            let (shown, weight) = (self.shown[word as usize], self.weight(word));
            match phrases.last_mut().and_then(|phrase| phrase.joined(shown)) {
                Some(text) => {
                    if let Some(phrase) = phrases.last_mut() {
                        *phrase = Phrase {
                            text,
                            weight: phrase.weight + weight / 2.0,
                            count: phrase.count + 0.5,
                        };
                    }
                }
                None => phrases.push(Phrase {
                    text: shown.to_owned(),
                    weight,
                    count: 1.0,
                }),
            }
        }
        phrases
    }

    fn insight(&self, tie: &Tie, thoughts: &[Thought<'_>]) -> Insight {
        let mut phrases = self.shared_phrases(tie.first, tie.second);
        phrases.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        let shared = phrases
            .into_iter()
            .take(MOST_SHOWN)
            .map(|phrase| phrase.text)
            .collect();
        let (first, second) = (
            thoughts[tie.first].id.clone(),
            thoughts[tie.second].id.clone(),
        );
        Insight::Related {
            first,
            second,
            shared,
        }
    }
}

/// Numbers words, each worked out once however often it is written.
#[derive(Default)]
struct Index<'a> {
    written: HashMap<&'a str, Option<Word>>,
    terms: HashMap<String, Word>,
    shown: Vec<&'a str>,
    spread: Vec<u32>,
    /// For each word, the last note that has it, counted from one.
    last: Vec<u32>,
    read: u32,
}

impl<'a> Index<'a> {
    /// Returns the words of the next note, each once.
    fn read(&mut self, content: &'a str) -> Vec<Word> {
        self.read += 1;
        let mut words = Vec::new();
        for candidate in candidates(content) {
            let Some(word) = self.look_up(candidate) else {
                continue;
            };
            let last = &mut self.last[word as usize];
            if std::mem::replace(last, self.read) != self.read {
                self.spread[word as usize] += 1;
                words.push(word);
            }
        }
        words
    }

    fn look_up(&mut self, candidate: &'a str) -> Option<Word> {
        if let Some(known) = self.written.get(candidate) {
            return *known;
        }
        let word = term(candidate).map(|term| self.number(candidate, term));
        self.written.insert(candidate, word);
        word
    }

    fn number(&mut self, candidate: &'a str, term: Cow<'a, str>) -> Word {
        let next = self.shown.len() as Word;
        // What is compared as it is written is known by that already.
        let word = match term {
            Cow::Borrowed(_) => next,
            Cow::Owned(term) => *self.terms.entry(term).or_insert(next),
        };
        if word == next {
            self.shown.push(candidate);
            self.spread.push(0);
            self.last.push(0);
        }
        word
    }
}

/// A word that is shared, or several Chinese pairs that overlap.
struct Phrase {
    text: String,
    weight: f32,
    /// For how many words it counts.
    count: f32,
}

impl Phrase {
    /// Returns the phrase with a pair that begins with its last sign.
    fn joined(&self, pair: &str) -> Option<String> {
        let last = self
            .text
            .chars()
            .last()
            .filter(|last| memory_text::words::is_chinese(*last))?;
        Some(format!("{}{}", self.text, pair.strip_prefix(last)?))
    }
}
