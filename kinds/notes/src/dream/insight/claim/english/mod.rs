//! Claims of English sentences: who, the verb, what, and what for.

mod tables;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use super::{Claim, Matter, Stance, Verb, Words};
use crate::Category;
use tables::{ANNOUNCING, BEGINNINGS, BESIDE, EVERYBODY, LINKS, PURPOSES, VERBS};

/// How far before and behind a verb its clause is read; a longer one says too much to be a claim.
const FARTHEST: usize = 16;

/// Returns the claims of a sentence.
pub(super) fn claims(sentence: &str, category: Category) -> Vec<Claim> {
    let in_lower_case = sentence.to_lowercase().replace('’', "'");
    let lower = split(&in_lower_case);
    // Few letters become two in lower case; then words are shown in lower case.
    let words = Some(split(sentence)).filter(|words| words.len() == lower.len());
    let clause = Clause {
        words: &words.unwrap_or_else(|| lower.clone()),
        lower: &lower,
    };
    let is_announced = lower.iter().any(|word| ANNOUNCING.contains(word));
    let mut claims = Vec::new();
    let mut at = 0;
    while at < lower.len() {
        let Some((verb, length)) = verb_at(&lower[at..]) else {
            at += 1;
            continue;
        };
        let (before, after) = (clause.before(at), clause.after(at + length));
        if let Some(matter) = verb.matter(category, is_announced) {
            claims.extend(claims_of(matter, verb, before, after));
        }
        at += length + after.object_end();
    }
    claims.extend(favourite(clause));
    claims
}

/// Returns what one verb claims.
fn claims_of(matter: Matter, verb: Verb, before: Clause<'_>, after: Clause<'_>) -> Vec<Claim> {
    if before.lower.len() == FARTHEST || before.lower.ends_with(&["used", "to"]) {
        return Vec::new();
    }
    let stance = verb
        .stance
        .turned_if(before.lower.iter().any(|word| is_negation(word)));
    let has_purpose = after.has_purpose();
    let claim = |(stance, value, topic)| Claim {
        matter,
        holder: holder(before.words),
        stance,
        is_exclusive: verb.is_exclusive,
        value,
        topic,
        has_purpose,
    };
    objects(after, stance).into_iter().map(claim).collect()
}

/// Some words, as they are written and in lower case.
#[derive(Clone, Copy)]
struct Clause<'a> {
    words: &'a [&'a str],
    lower: &'a [&'a str],
}

impl<'a> Clause<'a> {
    fn part(self, range: Range<usize>) -> Self {
        Clause {
            words: &self.words[range.clone()],
            lower: &self.lower[range],
        }
    }

    /// Returns the words of the clause before a verb.
    fn before(self, at: usize) -> Self {
        let near = at.saturating_sub(FARTHEST);
        let mark = self.lower[near..at]
            .iter()
            .rposition(|word| BEGINNINGS.contains(word));
        self.part(mark.map_or(near, |mark| near + mark + 1)..at)
    }

    fn after(self, at: usize) -> Self {
        self.part(at..self.lower.len().min(at + FARTHEST))
    }

    /// Returns where what is chosen ends.
    fn object_end(self) -> usize {
        let begins_another = |at: usize| {
            at > 0 && self.lower[at - 1] == "and" && verb_at(&self.lower[at..]).is_some()
        };
        (0..self.lower.len())
            .find(|at| is_end(self.lower[*at]) || begins_another(*at))
            .unwrap_or(self.lower.len())
    }

    /// Says whether the first topic is what a choice is for.
    fn has_purpose(self) -> bool {
        let link = self.lower.iter().find(|word| PURPOSES.contains(word));
        link.is_some_and(|link| matches!(*link, "for" | "as"))
    }

    /// Returns the words up to the next end.
    fn up_to_end(self) -> Self {
        self.part(
            0..self
                .lower
                .iter()
                .position(|word| is_end(word))
                .unwrap_or(self.lower.len()),
        )
    }

    fn from(self, at: usize) -> Self {
        self.part(at..self.lower.len())
    }

    fn text(self) -> String {
        let is_article = |word: &&&str| matches!(**word, "the" | "a" | "an" | "all" | "The");
        self.words
            .iter()
            .filter(|word| !is_article(word))
            .copied()
            .collect::<Vec<_>>()
            .join(" ")
    }
}

fn is_end(word: &str) -> bool {
    word == "," || LINKS.contains(&word)
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
    let verbs = VERBS_BY_FIRST_WORD.get(*lower.first()?)?;
    let fitting = verbs
        .iter()
        .filter(|(rest, _)| lower[1..].starts_with(rest));
    fitting
        .max_by_key(|(rest, _)| rest.len())
        .map(|(rest, verb)| (*verb, rest.len() + 1))
}

