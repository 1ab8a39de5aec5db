//! How many of the hits fit into so many tokens? What does not fit is left out whole.

use memory_core::Hit;
use memory_text::tokens;

/// Keeps hits as long as their texts together stay within the budget; a smaller one may follow one that does not fit.
pub(crate) fn within(hits: Vec<Hit>, budget: usize) -> Vec<Hit> {
    let mut left = budget;
    let fits = |hit: &Hit| match left.checked_sub(tokens::count(&hit.text)) {
        Some(rest) => {
            left = rest;
            true
        }
        None => false,
    };
    let mut fits = fits;
    hits.into_iter().filter(|hit| fits(hit)).collect()
}

#[cfg(test)]
mod tests {
    use memory_core::{Address, Explain, Timestamp};

    use super::*;

    fn hit(text: &str) -> Hit {
        Hit {
            is_archived: false,
            address: Address::new("notes", "1"),
            title: String::new(),
            text: text.into(),
            labels: vec![],
            source: String::new(),
            created_at: Timestamp::UNIX_EPOCH,
            updated_at: Timestamp::UNIX_EPOCH,
            score: 0.5,
            marks: vec![],
            explain: Explain::default(),
        }
    }

    #[track_caller]
    fn check(texts: &[&str], budget: usize, kept: &[&str]) {
        let hits = within(texts.iter().map(|text| hit(text)).collect(), budget);
        assert_eq!(
            hits.iter().map(|hit| hit.text.as_str()).collect::<Vec<_>>(),
            kept
        );
    }

    #[test]
    fn the_budget_is_never_exceeded() {
        check(&["12345678", "1234", "12345678"], 4, &["12345678", "1234"]);
        check(&["12345678", "1234", "1234"], 3, &["12345678", "1234"]);
        check(&["12345678", "1234"], 1, &["1234"]);
        check(&["1234"], 0, &[]);
        check(&["深色模式", "ab"], 4, &["深色模式"]);
    }
}
