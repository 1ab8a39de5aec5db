//! Was a text drawn at random, or do words stand in it?

use memory_steps::count;

/// How much of a text is looked at.
const LOOKED_AT: usize = 64;
/// The fewest characters of a part that can be told from a word with a number.
const PART_BYTES: usize = 12;

/// How often neighbouring letters and digits are of different classes.
#[derive(Default)]
struct Changes {
    /// Letters and digits.
    length: usize,
    digits: usize,
    /// Between a digit and a letter.
    with_digit: usize,
    /// Between any of capitals, small letters and digits.
    all: usize,
}

impl Changes {
    fn of(text: &str) -> Self {
        let mut changes = Changes::default();
        let mut last = None;
        for byte in text.bytes().take(LOOKED_AT) {
            count(1);
            let class = match byte {
                b'0'..=b'9' => Some(0),
                b'a'..=b'z' => Some(1),
                b'A'..=b'Z' => Some(2),
                _ => None,
            };
            if class.is_some() {
                changes.length += 1;
                changes.digits += usize::from(class == Some(0));
                let is_change = last.is_some() && last != class;
                changes.all += usize::from(is_change);
                changes.with_digit +=
                    usize::from(is_change && (class == Some(0) || last == Some(0)));
            }
            last = class;
        }
        changes
    }
}

/// Says whether letters and digits are mixed as they are in keys, and hardly ever in names.
pub(super) fn looks_random(text: &str) -> bool {
    let changes = Changes::of(text);
    let is_mixed = changes.all * 2 >= changes.length && changes.length >= 12;
    let has_digits_inside = changes.with_digit >= 2 && changes.with_digit * 10 >= changes.length;
    changes.digits < changes.length && (is_mixed || has_digits_inside)
}

/// Says whether one of the parts of a text that `-` and `_` join looks random, or all of it does.
pub(super) fn has_random_part(text: &str) -> bool {
    let long_parts = text
        .split(['-', '_'])
        .filter(|part| part.len() >= PART_BYTES);
    looks_random(text) || long_parts.into_iter().any(looks_random)
}

/// Says whether capitals and small letters alternate often.
pub(super) fn has_mixed_case(text: &str) -> bool {
    let changes = Changes::of(text);
    changes.all * 4 >= changes.length
}
