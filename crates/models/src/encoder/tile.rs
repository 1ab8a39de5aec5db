//! A few rows of weights times a few rows of inputs: where a transformer spends its time.
//!
//! Each weight is loaded and widened once for all rows of inputs, each input once for all rows of weights, and
//! the sums stay in registers. The compiler finds half of that by itself, so the wider instructions are named.

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{
    __m256i, _mm_add_epi32, _mm_storeu_si128, _mm256_add_epi32, _mm256_castsi256_si128,
    _mm256_extracti128_si256, _mm256_hadd_epi32, _mm256_madd_epi16, _mm256_setzero_si256,
};

#[cfg(target_arch = "x86_64")]
use crate::vector::{load, widen};

/// Rows of weights in a tile, and rows of inputs: eight sums, and what they are made of, fit into sixteen registers.
pub(super) const WEIGHTS: usize = 2;
pub(super) const ROWS: usize = 4;

/// The sum of products of each row of weights with each row of inputs.
pub(super) type Tile = [[i32; ROWS]; WEIGHTS];

/// Multiplies rows that are all equally long.
#[inline(always)]
pub(super) fn portable(weights: [&[u8]; WEIGHTS], inputs: [&[i16]; ROWS]) -> Tile {
    weights.map(|weights| four(weights, inputs))
}

/// One plain loop over slices of one length: that is what the compiler turns into wide multiply-and-add
/// instructions. Arrays of sums, which look quicker, stay scalar.
#[inline(always)]
fn four(weights: &[u8], inputs: [&[i16]; ROWS]) -> [i32; ROWS] {
    let [a, b, c, d] = inputs.map(|input| &input[..weights.len()]);
    let mut sums = [0i32; ROWS];
    for n in 0..weights.len() {
        let weight = i32::from(weights[n].cast_signed());
        sums[0] = sums[0].wrapping_add(weight * i32::from(a[n]));
        sums[1] = sums[1].wrapping_add(weight * i32::from(b[n]));
        sums[2] = sums[2].wrapping_add(weight * i32::from(c[n]));
        sums[3] = sums[3].wrapping_add(weight * i32::from(d[n]));
    }
    sums
}

/// Sixteen numbers of each row at once; what is left is done as everywhere. No function of an array is called
/// on the way: the compiler would not put it in line here.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
#[inline]
pub(super) fn on_avx2(weights: [&[u8]; WEIGHTS], inputs: [&[i16]; ROWS]) -> Tile {
    let ([v, w], [a, b, c, d]) = (weights, inputs);
    let mut sums = [[_mm256_setzero_si256(); ROWS]; WEIGHTS];
    let pairs = v.as_chunks::<16>().0.iter().zip(w.as_chunks::<16>().0);
    let pairs = pairs.zip(a.as_chunks::<16>().0).zip(b.as_chunks::<16>().0);
    for (((((v, w), a), b), c), d) in pairs.zip(c.as_chunks::<16>().0).zip(d.as_chunks::<16>().0) {
        let weights = [widen(v), widen(w)];
        for (k, input) in [a, b, c, d].into_iter().enumerate() {
            let input = load(input);
            for (sums, weights) in sums.iter_mut().zip(weights) {
                sums[k] = _mm256_add_epi32(sums[k], _mm256_madd_epi16(weights, input));
            }
        }
    }
    let mut tile = [totals(sums[0]), totals(sums[1])];
    if v.len() % 16 > 0 {
        let rest = v.len() / 16 * 16..v.len();
        let more = portable(
            weights.map(|row| &row[rest.clone()]),
            inputs.map(|row| &row[rest.clone()]),
        );
        let sums = tile.as_flattened_mut().iter_mut().zip(more.as_flattened());
        sums.for_each(|(sum, more)| *sum = sum.wrapping_add(*more));
    }
    tile
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
#[inline]
#[allow(unsafe_code)]
fn totals([a, b, c, d]: [__m256i; ROWS]) -> [i32; ROWS] {
    let halves = _mm256_hadd_epi32(_mm256_hadd_epi32(a, b), _mm256_hadd_epi32(c, d));
    let whole = _mm_add_epi32(
        _mm256_castsi256_si128(halves),
        _mm256_extracti128_si256::<1>(halves),
    );
    let mut totals = [0i32; ROWS];
    // SAFETY: writes sixteen bytes, which are there, wherever they lie.
    unsafe { _mm_storeu_si128(totals.as_mut_ptr().cast(), whole) };
    totals
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that reach both ends of their range.
    fn rows(length: usize) -> (Vec<u8>, Vec<i16>) {
        let weights = (0..length * WEIGHTS)
            .map(|n| (n * 79 % 256) as u8)
            .collect();
        let inputs = (0..length * ROWS)
            .map(|n| (n * 6151 % 16_383) as i16 - 8191)
            .collect();
        (weights, inputs)
    }

    #[track_caller]
    fn check(length: usize, multiply: impl Fn([&[u8]; WEIGHTS], [&[i16]; ROWS]) -> Tile) {
        let (weights, inputs) = rows(length);
        let weight = |n: usize| &weights[n * length..(n + 1) * length];
        let input = |n: usize| &inputs[n * length..(n + 1) * length];
        let product = |(w, x): (&u8, &i16)| i32::from(w.cast_signed()) * i32::from(*x);
        let sum = |w: usize, x: usize| weight(w).iter().zip(input(x)).map(product).sum::<i32>();
        let expected: Tile = std::array::from_fn(|w| std::array::from_fn(|x| sum(w, x)));
        assert_eq!(
            multiply([0, 1].map(weight), [0, 1, 2, 3].map(input)),
            expected,
            "{length}"
        );
    }

    #[test]
    fn a_tile_has_every_sum_of_products_whatever_the_length() {
        [0, 1, 15, 16, 17, 312, 384]
            .into_iter()
            .for_each(|length| check(length, portable));
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    #[allow(unsafe_code)]
    fn wide_instructions_say_the_same() {
        if crate::vector::has_wide_instructions() {
            // SAFETY: the machine has just said that it has these instructions.
            let multiply = |w: [&[u8]; WEIGHTS], x: [&[i16]; ROWS]| unsafe { on_avx2(w, x) };
            [0, 1, 15, 16, 17, 312, 384]
                .into_iter()
                .for_each(|length| check(length, multiply));
        }
    }
}
