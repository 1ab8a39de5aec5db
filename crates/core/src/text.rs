//! Small questions about words: what may be shown, and which known word was meant.

use memory_steps::count;

/// Returns the text with control and invisible characters escaped, so that what is shown is all there is.
///
/// Showing it moves no cursor and reverses no words. Line breaks and tabs are escaped too: what is shown on one
/// line stays on it.
pub fn printable(text: &str) -> String {
    replace_unseen(text, |c, out| out.extend(c.escape_default()))
}

/// Returns a text of several lines with its control and invisible characters escaped, its line breaks kept.
pub fn printable_lines(text: &str) -> String {
    each_line(text, printable)
}

/// Returns the text as a model may read it: control characters escaped, invisible ones left out.
///
/// A person would not see them, and a model obeys what it reads.
pub fn visible(text: &str) -> String {
    replace_unseen(text, |c, out| match c {
        '\u{2028}' | '\u{2029}' => out.push(' '),
        c if c.is_control() => out.extend(c.escape_default()),
        _ => {}
    })
}

/// Returns a text of several lines as a model may read it, its line breaks kept.
pub fn visible_lines(text: &str) -> String {
    each_line(text, visible)
}

/// Says whether every character of a text is seen as it stands.
pub fn is_visible(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~')) || unseen(text).next().is_none()
}

fn each_line(text: &str, change: fn(&str) -> String) -> String {
    count(text.len());
    let line = |line: &str| line.split('\t').map(change).collect::<Vec<_>>().join("\t");
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// Returns the text with each of its control and invisible characters replaced.
pub(crate) fn replace_unseen(text: &str, mut replace: impl FnMut(char, &mut String)) -> String {
    if is_visible(text) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for (place, c) in unseen(text) {
        count(1);
        out.push_str(&text[at..place]);
        replace(c, &mut out);
        at = place + c.len_utf8();
    }
    out.push_str(&text[at..]);
    out
}

/// Returns the control characters and those that nobody sees, and where they stand.
fn unseen(text: &str) -> impl Iterator<Item = (usize, char)> {
    let mut last = None;
    let mut characters = text.char_indices().peekable();
    std::iter::from_fn(move || {
        loop {
            count(1);
            let (at, c) = characters.next()?;
            let next = characters.peek().map(|(_, next)| *next);
            let is_unseen = c.is_control() || is_hidden(last, c, next);
            last = Some(c);
            if is_unseen {
                return Some((at, c));
            }
        }
    })
}

/// Says whether a character is invisible, or changes in which order others are shown.
fn is_hidden(last: Option<char>, c: char, next: Option<char>) -> bool {
    match c {
        // Persian and Indic words and many emoji need them inside.
        '\u{200c}' | '\u{200d}' => !(last.is_some_and(is_joined) && next.is_some_and(is_joined)),
        // One chooses the look of the character before it; more of them carry a message.
        '\u{fe00}'..='\u{fe0f}' => !last.is_some_and(|last| is_seen(last) && !is_selector(last)),
        c => is_invisible(c),
    }
}

fn is_joined(c: char) -> bool {
    !c.is_ascii() && is_seen(c)
}

fn is_seen(c: char) -> bool {
    !(c.is_whitespace()
        || c.is_control()
        || is_invisible(c)
        || matches!(c, '\u{200c}' | '\u{200d}'))
}

fn is_selector(c: char) -> bool {
    matches!(c, '\u{fe00}'..='\u{fe0f}')
}

/// Characters without a look of their own, and those that reorder others; tags spell whole hidden sentences.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{17b4}' | '\u{17b5}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}'
        | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff9}'..='\u{fffb}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Returns the known word that is nearest to `word`, if one is near enough to be meant.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let allowed = (word.chars().count() / 3).max(1);
    known
        .into_iter()
        .map(|candidate| (distance(word, candidate), candidate))
        .filter(|(far, _)| *far <= allowed)
        .min_by_key(|(far, _)| *far)
        .map(|(_, candidate)| candidate)
}

