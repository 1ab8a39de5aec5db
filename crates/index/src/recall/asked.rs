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

/// The term by which memories name whoever is asking: turns begin with it, facts speak of it.
pub(crate) const USER: &str = "user";

/// Says whether a question speaks of whoever asks it: "my", "I", 我.
pub(crate) fn is_in_first_person(question: &str) -> bool {
    const SELF: &[&str] = &["i", "me", "my", "mine", "myself"];
    let mut words = question.split(|c: char| !c.is_alphanumeric());
    question.contains('我')
        || words.any(|word| SELF.iter().any(|name| name.eq_ignore_ascii_case(word)))
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

    #[test]
    fn questions_about_oneself_are_told_from_others() {
        assert!(
            is_in_first_person("What's my sister's name?") && is_in_first_person("我的生日是哪天")
        );
        assert!(
            !is_in_first_person("What is Caroline's name?")
                && !is_in_first_person("iPhone model ID")
        );
    }
}
