//! What stands between two spaces: a word, or several that a point, hyphen or slash makes one.
//!
//! The whole is a term beside its words, so that `src/main.rs`, `main.rs` and `main` all find it.

use std::ops::Range;

use super::{Visit, date, form::Forms, is_word, word};

/// Words that touch each other, joined by single marks.
pub(super) struct Chunk<'t> {
    text: &'t str,
    place: Range<usize>,
    has_point: bool,
    has_hyphen: bool,
    has_slash: bool,
}

impl<'t> Chunk<'t> {
    /// Reads from a place where a word begins.
    pub(super) fn read(text: &'t str, start: usize) -> Self {
        let mut chunk = Chunk {
            text,
            place: start..start,
            has_point: false,
            has_hyphen: false,
            has_slash: false,
        };
        chunk.place.end = word::end(text, start);
        while let Some(next) = chunk.joined() {
            chunk.place.end = word::end(text, next);
        }
        chunk
    }

    pub(super) fn end(&self) -> usize {
        self.place.end
    }

    /// Returns where the next word begins if a mark joins it to this one.
    fn joined(&mut self) -> Option<usize> {
        let rest = &self.text[self.place.end..];
        let mark = *rest.as_bytes().first()?;
        let length = if rest.starts_with("::") { 2 } else { 1 };
        if !matches!(mark, b'.' | b'-' | b'/' | b'\\' | b'@') && length == 1 {
            return None;
        }
        rest[length..].chars().next().filter(|c| is_word(*c))?;
        match mark {
            b'.' => self.has_point = true,
            b'-' => self.has_hyphen = true,
            b'@' => {}
            _ => self.has_slash = true,
        }
        Some(self.place.end + length)
    }

    pub(super) fn each_term(&self, forms: &mut Forms, visit: &mut impl Visit) {
        let whole = &self.text[self.place.clone()];
        if (self.has_hyphen || self.has_slash || self.has_point)
            && date::written_in_digits(whole, &self.place, visit)
        {
            return;
        }
        let mut at = self.place.start;
        while at < self.place.end {
            let end = word::end(self.text, at);
            word::each_term(self.text, at..end, forms, visit);
            date::around(self.text, at..end, visit);
            at = end
                + self.text[end..self.place.end]
                    .chars()
                    .take_while(|c| !is_word(*c))
                    .count();
        }
        self.wholes(whole, forms, visit);
    }

    fn wholes(&self, whole: &str, forms: &mut Forms, visit: &mut impl Visit) {
        if self.has_slash {
            visit(forms.path(whole), self.place.clone());
            let last = whole.rfind(['/', '\\', ':']).map_or(0, |at| at + 1);
            if whole[last..].contains('.') {
                visit(
                    forms.path(&whole[last..]),
                    self.place.start + last..self.place.end,
                );
            }
        } else if self.has_point {
            self.beginnings(whole, forms, visit);
        } else if self.has_hyphen {
            visit(forms.together(whole), self.place.clone());
        }
    }

    /// 2.10.3 is found by 2.10 too; other names with points only whole.
    fn beginnings(&self, whole: &str, forms: &mut Forms, visit: &mut impl Visit) {
        if whole.bytes().all(|b| b.is_ascii_digit() || b == b'.') {
            let second = whole.match_indices('.').skip(1);
            for (end, _) in second {
                visit(&whole[..end], self.place.start..self.place.start + end);
            }
        }
        visit(forms.path(whole), self.place.clone());
    }
}