/// Counts the insertions, deletions, replacements and swaps of neighbours between two words.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before: Vec<usize> = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 0..a.len() {
        let mut row = vec![i + 1];
        for j in 0..b.len() {
            let replaced = last[j] + usize::from(a[i] != b[j]);
            let mut least = replaced.min(row[j] + 1).min(last[j + 1] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                least = least.min(before[j - 1] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use memory_steps::Growth;

    use super::*;

    #[test]
    fn control_characters_are_shown_and_not_obeyed() {
        assert_eq!(printable("a\u{1b}[31mb\nc"), "a\\u{1b}[31mb\\nc");
        assert_eq!(printable("中文 stays"), "中文 stays");
    }

    #[track_caller]
    fn check_unseen(text: &str, escaped: &str, left: &str) {
        assert_eq!(
            (printable(text).as_str(), visible(text).as_str()),
            (escaped, left)
        );
        assert!(!is_visible(text));
    }

    #[test]
    fn what_nobody_sees_is_shown_on_screens_and_left_out_of_prompts() {
        check_unseen("a\u{202e}b\u{2066}c", "a\\u{202e}b\\u{2066}c", "abc");
        check_unseen(
            "pass\u{200b}word\u{feff}",
            "pass\\u{200b}word\\u{feff}",
            "password",
        );
        check_unseen("a\u{2028}b", "a\\u{2028}b", "a b");
        check_unseen("x\u{e0041}\u{e0042}", "x\\u{e0041}\\u{e0042}", "x");
        check_unseen(
            "😀\u{fe0f}\u{fe01}\u{e0100}",
            "😀\u{fe0f}\\u{fe01}\\u{e0100}",
            "😀\u{fe0f}",
        );
        check_unseen("a\u{200d}b", "a\\u{200d}b", "ab");
        check_unseen("中\u{200d}\u{200d}文", "中\\u{200d}\\u{200d}文", "中文");
        check_unseen("a\u{1b}[2J", "a\\u{1b}[2J", "a\\u{1b}[2J");
    }

    #[test]
    fn writing_that_needs_invisible_characters_keeps_them() {
        for text in [
            "می\u{200c}خواهم",
            "👨\u{200d}👩\u{200d}👧",
            "❤\u{fe0f}\u{200d}🔥",
            "1\u{fe0f}\u{20e3}",
            "क\u{94d}\u{200d}ष",
            "naïve 中文",
        ] {
            assert!(is_visible(text), "{text:?}");
            assert_eq!(
                (printable(text), visible(text)),
                (text.to_owned(), text.to_owned())
            );
        }
    }

    #[test]
    fn a_text_is_made_visible_in_linear_time() {
        for unit in ["\u{200d}", "\u{202e}a", "é\u{fe0f}", "\n", "\t\u{1b}", "中"] {
            let text = |n: usize| unit.repeat(n);
            let growth = Growth::of(1_000, text, |text| {
                let _ = (printable_lines(&text), visible_lines(&text));
            });
            assert!(growth.is_linear(), "{unit:?}: {growth:?}");
        }
    }

    #[test]
    fn the_nearest_word_is_found_and_a_far_one_is_not_guessed() {
        let known = ["user_dir", "compress"];
        assert_eq!(nearest("userdir", known), Some("user_dir"));
        assert_eq!(nearest("compres", known), Some("compress"));
        assert_eq!(
            nearest("notse", ["banks", "notes"]),
            Some("notes"),
            "two letters changed places"
        );
        assert_eq!(nearest("zzz", known), None);
    }

    #[test]
    fn lines_stay_lines_and_controls_are_shown() {
        assert_eq!(printable_lines("a\tb\r\n\u{1b}[31mc"), "a\tb\n\\u{1b}[31mc");
    }
}
