//! From what words say and what meaning says to one strength for each memory.
//!
//! Words are measured by the share of the question's information that a memory has, which means the
//! same in every store; meaning by how far a memory stands out from what the model says of others.
//! Both are kept as they are and added: ranks would forget how sure each side was.

use super::candidate::Candidate;
use super::numbers::{Scale, USUAL_COUNT};
use crate::{DocumentId, Scores};

/// Memories that a model puts below this many deviations and that share no word are let go.
const FAINT: f32 = 1.0;
/// So many memories are looked at together.
const BLOCK: usize = 64;
/// The strength of a memory that nothing speaks for.
const NONE: f32 = f32::NEG_INFINITY;

/// What words and meaning say together.
pub(crate) struct Fusion<'a> {
    lexical: &'a Scores,
    dense: &'a Scores,
    scale: Scale,
    standing: Standing,
    /// What a memory is worth more for other reasons.
    lift: &'a Scores,
}

impl<'a> Fusion<'a> {
    pub(crate) fn of(
        lexical: &'a Scores,
        dense: &'a Scores,
        scale: Scale,
        lift: &'a Scores,
    ) -> Self {
        Fusion {
            lexical,
            dense,
            scale,
            standing: Standing::of(dense, scale),
            lift,
        }
    }

    /// Returns the candidates with the most strength, the strongest first, of those that are meant. Of all others
    /// only so many are remembered as it takes to tell.
    pub(crate) fn best(
        &self,
        count: usize,
        is_meant: impl Fn(DocumentId) -> bool,
    ) -> Vec<Candidate> {
        let end = self.lexical.end().max(self.dense.end());
        // However many someone wishes for, there are no more than these.
        let count = count.min(end as usize);
        let mut best: Vec<(f32, DocumentId)> = Vec::with_capacity(count * 2);
        let mut least = f32::NEG_INFINITY;
        let order =
            |a: &(f32, DocumentId), b: &(f32, DocumentId)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
        for begin in (0..end).step_by(BLOCK) {
            let strengths = self.strengths::<BLOCK>(begin as usize);
            // Nearly all blocks have none: told at once of all of it.
            if strengths
                .iter()
                .filter(|strength| **strength > least)
                .count()
                == 0
            {
                continue;
            }
            for (strength, id) in strengths.into_iter().zip((begin..end).map(DocumentId)) {
                if !(strength > least && is_meant(id)) {
                    continue;
                }
                best.push((strength, id));
                if best.len() == count * 2 && count > 0 {
                    best.select_nth_unstable_by(count - 1, order);
                    best.truncate(count);
                    least = best[count - 1].0;
                }
            }
        }
        best.sort_unstable_by(order);
        best.truncate(count);
        best.into_iter()
            .filter_map(|(_, id)| self.candidate(id))
            .collect()
    }

    /// Returns a memory as a candidate, if words or meaning speak for it.
    pub(crate) fn candidate(&self, id: DocumentId) -> Option<Candidate> {
        let [strength] = self.strengths(id.0 as usize);
        if strength == NONE {
            return None;
        }
        let mut candidate = Candidate {
            strength,
            ..Candidate::new(id)
        };
        candidate.explain.lexical = self.lexical.get(id).unwrap_or_default();
        candidate.explain.dense = self.dense.get(id);
        Some(candidate)
    }

    /// Returns the strengths of memories one after the other. No step depends on what is found, so that compilers
    /// take several at once.
    fn strengths<const N: usize>(&self, begin: usize) -> [f32; N] {
        let words: [f32; N] = self.lexical.block(begin);
        let cosines: [f32; N] = self.dense.block(begin);
        let lifts: [f32; N] = self.lift.block(begin);
        let (no_words, no_cosine, most) =
            (self.lexical.none(), self.dense.none(), self.lexical.most);
        let mut strengths = [NONE; N];
        for (n, strength) in strengths.iter_mut().enumerate() {
            let of_cosine = self.standing.of_cosine(cosines[n]);
            let meaning = if cosines[n] == no_cosine {
                0.0
            } else {
                of_cosine
            };
            let share = if most > 0.0 { words[n] / most } else { 0.0 };
            let with_words = self.scale.words * share + meaning;
            let without = if meaning > FAINT { meaning } else { NONE };
            *strength = (if words[n] == no_words {
                without
            } else {
                with_words
            }) + lifts[n];
        }
        strengths
    }
}

/// What a model says of all memories: against it each one is measured.
#[derive(Clone, Copy)]
struct Standing {
    mean: f32,
    deviation: f32,
}

