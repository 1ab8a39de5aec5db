//! The forward pass of a BERT encoder over weights that are mapped.

use safetensors::Dtype;

use super::description::Shape;
use super::kernel::Linear;
use super::math::{gelu, layer_norm, softmax};
use crate::ModelError;
use crate::bytes::{Part, Tensors};
#[cfg(target_arch = "x86_64")]
use crate::vector::has_wide_instructions;

/// An encoder: pieces in, one vector for each of them out.
#[derive(Debug)]
pub(crate) struct Transformer {
    shape: Shape,
    words: Part,
    word_scales: Part,
    positions: Part,
    types: Part,
    norm: Norm,
    layers: Vec<Layer>,
}

#[derive(Debug)]
struct Layer {
    query: Linear,
    key: Linear,
    value: Linear,
    attended: Linear,
    after_attention: Norm,
    wide: Linear,
    narrow: Linear,
    after: Norm,
}

#[derive(Debug)]
struct Norm {
    gain: Vec<f32>,
    shift: Vec<f32>,
}

/// Room for what a pass computes, kept from layer to layer.
#[derive(Default)]
struct Room {
    query: Vec<f32>,
    key: Vec<f32>,
    value: Vec<f32>,
    mixed: Vec<f32>,
    out: Vec<f32>,
    wide: Vec<f32>,
}

/// The pieces of one text, and which of two texts each belongs to.
#[derive(Debug, Clone, Default)]
pub(crate) struct Input {
    pub(crate) ids: Vec<u32>,
    /// Where the second text begins, if there is one.
    pub(crate) second_from: Option<usize>,
}

impl Transformer {
    /// Finds an encoder of this shape among a model's tensors.
    pub(crate) fn of(tensors: &Tensors<'_>, shape: Shape) -> Result<Self, ModelError> {
        if !shape.is_sound() {
            return Err(ModelError::Damaged);
        }
        let (hidden, wide) = (shape.hidden, shape.intermediate);
        let layer = |n: usize| -> Result<Layer, ModelError> {
            let linear = |name: &str, outputs, inputs| {
                load_linear(tensors, &format!("layer.{n}.{name}"), outputs, inputs)
            };
            let norm = |name: &str| load_norm(tensors, &format!("layer.{n}.{name}"), hidden);
            Ok(Layer {
                query: linear("query", hidden, hidden)?,
                key: linear("key", hidden, hidden)?,
                value: linear("value", hidden, hidden)?,
                attended: linear("attended", hidden, hidden)?,
                after_attention: norm("after_attention")?,
                wide: linear("wide", wide, hidden)?,
                narrow: linear("narrow", hidden, wide)?,
                after: norm("after")?,
            })
        };
        Ok(Transformer {
            shape,
            words: tensors.part("words.rows", Dtype::I8, Some(shape.vocabulary * hidden))?,
            word_scales: tensors.part("words.scales", Dtype::F32, Some(shape.vocabulary))?,
            positions: tensors.part("positions", Dtype::F32, Some(shape.positions * hidden))?,
            types: tensors.part("types", Dtype::F32, Some(shape.types * hidden))?,
            norm: load_norm(tensors, "norm", hidden)?,
            layers: (0..shape.layers).map(layer).collect::<Result<_, _>>()?,
        })
    }

    pub(crate) fn hidden(&self) -> usize {
        self.shape.hidden
    }

    /// Returns the vectors of all pieces of all texts, one after the other.
    ///
    /// Texts of any length go together: only attention looks at each alone.
    #[cfg_attr(target_arch = "x86_64", allow(unsafe_code))]
    pub(crate) fn run(&self, inputs: &[Input]) -> Vec<f32> {
        #[cfg(target_arch = "x86_64")]
        if has_wide_instructions() {
            // SAFETY: the machine has just said that it has these instructions.
            return unsafe { self.run_on_avx2(inputs) };
        }
        self.run_wide(inputs)
    }

