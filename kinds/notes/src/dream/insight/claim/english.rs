//! Claims of English sentences: who, the verb, what, and what for.

use super::{Claim, Stance, Verb, Words};
use crate::Category;

/// Returns the claims of a sentence.
pub(super) fn claims(sentence: &str, category: Category) -> Vec<Claim> {
    let words = split(sentence);
    let lower: Vec<String> = words.iter().map(|word| word.to_lowercase().replace('’', "'")).collect();
    let lower: Vec<&str> = lower.iter().map(String::as_str).collect();
    let is_announced = lower.iter().any(|word| ANNOUNCING.contains(word));
    let mut claims = Vec::new();
    let mut at = 0;
    while at < lower.len() {
        let Some((verb, length)) = verb_at(&lower[at..]) else {
            at += 1;
            continue;
        };
        let clause = clause_before(&lower, at);
        let is_past = lower[clause..at].ends_with(&["used", "to"]);
        if let Some(matter) = verb.matter(category, is_announced).filter(|_| !is_past) {
            let negated = lower[clause..at].iter().any(|word| is_negation(word));
            let holder = holder(&words[clause..at]);
            let stance = verb.stance.turned_if(negated);
            let rest = at + length..lower.len();
            for (stance, value, topic) in objects(&words[rest.clone()], &lower[rest], stance) {
                claims.push(Claim {
                    matter,
                    holder: holder.clone(),
                    stance,
                    is_exclusive: verb.is_exclusive,
                    value,
                    topic,
                });
            }
        }
        at += length;
    }
    claims.extend(favourite(&words, &lower));
    claims
}

/// Splits at white space; a comma is a word of its own, other marks around words fall away.
fn split(sentence: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for word in sentence.split_whitespace() {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '#' | '+'));
        words.extend(Some(bare).filter(|bare| !bare.is_empty()));
        if word.ends_with([',', ':', ')', '—']) || word == "-" {
            words.push(",");
        }
    }
    words
}

/// Returns the verb that begins here and of how many words it is.
fn verb_at(lower: &[&str]) -> Option<(Verb, usize)> {
    let chosen = VERBS
        .iter()
        .filter(|(phrase, ..)| begins_with(lower, phrase))
        .max_by_key(|(phrase, ..)| phrase.len())?;
    let (phrase, chooses, stance, is_exclusive) = *chosen;
    Some((Verb { chooses, stance, is_exclusive }, phrase.split(' ').count()))
}

fn begins_with(lower: &[&str], phrase: &str) -> bool {
    let mut words = lower.iter();
    phrase.split(' ').all(|part| {
        words.next().is_some_and(|word| match part.strip_suffix('~') {
            Some(base) => memory_text::stem::stem(word) == base,
            None => *word == part,
        })
    })
}

/// Returns where the clause of a verb begins.
fn clause_before(lower: &[&str], at: usize) -> usize {
    lower[..at]
        .iter()
        .rposition(|word| matches!(*word, "," | "but" | "and" | "that" | "because"))
        .map_or(0, |at| at + 1)
}

fn is_negation(word: &str) -> bool {
    matches!(word, "not" | "never" | "no" | "against" | "stop" | "stopped" | "cannot")
        || word.ends_with("n't")
}

/// Returns whose claim it is: the words before the verb that are not about everybody.
fn holder(words: &[&str]) -> String {
    let lower = words.iter().map(|word| word.trim_end_matches("'s").to_lowercase());
    let telling: Vec<String> =
        lower.filter(|word| !EVERYBODY.contains(&word.as_str()) && !is_negation(word)).collect();
    telling.join(" ")
}

/// Returns what is chosen and what is refused after a verb.
fn objects(words: &[&str], lower: &[&str], stance: Stance) -> Vec<(Stance, Words, Words)> {
    let end = lower.iter().position(|word| *word == "," || LINKS.contains(word)).unwrap_or(lower.len());
    let topic = topic(&words[end..], &lower[end..]);
    let mut found = Vec::new();
    for value in alternatives(&words[..end], &lower[..end]) {
        found.push((stance, value, topic.clone()));
    }
    found.extend(
        refused(&words[end..], &lower[end..], stance).map(|(stance, value)| (stance, value, topic.clone())),
    );
    found
}

/// Splits "tea and coffee".
fn alternatives(words: &[&str], lower: &[&str]) -> Vec<Words> {
    let mut values = vec![Vec::new()];
    for (word, lower) in words.iter().zip(lower) {
        match (*lower, values.last_mut()) {
            ("and" | "or" | "&", _) => values.push(Vec::new()),
            ("to" | "use" | "using" | "much" | "really", _) => {}
            (_, Some(value)) => value.push(*word),
            _ => {}
        }
    }
    values.into_iter().map(|value| Words::of(&value.join(" "))).filter(|value| !value.is_empty()).collect()
}

/// Returns what a choice is for: the words after the first "for" or "in".
fn topic(words: &[&str], lower: &[&str]) -> Words {
    let Some(start) = lower.iter().position(|word| PURPOSES.contains(word)) else { return Words::default() };
    let rest = &lower[start + 1..];
    let end = rest.iter().position(|word| *word == "," || LINKS.contains(word)).unwrap_or(rest.len());
    let words = &words[start + 1..start + 1 + end];
    let words: Vec<&str> =
        words.iter().copied().filter(|word| !matches!(*word, "the" | "a" | "an" | "all")).collect();
    Words::of(&words.join(" "))
}

