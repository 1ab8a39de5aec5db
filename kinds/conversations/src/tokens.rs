//! How long a text is to a language model, as far as can be told without its tokenizer.
//!
//! Tokenizers differ; their average does not: four characters of Latin text, one of Chinese.

use memory_text::words::is_chinese;

const CHARACTERS_A_TOKEN: usize = 4;

/// Counts the tokens of a text.
pub fn count(text: &str) -> usize {
    let chinese = text.chars().filter(|c| is_chinese(*c)).count();
    let others = text.chars().count() - chinese;
    chinese + others.div_ceil(CHARACTERS_A_TOKEN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latin_text_has_four_characters_a_token_and_chinese_one() {
        assert_eq!(count(""), 0);
        assert_eq!(count("abcd"), 1);
        assert_eq!(count("abcde"), 2);
        assert_eq!(count("我喜欢茶"), 4);
    }
}
