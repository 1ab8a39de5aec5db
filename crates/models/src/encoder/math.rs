//! What stands between the matrices of a transformer: normalising, softmax, GELU.
//!
//! Without branches and calls in the loops, so that the compiler can use wide registers.

/// Brings each row to mean zero and variance one, then scales and shifts it.
#[inline(always)]
pub(super) fn layer_norm(rows: &mut [f32], gain: &[f32], shift: &[f32], epsilon: f32) {
    for row in rows.chunks_exact_mut(gain.len()) {
        let width = row.len() as f32;
        let mean = sum(row, |x| x) / width;
        let variance = sum(row, |x| (x - mean) * (x - mean)) / width;
        let inverse = 1.0 / (variance + epsilon).sqrt();
        for ((x, gain), shift) in row.iter_mut().zip(gain).zip(shift) {
            *x = (*x - mean) * inverse * gain + shift;
        }
    }
}

/// Turns scores into shares that sum to one.
#[inline(always)]
pub(super) fn softmax(scores: &mut [f32]) {
    let most = scores
        .iter()
        .fold(f32::NEG_INFINITY, |most, x| most.max(*x));
    scores.iter_mut().for_each(|x| *x = exponential(*x - most));
    let inverse = 1.0 / sum(scores, |x| x);
    scores.iter_mut().for_each(|x| *x *= inverse);
}

/// x · Φ(x), with the error function by a polynomial (Abramowitz and Stegun 7.1.26).
#[inline(always)]
pub(super) fn gelu(values: &mut [f32]) {
    for x in values {
        let scaled = x.abs() * std::f32::consts::FRAC_1_SQRT_2;
        let t = 1.0 / (1.0 + 0.327_591_1 * scaled);
        let polynomial = ((((1.061_405_4 * t - 1.453_152) * t + 1.421_413_7) * t - 0.284_496_74)
            * t
            + 0.254_829_6)
            * t;
        let error = (1.0 - polynomial * exponential(-scaled * scaled)).copysign(*x);
        *x = 0.5 * *x * (1.0 + error);
    }
}

/// A float that is so large that its last bit is worth one, with room for a sign.
pub(super) const NO_FRACTIONS: f32 = 12_582_912.0;

/// e to the power of x, for x of zero and less, by its binary exponent and a polynomial.
#[inline(always)]
fn exponential(x: f32) -> f32 {
    let doublings = (x * std::f32::consts::LOG2_E).max(-126.0);
    let whole = doublings + NO_FRACTIONS;
    let part = (doublings - (whole - NO_FRACTIONS)) * std::f32::consts::LN_2;
    let series = 1.0
        + part
            * (1.0
                + part
                    * (0.5
                        + part
                            * (1.0 / 6.0
                                + part * (1.0 / 24.0 + part * (1.0 / 120.0 + part / 720.0)))));
    series * f32::from_bits((whole.to_bits() << 23).wrapping_add(127 << 23))
}

/// Sums what `of` makes of each value, sixteen at once.
#[inline(always)]
fn sum(values: &[f32], of: impl Fn(f32) -> f32) -> f32 {
    let (blocks, rest) = values.as_chunks::<16>();
    let mut sums = [0f32; 16];
    for block in blocks {
        for n in 0..16 {
            sums[n] += of(block[n]);
        }
    }
    sums.iter().sum::<f32>() + rest.iter().map(|x| of(*x)).sum::<f32>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exponential_is_exact_to_five_digits() {
        for n in 0..2000 {
            let x = -0.04 * n as f32;
            let exact = f64::from(x).exp();
            assert!(
                (f64::from(exponential(x)) - exact).abs() <= 1e-5 * exact.max(1e-30),
                "{x}"
            );
        }
        assert!(exponential(-1000.0) < 1e-37);
    }

    #[test]
    fn gelu_is_that_of_the_error_function() {
        // Reference values of x · Φ(x).
        let mut values = [-3.0, -1.0, -0.1, 0.0, 0.5, 2.0, 6.0];
        gelu(&mut values);
        let exact = [
            -0.004_049_694,
            -0.158_655_25,
            -0.046_017_22,
            0.0,
            0.345_731_23,
            1.954_499_7,
            6.0,
        ];
        for (value, exact) in values.iter().zip(exact) {
            assert!((value - exact).abs() < 1e-6, "{value} {exact}");
        }
    }

    #[test]
    fn shares_sum_to_one_and_rows_have_mean_zero() {
        let mut scores = [1.0, 2.0, 3.0, -80.0, 0.5];
        softmax(&mut scores);
        assert!((scores.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        assert!((scores[2] / scores[1] - std::f32::consts::E).abs() < 1e-4);
        let mut row = [1.0, 2.0, 3.0, 6.0];
        layer_norm(&mut row, &[1.0; 4], &[0.0; 4], 1e-12);
        assert!(row.iter().sum::<f32>().abs() < 1e-5);
        assert!((row.iter().map(|x| x * x).sum::<f32>() - 4.0).abs() < 1e-4);
    }
}
