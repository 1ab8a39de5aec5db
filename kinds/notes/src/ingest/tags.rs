//! `#tags` in the middle of a text.

/// Returns the tags of a text in their order; `is_taken` says where none can begin.
///
/// A tag begins a word and has at least one character that is no digit. `#[[two words]]` is one.
pub(super) fn inline_tags<'a>(text: &'a str, is_taken: &dyn Fn(usize) -> bool) -> Vec<&'a str> {
    let marks = text.match_indices('#').map(|(at, _)| at);
    marks
        .filter(|at| {
            text[..*at]
                .chars()
                .next_back()
                .is_none_or(char::is_whitespace)
        })
        .filter(|at| !is_taken(*at))
        .filter_map(|at| tag(&text[at + 1..]))
        .collect()
}

fn tag(after_mark: &str) -> Option<&str> {
    if let Some((name, _)) = after_mark
        .strip_prefix("[[")
        .and_then(|rest| rest.split_once("]]"))
    {
        return (!name.trim().is_empty() && !name.contains('\n')).then_some(name.trim());
    }
    let end = after_mark
        .find(|c| !is_tag_char(c))
        .unwrap_or(after_mark.len());
    let name = after_mark[..end].trim_matches('/');
    name.contains(|c: char| !c.is_ascii_digit() && c != '/')
        .then_some(name)
}

fn is_tag_char(c: char) -> bool {
    if c.is_ascii() {
        c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '/')
    } else {
        !c.is_whitespace() && !c.is_control() && !is_punctuation(c)
    }
}

/// Punctuation beyond ASCII: general, supplemental, Chinese, full width.
fn is_punctuation(c: char) -> bool {
    matches!(
        c,
        '\u{00a1}'..='\u{00bf}' | '\u{00d7}' | '\u{00f7}' | '\u{feff}'
    ) || matches!(c, '\u{2000}'..='\u{206f}' if c != '\u{200d}')
        || matches!(c, '\u{2e00}'..='\u{2e7f}' | '\u{3000}'..='\u{303f}' if c != '々')
        || matches!(c, '\u{ff01}'..='\u{ff0f}' | '\u{ff1a}'..='\u{ff20}' | '\u{ff3b}'..='\u{ff40}')
        || matches!(c, '\u{ff5b}'..='\u{ff65}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, tags: &[&str]) {
        assert_eq!(inline_tags(text, &|_| false), tags, "{text}");
    }

    #[test]
    fn a_tag_begins_a_word_and_has_more_than_digits() {
        check("#a and #b/c, #d-e_f. (#no)", &["a", "b/c", "d-e_f"]);
        check("#1984 #y1984 #19-84 #", &["y1984", "19-84"]);
        check("# heading\n## other\n##no", &[]);
        check("https://x.y/#no a#no [x](#no)", &[]);
    }

    #[test]
    fn tags_are_written_in_any_script() {
        check("读 #项目/计划，然后 #重要。", &["项目/计划", "重要"]);
        check("#über #🚀 #naïve!", &["über", "🚀", "naïve"]);
        check("#[[two words]] #[[]] #[[open", &["two words"]);
    }

    #[test]
    fn no_tag_begins_where_something_else_stands() {
        assert_eq!(inline_tags("#a #b", &|at| at == 0), ["b"]);
    }
}
