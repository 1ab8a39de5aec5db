//! A second look at the best candidates, by a model that reads question and memory more closely.

use memory_models::TokenVectors;

use super::candidate::{Candidate, best_first};

/// Takes in a cross-encoder's judgement: the sigmoid of its logit is the relevance.
pub(crate) fn by_cross_encoder(candidates: &mut [Candidate], logits: &[f32]) {
    for (candidate, logit) in candidates.iter_mut().zip(logits) {
        candidate.explain.rerank = Some(*logit);
        candidate.explain.relevance = sigmoid(*logit);
    }
    best_first(candidates, |candidate| candidate.explain.relevance);
}

/// Takes in late interaction: what it says of a candidate, beside the others, has the same weight as all before.
pub(crate) fn by_late_interaction(candidates: &mut [Candidate], likeness: &[f32]) {
    let strengths: Vec<f32> = candidates.iter().map(|candidate| candidate.strength).collect();
    let (_, weight) = mean_and_deviation(&strengths);
    let (mean, deviation) = mean_and_deviation(likeness);
    for (candidate, likeness) in candidates.iter_mut().zip(likeness) {
        candidate.explain.rerank = Some(*likeness);
        candidate.strength += weight * (likeness - mean) / deviation.max(1e-4);
    }
    best_first(candidates, |candidate| candidate.strength);
}

/// Returns how well the pieces of a question are found in a memory: for each the closest one, on average.
pub(crate) fn max_sim(question: &TokenVectors, memory: &TokenVectors) -> f32 {
    let dimensions = question.dimensions.max(1);
    let pieces = question.values.chunks_exact(dimensions);
    let count = pieces.len().max(1) as f32;
    let closest = |piece: &[i8]| memory.values.chunks_exact(dimensions).map(|other| dot(piece, other)).max();
    let sum: i64 = pieces.filter_map(closest).map(i64::from).sum();
    sum as f32 / (127.0 * 127.0) / count
}

fn dot(a: &[i8], b: &[i8]) -> i32 {
    a.iter().zip(b).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum()
}

/// Maps a logit to a share of one.
pub(crate) fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

fn mean_and_deviation(values: &[f32]) -> (f32, f32) {
    let count = values.len().max(1) as f32;
    let mean = values.iter().sum::<f32>() / count;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f32>() / count;
    (mean, variance.sqrt())
}

#[cfg(test)]
mod tests {
    use super::super::candidate::testing::{candidate, ids};
    use super::*;

    #[test]
    fn a_cross_encoder_decides_alone() {
        let mut candidates = vec![candidate(1, 9.0), candidate(2, 1.0)];
        by_cross_encoder(&mut candidates, &[-3.0, 2.0]);
        assert_eq!(ids(&candidates), [2, 1]);
        assert_eq!(candidates[0].explain.rerank, Some(2.0));
        assert!((candidates[0].explain.relevance - 0.8808).abs() < 1e-4);
    }

    #[test]
    fn late_interaction_and_what_was_before_have_equal_votes() {
        let mut candidates = vec![candidate(1, 5.0), candidate(2, 4.0), candidate(3, 3.0)];
        by_late_interaction(&mut candidates, &[0.5, 0.6, 0.7]);
        let strengths: Vec<f32> = candidates.iter().map(|candidate| candidate.strength).collect();
        assert!(strengths.iter().all(|strength| (strength - 4.0).abs() < 1e-4), "{strengths:?}");
        by_late_interaction(&mut candidates, &[0.5, 0.5, 0.5]);
    }

    #[test]
    fn each_piece_of_the_question_looks_for_its_closest() {
        let of = |values: &[i8]| TokenVectors { dimensions: 2, values: values.to_vec() };
        let question = of(&[127, 0, 0, 127]);
        assert!((max_sim(&question, &of(&[127, 0, 0, 127])) - 1.0).abs() < 1e-6);
        assert!((max_sim(&question, &of(&[127, 0])) - 0.5).abs() < 1e-6);
        assert_eq!(max_sim(&question, &of(&[])), 0.0);
        assert_eq!(max_sim(&of(&[]), &question), 0.0);
    }
}