impl Standing {
    /// A small store says little about what is usual, so what is known beforehand counts as some memories.
    fn of(dense: &Scores, scale: Scale) -> Self {
        let (usual_mean, usual_deviation) = scale.usual;
        let count = dense.count() as f32 + USUAL_COUNT;
        let sum = dense.sum(f64::from);
        let mean = (sum as f32 + USUAL_COUNT * usual_mean) / count;
        let squares = dense.sum(|cosine| f64::from(cosine - mean).powi(2));
        let deviation = ((squares as f32 + USUAL_COUNT * usual_deviation.powi(2)) / count).sqrt();
        Standing {
            mean,
            deviation: deviation.max(1e-4),
        }
    }

    fn of_cosine(self, cosine: f32) -> f32 {
        (cosine - self.mean) / self.deviation
    }
}

#[cfg(test)]
mod tests {
    use super::super::candidate::best_first;
    use super::super::candidate::testing::ids;
    use super::super::numbers::{TABLE, WORDS_ALONE};
    use super::*;

    fn scores(scores: &[(u32, f32)], most: f32) -> Scores {
        let mut values = vec![f32::NEG_INFINITY; 6000];
        scores
            .iter()
            .for_each(|(id, score)| values[*id as usize] = *score);
        Scores::new(values, f32::NEG_INFINITY, most)
    }

    fn fuse(
        lexical: &[(u32, f32)],
        dense: &[(u32, f32)],
        most: f32,
        scale: Scale,
    ) -> Vec<Candidate> {
        Fusion::of(
            &scores(lexical, most),
            &scores(dense, 1.0),
            scale,
            &Scores::default(),
        )
        .best(100, |_| true)
    }

    #[test]
    fn words_count_by_the_share_of_the_question_they_have() {
        let candidates = fuse(&[(3, 5.0), (7, 10.0)], &[], 10.0, WORDS_ALONE);
        assert_eq!(ids(&candidates), [7, 3]);
        assert_eq!(candidates[0].strength, WORDS_ALONE.words);
        assert_eq!(candidates[1].strength * 2.0, candidates[0].strength);
        assert_eq!(
            (candidates[1].explain.lexical, candidates[1].explain.dense),
            (5.0, None)
        );
    }

    #[test]
    fn what_stands_out_by_meaning_is_found_without_a_word() {
        let dense: Vec<_> = (0..200)
            .map(|n| (n, if n == 150 { 0.8 } else { 0.2 }))
            .collect();
        let candidates = fuse(&[(20, 1.0), (160, 1.0)], &dense, 10.0, TABLE);
        assert_eq!(ids(&candidates), [150, 20, 160]);
        assert!(candidates[0].strength > candidates[1].strength + 3.0);
        assert_eq!(candidates[0].explain.dense, Some(0.8));
    }

    #[test]
    fn in_a_store_of_two_memories_a_good_match_is_as_strong_as_in_a_large_one() {
        let small = fuse(&[], &[(0, 0.7), (1, 0.2)], 0.0, TABLE)[0].strength;
        let dense: Vec<_> = (0..5000)
            .map(|n| {
                (
                    n,
                    if n == 0 {
                        0.7
                    } else {
                        0.1 + 0.2 * (n % 2) as f32
                    },
                )
            })
            .collect();
        let large = fuse(&[], &dense, 0.0, TABLE)[0].strength;
        assert!((small - large).abs() < 1.5, "{small} and {large}");
    }

    #[test]
    fn a_question_without_known_words_divides_by_nothing() {
        assert!(
            fuse(&[(1, 0.0)], &[], 0.0, WORDS_ALONE)[0]
                .strength
                .is_finite()
        );
    }

    #[test]
    fn the_best_of_many_are_those_that_sorting_all_would_give() {
        let lexical: Vec<(u32, f32)> = (0..5000)
            .map(|n| (n, (n * 7919 % 501) as f32 + 1.0))
            .collect();
        let lexical = scores(&lexical, 500.0);
        let dense = scores(&[], 1.0);
        let lift = (0..5000).map(|n| if n % 3 == 0 { 1.0 } else { 0.0 });
        let lift = Scores::new(lift.collect(), 0.0, 0.0);
        let fusion = Fusion::of(&lexical, &dense, WORDS_ALONE, &lift);
        let mut all: Vec<Candidate> = (0..5000)
            .filter_map(|n| fusion.candidate(DocumentId(n)))
            .collect();
        best_first(&mut all, |candidate| candidate.strength);
        for count in [0, 1, 10, 100, 2500, 5000, 9000] {
            let best = fusion.best(count, |_| true);
            assert_eq!(best, all[..count.min(5000)]);
        }
    }
}
