//! A second look at the best candidates, by a model that reads question and memory more closely.

use memory_models::TokenVectors;

use super::candidate::{Candidate, best_first};
use super::numbers::FEW;

/// Takes in a cross-encoder's judgement: the sigmoid of its logit is the relevance.
pub(crate) fn by_cross_encoder(candidates: &mut [Candidate], logits: &[f32]) {
    for (candidate, logit) in candidates.iter_mut().zip(logits) {
        candidate.explain.rerank = Some(*logit);
        candidate.explain.relevance = sigmoid(*logit);
    }
    best_first(candidates, |candidate| candidate.explain.relevance);
}

/// Takes in how alike question and candidates are piece by piece. What that says of a candidate beside the others
/// weighs a share of all that was found before, and less among few, who say little about each other. Of one that was not
/// seen it says what it says of the others on average.
pub(crate) fn by_likeness(candidates: &mut [Candidate], likeness: &[Option<f32>], share: f32) {
    let strengths: Vec<f32> = candidates
        .iter()
        .map(|candidate| candidate.strength)
        .collect();
    let (_, weight) = mean_and_deviation(&strengths);
    let seen: Vec<f32> = likeness.iter().copied().flatten().collect();
    let (mean, deviation) = mean_and_deviation(&seen);
    let share = share * seen.len() as f32 / (seen.len() as f32 + FEW);
    for (candidate, likeness) in candidates.iter_mut().zip(likeness) {
        candidate.explain.rerank = *likeness;
        let above = likeness.map_or(0.0, |likeness| (likeness - mean) / deviation.max(1e-4));
        candidate.strength += share * weight * above;
    }
    best_first(candidates, |candidate| candidate.strength);
}

/// Returns how well the pieces of a question are found in each memory: for each piece the closest one.
///
/// The pieces of all memories have much in common that says nothing, so their mean is taken out first.
pub(crate) fn likeness(question: &TokenVectors, memories: &[TokenVectors]) -> Vec<f32> {
    let width = question.dimensions.max(1);
    let common = mean_piece(memories, width);
    let asked = without(question, &common);
    let of_memory = |memory: &TokenVectors| {
        let pieces = without(memory, &common);
        let closest = |asked: &[f32]| {
            pieces
                .chunks_exact(width)
                .map(|other| dot(asked, other))
                .fold(0.0, f32::max)
        };
        asked.chunks_exact(width).map(closest).sum::<f32>() / (asked.len() / width).max(1) as f32
    };
    memories.iter().map(of_memory).collect()
}

fn mean_piece(memories: &[TokenVectors], width: usize) -> Vec<f32> {
    let mut sum = vec![0.0; width];
    let pieces = memories
        .iter()
        .flat_map(|memory| memory.values.chunks_exact(width));
    let mut count: f32 = 0.0;
    for piece in pieces {
        sum.iter_mut()
            .zip(piece)
            .for_each(|(sum, value)| *sum += f32::from(*value));
        count += 1.0;
    }
    sum.iter_mut().for_each(|value| *value /= count.max(1.0));
    sum
}

/// Returns the pieces without what they have in common, each of length one.
fn without(pieces: &TokenVectors, common: &[f32]) -> Vec<f32> {
    let mut values = Vec::with_capacity(pieces.values.len());
    for piece in pieces.values.chunks_exact(common.len()) {
        let begin = values.len();
        values.extend(
            piece
                .iter()
                .zip(common)
                .map(|(value, common)| f32::from(*value) - common),
        );
        let length = dot(&values[begin..], &values[begin..]).sqrt().max(1e-6);
        values[begin..]
            .iter_mut()
            .for_each(|value| *value /= length);
    }
    values
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Maps a logit to a share of one.
pub(crate) fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

fn mean_and_deviation(values: &[f32]) -> (f32, f32) {
    let count = values.len().max(1) as f32;
    let mean = values.iter().sum::<f32>() / count;
    let variance = values
        .iter()
        .map(|value| (value - mean).powi(2))
        .sum::<f32>()
        / count;
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
    fn likeness_lifts_what_it_finds_closer() {
        let mut candidates = vec![candidate(1, 5.0), candidate(2, 4.8), candidate(3, 1.0)];
        by_likeness(&mut candidates, &[Some(0.5), Some(0.7), Some(0.6)], 0.75);
        assert_eq!(ids(&candidates), [2, 1, 3]);
        let before = candidates.clone();
        by_likeness(&mut candidates, &[Some(0.5); 3], 0.75);
        assert_eq!(ids(&candidates), ids(&before));
    }

    #[test]
    fn what_was_not_seen_keeps_its_strength() {
        let mut candidates = vec![candidate(1, 5.0), candidate(2, 4.8), candidate(3, 1.0)];
        by_likeness(&mut candidates, &[Some(0.2), Some(0.8), None], 0.75);
        assert_eq!(ids(&candidates), [2, 1, 3]);
        assert_eq!(
            (candidates[2].strength, candidates[2].explain.rerank),
            (1.0, None)
        );
    }

    #[test]
    fn each_piece_of_the_question_looks_for_its_closest() {
        let of = |values: &[i8]| TokenVectors {
            dimensions: 2,
            values: values.to_vec(),
        };
        // All share the second direction; only the first tells them apart.
        let memories = [of(&[90, 90, 0, 127]), of(&[-90, 90, 0, 127]), of(&[])];
        let found = likeness(&of(&[90, 90]), &memories);
        assert!(found[0] > found[1] && found[0] > found[2], "{found:?}");
        assert_eq!(likeness(&of(&[]), &memories), [0.0; 3]);
        assert!(likeness(&of(&[1, 1]), &[]).is_empty());
    }
}
