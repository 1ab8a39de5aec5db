//! Finding notes by their words: what a query asks for, and how well a text answers.
//!
//! Words are found wherever they stand, as specification 001 has it, but a whole word counts for
//! more than a part of another one. Rare words count for more than common ones, and titles and tags
//! for more than the text. Chinese is compared by pairs of characters, since it has no spaces.

use std::cell::LazyCell;

use memchr::memmem::Finder;
use memory_core::asked_part;
use memory_text::words::{fold, is_chinese};

use crate::card::Card;

/// Words that say nothing about what is looked for, unless there is nothing else.
const STOP_WORDS: &[&str] = &[
    "a", "an", "the", "is", "are", "was", "were", "be", "been", "do", "does", "did", "to", "of",
    "in", "on", "at", "for", "and", "or", "with", "about", "by", "from", "as", "it", "its", "this",
    "that", "these", "those", "i", "you", "he", "she", "we", "they", "my", "your", "his", "her",
    "our", "their", "me", "us", "what", "which", "who", "when", "where", "how", "why", "的", "了",
    "是", "在", "和", "与", "吗", "呢", "什么", "怎么", "哪些", "我们", "他们", "这个", "那个",
];
/// How much a match counts by where in a word it stands.
const WHOLE_WORD: f32 = 1.0;
const BEGINNING: f32 = 0.7;
const INSIDE: f32 = 0.25;
/// How much another form of the word counts.
const OTHER_FORM: f32 = 0.6;
/// What a word gains by standing in the title, or by being a tag.
const IN_TITLE: f32 = 0.6;
const AS_TAG: f32 = 0.8;
/// What a text gains by having the query as it was typed.
const AS_TYPED: f32 = 1.5;
/// How quickly more occurrences of a word stop to matter, and how much longer texts are held back.
const SATURATION: f32 = 1.2;
const LENGTH_WEIGHT: f32 = 0.75;
/// What share of the query's weight a text must have to be a hit.
const FLOOR: f32 = 0.3;
/// Endings that a word may have in another form, longest first, and how much must be left before one.
const ENDINGS: &[&str] = &[
    "ations", "ences", "ances", "ments", "ation", "ence", "ance", "ment", "ions", "ings", "ness",
    "ion", "ing", "ed", "es", "ly", "al", "s",
];
const ROOT_LETTERS: usize = 4;

/// How sure a hit must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asking {
    /// Someone looks for words: those that no note has are forgotten.
    ForWords,
    /// Someone asks a question: a text that answers little of it is no answer.
    Question,
}

/// What is looked for.
#[derive(Debug)]
pub(crate) struct Query {
    terms: Vec<Term>,
    typed: Finder<'static>,
}

#[derive(Debug)]
struct Term {
    text: String,
    finder: Finder<'static>,
    /// What its other forms begin with, if it is a word with an ending.
    root: Option<Finder<'static>>,
}

/// How a text answers, term by term.
#[derive(Debug)]
pub(crate) struct Answer<'s, T> {
    pub(crate) subject: T,
    card: &'s Card,
    strengths: Vec<f32>,
    length: usize,
    has_typed: bool,
}

/// A text that is relevant, and how much.
#[derive(Debug)]
pub(crate) struct Hit<T> {
    pub(crate) subject: T,
    pub(crate) score: f32,
}

impl Query {
    /// Reads the first words of a query; none when there is nothing in it. Signs alone are looked for as they stand.
    pub(crate) fn new(text: &str) -> Option<Self> {
        let folded = fold(asked_part(text));
        let mut words = terms(&folded);
        let says_something = |word: &String| !STOP_WORDS.contains(&word.as_str());
        if words.iter().any(says_something) {
            words.retain(says_something);
        }
        if words.is_empty() && !folded.is_empty() {
            words.push(folded.clone());
        }
        let term = |text: String| Term {
            finder: Finder::new(&text).into_owned(),
            root: root(&text).map(|root| Finder::new(root).into_owned()),
            text,
        };
        let terms: Vec<Term> = words.into_iter().map(term).collect();
        (!terms.is_empty()).then(|| Query {
            terms,
            typed: Finder::new(&folded).into_owned(),
        })
    }

