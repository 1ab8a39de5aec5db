//! From a model as hubs ship it to the file that we map: eight bits a weight, one vocabulary that is
//! searched in place, and directions for comparing pieces late.

use safetensors::{Dtype, SafeTensors};
use sha2::{Digest, Sha256};

use super::description::{Description, Shape, Task};
use super::hub::HubFolder;
use super::kernel::round_weights;
use super::model::LocalModel;
use super::transformer::Input;
use crate::ModelError;
use crate::bytes::Bytes;
use crate::late::main_directions;
use crate::text::write_pieces;
use crate::weights::Writer;

/// The version of our file: one of another version is not opened.
const VERSION: &str = "1";
/// How many numbers a piece keeps for comparing late.
const LATE_DIMENSIONS: usize = 64;
/// Pseudo-texts, and pieces in each, that show how a model's vectors lie.
const SAMPLES: u32 = 200;
const SAMPLE_PIECES: u32 = 14;

/// Returns the bytes of our file for a model called `name`.
pub(crate) fn convert(name: &str, hub: &HubFolder) -> Result<Vec<u8>, ModelError> {
    let about = Description {
        id: format!("{name}@{}", fingerprint(hub)),
        task: hub.task,
        shape: hub.shape,
        manner: hub.manner.clone(),
    };
    let plain = write(hub, &about, &[])?;
    match hub.task {
        Task::Rerank => Ok(plain),
        Task::Embed => {
            let late = directions(&Bytes::Owned(plain.into()), &hub.shape)?;
            write(hub, &about, &late)
        }
    }
}

/// Names weights and vocabulary by their content.
fn fingerprint(hub: &HubFolder) -> String {
    let mut hash = Sha256::new();
    hash.update(&hub.weights);
    hub.vocabulary
        .iter()
        .for_each(|piece| hash.update(piece.as_bytes()));
    hash.finalize()
        .iter()
        .take(4)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// Finds the directions in which the vectors of pieces lie, from texts of pieces drawn at random.
fn directions(bytes: &Bytes, shape: &Shape) -> Result<Vec<f32>, ModelError> {
    let mut seed = 1u32;
    let mut draw = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) % shape.vocabulary as u32
    };
    let text = |_| Input {
        ids: (0..SAMPLE_PIECES).map(|_| draw()).collect(),
        second_from: None,
    };
    let texts: Vec<Input> = (0..SAMPLES).map(text).collect();
    let sample = LocalModel::of(bytes)?.sample(&texts);
    Ok(main_directions(&sample, shape.hidden, LATE_DIMENSIONS))
}

fn write(hub: &HubFolder, about: &Description, late: &[f32]) -> Result<Vec<u8>, ModelError> {
    let tensors = SafeTensors::deserialize(&hub.weights).map_err(|_| ModelError::Incomplete {
        what: "model.safetensors".to_owned(),
        missing: "usable content",
    })?;
    let mut copy = Copy {
        tensors,
        writer: Writer::default(),
    };
    let (shape, hidden) = (&hub.shape, hub.shape.hidden);
    if hub.vocabulary.len() > shape.vocabulary {
        return Err(ModelError::Incomplete {
            what: "model.safetensors".to_owned(),
            missing: "row for each token",
        });
    }
    copy.rows(
        "words",
        "embeddings.word_embeddings.weight",
        shape.vocabulary,
        hidden,
    )?;
    copy.floats(
        "positions",
        &["embeddings.position_embeddings.weight"],
        shape.positions * hidden,
    )?;
    copy.floats(
        "types",
        &["embeddings.token_type_embeddings.weight"],
        shape.types * hidden,
    )?;
    copy.norm("norm", "embeddings.LayerNorm", hidden)?;
    for n in 0..shape.layers {
        copy.layer(n, shape)?;
    }
    if hub.task == Task::Rerank {
        copy.linear("pooler", "pooler.dense", hidden, hidden)?;
        copy.linear("head", "classifier", 1, hidden)?;
    }
    let mut writer = copy.writer;
    if !late.is_empty() {
        writer.floats("late", late);
    }
    writer.pieces(write_pieces(hub.vocabulary.iter().map(String::as_str)));
    let about = serde_json::to_string(about).unwrap_or_default();
    Ok(writer.finish(&[("version", VERSION.to_owned()), ("about", about)]))
}

impl Description {
    /// Reads what a file of ours says about itself.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, ModelError> {
        let (_, head) = SafeTensors::read_metadata(bytes).map_err(|_| ModelError::Damaged)?;
        let said = head
            .metadata()
            .as_ref()
            .filter(|said| said.get("version").is_some_and(|v| v == VERSION));
        let about = said
            .and_then(|said| said.get("about"))
            .ok_or(ModelError::Damaged)?;
        serde_json::from_str(about).map_err(|_| ModelError::Damaged)
    }
}

/// Copies tensors under their names in our file.
struct Copy<'a> {
    tensors: SafeTensors<'a>,
    writer: Writer,
}

