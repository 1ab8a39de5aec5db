//! The words of a text, for finding and comparing: Latin words, numbers, and Chinese characters.
//!
//! Chinese has no spaces between words, so a run of it yields each character and each pair of
//! neighbours; a word of two characters is then found inside of any sentence.

use memory_steps::count;

/// Returns the words of a text in lower case, in their order.
pub fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut before: Option<char> = None;
    count(text.len());
    for c in text.chars() {
        if is_chinese(c) {
            flush(&mut word, &mut words);
            words.push(c.to_string());
            words.extend(before.map(|before| [before, c].iter().collect::<String>()));
            before = Some(c);
            continue;
        }
        before = None;
        if c.is_alphanumeric() || c == '_' {
            word.extend(c.to_lowercase());
        } else {
            flush(&mut word, &mut words);
        }
    }
    flush(&mut word, &mut words);
    words
}

fn flush(word: &mut String, words: &mut Vec<String>) {
    if !word.is_empty() {
        words.push(std::mem::take(word));
    }
}

/// Says whether a character belongs to a script that is written without spaces.
pub fn is_chinese(c: char) -> bool {
    matches!(c,
        '\u{3040}'..='\u{30ff}'          // kana
        | '\u{3400}'..='\u{4dbf}'        // ideographs, extension A
        | '\u{4e00}'..='\u{9fff}'        // ideographs
        | '\u{f900}'..='\u{faff}'        // compatibility ideographs
        | '\u{20000}'..='\u{3134f}') // later extensions
}

/// Folds case and white space, so that texts which read the same are the same.
pub fn fold(text: &str) -> String {
    count(text.len());
    let mut folded = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !folded.is_empty() {
            folded.push(' ');
        }
        if word.is_ascii() {
            let start = folded.len();
            folded.push_str(word);
            folded[start..].make_ascii_lowercase();
        } else {
            folded.extend(word.chars().flat_map(char::to_lowercase));
        }
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latin_words_and_chinese_pairs_are_found() {
        assert_eq!(
            words("User prefers Dark-mode, v2.10 my_var"),
            ["user", "prefers", "dark", "mode", "v2", "10", "my_var"]
        );
        assert_eq!(
            words("喜欢深色"),
            ["喜", "欢", "喜欢", "深", "欢深", "色", "深色"]
        );
        assert_eq!(words("用Rust写"), ["用", "rust", "写"]);
        assert!(words(" \n—").is_empty());
    }

    #[test]
    fn folding_forgets_case_and_layout() {
        assert_eq!(fold("  Hello\n\tWORLD "), "hello world");
        assert_eq!(fold("你 好"), "你 好");
    }
}
