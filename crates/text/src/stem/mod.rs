//! English words without what changes only their form: plural and third person, British spelling.
//!
//! Tense stays, since it says something: "deploy v2" is a wish and "deployed v2" a report. A stem is
//! meant to be compared and not to be read; it need not be a word.

mod tables;

use std::borrow::Cow;

/// Returns the stem of a word in lower case. Words with other letters than a–z are their own stems.
pub fn stem(word: &str) -> Cow<'_, str> {
    if word.len() < 3 || !word.bytes().all(|b| b.is_ascii_lowercase()) {
        return Cow::Borrowed(word);
    }
    match singular(word) {
        Cow::Borrowed(word) => american(word),
        Cow::Owned(word) => Cow::Owned(american(&word).into_owned()),
    }
}

/// Returns a noun without its plural and a verb without the ending of the third person.
fn singular(word: &str) -> Cow<'_, str> {
    if let Some(base) = tables::look_up(tables::IRREGULAR, word) {
        return Cow::Borrowed(base);
    }
    let base = match word.strip_suffix('s') {
        Some(base) if !keeps_its_s(word) => base,
        _ => return Cow::Borrowed(without_silent_e(word)),
    };
    match base.strip_suffix("ie").filter(|rest| rest.len() > 2) {
        Some(rest) => Cow::Owned(format!("{rest}y")),
        None => Cow::Borrowed(without_silent_e(base)),
    }
}

fn keeps_its_s(word: &str) -> bool {
    word.len() < 4
        || ["ss", "us", "is", "ics"]
            .iter()
            .any(|ending| word.ends_with(ending))
        || tables::WITH_S.binary_search(&word).is_ok()
}

/// Makes "cache" and "branche" (of "branches") alike with "cach" and "branch".
fn without_silent_e(word: &str) -> &str {
    let is_silent = ["che", "she", "xe", "sse"]
        .iter()
        .any(|ending| word.ends_with(ending));
    if is_silent && word.len() > 3 {
        &word[..word.len() - 1]
    } else {
        word
    }
}

/// Returns the American spelling of a word in lower case.
pub(crate) fn american(word: &str) -> Cow<'_, str> {
    if let Some(spelling) = tables::look_up(tables::AMERICAN, word) {
        return Cow::Borrowed(spelling);
    }
    let has_our = word.contains("our") && tables::OUR.iter().any(|stem| word.starts_with(stem));
    if has_our {
        return Cow::Owned(word.replacen("our", "or", 1));
    }
    with_single_l(word)
        .or_else(|| with_z(word))
        .map_or(Cow::Borrowed(word), Cow::Owned)
}

/// "cancelled" and "canceled", "modelling" and "modeling".
fn with_single_l(word: &str) -> Option<String> {
    let (base, ending) = ["led", "ling", "ler"]
        .iter()
        .find_map(|ending| word.strip_suffix(ending).map(|base| (base, ending)))?;
    tables::DOUBLED_L
        .binary_search(&base)
        .is_ok()
        .then(|| format!("{base}{}", &ending[1..]))
}

/// "organise" and "organize". No word in -ise has a twin in -ize of another meaning.
fn with_z(word: &str) -> Option<String> {
    let endings = [
        "ise", "ised", "iser", "ising", "isation", "yse", "ysed", "yser", "ysing",
    ];
    let ending = endings
        .iter()
        .find(|ending| word.len() >= 6 && word.ends_with(*ending))?;
    let base = &word[..word.len() - ending.len()];
    Some(format!("{base}{}", ending.replacen('s', "z", 1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_same(forms: &[&str]) {
        let stems: Vec<_> = forms.iter().map(|form| stem(form)).collect();
        assert!(
            stems.windows(2).all(|pair| pair[0] == pair[1]),
            "{forms:?} → {stems:?}"
        );
    }

    #[track_caller]
    fn check_other(first: &str, second: &str) {
        assert_ne!(stem(first), stem(second), "{first} and {second}");
    }

    #[test]
    fn plural_and_third_person_have_one_stem() {
        check_same(&["user", "users"]);
        check_same(&["prefer", "prefers"]);
        check_same(&["cache", "caches"]);
        check_same(&["branch", "branches"]);
        check_same(&["class", "classes"]);
        check_same(&["query", "queries"]);
        check_same(&["size", "sizes"]);
        check_same(&["database", "databases"]);
        check_same(&["do", "does"]);
        check_same(&["use", "uses", "using"]);
    }

    #[test]
    fn british_and_american_spelling_have_one_stem() {
        check_same(&["colour", "colours", "color", "colors"]);
        check_same(&["favourite", "favorite"]);
        check_same(&["optimise", "optimises", "optimize"]);
        check_same(&["organisation", "organizations"]);
        check_same(&["analysed", "analyzed"]);
        check_same(&["cancelled", "canceled"]);
        check_same(&["centre", "centers"]);
        check_same(&["grey", "gray"]);
    }

    #[test]
    fn other_words_have_other_stems() {
        check_other("deploy", "deployed");
        check_other("news", "new");
        check_other("four", "for");
        check_other("williams", "william");
        check_other("https", "http");
        check_other("glasses", "glass");
        check_other("sometimes", "sometime");
        check_other("ms", "m");
        check_other("its", "it");
        check_other("unless", "unles");
    }

    #[test]
    fn tables_are_sorted_so_that_they_can_be_searched() {
        assert!(tables::WITH_S.is_sorted() && tables::DOUBLED_L.is_sorted());
        assert!(tables::IRREGULAR.is_sorted() && tables::AMERICAN.is_sorted());
    }
}