/// Returns what is refused beside ("over Y", "instead of Y"), or chosen instead ("…, Y instead").
fn refused(words: &[&str], lower: &[&str], stance: Stance) -> Option<(Stance, Words)> {
    let of = |from: usize| {
        let rest = &lower[from..];
        let end = rest.iter().position(|word| *word == "," || LINKS.contains(word)).unwrap_or(rest.len());
        Words::of(&words[from..from + end].join(" "))
    };
    let after = |phrase: &[&str]| {
        lower.windows(phrase.len()).position(|part| part == phrase).map(|at| at + phrase.len())
    };
    let beside =
        after(&["instead", "of"]).or_else(|| after(&["rather", "than"])).or_else(|| after(&["over"]));
    if let Some(from) = beside.or_else(|| after(&[",", "not"])) {
        return Some((stance.turned_if(true), of(from)));
    }
    let is_instead = lower.first() == Some(&",") && lower.last() == Some(&"instead");
    let from = lower.iter().rposition(|word| *word == ",")? + 1;
    let is_bare = verb_at(lower.get(from..)?).is_none();
    (is_instead && is_bare && stance == Stance::Against).then(|| (Stance::For, of(from)))
}

/// Reads "the favourite colour is blue": a preference with its topic before the verb.
fn favourite(words: &[&str], lower: &[&str]) -> Option<Claim> {
    let start = lower.iter().position(|word| matches!(*word, "favorite" | "favourite" | "preferred"))?;
    let is = start + lower[start..].iter().position(|word| matches!(*word, "is" | "are"))?;
    let negated = lower.get(is + 1) == Some(&"not");
    let value = objects(&words[is + 1..], &lower[is + 1..], Stance::For).into_iter().next()?.1;
    let topic = Words::of(&words[start + 1..is].join(" "));
    let stance = Stance::For.turned_if(negated);
    let holder = holder(&words[..start]);
    let is_claim = !topic.is_empty();
    is_claim.then_some(Claim {
        matter: super::Matter::Preference,
        holder,
        stance,
        is_exclusive: true,
        value,
        topic,
    })
}

const ANNOUNCING: &[&str] = &["decided", "decide", "decision", "agreed", "decisions", "chose", "settled"];

/// Phrase, whether it chooses, its stance, whether it leaves no room. `use~` is any form with that stem.
#[rustfmt::skip]
const VERBS: &[(&str, bool, Stance, bool)] = &[
    ("use~", true, Stance::For, true), ("adopt~", true, Stance::For, true), ("adopted", true, Stance::For, true),
    ("choose~", true, Stance::For, true), ("chose", true, Stance::For, true), ("pick~", true, Stance::For, true),
    ("picked", true, Stance::For, true), ("select~", true, Stance::For, true), ("selected", true, Stance::For, true),
    ("go~ with", true, Stance::For, true), ("going with", true, Stance::For, true), ("went with", true, Stance::For, true),
    ("stick~ with", true, Stance::For, true), ("stick~ to", true, Stance::For, true),
    ("switch~ to", true, Stance::For, true), ("switched to", true, Stance::For, true),
    ("move~ to", true, Stance::For, true), ("moved to", true, Stance::For, true),
    ("migrate~ to", true, Stance::For, true), ("migrated to", true, Stance::For, true),
    ("settled on", true, Stance::For, true), ("decided on", true, Stance::For, true), ("opted for", true, Stance::For, true),
    ("standardize~ on", true, Stance::For, true), ("decided against", true, Stance::Against, true),
    ("drop~", true, Stance::Against, true), ("dropped", true, Stance::Against, true),
    ("abandon~", true, Stance::Against, true), ("abandoned", true, Stance::Against, true),
    ("reject~", true, Stance::Against, true), ("rejected", true, Stance::Against, true),
    ("avoid~", true, Stance::Against, true), ("ditch~", true, Stance::Against, true), ("ditched", true, Stance::Against, true),
    ("decided against using", true, Stance::Against, true),
    ("prefer~", false, Stance::For, true), ("like~", false, Stance::For, false), ("love~", false, Stance::For, false),
    ("enjoy~", false, Stance::For, false), ("favor~", false, Stance::For, true), ("favour~", false, Stance::For, true),
    ("hate~", false, Stance::Against, false), ("dislike~", false, Stance::Against, false),
];

/// Words before a verb that do not say whose claim it is.
const EVERYBODY: &[&str] = &[
    "user",
    "users",
    "the",
    "a",
    "we",
    "i",
    "he",
    "she",
    "they",
    "team",
    "our",
    "my",
    "now",
    "always",
    "currently",
    "also",
    "really",
    "longer",
    "usually",
    "today",
    "decided",
    "decide",
    "agreed",
    "decision",
    "to",
    "has",
    "have",
    "will",
    "does",
    "do",
    "did",
    "is",
    "are",
    "would",
    "should",
    "must",
    "using",
    "more",
    "still",
    "generally",
    "instead",
    "it",
    "was",
    "on",
    "any",
    "been",
    "finally",
    "strongly",
    "prefer",
    "prefers",
    "had",
    "let",
    "let's",
    "all",
    "never",
    "it's",
];

/// Words that end what is chosen.
const LINKS: &[&str] = &[
    "for",
    "in",
    "on",
    "as",
    "when",
    "while",
    "because",
    "since",
    "due",
    "instead",
    "rather",
    "over",
    "at",
    "by",
    "with",
    "from",
    "until",
    "so",
    "but",
    "than",
    "during",
    "if",
    "unless",
    "after",
    "before",
    "now",
    "anymore",
    "again",
    "which",
    "that",
    "is",
    "are",
    "was",
    "not",
    "everywhere",
    "first",
    "later",
];

/// Words before what a choice is for.
const PURPOSES: &[&str] = &["for", "in", "on", "as", "when", "during", "at", "with"];
