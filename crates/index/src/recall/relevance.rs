//! From strength to a number between 0 and 1 that means how likely a memory answers, and a floor below
//! which nothing is shown.

use super::candidate::{Candidate, best_first};
use super::numbers::{Floor, SLOPE, Scale, WORDS_ALONE};
use super::rerank::sigmoid;

/// Judges each candidate by its strength. `matters` says how much a memory matters, 1 being ordinary.
pub(crate) fn judge(
    candidates: &mut [Candidate],
    scale: Scale,
    matters: impl Fn(&Candidate) -> f32,
) {
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

/// What speaks for there being an answer at all.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Evidence {
    /// How strong the best memory is by words and meaning.
    pub(crate) strongest: f32,
    /// The share of the question that the best memory has piece by piece; none when no one could tell.
    pub(crate) found: Option<f32>,
    /// How many memories were looked at: the more there are, the more stand out by chance.
    pub(crate) searched: usize,
    /// Whether the question names a time: then what is of that time may answer in other words.
    pub(crate) names_a_time: bool,
}

impl Evidence {
    /// Says whether there is reason to believe that one of the memories answers. With a model two things must both
    /// be missing, since each is sometimes: standing out, and having most of what the question speaks of.
    pub(crate) fn is_enough(&self, scale: Scale, floor: Floor) -> bool {
        let by_chance = (2.0 * (self.searched.max(2) as f32).ln()).sqrt();
        match self.found {
            _ if self.names_a_time => true,
            _ if scale == WORDS_ALONE => self.strongest >= floor.words,
            Some(found) => found >= floor.found || self.strongest >= by_chance + floor.margin,
            None => self.strongest >= by_chance - floor.margin,
        }
    }
}

/// Leaves out everything when there is no reason to believe in an answer, and what is faint beside the best.
///
/// One floor for all hits would cost answers that need several memories: their second and third are weaker
/// than the best of a question that has no answer.
pub(crate) fn keep_answers(
    candidates: &mut Vec<Candidate>,
    scale: Scale,
    evidence: Evidence,
    floor: Floor,
) {
    if !evidence.is_enough(scale, floor) {
        candidates.clear();
    }
    let best = candidates
        .iter()
        .map(|candidate| candidate.strength)
        .fold(f32::MIN, f32::max);
    candidates.retain(|candidate| candidate.strength >= best * floor.beside);
}

fn relevance_of(strength: f32, scale: Scale) -> f32 {
    sigmoid(SLOPE * (strength - scale.middle))
}

#[cfg(test)]
mod tests {
    use super::super::candidate::testing::{candidate, ids, relevant};
    use super::super::numbers::{LENIENT, STRICT, TABLE};
    use super::*;

    #[test]
    fn relevance_grows_with_strength_and_stays_between_0_and_1() {
        let mut candidates: Vec<_> = (0..50).map(|n| candidate(n, n as f32 - 10.0)).collect();
        judge(&mut candidates, TABLE, |_| 1.0);
        assert_eq!(candidates[0].id.0, 49);
        assert!(
            candidates
                .iter()
                .all(|c| (0.0..=1.0).contains(&c.explain.relevance))
        );
        let mut middle = [candidate(1, TABLE.middle)];
        judge(&mut middle, TABLE, |_| 1.0);
        assert_eq!(middle[0].explain.relevance, 0.5);
    }

    #[test]
    fn of_two_that_match_as_well_the_one_that_matters_more_comes_first() {
        let mut candidates = vec![candidate(1, 7.0), candidate(2, 7.0)];
        judge(
            &mut candidates,
            TABLE,
            |c| if c.id.0 == 2 { 1.5 } else { 1.0 },
        );
        assert_eq!(ids(&candidates), [2, 1]);
    }

    #[test]
    fn when_the_best_is_noise_nothing_is_left() {
        let is_enough = |strongest, found, searched| {
            Evidence {
                strongest,
                found,
                searched,
                names_a_time: false,
            }
            .is_enough(TABLE, STRICT)
        };
        assert!(
            !is_enough(4.0, Some(0.3), 1_000),
            "the best of a thousand is nearly as strong by chance"
        );
        assert!(is_enough(4.0, Some(0.3), 10), "the best of ten is not");
        assert!(
            is_enough(1.0, Some(0.6), 1_000),
            "what the question speaks of is there"
        );
        assert!(
            is_enough(3.0, None, 1_000) && !is_enough(2.5, None, 1_000),
            "no one can tell what is there"
        );
        let of_a_time = Evidence {
            strongest: 0.5,
            found: Some(0.1),
            searched: 9,
            names_a_time: true,
        };
        assert!(of_a_time.is_enough(TABLE, STRICT));
        let by_words = |strongest| Evidence {
            strongest,
            found: None,
            searched: 9,
            names_a_time: false,
        };
        assert!(
            by_words(1.3).is_enough(WORDS_ALONE, STRICT)
                && !by_words(1.2).is_enough(WORDS_ALONE, STRICT)
        );
    }

    #[test]
    fn what_is_faint_beside_the_best_is_left_out() {
        let evidence = Evidence {
            strongest: 7.0,
            found: None,
            searched: 1_000,
            names_a_time: false,
        };
        let mut answers = vec![candidate(1, 7.0), candidate(2, 3.0), candidate(3, 1.0)];
        keep_answers(&mut answers, TABLE, evidence, STRICT);
        assert_eq!(ids(&answers), [1, 2]);
        keep_answers(
            &mut answers,
            TABLE,
            Evidence {
                strongest: 0.5,
                ..evidence
            },
            STRICT,
        );
        assert!(answers.is_empty());
        keep_answers(&mut Vec::new(), TABLE, evidence, STRICT);
    }

    #[test]
    fn a_question_is_answered_by_less_than_what_is_added_unasked() {
        let weak = Evidence {
            strongest: 2.5,
            found: Some(0.35),
            searched: 9,
            names_a_time: false,
        };
        assert!(weak.is_enough(TABLE, LENIENT) && !weak.is_enough(TABLE, STRICT));
        let mut answers = vec![candidate(1, 7.0), candidate(2, 0.5), candidate(3, 0.1)];
        keep_answers(
            &mut answers,
            TABLE,
            Evidence {
                strongest: 7.0,
                ..weak
            },
            LENIENT,
        );
        assert_eq!(ids(&answers), [1, 2]);
    }

    #[test]
    fn what_is_at_the_threshold_stays() {
        let mut candidates = vec![relevant(1, 0.4), relevant(2, 0.35), relevant(3, 0.34)];
        keep_above(&mut candidates, 0.35);
        assert_eq!(ids(&candidates), [1, 2]);
    }
}
