//! What a note chooses, wants or refuses, as far as its sentences say so plainly.
//!
//! A claim is taken from a sentence by its verb; what is not said in a form that the tables of
//! [`english`] and [`chinese`] know is no claim. Claims are not compared here.

mod chinese;
mod english;

use std::collections::BTreeSet;

use memory_text::stem::stem;
use memory_text::words::is_chinese;

use super::rivals::rivals_of;
use super::vocabulary::{is_stop_word, runs};
use crate::Category;

/// Something that a note chooses or refuses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Claim {
    pub(super) matter: Matter,
    /// Whose claim it is, if it is not the user's or everybody's.
    pub(super) holder: String,
    pub(super) stance: Stance,
    /// It leaves no room for another choice: "prefers", not "likes".
    pub(super) is_exclusive: bool,
    pub(super) value: Words,
    /// What the choice is for, or when it holds; often empty.
    pub(super) topic: Words,
    /// The topic says what was chosen ("for editing"), not only where or when ("at work").
    pub(super) has_purpose: bool,
}

impl Claim {
    /// Says whether both claim the same of the same.
    pub(super) fn says(&self, other: &Claim) -> bool {
        (self.matter, self.stance, &self.holder) == (other.matter, other.stance, &other.holder)
            && (&self.value.keys, &self.topic.keys) == (&other.value.keys, &other.topic.keys)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Matter {
    Decision,
    Preference,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stance {
    For,
    Against,
}

impl Stance {
    fn turned_if(self, turned: bool) -> Self {
        match (self, turned) {
            (stance, false) => stance,
            (Stance::For, true) => Stance::Against,
            (Stance::Against, true) => Stance::For,
        }
    }
}

/// What a verb of a claim means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Verb {
    /// It chooses ("use"); otherwise it tells a liking ("prefer").
    chooses: bool,
    stance: Stance,
    is_exclusive: bool,
}

impl Verb {
    /// Returns what a verb of a note claims: a choice is a decision where one is announced.
    fn matter(self, category: Category, is_announced: bool) -> Option<Matter> {
        match (self.chooses, category) {
            (false, _) | (true, Category::Preferences) => Some(Matter::Preference),
            (true, Category::Decisions) => Some(Matter::Decision),
            (true, _) => is_announced.then_some(Matter::Decision),
        }
    }
}

/// A few words, as they are written and as they are compared.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Words {
    pub(super) shown: String,
    pub(super) keys: BTreeSet<String>,
}

impl Words {
    /// Keeps what is chosen: words that say something.
    fn of(shown: &str) -> Self {
        Words {
            shown: shown.trim().to_owned(),
            keys: keys(shown, says_something),
        }
    }

    /// Keeps what a choice is for or when it holds, even if it is only "work".
    fn of_topic(shown: &str) -> Self {
        let words = Words::of(shown);
        if words.is_empty() {
            Words {
                keys: keys(shown, |_| true),
                ..words
            }
        } else {
            words
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Returns the keys as one text.
    pub(super) fn joined(&self) -> String {
        self.keys
            .iter()
            .map(String::as_str)
            .collect::<Vec<_>>()
            .join(" ")
    }
}

/// Returns the keys of words, without general nouns if anything else remains.
fn keys(shown: &str, counts: fn(&str) -> bool) -> BTreeSet<String> {
    let all: BTreeSet<String> = runs(shown)
        .flat_map(|run| keys_of_run(run, counts))
        .collect();
    let without_heads: BTreeSet<String> = all
        .iter()
        .filter(|key| !HEADS.contains(&key.as_str()))
        .cloned()
        .collect();
    if without_heads.is_empty() {
        all
    } else {
        without_heads
    }
}

fn keys_of_run(run: &str, counts: fn(&str) -> bool) -> Vec<String> {
    if run.starts_with(is_chinese) {
        return split_rival(run).into_iter().map(str::to_owned).collect();
    }
    let lower = run.to_lowercase();
    let is_key = !ARTICLES.contains(&&*lower) && counts(&lower);
    is_key
        .then(|| stem(&lower).into_owned())
        .into_iter()
        .collect()
}

/// Splits 深色模式 into 深色 and 模式, since Chinese does not say where words end.
fn split_rival(run: &str) -> Vec<&str> {
    let ends = run.char_indices().map(|(at, _)| at).skip(2).take(3);
    let rival = ends.filter(|end| rivals_of(&run[..*end]).is_some()).last();
    let head = HEADS
        .iter()
        .find_map(|head| run.strip_suffix(head))
        .filter(|rest| !rest.is_empty());
    match (rival, head) {
        (Some(end), _) => vec![&run[..end], &run[end..]],
        (None, Some(rest)) => vec![rest],
        (None, None) => vec![run],
    }
}

fn says_something(lower: &str) -> bool {
    !is_stop_word(lower) || KEPT.contains(&lower)
}

const ARTICLES: &[&str] = &[
    "the", "a", "an", "his", "her", "their", "our", "my", "your", "all",
];

/// Words that stand in any text and yet may be what is chosen.
const KEPT: &[&str] = &[
    "go", "long", "small", "new", "old", "morning", "simple", "more", "less", "tool",
];

/// Nouns that add nothing to a choice: "dark mode" is "dark".
const HEADS: &[&str] = &[
    "mode",
    "theme",
    "database",
    "db",
    "editor",
    "background",
    "数据库",
    "模式",
    "主题",
    "编辑器",
    "界面",
    "背景",
];

/// Most words of a value; a longer one is a tale and no choice.
const LONGEST_VALUE: usize = 4;

/// Most claims of a note; one with more is a collection, and the first ones stand for it.
const MOST_CLAIMS: usize = 12;

/// Returns the claims of a note.
pub(super) fn claims(content: &str, category: Category) -> Vec<Claim> {
    let mut claims = Vec::new();
    for sentence in sentences(content) {
        if sentence.contains(is_chinese) {
            claims.extend(chinese::claims(sentence, category));
        } else {
            claims.extend(english::claims(sentence, category));
        }
    }
    claims.retain(|claim| (1..=LONGEST_VALUE).contains(&claim.value.keys.len()));
    claims.truncate(MOST_CLAIMS);
    claims
}

fn sentences(content: &str) -> impl Iterator<Item = &str> {
    let lines = content.split(['\n', ';', '!', '?', '。', '；', '！', '？']);
    lines
        .flat_map(|line| line.split(". "))
        .map(|sentence| sentence.trim_end_matches('.'))
}
