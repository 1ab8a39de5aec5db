//! Multiplying by the weights of a model: eight bits a weight, fourteen bits an input.
//!
//! Weights are kept as eight bits with one scale for each output. Inputs are rounded to as many
//! bits as a 32-bit sum can bear, so that only the weights lose anything.

use super::math::NO_FRACTIONS;
use super::tile::{self, ROWS, Tile, WEIGHTS};
use crate::bytes::Part;

/// Rows whose inputs stay in the cache while all weights pass by.
const BLOCK: usize = 32;

/// A weight matrix with its bias.
#[derive(Debug)]
pub(super) struct Linear {
    /// One row of eight-bit weights for each output.
    weights: Part,
    scales: Vec<f32>,
    bias: Vec<f32>,
    inputs: usize,
}

impl Linear {
    /// Returns a matrix; `weights` must have as many rows as there are scales and biases.
    pub(super) fn new(weights: Part, scales: Vec<f32>, bias: Vec<f32>) -> Self {
        let inputs = weights.len() / scales.len().max(1);
        Linear {
            weights,
            scales,
            bias,
            inputs,
        }
    }

    pub(super) fn outputs(&self) -> usize {
        self.scales.len()
    }

    /// Multiplies rows of inputs, one after the other, into rows of outputs.
    #[cfg_attr(target_arch = "x86_64", allow(unsafe_code))]
    pub(super) fn apply(&self, input: &[f32], output: &mut Vec<f32>) {
        output.clear();
        output.resize(input.len() / self.inputs * self.outputs(), 0.0);
        #[cfg(target_arch = "x86_64")]
        if crate::vector::has_wide_instructions() {
            // SAFETY: the machine has just said that it has these instructions.
            return unsafe { self.apply_on_avx2(input, output) };
        }
        self.apply_by(input, output, tile::portable);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    fn apply_on_avx2(&self, input: &[f32], output: &mut [f32]) {
        self.apply_by(input, output, |weights, inputs| {
            tile::on_avx2(weights, inputs)
        });
    }

    #[inline(always)]
    fn apply_by(
        &self,
        input: &[f32],
        output: &mut [f32],
        multiply: impl Fn([&[u8]; WEIGHTS], [&[i16]; ROWS]) -> Tile,
    ) {
        let mut rounded = Rounded::default();
        let blocks = output.chunks_mut(BLOCK * self.outputs());
        for (block, into) in input.chunks(BLOCK * self.inputs).zip(blocks) {
            rounded.fill(block, self.inputs);
            for first in (0..self.outputs()).step_by(WEIGHTS) {
                // The last output stands in for those that would come after it.
                let outputs = [first, (first + 1).min(self.outputs() - 1)];
                let weights = [self.row(outputs[0]), self.row(outputs[1])];
                for row in (0..rounded.steps.len()).step_by(ROWS) {
                    let sums = multiply(weights, rounded.rows(row, self.inputs));
                    self.put(&sums, outputs, row, &rounded.steps, into);
                }
            }
        }
    }

    #[inline(always)]
    fn row(&self, n: usize) -> &[u8] {
        &self.weights[n * self.inputs..(n + 1) * self.inputs]
    }

    /// Turns sums of whole numbers into outputs.
    #[inline(always)]
    fn put(
        &self,
        sums: &Tile,
        outputs: [usize; WEIGHTS],
        row: usize,
        steps: &[f32],
        into: &mut [f32],
    ) {
        let width = self.outputs();
        for (n, sums) in outputs.into_iter().zip(sums) {
            for ((k, step), sum) in steps.iter().enumerate().skip(row).zip(sums) {
                into[k * width + n] = *sum as f32 * step * self.scales[n] + self.bias[n];
            }
        }
    }
}

/// Inputs in whole numbers, and what one step of each row is worth. Rows of zeros fill the last tile.
#[derive(Debug, Default)]
struct Rounded {
    values: Vec<i16>,
    steps: Vec<f32>,
}

impl Rounded {
    #[inline(always)]
    fn fill(&mut self, input: &[f32], width: usize) {
        let most = largest_input(width);
        self.values.clear();
        self.steps.clear();
        for row in input.chunks_exact(width) {
            let largest = row.iter().fold(0f32, |most, value| most.max(value.abs()));
            let step = if largest > 0.0 && largest.is_finite() {
                largest / most
            } else {
                1.0
            };
            let inverse = 1.0 / step;
            self.steps.push(step);
            self.values
                .extend(row.iter().map(|value| round(value * inverse)));
        }
        self.values
            .resize(self.steps.len().next_multiple_of(ROWS) * width, 0);
    }

    #[inline(always)]
    fn rows(&self, first: usize, width: usize) -> [&[i16]; ROWS] {
        let row = |n: usize| &self.values[n * width..(n + 1) * width];
        [row(first), row(first + 1), row(first + 2), row(first + 3)]
    }
}

/// Rounds to the nearest whole number, which has at most fifteen bits: so far up, floats have no fractions, and
/// their last bits count.
#[inline(always)]
fn round(value: f32) -> i16 {
    (value + NO_FRACTIONS).to_bits() as i16
}

/// Returns the largest input with which no sum of `width` products leaves 32 bits.
fn largest_input(width: usize) -> f32 {
    let bound = i32::MAX as usize / (128 * width.max(1));
    bound.min(8191) as f32
}

/// Rounds a row of weights to eight bits; returns what one step is worth.
pub(crate) fn round_weights(row: &[f32], into: &mut Vec<u8>) -> f32 {
    let largest = row.iter().fold(0f32, |most, value| most.max(value.abs()));
    let step = if largest > 0.0 && largest.is_finite() {
        largest / 127.0
    } else {
        1.0
    };
    into.extend(
        row.iter()
            .map(|value| ((value / step).round() as i8).cast_unsigned()),
    );
    step
}
