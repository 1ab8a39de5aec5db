//! The words that speak for each category, and the index that finds them in a text.
//!
//! The tables stand in [`english`] and [`chinese`] and hold no logic; nothing here knows
//! how a verdict is reached. Text and tables are read by the same [`symbols`], so a word
//! of a table is found in a text exactly when the two are written alike.

mod chinese;
mod english;
mod symbols;

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::LazyLock;

use symbols::{Symbol, symbols};

use crate::Category;

/// A category, a weight, and the words that have this weight for it, between commas.
///
/// - `prefer~` stands for prefer, prefers, preferred and preferring.
/// - One of a class stands for all of it: `5`, `12:00`, `2026-01-01`, `2026` (a year), `monday`,
///   `mondays`, `january`, `周一`, `zhangsan` (a Chinese name that opens a sentence).
/// - `lesson:` stands for the word before any punctuation mark, as a label has it.
type Row = (Category, u32, &'static str);

/// One word or phrase of a table, which counts once however often and in whichever form it occurs.
#[derive(Debug)]
pub(super) struct Word {
    pub(super) category: Category,
    pub(super) weight: u32,
    /// As it stands in the table, without `~`.
    pub(super) text: String,
}

/// Names a [`Word`]; smaller ones stand earlier in the tables.
type WordId = usize;
type SymbolId = u32;
type NodeId = u32;

/// Returns the words that occur in `text`, each once.
///
/// - A phrase does not reach over a punctuation mark.
/// - Of two words one of which lies within the other, only the longer one occurs:
///   "每周五" is a habit and not also a day, "不喜欢" is not also "喜欢".
pub(super) fn words_in(text: &str) -> Vec<&'static Word> {
    let index: &'static Index = &INDEX;
    let mut found = index.find(text);
    found.sort_unstable();
    found.dedup();
    found.into_iter().map(|id| &index.words[id]).collect()
}

static INDEX: LazyLock<Index> =
    LazyLock::new(|| Index::new(english::TABLE.iter().chain(chinese::TABLE)));

/// A tree whose edges are symbols and whose nodes know the words that end there.
#[derive(Default)]
struct Index {
    words: Vec<Word>,
    /// The words of an alphabet that occur in a table.
    known: HashMap<Box<str>, SymbolId, BuildHasherDefault<Quick>>,
    steps: HashMap<(NodeId, SymbolId), NodeId, BuildHasherDefault<Quick>>,
    /// For each node, the words that end there.
    ends: Vec<Vec<WordId>>,
}

const ROOT: NodeId = 0;
/// A word that no table knows. Signs are their own numbers, other words have larger ones.
const UNKNOWN: SymbolId = 1 << 21;

impl Index {
    fn new<'a>(rows: impl Iterator<Item = &'a Row>) -> Self {
        let mut index = Index {
            ends: vec![Vec::new()],
            ..Index::default()
        };
        for (category, weight, list) in rows {
            for entry in list.split(',').map(str::trim) {
                index.add(*category, *weight, entry);
            }
        }
        index
    }

    fn add(&mut self, category: Category, weight: u32, entry: &str) {
        let word = self.words.len();
        for form in forms(entry) {
            let end = symbols(&form).fold(ROOT, |node, symbol| self.grow(node, symbol));
            self.ends[end as usize].push(word);
        }
        self.words.push(Word {
            category,
            weight,
            text: entry.replace('~', ""),
        });
    }

    fn grow(&mut self, from: NodeId, symbol: Symbol<'_>) -> NodeId {
        let mut id = self.id(symbol);
        if let (Symbol::Word(word), UNKNOWN) = (symbol, id) {
            id = UNKNOWN + 1 + self.known.len() as SymbolId;
            self.known.insert(word.into(), id);
        }
        let next = self.ends.len() as NodeId;
        let to = *self.steps.entry((from, id)).or_insert(next);
        if to == next {
            self.ends.push(Vec::new());
        }
        to
    }

    fn id(&self, symbol: Symbol<'_>) -> SymbolId {
        match symbol {
            Symbol::Word(word) => self.known.get(word).copied().unwrap_or(UNKNOWN),
            Symbol::Sign(sign) => sign.into(),
        }
    }

    /// Returns what occurs, in the order of the text, with repetitions.
    fn find(&self, text: &str) -> Vec<WordId> {
        let lower = text.to_lowercase();
        let text: Vec<SymbolId> = symbols(&lower).map(|symbol| self.id(symbol)).collect();
        let mut found = Vec::new();
        let mut covered = 0;
        for start in 0..text.len() {
            if let Some((node, end)) = self.longest(&text, start).filter(|(_, end)| *end > covered)
            {
                found.extend_from_slice(&self.ends[node as usize]);
                covered = end;
            }
        }
        found
    }

    /// Returns the node and the end of the longest word that begins at `start`.
    fn longest(&self, text: &[SymbolId], start: usize) -> Option<(NodeId, usize)> {
        let mut node = ROOT;
        let mut best = None;
        for (at, symbol) in text.iter().enumerate().skip(start) {
            let Some(next) = self.steps.get(&(node, *symbol)) else {
                break;
            };
            node = *next;
            if !self.ends[node as usize].is_empty() {
                best = Some((node, at + 1));
            }
        }
        best
    }
}

