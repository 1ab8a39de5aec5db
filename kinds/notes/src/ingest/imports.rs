//! `@path` in Claude's files: the text of another file, put in its place.

use memory_text::places::places;

use super::edits::Edits;
use super::{head, limits};

/// Puts the imported texts into a text.
///
/// `load` returns the text of a file below the root, if it is there; it is asked for `~/` paths as
/// they are, because only the caller knows whose home that is. What can't be imported (it lies elsewhere, is not there, imports itself, is too deep or too much) stays as written.
pub(super) fn inline(relative: &str, text: &str, load: &dyn Fn(&str) -> Option<String>) -> String {
    let mut imports = Imports {
        load,
        within: vec![relative.to_owned()],
        left: limits::MOST_ADDED,
    };
    imports.inline(text)
}

struct Imports<'a> {
    load: &'a dyn Fn(&str) -> Option<String>,
    /// The files that are being read, from the outermost to this one.
    within: Vec<String>,
    /// How many bytes may still be added.
    left: usize,
}

impl Imports<'_> {
    fn inline(&mut self, text: &str) -> String {
        if !text.contains('@') {
            return text.to_owned();
        }
        let places = places(text);
        let mut edits = Edits::default();
        let begins_a_word = |at: &usize| {
            text[..*at]
                .chars()
                .next_back()
                .is_none_or(char::is_whitespace)
        };
        let marks = text
            .match_indices('@')
            .map(|(at, _)| at)
            .filter(begins_a_word);
        for at in marks.filter(|at| !places.is_code(*at)) {
            let word = text[at + 1..]
                .split(char::is_whitespace)
                .next()
                .unwrap_or_default();
            if let Some((length, imported)) = self.import_any(word) {
                edits.replace(at..at + 1 + length, imported);
            }
        }
        edits.apply(text)
    }

    /// Imports the path as it stands, or without the punctuation of the sentence that it ends.
    fn import_any(&mut self, word: &str) -> Option<(usize, String)> {
        let bare = word.trim_end_matches(['.', ',', ';', ':', '!', '?', ')', '。', '，']);
        let tries = [word, bare];
        let tries = if word == bare {
            &tries[..1]
        } else {
            &tries[..]
        };
        tries
            .iter()
            .find_map(|path| Some((path.len(), self.import(path)?)))
    }

    fn import(&mut self, path: &str) -> Option<String> {
        let relative = resolve(self.within.last()?, path)?;
        if self.within.len() > limits::MOST_DEEP || self.within.contains(&relative) {
            return None;
        }
        let text = (self.load)(&relative)?;
        self.left = self.left.checked_sub(text.len())?;
        self.within.push(relative);
        let inlined = self.inline(head::split(&text).1);
        self.within.pop();
        Some(inlined.trim().to_owned())
    }
}

/// Resolves a path against the folder of the file that names it; none when it leads out.
fn resolve(from: &str, path: &str) -> Option<String> {
    if path.is_empty() || path.starts_with('/') {
        return None;
    }
    let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
    let from_home = path.starts_with("~/");
    let mut parts: Vec<&str> = folder
        .split('/')
        .filter(|name| !name.is_empty() && !from_home)
        .collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            name => parts.push(name),
        }
    }
    (!parts.is_empty()).then(|| parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(relative: &str) -> Option<String> {
        let text = match relative {
            "docs/a.md" => "A imports @b.md",
            "~/.claude/c.md" => "C @d.md",
            "~/.claude/d.md" => "D",
            "docs/b.md" => "---\npaths: x\n---\nB\n",
            "loop.md" => "again @loop.md and @CLAUDE.md",
            deep if deep.starts_with("deep") => return Some(format!("{deep} @{deep}x")),
            _ => return None,
        };
        Some(text.to_owned())
    }

    #[track_caller]
    fn check(text: &str, inlined: &str) {
        assert_eq!(inline("CLAUDE.md", text, &load), inlined);
    }

    #[test]
    fn imports_are_relative_to_the_file_that_names_them() {
        check("see @docs/a.md.", "see A imports B.");
        check("@./docs/b.md\nrest", "B\nrest");
        check("@docs/../docs/b.md, too", "B, too");
        check("@~/.claude/c.md", "C D");
    }

    #[test]
    fn what_is_no_import_stays_as_written() {
        for text in [
            "me@docs/b.md",
            "`@docs/b.md`",
            "@someone",
            "@../docs/b.md",
            "@/docs/b.md",
            "@~/x.md",
            "@",
        ] {
            check(text, text);
        }
    }

    #[test]
    fn cycles_and_depth_come_to_an_end() {
        check("@loop.md", "again @loop.md and @CLAUDE.md");
        check("@deep", "deep deepx deepxx deepxxx deepxxxx @deepxxxxx");
    }

    proptest::proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "[@./~a中`\n ]{0,40}") {
            let _ = inline("a/b", &text, &|path| (path.len() < 9).then(|| format!("@{path}a @.")));
        }
    }
}
