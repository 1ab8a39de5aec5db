//! Comparing texts piece by piece, late: each piece of a question finds the piece that answers it best.

use crate::TokenVectors;

/// Returns how well a memory's pieces answer a question's: the mean over the question's pieces of
/// the closest among the memory's. Nothing to compare is 0.
pub fn max_sim(question: &TokenVectors, document: &TokenVectors) -> f32 {
    let width = question.dimensions;
    if width == 0
        || width != document.dimensions
        || question.values.len() < width
        || document.values.len() < width
    {
        return 0.0;
    }
    closest(&question.values, &document.values, width)
}

#[cfg_attr(target_arch = "x86_64", allow(unsafe_code))]
fn closest(question: &[i8], document: &[i8], width: usize) -> f32 {
    #[cfg(target_arch = "x86_64")]
    if crate::vector::has_wide_instructions() {
        // SAFETY: the machine has just said that it has these instructions.
        return unsafe { closest_on_avx2(question, document, width) };
    }
    mean_of_closest(question, document, width)
}

/// The same code, compiled for wider registers.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn closest_on_avx2(question: &[i8], document: &[i8], width: usize) -> f32 {
    mean_of_closest(question, document, width)
}

#[inline(always)]
fn mean_of_closest(question: &[i8], document: &[i8], width: usize) -> f32 {
    let closest = |piece: &[i8]| {
        document
            .chunks_exact(width)
            .map(|other| dot(piece, other))
            .max()
            .unwrap_or(0)
    };
    let pieces = question.chunks_exact(width);
    let count = pieces.len() as f32;
    pieces.map(closest).map(|sum| sum as f32).sum::<f32>() / (count * ONE * ONE)
}

#[inline(always)]
fn dot(a: &[i8], b: &[i8]) -> i32 {
    let products = a.iter().zip(b).map(|(x, y)| i32::from(*x) * i32::from(*y));
    products.fold(0, i32::wrapping_add)
}

/// What stands for 1 in eight bits.
const ONE: f32 = 127.0;

/// Rounds vectors to eight bits a number.
pub(crate) fn round(values: &[f32], dimensions: usize) -> TokenVectors {
    let values = values
        .iter()
        .map(|value| (value * ONE).round() as i8)
        .collect();
    TokenVectors { dimensions, values }
}

/// Returns the `count` directions in which vectors reach furthest, as rows: the sums of products
/// are kept best by what is left of the vectors along them.
pub(crate) fn main_directions(vectors: &[f32], width: usize, count: usize) -> Vec<f32> {
    let moments = second_moments(vectors, width);
    // Any start will do that is not square to the directions we look for.
    let mut rows: Vec<Vec<f32>> = (0..count.min(width)).map(|n| start(n, width)).collect();
    for _ in 0..ROUNDS {
        rows = rows.iter().map(|row| times(&moments, row)).collect();
        make_square(&mut rows);
    }
    rows.concat()
}

/// Subspace iteration is close enough after so many rounds.
const ROUNDS: usize = 24;

fn second_moments(vectors: &[f32], width: usize) -> Vec<f32> {
    let mut moments = vec![0f32; width * width];
    for vector in vectors.chunks_exact(width) {
        for (row, x) in moments.chunks_exact_mut(width).zip(vector) {
            row.iter_mut()
                .zip(vector)
                .for_each(|(sum, y)| *sum += x * y);
        }
    }
    moments
}

fn start(n: usize, width: usize) -> Vec<f32> {
    // A linear congruence: the same on every machine.
    let mut seed = (n as u32)
        .wrapping_mul(747_796_405)
        .wrapping_add(2_891_336_453);
    let mut next = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) as f32 / (1 << 23) as f32 - 1.0
    };
    (0..width).map(|_| next()).collect()
}

fn times(matrix: &[f32], vector: &[f32]) -> Vec<f32> {
    matrix
        .chunks_exact(vector.len())
        .map(|row| crate::vector::dot(row, vector))
        .collect()
}

/// Makes rows of length one that stand square to each other (Gram and Schmidt).
fn make_square(rows: &mut [Vec<f32>]) {
    for n in 0..rows.len() {
        let (done, rest) = rows.split_at_mut(n);
        let Some(row) = rest.first_mut() else { return };
        for other in done.iter() {
            let share = crate::vector::dot(row, other);
            row.iter_mut().zip(other).for_each(|(x, y)| *x -= share * y);
        }
        crate::vector::normalise(row);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(rows: &[[f32; 2]]) -> TokenVectors {
        round(&rows.concat(), 2)
    }

    #[test]
    fn each_piece_of_the_question_counts_its_closest() {
        let question = pieces(&[[1.0, 0.0], [0.0, 1.0]]);
        let half = max_sim(&question, &pieces(&[[1.0, 0.0], [0.6, 0.0]]));
        assert!((half - 0.5).abs() < 0.01, "{half}");
        let whole = max_sim(&question, &pieces(&[[0.0, 1.0], [-1.0, 0.0], [1.0, 0.0]]));
        assert!((whole - 1.0).abs() < 0.01, "{whole}");
    }

    #[test]
    fn what_can_not_be_compared_is_nothing() {
        let some = pieces(&[[1.0, 0.0]]);
        assert_eq!(max_sim(&some, &TokenVectors::default()), 0.0);
        assert_eq!(max_sim(&TokenVectors::default(), &some), 0.0);
        assert_eq!(
            max_sim(
                &some,
                &TokenVectors {
                    dimensions: 3,
                    values: vec![1; 3]
                }
            ),
            0.0
        );
    }

    #[test]
    fn the_main_directions_are_those_in_which_vectors_lie() {
        // In five dimensions, but all in the plane of the second and the fourth.
        let vectors: Vec<f32> = (0..40)
            .flat_map(|n| [0.0, (n as f32).sin(), 0.0, 3.0 * (n as f32).cos(), 0.0])
            .collect();
        let axes = main_directions(&vectors, 5, 2);
        for (n, vector) in vectors.chunks_exact(5).enumerate() {
            let kept: f32 = times(&axes, vector).iter().map(|x| x * x).sum();
            let whole: f32 = vector.iter().map(|x| x * x).sum();
            assert!((kept - whole).abs() < 1e-3 * whole.max(0.1), "{n}");
        }
    }
}
