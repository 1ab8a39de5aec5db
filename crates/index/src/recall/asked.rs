//! What is a question made of? Its terms without those that say nothing, each once.

use memory_text::terms;

/// Returns the terms of a question that are looked for. One that has only common words is asked by them.
pub(crate) fn terms_of(question: &str) -> Vec<String> {
    let mut all = terms::terms(question);
    if all.iter().any(|term| !terms::is_stop(term)) {
        all.retain(|term| !terms::is_stop(term));
    }
    let mut seen = std::collections::HashSet::new();
    all.retain(|term| seen.insert(term.clone()));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_say_nothing_are_not_looked_for() {
        assert_eq!(
            terms_of("When did Caroline go to the support group?"),
            ["carolin", "go", "support", "group"]
        );
        assert_eq!(terms_of("who are you"), ["who", "are", "you"]);
        assert_eq!(terms_of("dark dark mode"), ["dark", "mode"]);
        assert!(terms_of("?!").is_empty());
    }
}