impl Copy<'_> {
    fn layer(&mut self, n: usize, shape: &Shape) -> Result<(), ModelError> {
        let (hidden, wide) = (shape.hidden, shape.intermediate);
        let there = format!("encoder.layer.{n}");
        let here = format!("layer.{n}");
        for part in ["query", "key", "value"] {
            self.linear(
                &format!("{here}.{part}"),
                &format!("{there}.attention.self.{part}"),
                hidden,
                hidden,
            )?;
        }
        self.linear(
            &format!("{here}.attended"),
            &format!("{there}.attention.output.dense"),
            hidden,
            hidden,
        )?;
        self.norm(
            &format!("{here}.after_attention"),
            &format!("{there}.attention.output.LayerNorm"),
            hidden,
        )?;
        self.linear(
            &format!("{here}.wide"),
            &format!("{there}.intermediate.dense"),
            wide,
            hidden,
        )?;
        self.linear(
            &format!("{here}.narrow"),
            &format!("{there}.output.dense"),
            hidden,
            wide,
        )?;
        self.norm(
            &format!("{here}.after"),
            &format!("{there}.output.LayerNorm"),
            hidden,
        )
    }

    fn linear(
        &mut self,
        here: &str,
        there: &str,
        outputs: usize,
        inputs: usize,
    ) -> Result<(), ModelError> {
        self.rows(here, &format!("{there}.weight"), outputs, inputs)?;
        self.floats(
            &format!("{here}.bias"),
            &[&format!("{there}.bias")],
            outputs,
        )
    }

    fn norm(&mut self, here: &str, there: &str, width: usize) -> Result<(), ModelError> {
        // Older files have older names.
        self.floats(
            &format!("{here}.gain"),
            &[&format!("{there}.weight"), &format!("{there}.gamma")],
            width,
        )?;
        self.floats(
            &format!("{here}.shift"),
            &[&format!("{there}.bias"), &format!("{there}.beta")],
            width,
        )
    }

    fn rows(
        &mut self,
        here: &str,
        there: &str,
        count: usize,
        width: usize,
    ) -> Result<(), ModelError> {
        let values = self.read(&[there], count * width)?;
        let mut rounded = Vec::with_capacity(values.len());
        let scales: Vec<f32> = values
            .chunks_exact(width)
            .map(|row| round_weights(row, &mut rounded))
            .collect();
        self.writer.tensor(
            &format!("{here}.rows"),
            Dtype::I8,
            &[count, width],
            &rounded,
        );
        self.writer.floats(&format!("{here}.scales"), &scales);
        Ok(())
    }

    fn floats(&mut self, here: &str, there: &[&str], count: usize) -> Result<(), ModelError> {
        let values = self.read(there, count)?;
        self.writer.floats(here, &values);
        Ok(())
    }

    /// Reads a tensor by the first of its names that is there, with or without the model's own prefix.
    fn read(&self, names: &[&str], count: usize) -> Result<Vec<f32>, ModelError> {
        let lacks = |what: &str| ModelError::Unsupported {
            why: format!("its weights {what} {}", names[0]),
        };
        let find = |name: &&str| {
            self.tensors
                .tensor(name)
                .or_else(|_| self.tensors.tensor(&format!("bert.{name}")))
                .ok()
        };
        let view = names
            .iter()
            .find_map(find)
            .ok_or_else(|| lacks("have no"))?;
        let values =
            to_floats(view.data(), view.dtype()).ok_or_else(|| lacks("are of no known type at"))?;
        if values.len() == count && values.iter().all(|value| value.is_finite()) {
            Ok(values)
        } else {
            Err(lacks("do not fit the configuration at"))
        }
    }
}

fn to_floats(bytes: &[u8], dtype: Dtype) -> Option<Vec<f32>> {
    let halves = || {
        bytes
            .as_chunks::<2>()
            .0
            .iter()
            .map(|two| u16::from_le_bytes(*two))
    };
    match dtype {
        Dtype::F32 => Some(
            bytes
                .as_chunks::<4>()
                .0
                .iter()
                .map(|four| f32::from_le_bytes(*four))
                .collect(),
        ),
        Dtype::F16 => Some(halves().map(half_to_float).collect()),
        Dtype::BF16 => Some(
            halves()
                .map(|half| f32::from_bits(u32::from(half) << 16))
                .collect(),
        ),
        _ => None,
    }
}

/// Widens a number of 16 bits: one bit of sign, five of exponent, ten of fraction. Exponents begin 112 lower there.
fn half_to_float(half: u16) -> f32 {
    let size = match half >> 10 & 0x1f {
        31 => f32::INFINITY,
        _ => f32::from_bits(u32::from(half & 0x7fff) << 13) * f32::from_bits((127 + 112) << 23),
    };
    if half & 0x8000 == 0 { size } else { -size }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_widened_exactly() {
        let cases = [
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x3555, 0.333_251_95),
            (0x0001, 5.960_464_5e-8),
            (0x7bff, 65504.0),
        ];
        for (half, float) in cases {
            assert_eq!(half_to_float(half), float);
        }
        assert!(half_to_float(0x7c00).is_infinite());
    }
}
