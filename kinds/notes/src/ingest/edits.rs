//! Changes to a text, gathered while it stays as it was and then made at once.

use std::ops::Range;

/// Places of a text, and what is to stand there instead.
#[derive(Debug, Default)]
pub(super) struct Edits(Vec<(Range<usize>, String)>);

impl Edits {
    /// Takes a place out of the text.
    pub(super) fn remove(&mut self, place: Range<usize>) {
        self.replace(place, String::new());
    }

    /// Puts something else in a place.
    pub(super) fn replace(&mut self, place: Range<usize>, text: String) {
        self.0.push((place, text));
    }

    /// Returns the changed text. Of two edits that overlap, the one that begins first is made.
    pub(super) fn apply(mut self, text: &str) -> String {
        self.0.sort_by_key(|(place, _)| place.start);
        let mut changed = String::with_capacity(text.len());
        let mut at = 0;
        for (place, instead) in self.0 {
            if place.start >= at {
                changed.push_str(&text[at..place.start]);
                changed.push_str(&instead);
                at = place.end;
            }
        }
        changed.push_str(&text[at..]);
        changed
    }
}

/// Returns the lines of a text, each with its place; the line end is not part of it.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (Range<usize>, &str)> {
    let mut at = 0;
    text.split_inclusive('\n').map(move |line| {
        let start = at;
        at += line.len();
        let line = line.strip_suffix('\n').unwrap_or(line);
        (start..start + line.len(), line)
    })
}

/// Returns the line that holds a place, or the lines from its beginning to its end.
pub(super) fn lines_around(text: &str, place: &Range<usize>) -> Range<usize> {
    let start = text[..place.start].rfind('\n').map_or(0, |at| at + 1);
    let end = text[place.end..]
        .find('\n')
        .map_or(text.len(), |at| place.end + at);
    start..end
}

/// Returns a range with the line end that follows it.
pub(super) fn with_line_end(text: &str, place: Range<usize>) -> Range<usize> {
    let end = place.end + usize::from(text[place.end..].starts_with('\n'));
    place.start..end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_are_made_at_once_and_the_first_of_two_wins() {
        let mut edits = Edits::default();
        edits.replace(6..8, "Z".to_owned());
        edits.remove(0..2);
        edits.replace(1..4, "lost".to_owned());
        assert_eq!(edits.apply("ab cd ef"), " cd Z");
    }

    #[test]
    fn lines_know_where_they_stand() {
        let text = "a\n\n中b";
        assert_eq!(
            lines(text)
                .map(|(place, line)| (place.start, line))
                .collect::<Vec<_>>(),
            [(0, "a"), (2, ""), (3, "中b")]
        );
        assert_eq!(lines_around(text, &(3..6)), 3..7);
        assert_eq!(with_line_end(text, 0..1), 0..2);
    }
}