    /// Compares a text, folded as the query is; none when it has none of the words.
    pub(crate) fn ask<'s, T>(
        &self,
        subject: T,
        card: &'s Card,
        text: &str,
    ) -> Option<Answer<'s, T>> {
        let title = LazyCell::new(|| fold(&card.title));
        // Most titles are a part of the text, and need not be looked at where the text lacks the word.
        let names = LazyCell::new(|| fold(&card.other_names().collect::<Vec<_>>().join("\n")));
        let has_names = card.other_names().next().is_some();
        let in_names = |term: &Term| {
            let found = if has_names {
                term.strength(&names)
            } else {
                None
            };
            found.map_or(0.0, |(quality, _)| quality + IN_TITLE * quality)
        };
        let in_text = |term: &Term| {
            let Some((quality, count)) = term.strength(text) else {
                return in_names(term);
            };
            let in_title = term
                .strength(&title)
                .map_or(0.0, |(quality, _)| IN_TITLE * quality);
            quality * count * (SATURATION + 1.0) / (count + SATURATION) + in_title
        };
        let as_tag = |term: &Term| {
            if term.is_among(&card.tags) {
                AS_TAG
            } else {
                0.0
            }
        };
        let strengths: Vec<f32> = self
            .terms
            .iter()
            .map(|term| in_text(term) + as_tag(term))
            .collect();
        strengths
            .iter()
            .any(|strength| *strength > 0.0)
            .then(|| Answer {
                subject,
                card,
                strengths,
                length: text.len(),
                has_typed: self.terms.len() > 1 && self.typed.find(text.as_bytes()).is_some(),
            })
    }

    /// Orders the answers by relevance and leaves out those that have too little of the query.
    ///
    /// `total` is how many texts were asked.
    pub(crate) fn rank<T>(
        &self,
        answers: Vec<Answer<'_, T>>,
        total: usize,
        asking: Asking,
    ) -> Vec<Hit<T>> {
        let rarity: Vec<f32> = (0..self.terms.len())
            .map(|n| {
                let having = answers
                    .iter()
                    .filter(|answer| answer.strengths[n] > 0.0)
                    .count();
                match (having, asking) {
                    (0, Asking::ForWords) => 0.0,
                    _ => rarity(having as f32, total as f32),
                }
            })
            .collect();
        let whole: f32 = rarity.iter().sum();
        let average = answers.iter().map(|answer| answer.length).sum::<usize>() as f32
            / answers.len().max(1) as f32;
        let mut ranked: Vec<(f32, Answer<'_, T>)> = answers
            .into_iter()
            .filter(|answer| answer.share(&rarity, asking) >= FLOOR * whole)
            .map(|answer| (answer.score(&rarity, average), answer))
            .collect();
        ranked.sort_by(|(a, first), (b, second)| {
            let newer = second.card.updated_at.cmp(&first.card.updated_at);
            b.total_cmp(a)
                .then(newer)
                .then_with(|| first.card.id.cmp(&second.card.id))
        });
        ranked
            .into_iter()
            .map(|(score, answer)| Hit {
                subject: answer.subject,
                score,
            })
            .collect()
    }
}

impl<T> Answer<'_, T> {
    fn share(&self, rarity: &[f32], asking: Asking) -> f32 {
        let part = |(strength, weight): (&f32, &f32)| match (*strength > 0.0, asking) {
            (false, _) => 0.0,
            (true, Asking::ForWords) => *weight,
            (true, Asking::Question) => weight * strength.min(1.0),
        };
        self.strengths.iter().zip(rarity).map(part).sum()
    }

    fn score(&self, rarity: &[f32], average_length: f32) -> f32 {
        let sum: f32 = self
            .strengths
            .iter()
            .zip(rarity)
            .map(|(strength, weight)| strength * weight)
            .sum();
        let length =
            1.0 - LENGTH_WEIGHT + LENGTH_WEIGHT * self.length as f32 / average_length.max(1.0);
        // Half of what BM25 would take from a long text: notes are short, and long ones are no spam.
        let held_back = sum / (0.5 + 0.5 * length.max(0.2));
        if self.has_typed {
            held_back * AS_TYPED
        } else {
            held_back
        }
    }
}

impl Term {
    fn is_among(&self, tags: &[String]) -> bool {
        tags.iter().any(|tag| {
            tag.chars()
                .flat_map(char::to_lowercase)
                .eq(self.text.chars())
        })
    }

    /// Returns how well the best occurrence matches, and how many there are.
    fn strength(&self, text: &str) -> Option<(f32, f32)> {
        let (mut quality, mut count) = (0.0_f32, 0.0);
        for at in self.finder.find_iter(text.as_bytes()) {
            count += 1.0;
            if quality < WHOLE_WORD {
                quality = quality.max(self.quality_at(text, at));
            }
        }
        if count > 0.0 {
            Some((quality, count))
        } else {
            self.other_forms(text).map(|count| (OTHER_FORM, count))
        }
    }

    /// Counts the words that are another form of it: prefers, for preferences.
    fn other_forms(&self, text: &str) -> Option<f32> {
        let begins = |at: &usize| !goes_on(text[..*at].chars().next_back());
        let count = self
            .root
            .as_ref()?
            .find_iter(text.as_bytes())
            .filter(begins)
            .count();
        (count > 0).then_some(count as f32)
    }

    fn quality_at(&self, text: &str, at: usize) -> f32 {
        if self.text.starts_with(is_chinese) {
            return WHOLE_WORD;
        }
        let before = goes_on(text[..at].chars().next_back());
        let after = goes_on(text[at + self.text.len()..].chars().next());
        match (before, after) {
            (false, false) => WHOLE_WORD,
            (false, true) => BEGINNING,
            _ => INSIDE,
        }
    }
}

