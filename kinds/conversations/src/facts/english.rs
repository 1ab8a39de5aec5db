//! English clauses that tell something about their writer: who, likes, has, works, lives, plans.

use memory_steps::count;

/// How a clause may begin before it comes to the point.
const FILLERS: &str =
    "hi hello hey well so also actually anyway ok okay yes no btw fyi please oh and but today";
const LEAD_INS: [&str; 7] = [
    "by the way",
    "remember that",
    "please remember that",
    "note that",
    "remember",
    "just so you know",
    "i should mention that",
];

/// More than any of these has, in bytes.
const LONGEST_LEAD_IN: usize = 40;

/// Words between "I" and its verb that change nothing.
const ADVERBS: &str = "really absolutely also usually always currently still just now actually often mostly generally truly definitely recently finally";

/// Verbs that tell how things are, with the form they take after "the user".
const VERBS: &str = "like likes|love loves|enjoy enjoys|prefer prefers|adore adores|hate hates|dislike dislikes|\
    have has|own owns|keep keeps|work works|live lives|reside resides|use uses|speak speaks|study studies|\
    play plays|want wants|plan plans|hope hopes|intend intends|drive drives|teach teaches|run runs|manage manages|\
    lead leads|collect collects|eat eats|drink drinks|need needs|know knows|believe believes|wear wears|\
    moved moved|was was|grew grew|bought bought|got got|adopted adopted|met met|graduated graduated|\
    studied studied|worked worked|lived lived|joined joined|left left|quit quit|started started|\
    will will|never never|used used|became became|married married|switched switched|stopped stopped";

/// What follows "I am" when it tells something that lasts.
const STATES: &str = "vegetarian vegan married single divorced engaged retired pregnant diabetic allergic left-handed \
    colorblind colourblind from based living working studying learning planning going moving training born called \
    interested responsible afraid scared a an the in at on not";

/// Clauses that begin so ask for something now and tell nothing that lasts.
const REQUESTS: &str = "want you|want to know|want to ask|want to see|need you|need help|need a|need an|need the|need some|\
    need to know|have a question|have another question|have a problem|have a bug|have an error|have an issue|\
    have the following|have this|have to|like you to|like to know|know that|know how|know what|will be|got an error|\
    got a|got the|was wondering|was asking|was thinking|was trying|am trying|am looking|am asking|am wondering|\
    am not sure|am a bit|am going crazy|am getting|am using this|used this|run into|run this";

/// What is the user's for a moment only, or of no one's interest.
const PASSING: &str = "question code program script function query error problem issue point test bug output guess apologies \
    understanding request task prompt goal input file answer mistake bad turn computer build";

/// People and animals that are called by a name.
const NAMED: &str = "wife husband partner spouse fiance fiancee son daughter child baby brother sister mother father mom mum dad \
    friend boyfriend girlfriend boss manager colleague coworker dog cat pet parrot hamster rabbit horse neighbor neighbour teacher \
    doctor roommate cousin uncle aunt nephew niece grandmother grandfather twin";

/// Returns what a clause tells about its writer, if it does.
pub(super) fn fact(clause: &str) -> Option<String> {
    let clause = point(clause);
    let words: Vec<&str> = clause.split_whitespace().collect();
    let (first, rest) = words.split_first()?;
    match first.to_ascii_lowercase().as_str() {
        "i" => about_me(rest),
        "i'm" | "im" => about_me(&[&["am"], rest].concat()),
        "i've" => about_me(&[&["have"], rest].concat()),
        "i'll" => about_me(&[&["will"], rest].concat()),
        "i'd" => wish(rest),
        "my" => about_mine(rest),
        "call"
            if rest
                .first()
                .is_some_and(|word| word.eq_ignore_ascii_case("me")) =>
        {
            name(&rest[1..])
        }
        _ => None,
    }
}

/// Comes to the point of a clause.
fn point(clause: &str) -> &str {
    let mut rest = clause.trim();
    loop {
        count(LONGEST_LEAD_IN);
        // What it begins with, and one character more, which tells whether a word ends there.
        let lower = rest[..rest.floor_char_boundary(LONGEST_LEAD_IN)].to_ascii_lowercase();
        let lead_in = LEAD_INS
            .iter()
            .find(|words| starts_with_words(&lower, words));
        let filler = lower
            .split([' ', ','])
            .next()
            .filter(|word| has_word(FILLERS, word));
        let Some(skipped) = lead_in.map(|words| words.len()).or(filler.map(str::len)) else {
            return rest;
        };
        let after = rest[skipped..].trim_start_matches([',', ':', ' ', '-', '!']);
        if after.is_empty() {
            return rest;
        }
        rest = after;
    }
}

