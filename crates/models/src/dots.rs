//! Comparing one vector with many, in whole numbers: every machine comes to the same sums.
//!
//! The wider instructions are named: what compilers find by themselves takes twice as long, and several times as long
//! where they make a function of its own of an iterator, which is compiled for narrow registers.

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{
    __m256i, _mm_add_epi32, _mm_cvtsi128_si32, _mm_shuffle_epi32, _mm256_add_epi32,
    _mm256_castsi256_si128, _mm256_extracti128_si256, _mm256_madd_epi16, _mm256_setzero_si256,
};

#[cfg(target_arch = "x86_64")]
use crate::vector::{has_wide_instructions, load, widen};

/// Puts into `sums` the products of a vector with each of many rows, which lie one after the other in eight bits a
/// number. What is left over at the end is no row.
#[cfg_attr(target_arch = "x86_64", allow(unsafe_code))]
pub fn dots(rows: &[u8], vector: &[i16], sums: &mut Vec<i32>) {
    sums.clear();
    if vector.is_empty() {
        return;
    }
    sums.resize(rows.len() / vector.len(), 0);
    #[cfg(target_arch = "x86_64")]
    if has_wide_instructions() {
        // SAFETY: the machine has just said that it has these instructions.
        return unsafe { dots_on_avx2(rows, vector, sums) };
    }
    for (row, sum) in rows.chunks_exact(vector.len()).zip(sums) {
        *sum = dot(row, vector);
    }
}

/// Puts into `sums` the products of one row with each of many vectors, which lie one after the other.
#[cfg_attr(target_arch = "x86_64", allow(unsafe_code))]
pub(crate) fn dots_of_row(row: &[u8], vectors: &[i16], sums: &mut Vec<i32>) {
    sums.clear();
    if row.is_empty() {
        return;
    }
    sums.resize(vectors.len() / row.len(), 0);
    #[cfg(target_arch = "x86_64")]
    if has_wide_instructions() {
        // SAFETY: the machine has just said that it has these instructions.
        return unsafe { dots_of_row_on_avx2(row, vectors, sums) };
    }
    for (vector, sum) in vectors.chunks_exact(row.len()).zip(sums) {
        *sum = dot(row, vector);
    }
}

/// The simplest form is the one that compilers make multiply-and-add instructions of.
fn dot(row: &[u8], vector: &[i16]) -> i32 {
    let products = row
        .iter()
        .zip(vector)
        .map(|(x, y)| i32::from(x.cast_signed()) * i32::from(*y));
    products.fold(0, i32::wrapping_add)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn dots_on_avx2(rows: &[u8], vector: &[i16], sums: &mut [i32]) {
    let width = vector.len();
    for n in 0..sums.len() {
        sums[n] = dot_on_avx2(&rows[n * width..(n + 1) * width], vector);
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn dots_of_row_on_avx2(row: &[u8], vectors: &[i16], sums: &mut [i32]) {
    let width = row.len();
    for n in 0..sums.len() {
        sums[n] = dot_on_avx2(row, &vectors[n * width..(n + 1) * width]);
    }
}

/// Sixteen numbers at once; what is left is done as everywhere. Numbers count the loops here: an iterator over two
/// lists would not be put in line.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
#[inline]
fn dot_on_avx2(row: &[u8], vector: &[i16]) -> i32 {
    let (row, row_rest) = row.as_chunks::<16>();
    let (vector, vector_rest) = vector.as_chunks::<16>();
    let mut sums = _mm256_setzero_si256();
    for n in 0..row.len().min(vector.len()) {
        sums = _mm256_add_epi32(sums, _mm256_madd_epi16(widen(&row[n]), load(&vector[n])));
    }
    if row_rest.is_empty() {
        total(sums)
    } else {
        total(sums).wrapping_add(dot(row_rest, vector_rest))
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
#[inline]
fn total(sums: __m256i) -> i32 {
    let four = _mm_add_epi32(
        _mm256_castsi256_si128(sums),
        _mm256_extracti128_si256::<1>(sums),
    );
    let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0b1110>(four));
    _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32::<0b01>(two)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_multiplied_whatever_its_length() {
        for width in [1, 7, 16, 26, 64, 100] {
            let rows: Vec<i8> = (0..width * 5).map(|n| (n * 37 % 255 - 127) as i8).collect();
            let vector: Vec<i16> = (0..width).map(|n| (n * 311 % 4095 - 2047) as i16).collect();
            let bytes: Vec<u8> = rows.iter().map(|row| row.cast_unsigned()).collect();
            let (mut sums, mut same) = (vec![7], vec![7]);
            dots(&bytes, &vector, &mut sums);
            for (row, sum) in rows.chunks(width as usize).zip(&sums) {
                let products = row
                    .iter()
                    .zip(&vector)
                    .map(|(x, y)| i64::from(*x) * i64::from(*y));
                assert_eq!(products.sum::<i64>(), i64::from(*sum));
                let row: Vec<u8> = row.iter().map(|number| number.cast_unsigned()).collect();
                dots_of_row(&row, &vector.repeat(3), &mut same);
                assert_eq!(same, [*sum; 3]);
            }
            assert_eq!(sums.len(), 5);
        }
        let mut sums = vec![7];
        dots(&[1, 2], &[], &mut sums);
        assert!(sums.is_empty());
        sums.push(7);
        dots_of_row(&[], &[1, 2], &mut sums);
        assert!(sums.is_empty());
    }
}
