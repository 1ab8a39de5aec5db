//! What a prompt brings to mind: the notes that have a good part of its words, or nothing.

use std::collections::{BTreeSet, HashSet};

use memory_core::{Fenced, fence};
use memory_notes::tools::smart_search;
use memory_text::words::{is_chinese, words};

use super::{MOST_CHARACTERS, Recall};

/// How many notes are asked for, and how many are told at the most.
const CANDIDATES: usize = 20;
const TOLD: usize = 5;
/// How much of a prompt is looked at, in characters: a pasted log is not a question.
const PROMPT_CHARACTERS: usize = 2_000;
/// What share of a prompt's words a note must have; or, of a long prompt, how many of them.
const SHARE: f64 = 0.34;
const MANY: usize = 4;

/// Words that people use to talk to an agent, and that say nothing about what a note would.
const TALK: &[&str] = &[
    "a",
    "about",
    "add",
    "after",
    "again",
    "all",
    "also",
    "always",
    "am",
    "an",
    "and",
    "any",
    "are",
    "as",
    "at",
    "be",
    "because",
    "been",
    "before",
    "but",
    "by",
    "can",
    "change",
    "check",
    "code",
    "continue",
    "could",
    "create",
    "did",
    "do",
    "does",
    "done",
    "don",
    "every",
    "fine",
    "first",
    "fix",
    "for",
    "from",
    "get",
    "give",
    "go",
    "good",
    "great",
    "had",
    "has",
    "have",
    "hello",
    "help",
    "her",
    "here",
    "hey",
    "hi",
    "his",
    "how",
    "if",
    "implement",
    "in",
    "into",
    "is",
    "it",
    "its",
    "just",
    "know",
    "last",
    "let",
    "like",
    "look",
    "make",
    "may",
    "me",
    "more",
    "my",
    "need",
    "never",
    "new",
    "next",
    "no",
    "not",
    "now",
    "of",
    "ok",
    "okay",
    "old",
    "on",
    "one",
    "only",
    "or",
    "other",
    "our",
    "out",
    "over",
    "please",
    "put",
    "remove",
    "right",
    "run",
    "same",
    "say",
    "see",
    "she",
    "should",
    "show",
    "so",
    "some",
    "start",
    "still",
    "stop",
    "such",
    "sure",
    "take",
    "tell",
    "thank",
    "thanks",
    "that",
    "the",
    "their",
    "them",
    "then",
    "there",
    "these",
    "they",
    "thing",
    "things",
    "this",
    "those",
    "to",
    "too",
    "try",
    "up",
    "us",
    "use",
    "used",
    "very",
    "want",
    "was",
    "way",
    "we",
    "well",
    "were",
    "what",
    "when",
    "where",
    "which",
    "who",
    "why",
    "will",
    "with",
    "would",
    "write",
    "yes",
    "yet",
    "you",
    "your",
    "继续",
    "可以",
    "好的",
    "谢谢",
    "请问",
    "什么",
    "怎么",
    "我们",
    "他们",
    "这个",
    "那个",
    "一下",
    "帮我",
    "现在",
    "然后",
];

/// Returns the notes that matter to a prompt, as text for a model.
pub(super) fn context(recall: &Recall, prompt: &str) -> Option<String> {
    let prompt: String = prompt.trim().chars().take(PROMPT_CHARACTERS).collect();
    let asked = telling_words(&prompt);
    if asked.is_empty() || prompt.starts_with('/') {
        return None;
    }
    let query = asked.iter().cloned().collect::<Vec<_>>().join(" ");
    let agent = Some(recall.agent.clone());
    let params = smart_search::Params { query, limit: Some(CANDIDATES), agent, ..Default::default() };
    let reply: smart_search::Reply = recall.ask("memory_smart_search", &params).ok()?;
    let relevant = reply.hits.into_iter().filter(|hit| is_relevant(&asked, &hit.text, &hit.tags));
    let pieces: Vec<Fenced> = relevant.take(TOLD).map(|hit| piece(&hit)).collect();
    fence(
        "Notes of the user that may matter to this prompt.",
        &pieces,
        &recall.house.ground.environment.ids,
        MOST_CHARACTERS,
    )
}

fn piece(hit: &smart_search::Hit) -> Fenced {
    let day = hit.created_at.split('T').next().unwrap_or_default();
    let id: String = hit.id.chars().take(8).collect();
    let origin = format!("{}, {day}, from {}, note {id}", hit.category, memory_core::printable(&hit.source));
    Fenced { origin, text: hit.text.clone() }
}

/// Returns the words of a prompt that say what it is about.
fn telling_words(prompt: &str) -> BTreeSet<String> {
    let is_telling = |word: &String| {
        let is_one_character = word.chars().nth(1).is_none();
        !is_one_character && !TALK.contains(&word.as_str())
    };
    words(prompt).into_iter().filter(is_telling).collect()
}

/// Says whether a note has enough of a prompt to be worth telling.
fn is_relevant(asked: &BTreeSet<String>, text: &str, tags: &[String]) -> bool {
    let mut there: HashSet<String> = words(text).into_iter().collect();
    there.extend(tags.iter().flat_map(|tag| words(tag)));
    let stems: HashSet<&str> = there.iter().map(|word| stem(word)).collect();
    let found = asked.iter().filter(|word| there.contains(*word) || stems.contains(stem(word))).count();
    found >= MANY || found as f64 >= SHARE * asked.len() as f64
}

/// Cuts the common endings of an English word, so that `deploys` and `deploy` are one.
fn stem(word: &str) -> &str {
    if word.starts_with(is_chinese) {
        return word;
    }
    let endings = ["ing", "ies", "ed", "es", "s", "e"];
    let cut = endings.iter().find_map(|ending| word.strip_suffix(ending).filter(|rest| rest.len() >= 3));
    cut.unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(prompt: &str, note: &str, relevant: bool) {
        let asked = telling_words(prompt);
        assert_eq!(!asked.is_empty() && is_relevant(&asked, note, &[]), relevant, "{prompt}: {asked:?}");
    }

    #[test]
    fn a_note_is_told_only_if_it_has_a_good_part_of_the_prompt() {
        check("which database do we use?", "Decision: we use PostgreSQL as the database", true);
        check("when can I deploy the service", "Deploys happen on Friday", true);
        check("continue", "Continue the migration tomorrow", false);
        check("yes please, go on and fix it", "The user likes go", false);
        check("refactor the parser so that errors carry line numbers", "The parser of dates is slow", false);
        check("用户喜欢什么颜色的主题", "用户喜欢深色主题", true);
        check("今天天气怎么样", "用户喜欢深色主题", false);
    }
}
