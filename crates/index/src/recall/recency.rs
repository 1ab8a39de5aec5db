//! What being recent adds: final = (1 − w)·relevance + w·recency, recency = exp(−age in days / 30). (002 §3, step 3)

use memory_core::Timestamp;

use super::candidate::{Candidate, best_first};
use super::numbers::RECENCY_DAYS;

/// Weighs relevance and recency; `made_at` tells when a memory was made.
pub(crate) fn weigh(
    candidates: &mut [Candidate],
    weight: f32,
    now: Timestamp,
    made_at: impl Fn(&Candidate) -> Timestamp,
) {
    for candidate in candidates.iter_mut() {
        let recency = recency(made_at(candidate), now);
        let explain = &mut candidate.explain;
        explain.recency = recency;
        explain.total = (1.0 - weight) * explain.relevance + weight * recency;
    }
    best_first(candidates, |candidate| candidate.explain.total);
}

/// What is from the future is as recent as can be.
fn recency(made_at: Timestamp, now: Timestamp) -> f32 {
    let seconds = now.as_second().saturating_sub(made_at.as_second()).max(0);
    (-(seconds as f32) / 86_400.0 / RECENCY_DAYS).exp()
}

#[cfg(test)]
mod tests {
    use super::super::candidate::testing::{ids, relevant};
    use super::*;

    const DAY: i64 = 86_400;

    #[track_caller]
    fn check(ages: [i64; 2], relevances: [f32; 2], weight: f32, order: [u32; 2]) {
        let now = Timestamp::from_second(1_700_000_000).unwrap();
        let mut candidates = vec![relevant(0, relevances[0]), relevant(1, relevances[1])];
        let made_at = |c: &Candidate| {
            Timestamp::from_second(now.as_second() - ages[c.id.0 as usize]).unwrap()
        };
        weigh(&mut candidates, weight, now, made_at);
        assert_eq!(ids(&candidates), order);
    }

    #[test]
    fn the_newer_of_two_that_answer_as_well_comes_first() {
        check([40 * DAY, DAY], [0.6, 0.6], 0.2, [1, 0]);
        check([40 * DAY, DAY], [0.9, 0.6], 0.2, [0, 1]);
        check([40 * DAY, DAY], [0.7, 0.6], 0.0, [0, 1]);
        check([40 * DAY, -DAY], [0.9, 0.1], 1.0, [1, 0]);
    }

    #[test]
    fn thirty_days_are_one_over_e() {
        let now = Timestamp::from_second(1_700_000_000).unwrap();
        let then = Timestamp::from_second(1_700_000_000 - 30 * DAY).unwrap();
        assert!((recency(then, now) - 0.367_879).abs() < 1e-5);
        assert_eq!((recency(now, now), recency(now, then)), (1.0, 1.0));
    }
}