    /// The same code, compiled for wider registers.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    fn run_on_avx2(&self, inputs: &[Input]) -> Vec<f32> {
        self.run_wide(inputs)
    }

    #[inline(always)]
    fn run_wide(&self, inputs: &[Input]) -> Vec<f32> {
        let lengths: Vec<usize> = inputs.iter().map(|input| input.ids.len()).collect();
        let mut state = Vec::with_capacity(lengths.iter().sum::<usize>() * self.shape.hidden);
        inputs
            .iter()
            .for_each(|input| self.look_up(input, &mut state));
        layer_norm(
            &mut state,
            &self.norm.gain,
            &self.norm.shift,
            self.shape.epsilon,
        );
        let mut room = Room::default();
        for layer in &self.layers {
            self.pass(layer, &lengths, &mut state, &mut room);
        }
        state
    }

    /// Adds the sum of word, position and type for each piece of a text.
    #[inline(always)]
    fn look_up(&self, input: &Input, state: &mut Vec<f32>) {
        let hidden = self.shape.hidden;
        for (n, id) in input.ids.iter().enumerate() {
            // A piece or a place that the weights do not have counts as the first one.
            let id = if (*id as usize) < self.shape.vocabulary {
                *id as usize
            } else {
                0
            };
            let place = if n < self.shape.positions { n } else { 0 };
            let second = input.second_from.is_some_and(|from| n >= from) && self.shape.types > 1;
            let scale = float_at(&self.word_scales, id);
            let word = &self.words[id * hidden..(id + 1) * hidden];
            let (kind, place) = (usize::from(second) * hidden, place * hidden);
            state.extend(word.iter().enumerate().map(|(k, step)| {
                scale * f32::from(step.cast_signed())
                    + float_at(&self.positions, place + k)
                    + float_at(&self.types, kind + k)
            }));
        }
    }

    #[inline(always)]
    fn pass(&self, layer: &Layer, lengths: &[usize], state: &mut [f32], room: &mut Room) {
        layer.query.apply(state, &mut room.query);
        layer.key.apply(state, &mut room.key);
        layer.value.apply(state, &mut room.value);
        self.attend(lengths, room);
        layer.attended.apply(&room.mixed, &mut room.out);
        add(state, &room.out);
        layer_norm(
            state,
            &layer.after_attention.gain,
            &layer.after_attention.shift,
            self.shape.epsilon,
        );
        layer.wide.apply(state, &mut room.wide);
        gelu(&mut room.wide);
        layer.narrow.apply(&room.wide, &mut room.out);
        add(state, &room.out);
        layer_norm(
            state,
            &layer.after.gain,
            &layer.after.shift,
            self.shape.epsilon,
        );
    }

    /// Lets each piece of a text take from the others what answers to it.
    #[inline(always)]
    fn attend(&self, lengths: &[usize], room: &mut Room) {
        let (hidden, size) = (self.shape.hidden, self.shape.hidden / self.shape.heads);
        room.mixed.clear();
        room.mixed.resize(room.query.len(), 0.0);
        let (mut keys, mut scores) = (Vec::new(), Vec::new());
        let mut start = 0;
        for length in lengths {
            for head in 0..self.shape.heads {
                let part = |n: usize| {
                    (start + n) * hidden + head * size..(start + n) * hidden + (head + 1) * size
                };
                let scale = 1.0 / (size as f32).sqrt();
                lay_across(*length, size, &mut keys, |n| &room.key[part(n)]);
                for n in 0..*length {
                    scores.clear();
                    scores.resize(*length, 0.0);
                    add_rows(&mut scores, &room.query[part(n)], |k| {
                        &keys[k * length..(k + 1) * length]
                    });
                    scores.iter_mut().for_each(|score| *score *= scale);
                    softmax(&mut scores);
                    add_rows(&mut room.mixed[part(n)], &scores, |other| {
                        &room.value[part(other)]
                    });
                }
            }
            start += length;
        }
    }
}

/// Writes rows as columns.
#[inline(always)]
fn lay_across<'a>(
    count: usize,
    width: usize,
    across: &mut Vec<f32>,
    row: impl Fn(usize) -> &'a [f32],
) {
    across.clear();
    across.resize(count * width, 0.0);
    for n in 0..count {
        for (k, value) in row(n).iter().enumerate() {
            across[k * count + n] = *value;
        }
    }
}

/// Adds to `sum` each row times its share, four rows at once: a sum is read and written a quarter as often.
#[inline(always)]
fn add_rows<'a>(sum: &mut [f32], shares: &[f32], row: impl Fn(usize) -> &'a [f32]) {
    let (fours, rest) = shares.as_chunks::<4>();
    let width = sum.len();
    for (n, share) in fours.iter().enumerate() {
        let [a, b, c, d] = std::array::from_fn(|k| &row(4 * n + k)[..width]);
        for k in 0..width {
            sum[k] += share[0] * a[k] + share[1] * b[k] + share[2] * c[k] + share[3] * d[k];
        }
    }
    for (n, share) in rest.iter().enumerate() {
        sum.iter_mut()
            .zip(row(4 * fours.len() + n))
            .for_each(|(sum, value)| *sum += share * value);
    }
}

#[inline(always)]
fn add(state: &mut [f32], more: &[f32]) {
    state.iter_mut().zip(more).for_each(|(x, y)| *x += y);
}

#[inline(always)]
fn float_at(part: &[u8], n: usize) -> f32 {
    part.as_chunks::<4>()
        .0
        .get(n)
        .map_or(0.0, |four| f32::from_le_bytes(*four))
}

/// Finds a matrix by its name.
pub(super) fn load_linear(
    tensors: &Tensors<'_>,
    name: &str,
    outputs: usize,
    inputs: usize,
) -> Result<Linear, ModelError> {
    let weights = tensors.part(&format!("{name}.rows"), Dtype::I8, Some(outputs * inputs))?;
    let scales = tensors.floats(&format!("{name}.scales"), outputs)?;
    Ok(Linear::new(
        weights,
        scales,
        tensors.floats(&format!("{name}.bias"), outputs)?,
    ))
}

fn load_norm(tensors: &Tensors<'_>, name: &str, width: usize) -> Result<Norm, ModelError> {
    let load = |part: &str| tensors.floats(&format!("{name}.{part}"), width);
    Ok(Norm {
        gain: load("gain")?,
        shift: load("shift")?,
    })
}