fn about_me(words: &[&str]) -> Option<String> {
    let words = skip_adverbs(words);
    let begin = words
        .iter()
        .take(4)
        .map(|word| word.to_ascii_lowercase())
        .collect::<Vec<_>>()
        .join(" ");
    if REQUESTS
        .split('|')
        .any(|request| starts_with_words(&begin, request.trim()))
    {
        return None;
    }
    let (verb, rest) = words.split_first()?;
    let verb = verb.to_ascii_lowercase();
    match verb.as_str() {
        "am" => state(rest),
        "don't" | "dont" | "do" | "can't" | "cannot" | "won't" | "didn't" | "no" => {
            denied(&verb, rest)
        }
        "have"
            if rest
                .first()
                .is_some_and(|word| word.eq_ignore_ascii_case("got")) =>
        {
            told("has", &rest[1..])
        }
        // "I have moved", "I've decided to move".
        "have" if rest.first().is_some_and(|word| is_participle(word)) => told("has", rest),
        _ => told(third_person(&verb)?, rest),
    }
}

fn is_participle(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    word.ends_with("ed")
        || [
            "been", "got", "become", "begun", "bought", "chosen", "left", "quit",
        ]
        .contains(&word.as_str())
}

fn third_person(verb: &str) -> Option<&'static str> {
    VERBS.split('|').find_map(|pair| {
        pair.trim()
            .split_once(' ')
            .filter(|(first, _)| *first == verb)
            .map(|(_, third)| third)
    })
}

fn state(words: &[&str]) -> Option<String> {
    let words = skip_adverbs(words);
    let first = words.first()?.to_ascii_lowercase();
    let is_age = first.bytes().all(|byte| byte.is_ascii_digit());
    match first.as_str() {
        "called" | "named" => return name(&words[1..]),
        "planning" if words.len() > 2 => return told("plans", &words[1..]),
        "based" | "living" if words.len() > 2 => return told("lives", &words[1..]),
        "going"
            if words
                .get(1)
                .is_some_and(|word| word.eq_ignore_ascii_case("to")) =>
        {
            let is_place = words
                .get(2)
                .is_some_and(|word| word.starts_with(char::is_uppercase));
            return if is_place {
                told("is", words)
            } else {
                told("plans", &words[1..])
            };
        }
        _ => {}
    }
    let is_name = words.len() <= 2
        && words
            .iter()
            .all(|word| word.starts_with(char::is_uppercase));
    match (is_age || has_word(STATES, &first), is_name) {
        (true, _) => told("is", words),
        (false, true) => name(words),
        _ => None,
    }
}

fn denied(verb: &str, words: &[&str]) -> Option<String> {
    let words = match verb {
        "do" => {
            words
                .split_first()
                .filter(|(word, _)| word.eq_ignore_ascii_case("not"))?
                .1
        }
        "no" => {
            words
                .split_first()
                .filter(|(word, _)| word.eq_ignore_ascii_case("longer"))?
                .1
        }
        _ => words,
    };
    let words = skip_adverbs(words);
    let (first, rest) = words.split_first()?;
    let first = first.to_ascii_lowercase();
    let is_known = has_word("stand eat drink", &first) || third_person(&first).is_some();
    // "I don't know how this works" is no fact.
    if !is_known || rest.is_empty() || has_word("know want need think believe have", &first) {
        return None;
    }
    match verb {
        "no" => told("no longer", &[&[third_person(&first)?], rest].concat()),
        "can't" | "cannot" => told("can't", words),
        "didn't" | "won't" => None,
        _ => told("does not", words),
    }
}

/// "I'd like to visit Rome", "I'd love to learn Rust".
fn wish(words: &[&str]) -> Option<String> {
    let lower: Vec<String> = words
        .iter()
        .take(3)
        .map(|word| word.to_ascii_lowercase())
        .collect();
    let lower: Vec<&str> = lower.iter().map(String::as_str).collect();
    match lower.as_slice() {
        ["like" | "love", "to", verb]
            if !has_word("know see ask get have understand hear", verb) =>
        {
            told("wants", &words[1..])
        }
        _ => None,
    }
}

