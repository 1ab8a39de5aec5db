//! What the tables say of a word, found with one look.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::digest::Digesting;
use super::tables;

/// In which tables a word stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Traits {
    pub(super) is_filler: bool,
    pub(super) follows_a_name: bool,
    pub(super) is_negation: bool,
    pub(super) leans: bool,
    pub(super) tells_a_state: bool,
    pub(super) is_another_as_a_name: bool,
    pub(super) is_common: bool,
}

/// Returns the traits of a word in lower case.
pub(super) fn traits(word: &str) -> Traits {
    TRAITS.get(word).copied().unwrap_or_default()
}

static TRAITS: LazyLock<HashMap<&str, Traits, Digesting>> = LazyLock::new(|| {
    let mut traits: HashMap<&str, Traits, Digesting> = HashMap::default();
    let mut mark = |words: &'static str, set: fn(&mut Traits)| {
        words
            .split(' ')
            .for_each(|word| set(traits.entry(word).or_default()));
    };
    mark(tables::FILLERS, |traits| traits.is_filler = true);
    mark(tables::AFTER_NAMES, |traits| traits.follows_a_name = true);
    mark(tables::NEGATIONS, |traits| traits.is_negation = true);
    mark(tables::LEANING, |traits| traits.leans = true);
    mark(tables::STATES, |traits| traits.tells_a_state = true);
    mark(tables::HOMOGRAPHS, |traits| {
        traits.is_another_as_a_name = true
    });
    mark(tables::COMMON, |traits| traits.is_common = true);
    traits
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_has_the_traits_of_all_its_tables() {
        assert_eq!(traits("rust"), Traits::default());
        assert!(traits("is").is_filler && traits("is").tells_a_state && !traits("is").leans);
        assert!(traits("never").is_negation && traits("never").tells_a_state);
    }
}
