//! A message taken apart into clauses that may each tell something: no code, no quotes, no questions.

use memory_steps::count;
use memory_text::words::is_chinese;

/// Where a sentence goes on with something else about the same person.
const JOINTS: [&str; 10] = [
    ", and i ",
    " and i ",
    ", but i ",
    " but i ",
    ", i ",
    ", and my ",
    " and my ",
    ", my ",
    " but my ",
    " and i'm ",
];

/// Returns the clauses of a message that state something.
pub(super) fn clauses(text: &str) -> Vec<String> {
    let mut clauses = Vec::new();
    for line in prose(text) {
        for sentence in sentences(&line) {
            let is_question = sentence.ends_with(['?', '？', '吗', '呢']);
            if !is_question {
                clauses.extend(parts(sentence));
            }
        }
    }
    clauses
}

/// Says whether a clause that is not about its writer is worth keeping for its date.
pub(super) fn tells_of_a_date(clause: &str) -> bool {
    let begin = clause.to_lowercase();
    let openings = [
        "we ",
        "we're ",
        "we'll ",
        "our ",
        "the ",
        "there is ",
        "there's ",
        "there will ",
    ];
    openings.iter().any(|opening| begin.starts_with(opening))
        || (clause.starts_with(is_chinese) && !clause.starts_with(['请', '帮', '你']))
}

/// Returns the lines that are the writer's own: no code blocks, no quotations.
fn prose(text: &str) -> Vec<String> {
    let mut is_code = false;
    let mut lines = Vec::new();
    count(text.len());
    for line in text.lines() {
        let line = line.trim();
        if line.starts_with("```") || line.starts_with("~~~") {
            is_code = !is_code;
        } else if !is_code && !line.starts_with('>') && !line.is_empty() {
            lines.push(line.replace(['’', '‘'], "'"));
        }
    }
    lines
}

/// Cuts a line where its sentences end; a point inside of a number or a name ends none.
fn sentences(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    count(line.len());
    let mut chars = line.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, next)| *next);
        let ends = match c {
            '。' | '！' | '？' | '；' => true,
            '.' | '!' | '?' | ';' => {
                next.is_none_or(|next| next.is_whitespace() || is_chinese(next))
            }
            _ => false,
        };
        if ends {
            let keeps_mark = matches!(c, '?' | '？');
            let end = if keeps_mark { at + c.len_utf8() } else { at };
            found.push(line[start..end].trim());
            start = at + c.len_utf8();
        }
    }
    found.push(line[start..].trim());
    found.retain(|sentence| !sentence.is_empty());
    found
}

/// Cuts a sentence where it goes on with another statement.
fn parts(sentence: &str) -> Vec<String> {
    if sentence.contains(is_chinese) {
        let parts = sentence.split(['，', ',']);
        return parts
            .map(|part| part.trim().to_owned())
            .filter(|part| !part.is_empty())
            .collect();
    }
    let mut parts = Vec::new();
    let (mut start, mut at) = (0, 0);
    while at < sentence.len() {
        count(1);
        let Some(joint) = joint_at(&sentence.as_bytes()[at..]) else {
            at += 1;
            continue;
        };
        parts.push(sentence[start..at].trim().to_owned());
        // The pronoun that the joint ends with begins the next clause.
        let pronoun = joint.trim_end().rsplit(' ').next().map_or(0, str::len) + 1;
        start = at + joint.len() - pronoun;
        at = start;
    }
    parts.push(sentence[start..].trim().to_owned());
    parts.retain(|part| !part.is_empty());
    parts
}

/// Returns the longest joint that a text begins with.
fn joint_at(text: &[u8]) -> Option<&'static str> {
    if !matches!(text.first(), Some(b',' | b' ')) {
        return None;
    }
    let begins = |joint: &&str| {
        text.get(..joint.len())
            .is_some_and(|begin| begin.eq_ignore_ascii_case(joint.as_bytes()))
    };
    JOINTS
        .into_iter()
        .filter(begins)
        .max_by_key(|joint| joint.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_falls_into_what_it_states() {
        assert_eq!(
            clauses(
                "Hi, I live in Berlin and I work at ACME. Do I like it? My dog is 3.5 years old!"
            ),
            [
                "Hi",
                "I live in Berlin",
                "I work at ACME",
                "My dog is 3.5 years old"
            ]
        );
        assert_eq!(
            clauses("我叫小明，我住在北京。你呢？"),
            ["我叫小明", "我住在北京"]
        );
        assert_eq!(
            clauses("> I hate it\n```\nI love code\n```\nfine"),
            ["fine"]
        );
    }
}
