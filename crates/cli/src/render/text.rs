//! Text of memories on a terminal: without control characters, cut to what matters, words marked.

use memory_steps::count;

/// How many characters an excerpt has.
const EXCERPT: usize = 160;
/// How many of them stand before the first word that was looked for.
const BEFORE: usize = 40;
/// How many words of a query are looked for: each of them costs a look at the text.
const WORDS: usize = 32;

/// Returns the part of a text around the first word of a query that it has, on one line.
pub(crate) fn excerpt(text: &str, query: &str) -> String {
    let line: Vec<char> = text
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .chars()
        .collect();
    let lower: Vec<char> = line
        .iter()
        .map(|c| c.to_lowercase().next().unwrap_or(*c))
        .collect();
    let first = words(query)
        .iter()
        .filter_map(|word| find(&lower, word))
        .min()
        .unwrap_or(0);
    let begin = if line.len() <= EXCERPT {
        0
    } else {
        first.saturating_sub(BEFORE)
    };
    let end = line.len().min(begin + EXCERPT);
    let shown: String = line[begin..end].iter().collect();
    let (before, after) = (
        if begin > 0 { "…" } else { "" },
        if end < line.len() { "…" } else { "" },
    );
    format!("{before}{shown}{after}")
}

/// Marks the words of a query where they stand in a text.
pub(crate) fn mark(text: &str, query: &str) -> String {
    let characters: Vec<char> = text.chars().collect();
    let lower: Vec<char> = characters
        .iter()
        .map(|c| c.to_lowercase().next().unwrap_or(*c))
        .collect();
    let mut marked = vec![false; characters.len()];
    for word in words(query) {
        let mut from = 0;
        while let Some(at) = find(&lower[from..], &word) {
            marked[from + at..from + at + word.len()].fill(true);
            from += at + word.len();
        }
    }
    let mut out = String::with_capacity(text.len());
    for (n, c) in characters.iter().enumerate() {
        let was_marked = n > 0 && marked[n - 1];
        match (was_marked, marked[n]) {
            (false, true) => out.push_str("\u{1b}[1;33m"),
            (true, false) => out.push_str("\u{1b}[0m"),
            _ => {}
        }
        out.push(*c);
    }
    if marked.last() == Some(&true) {
        out.push_str("\u{1b}[0m");
    }
    out
}

/// Returns the part of a text around its first marked place, on one line, with the places marked.
///
/// Places are ranges of bytes; one that is no part of the text is passed over.
pub(crate) fn marked_excerpt(text: &str, places: &[(usize, usize)]) -> String {
    let mut is_marked = vec![false; text.len()];
    for (start, end) in places {
        count(1);
        if let Some(place) = is_marked.get_mut(*start..text.len().min(*end)) {
            count(place.len());
            place.fill(true);
        }
    }
    let mut line: Vec<(char, bool)> = Vec::new();
    let leading = leading(text);
    for (at, c) in text.trim().char_indices().map(|(at, c)| (at + leading, c)) {
        count(1);
        match c.is_whitespace() {
            true if line.last().is_none_or(|(before, _)| *before == ' ') => {}
            true => line.push((' ', false)),
            false => line.push((c, is_marked[at])),
        }
    }
    let first = line.iter().position(|(_, marked)| *marked).unwrap_or(0);
    let begin = if line.len() <= EXCERPT {
        0
    } else {
        first.saturating_sub(BEFORE)
    };
    let end = line.len().min(begin + EXCERPT);
    let mut out = String::from(if begin > 0 { "…" } else { "" });
    for run in line[begin..end].chunk_by(|a, b| a.1 == b.1) {
        let shown = memory_core::printable(&run.iter().map(|(c, _)| c).collect::<String>());
        if run[0].1 {
            out.push_str(&format!("\u{1b}[1;33m{shown}\u{1b}[0m"))
        } else {
            out.push_str(&shown)
        }
    }
    out.push_str(if end < line.len() { "…" } else { "" });
    out
}

/// Cuts a text to at most this many characters, the last of them `…` if something is left out.
pub(crate) fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let kept: String = text.chars().take(most.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}

