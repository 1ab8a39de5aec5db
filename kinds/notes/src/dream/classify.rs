//! Where a note belongs, judged by its words.
//!
//! Level 1 of the dream engine. No disk, no clock, no note: text goes in, a verdict comes out.
//! Which words speak for what stands in [`super::words`].

use std::cmp::Reverse;

use super::words::{Word, words_in};
use crate::Category;

/// Where a note belongs, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    pub category: Category,
    /// The words that decided, strongest first; empty when nothing matched.
    pub because: Vec<&'static str>,
}

/// Which category wins when several weigh the same.
///
/// What was said on purpose (a lesson, a decision, a wish) comes before what a text is merely
/// about (a person, a project); knowledge is last, since that is where everything else goes too.
const ORDER: [Category; 12] = [
    Category::Lessons,
    Category::Decisions,
    Category::Preferences,
    Category::Feedback,
    Category::Habits,
    Category::Skills,
    Category::Soul,
    Category::Character,
    Category::Date,
    Category::People,
    Category::Project,
    Category::Knowledge,
];

/// Finds the category of a note by the words that occur in it.
///
/// Each word adds its weight to its category once, however often it occurs. The heaviest
/// category wins, the first of `ORDER` among equals; without any word it is knowledge.
pub fn classify(content: &str) -> Verdict {
    let words = words_in(content);
    let weight = |category: Category| -> u32 { of(&words, category).map(|word| word.weight).sum() };
    let heaviest = ORDER
        .into_iter()
        .rev()
        .max_by_key(|category| weight(*category));
    let category = match heaviest {
        Some(category) if !words.is_empty() => category,
        _ => Category::Knowledge,
    };
    let mut because: Vec<&Word> = of(&words, category).collect();
    because.sort_by_key(|word| Reverse(word.weight));
    Verdict {
        category,
        because: because.into_iter().map(|word| word.text.as_str()).collect(),
    }
}

fn of<'a>(
    words: &'a [&'static Word],
    category: Category,
) -> impl Iterator<Item = &'static Word> + 'a {
    words
        .iter()
        .copied()
        .filter(move |word| word.category == category)
}