/// A hash for short keys: quick and not safe against chosen keys. Nobody can choose those that
/// are kept, they stand in our tables.
#[derive(Default)]
struct Quick(u64);

impl Quick {
    fn mix(&mut self, value: u64) {
        self.0 = (self.0.rotate_left(5) ^ value).wrapping_mul(0xf135_7aea_2e62_a9c5);
    }
}

impl Hasher for Quick {
    fn finish(&self) -> u64 {
        self.0.rotate_left(26)
    }

    fn write(&mut self, bytes: &[u8]) {
        for part in bytes.chunks(8) {
            self.mix(
                part.iter()
                    .fold(0, |value, byte| value << 8 | u64::from(*byte)),
            );
        }
    }

    fn write_u32(&mut self, value: u32) {
        self.mix(u64::from(value));
    }
}

/// Returns what an entry stands for: itself, or its inflected forms if a word ends in `~`.
///
/// The rule is generous: it also builds forms that are no words ("planed"), which harm nobody.
fn forms(entry: &str) -> Vec<String> {
    let Some((word, after)) = entry.split_once('~') else {
        return vec![entry.to_owned()];
    };
    let (stem, endings): (&str, &[&str]) = if let Some(stem) = word.strip_suffix('e') {
        (stem, &["e", "es", "ed", "ing"])
    } else if let Some(stem) = word.strip_suffix('y') {
        (stem, &["y", "ys", "ies", "yed", "ied", "ying"])
    } else {
        (word, &["", "s", "es", "ed", "ing"])
    };
    let plain = endings
        .iter()
        .map(|ending| format!("{stem}{ending}{after}"));
    let last = word.chars().last().unwrap_or_default();
    plain
        .chain(["ed", "ing"].map(|ending| format!("{word}{last}{ending}{after}")))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;

    use super::*;

    #[test]
    fn no_word_stands_twice_for_a_category() {
        let mut twice = Vec::new();
        for ends in &INDEX.ends {
            let mut here: Vec<&Word> = ends.iter().map(|id| &INDEX.words[*id]).collect();
            here.sort_by_key(|word| (word.category, Reverse(word.weight)));
            let pairs = here
                .windows(2)
                .filter(|pair| pair[0].category == pair[1].category);
            twice.extend(
                pairs.map(|pair| {
                    format!("{}: {} = {}", pair[0].category, pair[0].text, pair[1].text)
                }),
            );
        }
        assert!(twice.is_empty(), "{}", twice.join("\n"));
    }

    #[test]
    fn tables_are_written_as_texts_are_read() {
        for word in &INDEX.words {
            assert!(
                !word.text.is_empty(),
                "a comma too many in {}",
                word.category
            );
            assert_eq!(word.text, word.text.to_lowercase());
        }
    }

    #[test]
    fn every_category_but_inbox_and_reminders_has_words() {
        let has_words = |category| {
            INDEX
                .words
                .iter()
                .filter(|word| word.category == category)
                .count()
                > 600
        };
        let without: Vec<_> = Category::ALL
            .into_iter()
            .filter(|category| !has_words(*category))
            .collect();
        assert_eq!(without, [Category::Inbox, Category::Reminders]);
    }

    #[track_caller]
    fn check_form(entry: &str, form: &str) {
        assert!(
            forms(entry).iter().any(|built| built == form),
            "{entry} does not build {form}"
        );
    }

    #[test]
    fn a_tilde_stands_for_the_inflected_forms() {
        check_form("prefer~", "prefer");
        check_form("prefer~", "prefers");
        check_form("prefer~", "preferred");
        check_form("decide~", "deciding");
        check_form("rely~ on", "relies on");
        check_form("switch~ to", "switches to");
        assert_eq!(forms("category"), ["category"]);
    }
}