fn leading(text: &str) -> usize {
    text.len() - text.trim_start().len()
}

/// The first words of a query: between blanks, in lower case, those of one letter left out; Chinese whole
/// and by pairs.
fn words(query: &str) -> Vec<Vec<char>> {
    let mut words: Vec<Vec<char>> = Vec::new();
    for word in query.split(|c: char| c.is_whitespace() || c.is_ascii_punctuation()) {
        let lower: Vec<char> = word
            .chars()
            .map(|c| c.to_lowercase().next().unwrap_or(c))
            .collect();
        let is_latin = lower.iter().all(char::is_ascii);
        match (is_latin, lower.len()) {
            (true, 0 | 1) => {}
            (false, 3..) => words.extend(lower.windows(2).map(<[char]>::to_vec)),
            _ => words.push(lower),
        }
        if words.len() >= WORDS {
            words.truncate(WORDS);
            break;
        }
    }
    words
}

fn find(text: &[char], word: &[char]) -> Option<usize> {
    count(text.len());
    text.windows(word.len().max(1))
        .position(|window| window == word)
}

#[cfg(test)]
mod tests {
    use memory_steps::{Growth, steps_of};

    use super::*;

    #[test]
    fn any_number_of_places_is_marked_in_linear_time() {
        let input = |n: usize| {
            let places: Vec<(usize, usize)> = (0..n).map(|n| (6 * n, 6 * n + 5)).collect();
            ("title ".repeat(n), places)
        };
        let growth = Growth::of(1_000, input, |(text, places)| {
            drop(marked_excerpt(&text, &places))
        });
        assert!(growth.is_linear(), "{growth:?}");
    }

    #[test]
    fn a_long_query_costs_no_more_than_its_first_words() {
        let text = "hay ".repeat(1_000);
        let query = |words: usize| (0..words).map(|n| format!("word{n} ")).collect::<String>();
        let steps = |words: usize| steps_of(|| drop(excerpt(&text, &query(words))));
        assert_eq!(steps(WORDS), steps(10 * WORDS));
    }

    #[test]
    fn an_excerpt_shows_the_word_that_was_looked_for() {
        let text = format!("{} needle {}", "hay ".repeat(100), "straw ".repeat(100));
        let shown = excerpt(&text, "Needle");
        assert!(
            shown.contains("needle") && shown.chars().count() <= EXCERPT + 2,
            "{shown}"
        );
        assert_eq!(excerpt("short\n  text", "x"), "short text");
        assert!(excerpt(&format!("{}深色模式", "中".repeat(300)), "深色").contains("深色"));
    }

    #[test]
    fn a_text_that_is_cut_says_so() {
        assert_eq!(cut("short", 5), "short");
        assert_eq!(cut("深色模式很好", 5), "深色模式…");
        assert_eq!(cut("two words", 5), "two…");
    }

    #[test]
    fn places_are_marked_where_they_stand() {
        assert_eq!(
            marked_excerpt("  Dark\n mode", &[(2, 6)]),
            "\u{1b}[1;33mDark\u{1b}[0m mode"
        );
        assert_eq!(
            marked_excerpt("深色模式", &[(0, 6), (900, 901)]),
            "\u{1b}[1;33m深色\u{1b}[0m模式"
        );
        let long = format!("{} needle {}", "hay ".repeat(100), "straw ".repeat(100));
        let shown = marked_excerpt(&long, &[(401, 407)]);
        assert!(
            shown.starts_with('…') && shown.contains("\u{1b}[1;33mneedle\u{1b}[0m"),
            "{shown}"
        );
        assert!(!marked_excerpt("a \u{1b}[2J b", &[]).contains('\u{1b}'));
    }

    #[test]
    fn words_are_marked_whatever_their_case() {
        assert_eq!(mark("Dark mode", "dark"), "\u{1b}[1;33mDark\u{1b}[0m mode");
        assert_eq!(
            mark("喜欢深色模式", "深色模式"),
            "喜欢\u{1b}[1;33m深色模式\u{1b}[0m"
        );
        assert_eq!(mark("nothing", "a ?"), "nothing");
    }
}
