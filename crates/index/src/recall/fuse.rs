//! From what words say and what meaning says to one strength for each memory.
//!
//! Words are measured by the share of the question's information that a memory has, which means the
//! same in every store; meaning by how far a memory stands out from what the model says of others.
//! Both are kept as they are and added: ranks would forget how sure each side was.

use super::candidate::Candidate;
use super::numbers::{Scale, USUAL_COUNT};
use crate::DocumentId;

/// Memories that a model puts below this many deviations and that share no word are let go.
const FAINT: f32 = 1.0;

/// Returns a candidate for each memory that words or meaning speak for, in the order of ids.
///
/// `lexical` and `dense` are in the order of ids; `most` is the BM25 score of a memory that has every
/// word of the question once.
pub(crate) fn fuse(
    lexical: &[(DocumentId, f32)],
    dense: &[(DocumentId, f32)],
    most: f32,
    scale: Scale,
) -> Vec<Candidate> {
    let standing = Standing::of(dense, scale);
    let mut candidates = Vec::with_capacity(lexical.len() * 2);
    let mut dense = dense.iter().peekable();
    for (id, words) in lexical {
        while let Some(meant) = dense.next_if(|(other, _)| other < id) {
            candidates.extend(meaning_alone(meant, standing));
        }
        let meant = dense.next_if(|(other, _)| other == id).map(|(_, cosine)| *cosine);
        let mut candidate = Candidate::new(*id);
        candidate.explain.lexical = *words;
        candidate.explain.dense = meant;
        let share = if most > 0.0 { words / most } else { 0.0 };
        candidate.strength = scale.words * share + meant.map_or(0.0, |cosine| standing.of_cosine(cosine));
        candidates.push(candidate);
    }
    candidates.extend(dense.filter_map(|meant| meaning_alone(meant, standing)));
    candidates
}

fn meaning_alone((id, cosine): &(DocumentId, f32), standing: Standing) -> Option<Candidate> {
    let strength = standing.of_cosine(*cosine);
    let mut candidate = Candidate { strength, ..Candidate::new(*id) };
    candidate.explain.dense = Some(*cosine);
    (strength > FAINT).then_some(candidate)
}

/// What a model says of all memories: against it each one is measured.
#[derive(Clone, Copy)]
struct Standing {
    mean: f32,
    deviation: f32,
}

impl Standing {
    /// A small store says little about what is usual, so what is known beforehand counts as some memories.
    fn of(dense: &[(DocumentId, f32)], scale: Scale) -> Self {
        let (usual_mean, usual_deviation) = scale.usual;
        let count = dense.len() as f32 + USUAL_COUNT;
        let sum: f32 = dense.iter().map(|(_, cosine)| cosine).sum();
        let mean = (sum + USUAL_COUNT * usual_mean) / count;
        let squares: f32 = dense.iter().map(|(_, cosine)| (cosine - mean).powi(2)).sum();
        let deviation = ((squares + USUAL_COUNT * usual_deviation.powi(2)) / count).sqrt();
        Standing { mean, deviation: deviation.max(1e-4) }
    }

    fn of_cosine(self, cosine: f32) -> f32 {
        (cosine - self.mean) / self.deviation
    }
}

#[cfg(test)]
mod tests {
    use super::super::candidate::testing::ids;
    use super::super::numbers::{TABLE, WORDS_ALONE};
    use super::*;

    fn list(scores: &[(u32, f32)]) -> Vec<(DocumentId, f32)> {
        scores.iter().map(|(id, score)| (DocumentId(*id), *score)).collect()
    }

    #[test]
    fn words_count_by_the_share_of_the_question_they_have() {
        let candidates = fuse(&list(&[(3, 5.0), (7, 10.0)]), &[], 10.0, WORDS_ALONE);
        assert_eq!(ids(&candidates), [3, 7]);
        assert_eq!(candidates[1].strength, WORDS_ALONE.words);
        assert_eq!(candidates[0].strength * 2.0, candidates[1].strength);
        assert_eq!((candidates[0].explain.lexical, candidates[0].explain.dense), (5.0, None));
    }

    #[test]
    fn what_stands_out_by_meaning_is_found_without_a_word() {
        let dense: Vec<_> = (0..200).map(|n| (n, if n == 150 { 0.8 } else { 0.2 })).collect();
        let candidates = fuse(&list(&[(20, 1.0), (160, 1.0)]), &list(&dense), 10.0, TABLE);
        assert_eq!(ids(&candidates), [20, 150, 160]);
        assert!(candidates[1].strength > candidates[0].strength + 3.0);
        assert_eq!(candidates[1].explain.dense, Some(0.8));
    }

    #[test]
    fn in_a_store_of_two_memories_a_good_match_is_as_strong_as_in_a_large_one() {
        let small = fuse(&[], &list(&[(0, 0.7), (1, 0.2)]), 0.0, TABLE)[0].strength;
        let dense: Vec<_> =
            (0..5000).map(|n| (n, if n == 0 { 0.7 } else { 0.1 + 0.2 * (n % 2) as f32 })).collect();
        let large = fuse(&[], &list(&dense), 0.0, TABLE)[0].strength;
        assert!((small - large).abs() < 1.5, "{small} and {large}");
    }

    #[test]
    fn a_question_without_known_words_divides_by_nothing() {
        assert!(fuse(&list(&[(1, 0.0)]), &[], 0.0, WORDS_ALONE)[0].strength.is_finite());
    }
}
