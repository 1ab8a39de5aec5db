//! Which of the best are shown, so that no two say the same thing.
//!
//! By default only what says the same as a better one is put last: an answer often needs several
//! memories that are alike. With a λ it is 002's rule: λ·relevance − (1 − λ)·likeness to those chosen.

use super::candidate::{Candidate, best_first};

/// Puts candidates that repeat a better one behind all others. `repeats` says whether two say the same.
pub(crate) fn repeats_last(
    candidates: Vec<Candidate>,
    limit: usize,
    repeats: impl Fn(&Candidate, &Candidate) -> bool,
) -> Vec<Candidate> {
    let mut chosen: Vec<Candidate> = Vec::new();
    let mut repeated = Vec::new();
    for candidate in candidates {
        if chosen.len() >= limit {
            break;
        }
        if chosen.iter().any(|better| repeats(better, &candidate)) {
            repeated.push(candidate);
        } else {
            chosen.push(candidate);
        }
    }
    chosen.extend(repeated);
    chosen.truncate(limit);
    chosen
}

/// Chooses by maximal marginal relevance (002 §3, step 4), and returns the chosen by their final scores: who
/// is among them is a matter of relevance, who comes first also one of recency.
pub(crate) fn marginal(
    mut candidates: Vec<Candidate>,
    limit: usize,
    lambda: f32,
    likeness: impl Fn(&Candidate, &Candidate) -> f32,
) -> Vec<Candidate> {
    let mut chosen: Vec<Candidate> = Vec::new();
    let mut closest = vec![0.0_f32; candidates.len()];
    while chosen.len() < limit && !candidates.is_empty() {
        let value =
            |n: usize| lambda * candidates[n].explain.relevance - (1.0 - lambda) * closest[n];
        // Of equals the first: candidates come in the order of their scores.
        let best = (0..candidates.len())
            .rev()
            .max_by(|a, b| value(*a).total_cmp(&value(*b)))
            .unwrap_or_default();
        let marginal = value(best);
        let mut next = candidates.remove(best);
        closest.remove(best);
        next.explain.mmr = Some(marginal);
        for (candidate, closest) in candidates.iter().zip(&mut closest) {
            *closest = closest.max(likeness(&next, candidate));
        }
        chosen.push(next);
    }
    best_first(&mut chosen, |candidate| candidate.explain.total);
    chosen
}

#[cfg(test)]
mod tests {
    use super::super::candidate::testing::{ids, relevant};
    use super::*;

    fn three() -> Vec<Candidate> {
        vec![relevant(1, 0.9), relevant(2, 0.88), relevant(3, 0.6)]
    }

    /// The first two are alike.
    fn alike(a: &Candidate, b: &Candidate) -> f32 {
        if a.id.0 + b.id.0 == 3 { 1.0 } else { 0.0 }
    }

    #[test]
    fn what_repeats_a_better_one_comes_last() {
        assert_eq!(
            ids(&repeats_last(three(), 3, |a, b| alike(a, b) > 0.5)),
            [1, 3, 2]
        );
        assert_eq!(
            ids(&repeats_last(three(), 2, |a, b| alike(a, b) > 0.5)),
            [1, 3]
        );
        assert_eq!(ids(&repeats_last(three(), 2, |_, _| false)), [1, 2]);
    }

    #[test]
    fn marginal_relevance_is_as_specified() {
        assert_eq!(ids(&marginal(three(), 2, 0.7, alike)), [1, 3]);
        assert_eq!(ids(&marginal(three(), 2, 1.0, alike)), [1, 2]);
        let chosen = marginal(three(), 3, 0.7, alike);
        assert_eq!(ids(&chosen), [1, 2, 3]);
        let values: Vec<f32> = chosen.iter().filter_map(|c| c.explain.mmr).collect();
        for (value, expected) in values.iter().zip([0.63, 0.316, 0.42]) {
            assert!((value - expected).abs() < 1e-5, "{values:?}");
        }
    }

    #[test]
    fn relevance_says_who_is_chosen_and_the_final_score_who_comes_first() {
        let mut candidates = three();
        candidates[2].explain.total = 0.95;
        assert_eq!(ids(&marginal(candidates.clone(), 1, 0.7, |_, _| 0.0)), [1]);
        assert_eq!(ids(&marginal(candidates, 3, 0.7, |_, _| 0.0)), [3, 1, 2]);
    }
}
