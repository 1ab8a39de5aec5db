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

#[inline(always)]
fn dot_four(weights: &[u8], inputs: [&[i16]; ABREAST]) -> [i32; ABREAST] {
    let mut sums = [[0i32; 8]; ABREAST];
    let (weights, rest) = weights.as_chunks::<16>();
    let chunks = inputs.map(|input| input.as_chunks::<16>().0);
    for (n, weights) in weights.iter().enumerate() {
        for k in 0..ABREAST {
            add_products(weights, &chunks[k][n], &mut sums[k]);
        }
    }
    let done = weights.len() * 16;
    [0, 1, 2, 3].map(|k| sums[k].iter().sum::<i32>() + dot_rest(rest, &inputs[k][done..]))
}

#[inline(always)]
fn dot_one(weights: &[u8], input: &[i16]) -> i32 {
    let mut sums = [0i32; 8];
    let (blocks, rest) = weights.as_chunks::<16>();
    for (weights, input) in blocks.iter().zip(input.as_chunks::<16>().0) {
        add_products(weights, input, &mut sums);
    }
    sums.iter().sum::<i32>() + dot_rest(rest, &input[blocks.len() * 16..])
}

/// Adds sixteen products to eight sums, two to each: one instruction where there are wide ones.
#[inline(always)]
fn add_products(weights: &[u8; 16], input: &[i16; 16], sums: &mut [i32; 8]) {
    let product = |at: usize| i32::from(weights[at].cast_signed()) * i32::from(input[at]);
    for (n, sum) in sums.iter_mut().enumerate() {
        *sum += product(2 * n) + product(2 * n + 1);
    }
}

#[inline(always)]
fn dot_rest(weights: &[u8], input: &[i16]) -> i32 {
    weights.iter().zip(input).map(|(w, x)| i32::from(w.cast_signed()) * i32::from(*x)).sum()
}

/// Rounds a row of weights to eight bits; returns what one step is worth.
pub(crate) fn round_weights(row: &[f32], into: &mut Vec<u8>) -> f32 {
    let largest = row.iter().fold(0f32, |most, value| most.max(value.abs()));
    let step = if largest > 0.0 && largest.is_finite() { largest / 127.0 } else { 1.0 };
    into.extend(row.iter().map(|value| ((value / step).round() as i8).cast_unsigned()));
    step
}
