//! From strength to a number between 0 and 1 that means how likely a memory answers, and a floor below
//! which nothing is shown.

use super::candidate::{Candidate, best_first};
use super::numbers::{BESIDE_BEST, CHANCE_MARGIN, SLOPE, Scale, WORDS_ALONE, WORDS_FLOOR};
use super::rerank::sigmoid;

/// Judges each candidate by its strength. `matters` says how much a memory matters, 1 being ordinary.
pub(crate) fn judge(candidates: &mut [Candidate], scale: Scale, matters: impl Fn(&Candidate) -> f32) {
    for candidate in candidates.iter_mut() {
        let odds = matters(candidate).clamp(0.25, 4.0).ln();
        candidate.strength += odds / SLOPE;
        candidate.explain.relevance = relevance_of(candidate.strength, scale);
    }
    best_first(candidates, |candidate| candidate.explain.relevance);
}

/// Leaves out what is below a threshold that someone has set.
pub(crate) fn keep_above(candidates: &mut Vec<Candidate>, threshold: f32) {
    candidates.retain(|candidate| candidate.explain.relevance >= threshold);
}

/// Leaves out everything when not even the best candidate is relevant, and what is faint beside it.
///
/// One floor for all hits would cost answers that need several memories: their second and third are weaker
/// than the best of a question that has no answer.
pub(crate) fn keep_answers(candidates: &mut Vec<Candidate>, scale: Scale, searched: usize) {
    let best = candidates.iter().map(|candidate| candidate.strength).fold(f32::MIN, f32::max);
    if best < floor(scale, searched) {
        candidates.clear();
    }
    candidates.retain(|candidate| candidate.strength >= best * BESIDE_BEST);
}

/// The strength that the best of so many memories must have: the more there are, the more stand out by chance.
fn floor(scale: Scale, searched: usize) -> f32 {
    match scale == WORDS_ALONE {
        true => WORDS_FLOOR,
        false => (2.0 * (searched.max(2) as f32).ln()).sqrt() - CHANCE_MARGIN,
    }
}

fn relevance_of(strength: f32, scale: Scale) -> f32 {
    sigmoid(SLOPE * (strength - scale.middle))
}

#[cfg(test)]
mod tests {
    use super::super::candidate::testing::{candidate, ids, relevant};
    use super::super::numbers::TABLE;
    use super::*;

    #[test]
    fn relevance_grows_with_strength_and_stays_between_0_and_1() {
        let mut candidates: Vec<_> = (0..50).map(|n| candidate(n, n as f32 - 10.0)).collect();
        judge(&mut candidates, TABLE, |_| 1.0);
        assert_eq!(candidates[0].id.0, 49);
        assert!(candidates.iter().all(|c| (0.0..=1.0).contains(&c.explain.relevance)));
        let mut middle = [candidate(1, TABLE.middle)];
        judge(&mut middle, TABLE, |_| 1.0);
        assert_eq!(middle[0].explain.relevance, 0.5);
    }

    #[test]
    fn of_two_that_match_as_well_the_one_that_matters_more_comes_first() {
        let mut candidates = vec![candidate(1, 7.0), candidate(2, 7.0)];
        judge(&mut candidates, TABLE, |c| if c.id.0 == 2 { 1.5 } else { 1.0 });
        assert_eq!(ids(&candidates), [2, 1]);
    }

    #[test]
    fn when_the_best_is_noise_nothing_is_left() {
        let noise = || vec![candidate(1, 2.5), candidate(2, 1.0)];
        let mut of_many = noise();
        keep_answers(&mut of_many, TABLE, 1_000);
        assert!(of_many.is_empty(), "the best of a thousand is as strong by chance");
        let mut of_few = noise();
        keep_answers(&mut of_few, TABLE, 10);
        assert_eq!(ids(&of_few), [1, 2], "the best of ten is not");
        let mut answers =
            vec![candidate(1, TABLE.middle), candidate(2, TABLE.middle / 2.0), candidate(3, 1.0)];
        keep_answers(&mut answers, TABLE, 1_000);
        assert_eq!(ids(&answers), [1, 2]);
        keep_answers(&mut Vec::new(), TABLE, 0);
    }

    #[test]
    fn what_is_at_the_threshold_stays() {
        let mut candidates = vec![relevant(1, 0.4), relevant(2, 0.35), relevant(3, 0.34)];
        keep_above(&mut candidates, 0.35);
        assert_eq!(ids(&candidates), [1, 2]);
    }
}
