//! Small questions about words: what may be shown, and which known word was meant.

/// Returns the text with control characters escaped, so that showing it moves no cursor.
///
/// Line breaks and tabs are escaped too: what is shown on one line stays on it.
pub fn printable(text: &str) -> String {
    if !text.contains(char::is_control) {
        return text.to_owned();
    }
    text.chars()
        .flat_map(|c| {
            let escaped = if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
            escaped.chars().collect::<Vec<_>>()
        })
        .collect()
}

/// Returns a text of several lines with its control characters escaped, its line breaks kept.
pub fn printable_lines(text: &str) -> String {
    let lines: Vec<String> =
        text.lines().map(|line| line.split('\t').map(printable).collect::<Vec<_>>().join("\t")).collect();
    lines.join("\n")
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
    use super::*;

    #[test]
    fn control_characters_are_shown_and_not_obeyed() {
        assert_eq!(printable("a\u{1b}[31mb\nc"), "a\\u{1b}[31mb\\nc");
        assert_eq!(printable("中文 stays"), "中文 stays");
    }

    #[test]
    fn the_nearest_word_is_found_and_a_far_one_is_not_guessed() {
        let known = ["user_dir", "compress"];
        assert_eq!(nearest("userdir", known), Some("user_dir"));
        assert_eq!(nearest("compres", known), Some("compress"));
        assert_eq!(nearest("notse", ["banks", "notes"]), Some("notes"), "two letters changed places");
        assert_eq!(nearest("zzz", known), None);
    }

    #[test]
    fn lines_stay_lines_and_controls_are_shown() {
        assert_eq!(printable_lines("a\tb\r\n\u{1b}[31mc"), "a\tb\n\\u{1b}[31mc");
    }
}
