//! A summary without a model: the sentences that say most of what the text says, in its order.

use std::collections::{HashMap, HashSet};

use memory_text::tokens;
use memory_text::words::words;

/// Chooses sentences of a text up to so many tokens; at least one, cut if it must be.
pub(super) fn choose(text: &str, target: usize, joint: &str) -> String {
    let sentences = sentences(text);
    let weights = weights(&sentences);
    let mut chosen: Vec<usize> = Vec::new();
    let mut told: HashSet<&str> = HashSet::new();
    let mut length = 0;
    loop {
        let left = (0..sentences.len()).filter(|n| !chosen.contains(n));
        let fitting = left.filter(|n| chosen.is_empty() || length + sentences[*n].tokens <= target);
        // What was told already adds nothing, so that the summary says many things and not one often.
        let worth = |n: usize| sentences[n].worth(&weights, &told);
        let best = fitting.max_by(|a, b| worth(*a).total_cmp(&worth(*b)).then(b.cmp(a)));
        let Some(best) = best.filter(|best| worth(*best) > 0.0 || chosen.is_empty()) else {
            break;
        };
        length += sentences[best].tokens;
        told.extend(sentences[best].words.iter().map(String::as_str));
        chosen.push(best);
        if length >= target {
            break;
        }
    }
    chosen.sort_unstable();
    let texts: Vec<&str> = chosen
        .iter()
        .map(|n| sentences[*n].text.trim_end_matches(['.', ';', ' ']))
        .collect();
    cut(&texts.join(if joint == " " { ". " } else { joint }), target)
}

struct Sentence<'a> {
    text: &'a str,
    words: Vec<String>,
    tokens: usize,
}

impl Sentence<'_> {
    fn worth(&self, weights: &HashMap<String, f32>, told: &HashSet<&str>) -> f32 {
        let new = self
            .words
            .iter()
            .filter(|word| !told.contains(word.as_str()));
        let sum: f32 = new.filter_map(|word| weights.get(word)).sum();
        sum / (self.tokens as f32 + 4.0)
    }
}

fn sentences(text: &str) -> Vec<Sentence<'_>> {
    let ends = |c: char| matches!(c, '\n' | '。' | '！' | '？' | ';' | '；');
    let lines = text.split(ends).flat_map(|line| line.split(". "));
    let lines = lines
        .map(|line| line.trim().trim_start_matches(['-', '*', ' ']))
        .filter(|line| !line.is_empty());
    lines
        .map(|text| Sentence {
            text,
            words: distinct(text),
            tokens: tokens::count(text),
        })
        .collect()
}

fn distinct(text: &str) -> Vec<String> {
    let mut words = words(text);
    words.sort();
    words.dedup();
    words
}

/// A word that many sentences share is what the text is about; one that nearly all have says nothing.
fn weights(sentences: &[Sentence<'_>]) -> HashMap<String, f32> {
    let mut counts: HashMap<String, f32> = HashMap::new();
    for word in sentences.iter().flat_map(|sentence| &sentence.words) {
        *counts.entry(word.clone()).or_default() += 1.0;
    }
    let all = sentences.len() as f32;
    let weight = |count: f32| (1.0 + count.ln()) * ((all + 1.0) / count).ln();
    counts
        .into_iter()
        .map(|(word, count)| (word, weight(count)))
        .collect()
}

fn cut(text: &str, target: usize) -> String {
    if tokens::count(text) <= target.max(1) * 2 {
        return text.to_owned();
    }
    let mut cut: String = text.chars().take(target * 4).collect();
    while tokens::count(&cut) > target * 2 {
        cut.truncate(
            cut.char_indices()
                .nth(cut.chars().count() / 2)
                .map_or(0, |(at, _)| at),
        );
    }
    format!("{} …", cut.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_is_made_of_the_text_in_its_order_and_says_things_once() {
        let text = "The user lives in Oslo.\nThe user lives in Oslo now.\nThe user has a dog named Rex.\n\
            The user plays the cello on Sundays.";
        let summary = choose(text, 25, "; ");
        let (dog, cello) = (summary.find("Rex").unwrap(), summary.find("cello").unwrap());
        assert!(dog < cello, "{summary}");
        assert!(summary.matches("lives").count() <= 1, "{summary}");
    }

    #[test]
    fn a_sentence_longer_than_the_summary_is_cut() {
        let summary = choose(&"word ".repeat(1_000), 20, " ");
        assert!(
            tokens::count(&summary) <= 42 && summary.ends_with('…'),
            "{summary}"
        );
    }
}