/// "My wife is Anne", "my flight leaves on 5 June".
fn about_mine(words: &[&str]) -> Option<String> {
    let verbs = "is are was were has have lives works likes loves hates prefers plays speaks leaves starts ends arrives died";
    let at = words
        .iter()
        .take(5)
        .position(|word| has_word(verbs, &word.to_ascii_lowercase()))?;
    let (what, rest) = (
        words.get(..at).filter(|what| !what.is_empty())?,
        &words[at + 1..],
    );
    let last = what.last()?.to_ascii_lowercase();
    if rest.is_empty() || has_word(PASSING, &last) {
        return None;
    }
    let what = what.join(" ");
    let verb = words[at];
    if last == "name" && verb == "is" && what.eq_ignore_ascii_case("name") {
        return name(rest);
    }
    let is_name = rest.len() <= 2 && rest.iter().all(|word| word.starts_with(char::is_uppercase));
    let named = rest
        .first()
        .filter(|word| has_word("called named", &word.to_ascii_lowercase()));
    match (verb, named) {
        ("is", Some(_)) => Some(format!("The user's {what} is named {}", joined(&rest[1..]))),
        ("is", None) if is_name && has_word(NAMED, &last) => {
            Some(format!("The user's {what} is named {}", joined(rest)))
        }
        _ => Some(format!("The user's {what} {verb} {}", joined(rest))),
    }
}

fn name(words: &[&str]) -> Option<String> {
    let name = joined(words.get(..words.len().min(4))?);
    (!name.is_empty()).then(|| format!("The user's name is {name}"))
}

fn told(verb: &str, rest: &[&str]) -> Option<String> {
    (!rest.is_empty()).then(|| format!("The user {verb} {}", joined(rest)))
}

/// Joins words, seen from outside: "my" becomes "their".
fn joined(words: &[&str]) -> String {
    let seen = |word: &&str| match word.to_ascii_lowercase().as_str() {
        "my" | "our" => "their".to_owned(),
        "me" | "us" => "them".to_owned(),
        "i" | "we" => "they".to_owned(),
        "i'm" | "we're" => "they are".to_owned(),
        "am" => "are".to_owned(),
        "myself" | "ourselves" => "themselves".to_owned(),
        _ => (*word).to_owned(),
    };
    let text = words.iter().map(seen).collect::<Vec<_>>().join(" ");
    text.trim_end_matches([',', '.', '!', ':']).to_owned()
}

fn skip_adverbs<'a, 'w>(words: &'a [&'w str]) -> &'a [&'w str] {
    let skipped = words
        .iter()
        .take_while(|word| has_word(ADVERBS, &word.to_ascii_lowercase()))
        .count();
    &words[skipped..]
}

fn has_word(words: &str, word: &str) -> bool {
    words.split_whitespace().any(|known| known == word)
}

fn starts_with_words(text: &str, words: &str) -> bool {
    text.strip_prefix(words)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', ',', ':']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(clause: &str, expected: &str) {
        assert_eq!(fact(clause).unwrap_or_default(), expected, "{clause}");
    }

    #[test]
    fn who_likes_has_works_lives_plans() {
        check("My wife is Anne", "The user's wife is named Anne");
        check("my name is Ann Lee", "The user's name is Ann Lee");
        check("Hi, I'm Bob", "The user's name is Bob");
        check("I'm a nurse from Lyon", "The user is a nurse from Lyon");
        check("I really love pizza", "The user loves pizza");
        check("I don't like cilantro", "The user does not like cilantro");
        check(
            "I can't stand loud music",
            "The user can't stand loud music",
        );
        check("By the way, I have two cats", "The user has two cats");
        check("I've got a red bike", "The user has a red bike");
        check(
            "I work at ACME as a designer",
            "The user works at ACME as a designer",
        );
        check(
            "I live in San Francisco with my brother",
            "The user lives in San Francisco with their brother",
        );
        check("I moved to Berlin", "The user moved to Berlin");
        check("I'm based in Oslo", "The user lives in Oslo");
        check(
            "I'm planning to run a marathon",
            "The user plans to run a marathon",
        );
        check("I'm going to visit Rome", "The user plans to visit Rome");
        check("I'd love to learn Rust", "The user wants to learn Rust");
        check(
            "I am allergic to peanuts",
            "The user is allergic to peanuts",
        );
        check("I no longer eat meat", "The user no longer eats meat");
        check("my dog is called Rex", "The user's dog is named Rex");
        check(
            "my birthday is on June 5",
            "The user's birthday is on June 5",
        );
        check("Remember that I prefer tabs", "The user prefers tabs");
    }

    #[test]
    fn requests_and_passing_things_tell_nothing() {
        for clause in [
            "I want you to write a poem",
            "I have a question about Rust",
            "I need a function that sorts",
            "I'm trying to build it",
            "I'm not sure",
            "my code is broken",
            "I don't know how it works",
            "Write a poem",
            "thanks",
            "I",
            "my",
            "What I like",
        ] {
            check(clause, "");
        }
    }
}