/// Says whether a word goes on with a character.
fn goes_on(c: Option<char>) -> bool {
    c.is_some_and(|c| c.is_alphanumeric() && !is_chinese(c))
}

/// Weighs a word by how few of the texts have it.
fn rarity(having: f32, total: f32) -> f32 {
    (1.0 + (total - having + 0.5) / (having + 0.5)).ln() + 0.1
}

/// Returns what the other forms of a word begin with.
fn root(word: &str) -> Option<&str> {
    let stems = ENDINGS
        .iter()
        .filter_map(|ending| word.strip_suffix(ending));
    stems
        .into_iter()
        .find(|stem| stem.len() >= ROOT_LETTERS && stem.is_ascii())
}

/// Returns the words of a folded query, each once: Latin words whole, Chinese by pairs.
fn terms(folded: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut word = String::new();
    for c in folded.chars().chain([' ']) {
        let belongs = word
            .chars()
            .next_back()
            .is_none_or(|last| is_chinese(last) == is_chinese(c));
        let is_part = c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '+' | '#' | '\'');
        if !(is_part && belongs) {
            add_word(
                word.trim_matches(|c: char| !c.is_alphanumeric() && c != '+' && c != '#'),
                &mut found,
            );
            word.clear();
        }
        if is_part {
            word.push(c);
        }
    }
    found
}

fn add_word(word: &str, found: &mut Vec<String>) {
    let characters: Vec<char> = word.chars().collect();
    let is_long_chinese = characters.len() > 2 && is_chinese(characters[0]);
    let parts: Vec<String> = if is_long_chinese {
        characters
            .windows(2)
            .map(|pair| pair.iter().collect())
            .collect()
    } else {
        vec![word.to_owned()]
    };
    for part in parts {
        if !part.is_empty() && !found.contains(&part) {
            found.push(part);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Category, Note, NoteId, Standing};

    fn card(n: usize, content: &str, tags: &[&str]) -> Card {
        let now = memory_core::parse_instant("2026-05-07T10:00:00Z").unwrap();
        let standing = Standing::Organized {
            category: Category::Knowledge,
        };
        let mut note = Note::new(
            NoteId::parse(&format!("note-{n}")).unwrap(),
            content.into(),
            standing,
            now,
        );
        note.tags = tags.iter().map(|tag| (*tag).to_owned()).collect();
        Card::of(&note)
    }

    const NOTES: &[(&str, &[&str])] = &[
        ("User prefers dark mode in every editor", &["ui"]),
        ("The mode of failure was a dark corner of the cache", &[]),
        ("Deploys happen on Friday", &["ops"]),
        ("用户喜欢深色模式，不喜欢浅色", &[]),
        ("building the container takes long", &[]),
        ("preferences are kept in config.yaml", &[]),
    ];

    #[track_caller]
    fn check(query: &str, expected: &[usize]) {
        check_asking(query, Asking::ForWords, expected);
    }

    #[track_caller]
    fn check_asking(query: &str, asking: Asking, expected: &[usize]) {
        let cards: Vec<Card> = NOTES
            .iter()
            .enumerate()
            .map(|(n, (content, tags))| card(n, content, tags))
            .collect();
        let query = Query::new(query).unwrap();
        let answers = cards.iter().enumerate();
        let answers = answers
            .filter_map(|(n, card)| query.ask(n, card, &fold(NOTES[n].0)))
            .collect();
        let found: Vec<usize> = query
            .rank(answers, NOTES.len(), asking)
            .iter()
            .map(|hit| hit.subject)
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn hits_come_in_the_order_of_relevance() {
        check("dark mode", &[0, 1]);
        check("DARK MODE", &[0, 1]);
        check("ui", &[0, 4]);
        check("what does the user prefer about the editor", &[0]);
        check("config.yaml", &[5]);
        check("nothing-here", &[]);
    }

    #[test]
    fn a_question_needs_an_answer_and_other_forms_of_its_words_will_do() {
        check_asking("user preferences", Asking::Question, &[0, 5]);
        check_asking("deployment on fridays", Asking::Question, &[2]);
        check_asking(
            "nothing of this kind was ever said by the users",
            Asking::Question,
            &[],
        );
        check_asking("喜欢什么模式", Asking::Question, &[3]);
        check_asking("怎么做红烧肉", Asking::Question, &[]);
    }

    #[test]
    fn chinese_words_are_found_inside_sentences() {
        check("深色", &[3]);
        check("深色模式", &[3]);
        check("喜欢什么模式", &[3]);
        check("网络", &[]);
    }

    #[test]
    fn a_query_of_nothing_is_none() {
        assert!(Query::new(" \n ").is_none());
        assert!(
            Query::new("🎉").is_some(),
            "signs are looked for as they stand"
        );
        assert!(
            Query::new("the").is_some(),
            "a stop word alone is what was asked for"
        );
    }
}
