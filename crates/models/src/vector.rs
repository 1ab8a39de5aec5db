//! Arithmetic on vectors.

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{__m256i, _mm_loadu_si128, _mm256_cvtepi8_epi16, _mm256_loadu_si256};

/// Brings a vector to length one; one without a length stays as it is.
pub(crate) fn normalise(vector: &mut [f32]) {
    let length = dot(vector, vector).sqrt();
    if length > 0.0 && length.is_finite() {
        vector.iter_mut().for_each(|value| *value /= length);
    }
}

#[inline(always)]
/// Returns how far two vectors point the same way; for those of length one, their cosine.
pub(crate) fn dot(a: &[f32], b: &[f32]) -> f32 {
    let (a_blocks, a_rest) = a.as_chunks::<16>();
    let (b_blocks, b_rest) = b.as_chunks::<16>();
    // Sixteen sums at once, so that the compiler may use wide registers.
    let mut sums = [0f32; 16];
    for (x, y) in a_blocks.iter().zip(b_blocks) {
        for n in 0..16 {
            sums[n] += x[n] * y[n];
        }
    }
    let rest: f32 = a_rest.iter().zip(b_rest).map(|(x, y)| x * y).sum();
    sums.iter().sum::<f32>() + rest
}

/// Says whether the machine has the wider registers that some functions are compiled for once more.
#[cfg(target_arch = "x86_64")]
pub(crate) fn has_wide_instructions() -> bool {
    is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")
}

/// Returns sixteen numbers of eight bits as such of sixteen.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
#[inline]
#[allow(unsafe_code)]
pub(crate) fn widen(numbers: &[u8; 16]) -> __m256i {
    // SAFETY: reads sixteen bytes, which are there, wherever they lie.
    _mm256_cvtepi8_epi16(unsafe { _mm_loadu_si128(numbers.as_ptr().cast()) })
}

/// Returns sixteen numbers of sixteen bits.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
#[inline]
#[allow(unsafe_code)]
pub(crate) fn load(numbers: &[i16; 16]) -> __m256i {
    // SAFETY: reads thirty-two bytes, which are there, wherever they lie.
    unsafe { _mm256_loadu_si256(numbers.as_ptr().cast()) }
}
