//! A closer look that costs next to nothing: a table of words compares question and memory piece by piece.
//!
//! It is taken whichever model judges meaning. A vector of a whole text is blurred by all else that the text says,
//! and the more so the longer it is; the closest piece is not.

use std::sync::Arc;

use memory_models::{Closeness, Embed};

use super::candidate::Candidate;
use super::rerank;
use crate::View;

/// Lets the first model that can do so at once compare candidates piece by piece; `share` says what that weighs.
/// Returns the share of the question that is found in the one that has most of it.
pub(crate) fn look(
    candidates: &mut [Candidate],
    question: &str,
    view: &View,
    (models, share): (&[Arc<dyn Embed>], f32),
) -> Option<f32> {
    let text = |candidate: &Candidate| view.record(candidate.id).map_or("", |record| record.text);
    let texts: Vec<&str> = candidates.iter().map(text).collect();
    let mut able = models.iter().filter(|model| model.can_read(question));
    let closeness = able.find_map(|model| model.closeness(question, &texts))?;
    take_in(candidates, &closeness, share)
}

fn take_in(
    candidates: &mut [Candidate],
    closeness: &[Option<Closeness>],
    share: f32,
) -> Option<f32> {
    let beyond_chance: Vec<Option<f32>> = closeness
        .iter()
        .map(|of| of.map(|of| of.beyond_chance))
        .collect();
    rerank::by_likeness(candidates, &beyond_chance, share);
    closeness
        .iter()
        .flatten()
        .map(|of| of.found)
        .reduce(f32::max)
}

#[cfg(test)]
mod tests {
    use super::super::candidate::testing::{candidate, ids};
    use super::*;

    #[test]
    fn candidates_are_compared_beyond_chance_and_the_most_that_is_found_is_told() {
        let of = |found, beyond_chance| {
            Some(Closeness {
                found,
                beyond_chance,
            })
        };
        let mut candidates = vec![candidate(1, 5.0), candidate(2, 4.8), candidate(3, 1.0)];
        // The first has most of the question because it is long.
        let found = take_in(&mut candidates, &[of(0.8, 0.2), of(0.7, 0.5), None], 0.75);
        assert_eq!((ids(&candidates), found), (vec![2, 1, 3], Some(0.8)));
        assert_eq!(take_in(&mut candidates, &[None; 3], 0.75), None);
    }
}