/// For the first word of a verb's phrase in each of its forms: the words that follow, and its meaning.
type Verbs = HashMap<String, Vec<(Vec<&'static str>, Verb)>>;

static VERBS_BY_FIRST_WORD: LazyLock<Verbs> = LazyLock::new(|| {
    let mut verbs = Verbs::new();
    for (phrase, chooses, stance, is_exclusive) in VERBS.iter().copied() {
        let mut words = phrase.split(' ');
        let first = words.next().unwrap_or_default();
        let rest: Vec<&str> = words.collect();
        for form in forms(first) {
            verbs.entry(form).or_default().push((
                rest.clone(),
                Verb {
                    chooses,
                    stance,
                    is_exclusive,
                },
            ));
        }
    }
    verbs
});

/// Returns a word, or with `~` behind it the forms of the present.
fn forms(word: &str) -> Vec<String> {
    let Some(base) = word.strip_suffix('~') else {
        return vec![word.to_owned()];
    };
    ["", "s", "es"]
        .iter()
        .map(|ending| format!("{base}{ending}"))
        .collect()
}

fn is_negation(word: &str) -> bool {
    matches!(
        word,
        "not" | "never" | "no" | "against" | "stop" | "stopped" | "cannot"
    ) || word.ends_with("n't")
}

/// Returns whose claim it is: the words before the verb that are not about everybody.
fn holder(words: &[&str]) -> String {
    let lower = words
        .iter()
        .map(|word| word.trim_end_matches("'s").to_lowercase());
    let telling: Vec<String> = lower
        .filter(|word| !EVERYBODY.contains(&word.as_str()) && !is_negation(word))
        .collect();
    telling.join(" ")
}

/// Returns what is chosen and what is refused after a verb, and what for.
fn objects(after: Clause<'_>, stance: Stance) -> Vec<(Stance, Words, Words)> {
    let end = after.object_end();
    let (object, rest) = (after.part(0..end), after.from(end));
    let topic = topic(rest);
    let chosen = alternatives(object)
        .into_iter()
        .map(|value| (stance, value));
    chosen
        .chain(refused(rest, stance))
        .map(|(stance, value)| (stance, value, topic.clone()))
        .collect()
}

/// Splits "tea and coffee".
fn alternatives(object: Clause<'_>) -> Vec<Words> {
    let splits = |word: &&str| matches!(*word, "and" | "or" | "&");
    let means_nothing = |word: &&&str| matches!(**word, "to" | "use" | "using" | "much" | "really");
    let values = object.words.split(splits);
    let values = values.map(|value| {
        value
            .iter()
            .filter(|word| !means_nothing(word))
            .copied()
            .collect::<Vec<_>>()
    });
    values
        .map(|value| Words::of(&value.join(" ")))
        .filter(|value| !value.is_empty())
        .collect()
}

/// Returns what a choice is for: the words after the first "for" or "in" of the clause.
fn topic(rest: Clause<'_>) -> Words {
    let start = rest
        .lower
        .iter()
        .take_while(|word| **word != ",")
        .position(|word| PURPOSES.contains(word));
    start.map_or_else(Words::default, |start| {
        Words::of_topic(&rest.from(start + 1).up_to_end().text())
    })
}

/// Returns what is refused beside ("over Y", "instead of Y"), or chosen instead ("…, Y instead").
fn refused(rest: Clause<'_>, stance: Stance) -> Option<(Stance, Words)> {
    let beside = BESIDE
        .iter()
        .find_map(|phrase| after_phrase(rest.lower, phrase));
    if let Some(from) = beside {
        return Some((
            stance.turned_if(true),
            Words::of(&rest.from(from).up_to_end().text()),
        ));
    }
    let is_instead = stance == Stance::Against
        && rest.lower.first() == Some(&",")
        && rest.lower.last() == Some(&"instead");
    let from = rest.lower.iter().rposition(|word| *word == ",")? + 1;
    let is_bare = verb_at(&rest.lower[from..]).is_none();
    (is_instead && is_bare).then(|| (Stance::For, Words::of(&rest.from(from).up_to_end().text())))
}

/// Returns where a phrase ends.
fn after_phrase(lower: &[&str], phrase: &[&str]) -> Option<usize> {
    lower
        .windows(phrase.len())
        .position(|part| part == phrase)
        .map(|at| at + phrase.len())
}

/// Reads "the favourite colour is blue": a preference with its topic before the verb.
fn favourite(sentence: Clause<'_>) -> Option<Claim> {
    let is_cue = |word: &&str| matches!(*word, "favorite" | "favourite" | "preferred");
    let start = sentence.lower.iter().position(is_cue)?;
    let is = start
        + sentence.lower[start..]
            .iter()
            .position(|word| matches!(*word, "is" | "are"))?;
    let negated = sentence.lower.get(is + 1) == Some(&"not");
    let after = sentence.after(is + 1 + usize::from(negated));
    let (stance, value, _) = objects(after, Stance::For.turned_if(negated))
        .into_iter()
        .next()?;
    let topic = Words::of_topic(&sentence.part(start + 1..is).text());
    let holder = holder(sentence.before(start).words);
    let is_claim = !topic.is_empty();
    is_claim.then_some(Claim {
        matter: Matter::Preference,
        holder,
        stance,
        is_exclusive: true,
        value,
        topic,
        has_purpose: true,
    })
}
