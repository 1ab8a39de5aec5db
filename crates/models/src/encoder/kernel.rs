//! Multiplying by the weights of a model: eight bits a weight, fourteen bits an input.
//!
//! Weights are kept as eight bits with one scale for each output. Inputs are rounded to as many
//! bits as a 32-bit sum can bear, so that only the weights lose anything. The inner loop is written
//! so that the compiler makes wide multiply-and-add instructions of it; which of them the machine
//! has is found out once, at run time.

use crate::bytes::Part;

/// Rows that share one pass over a weight: enough to hide its loading, few enough for registers.
const ABREAST: usize = 4;
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
        Linear { weights, scales, bias, inputs }
    }

    pub(super) fn outputs(&self) -> usize {
        self.scales.len()
    }

    /// Multiplies rows of inputs, one after the other, into rows of outputs.
    #[inline(always)]
    pub(super) fn apply(&self, input: &[f32], output: &mut Vec<f32>) {
        let rows = input.len() / self.inputs;
        output.clear();
        output.resize(rows * self.outputs(), 0.0);
        let blocks = output.chunks_mut(BLOCK * self.outputs());
        let mut rounded = Rounded::default();
        for (block, into) in input.chunks(BLOCK * self.inputs).zip(blocks) {
            rounded.fill(block, self.inputs);
            self.apply_block(&rounded, into);
        }
    }

    #[inline(always)]
    fn apply_block(&self, input: &Rounded, output: &mut [f32]) {
        let width = self.outputs();
        let rows = input.steps.len();
        let weights = self.weights.chunks_exact(self.inputs);
        for (n, weights) in weights.enumerate() {
            let mut row = 0;
            while row + ABREAST <= rows {
                let sums = dot_four(weights, input.four(row, self.inputs));
                for (k, sum) in sums.iter().enumerate() {
                    output[(row + k) * width + n] =
                        *sum as f32 * input.steps[row + k] * self.scales[n] + self.bias[n];
                }
                row += ABREAST;
            }
            while row < rows {
                let sum = dot_one(weights, input.row(row, self.inputs));
                output[row * width + n] = sum as f32 * input.steps[row] * self.scales[n] + self.bias[n];
                row += 1;
            }
        }
    }
}

/// Inputs in whole numbers, and what one step of each row is worth.
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
            let step = if largest > 0.0 && largest.is_finite() { largest / most } else { 1.0 };
            let inverse = 1.0 / step;
            self.steps.push(step);
            self.values.extend(row.iter().map(|value| round(value * inverse)));
        }
    }

    #[inline(always)]
    fn row(&self, n: usize, width: usize) -> &[i16] {
        &self.values[n * width..(n + 1) * width]
    }

    #[inline(always)]
    fn four(&self, n: usize, width: usize) -> [&[i16]; ABREAST] {
        [0, 1, 2, 3].map(|k| self.row(n + k, width))
    }
}

/// Rounds to the nearest whole number by adding half and cutting, which has instructions everywhere.
#[inline(always)]
fn round(value: f32) -> i16 {
    (value + 0.5f32.copysign(value)) as i16
}

/// Returns the largest input with which no sum of `width` products leaves 32 bits.
fn largest_input(width: usize) -> f32 {
    let bound = i32::MAX as usize / (128 * width.max(1));
    bound.min(8191) as f32
}

/// Four sums of products at once: each weight is loaded and widened once for four rows.
///
/// One plain loop over slices of one length: that is what the compiler turns into wide
/// multiply-and-add instructions. Arrays of sums, which look quicker, stay scalar.
#[inline(always)]
fn dot_four(weights: &[u8], inputs: [&[i16]; ABREAST]) -> [i32; ABREAST] {
    let [a, b, c, d] = inputs.map(|input| &input[..weights.len()]);
    let mut sums = [0i32; ABREAST];
    for n in 0..weights.len() {
        let weight = i32::from(weights[n].cast_signed());
        sums[0] = sums[0].wrapping_add(weight * i32::from(a[n]));
        sums[1] = sums[1].wrapping_add(weight * i32::from(b[n]));
        sums[2] = sums[2].wrapping_add(weight * i32::from(c[n]));
        sums[3] = sums[3].wrapping_add(weight * i32::from(d[n]));
    }
    sums
}

#[inline(always)]
fn dot_one(weights: &[u8], input: &[i16]) -> i32 {
    let products = weights.iter().zip(input).map(|(w, x)| i32::from(w.cast_signed()) * i32::from(*x));
    products.fold(0, i32::wrapping_add)
}

/// Rounds a row of weights to eight bits; returns what one step is worth.
pub(crate) fn round_weights(row: &[f32], into: &mut Vec<u8>) -> f32 {
    let largest = row.iter().fold(0f32, |most, value| most.max(value.abs()));
    let step = if largest > 0.0 && largest.is_finite() { largest / 127.0 } else { 1.0 };
    into.extend(row.iter().map(|value| ((value / step).round() as i8).cast_unsigned()));
    step
}
