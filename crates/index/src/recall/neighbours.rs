//! What stands beside an answer is part of it: a turn inherits from the turn before and the one after.

use std::collections::BTreeMap;

use super::candidate::{Candidate, best_first};
use super::numbers::{LENDERS, NEIGHBOUR_SHARE};
use crate::DocumentId;

/// Adds to each candidate a share of the better of its neighbours; `beside` tells who they are.
///
/// Only the strongest lend. Neighbours that were not among the candidates are `known`, or become candidates by
/// what they inherit.
pub(crate) fn lend(
    candidates: &mut Vec<Candidate>,
    beside: impl Fn(DocumentId) -> Vec<DocumentId>,
    known: impl Fn(DocumentId) -> Option<Candidate>,
) {
    best_first(candidates, |candidate| candidate.strength);
    let mut inherited: BTreeMap<DocumentId, f32> = BTreeMap::new();
    for lender in candidates
        .iter()
        .take(LENDERS)
        .filter(|lender| lender.strength > 0.0)
    {
        for id in beside(lender.id) {
            let share = inherited.entry(id).or_default();
            *share = share.max(lender.strength * NEIGHBOUR_SHARE);
        }
    }
    for candidate in candidates.iter_mut() {
        candidate.strength += inherited.remove(&candidate.id).unwrap_or_default();
    }
    candidates.extend(inherited.into_iter().map(|(id, share)| {
        let candidate = known(id).unwrap_or_else(|| Candidate::new(id));
        Candidate {
            strength: candidate.strength + share,
            ..candidate
        }
    }));
    best_first(candidates, |candidate| candidate.strength);
}

#[cfg(test)]
mod tests {
    use super::super::candidate::testing::{candidate, ids};
    use super::*;

    /// Each document stands beside those with the next numbers.
    fn in_a_row(id: DocumentId) -> Vec<DocumentId> {
        [id.0.wrapping_sub(1), id.0 + 1]
            .into_iter()
            .filter(|n| *n < 10)
            .map(DocumentId)
            .collect()
    }

    #[test]
    fn the_turn_beside_a_strong_one_overtakes_others() {
        let mut candidates = vec![candidate(2, 3.0), candidate(5, 8.0), candidate(6, 2.0)];
        lend(&mut candidates, in_a_row, |_| None);
        assert_eq!(ids(&candidates), [5, 6, 2, 4, 1, 3, 7][..candidates.len()]);
        assert_eq!(candidates[0].strength, 8.5);
        assert_eq!(candidates[1].strength, 4.0);
    }

    #[test]
    fn only_the_better_neighbour_counts() {
        let mut candidates = vec![candidate(1, 4.0), candidate(2, 0.0), candidate(3, 8.0)];
        lend(&mut candidates, in_a_row, |_| None);
        let middle = candidates
            .iter()
            .find(|candidate| candidate.id.0 == 2)
            .unwrap();
        assert_eq!(middle.strength, 2.0);
    }

    #[test]
    fn what_stands_alone_stays_as_it_is() {
        let mut candidates = vec![candidate(1, 4.0), candidate(2, 1.0)];
        lend(&mut candidates, |_| vec![], |_| None);
        assert_eq!(candidates, [candidate(1, 4.0), candidate(2, 1.0)]);
    }

    #[test]
    fn a_neighbour_that_was_not_among_the_best_keeps_what_spoke_for_it() {
        let mut candidates = vec![candidate(4, 8.0)];
        lend(&mut candidates, in_a_row, |id| {
            (id.0 == 5).then(|| candidate(5, 3.0))
        });
        assert_eq!(ids(&candidates), [4, 5, 3]);
        assert_eq!(candidates[1].strength, 3.0 + 8.0 * NEIGHBOUR_SHARE);
    }
}
