//! Laying numbers out as safetensors: what an installed model is kept as.

use safetensors::Dtype;
use serde_json::{Map, json};

use crate::text::WrittenPieces;

/// Tensors that are put one after the other, with their names in front.
#[derive(Default)]
pub(crate) struct Writer {
    header: Map<String, serde_json::Value>,
    data: Vec<u8>,
}

impl Writer {
    /// Adds a tensor.
    pub(crate) fn tensor(&mut self, name: &str, dtype: Dtype, shape: &[usize], bytes: &[u8]) {
        let from = self.data.len();
        self.data.extend_from_slice(bytes);
        let entry =
            json!({"dtype": dtype, "shape": shape, "data_offsets": [from, self.data.len()]});
        self.header.insert(name.to_owned(), entry);
    }

    /// Adds a tensor of 32-bit floats.
    pub(crate) fn floats(&mut self, name: &str, values: &[f32]) {
        let bytes: Vec<u8> = values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect();
        self.tensor(name, Dtype::F32, &[values.len()], &bytes);
    }

    /// Adds a vocabulary.
    pub(crate) fn pieces(&mut self, pieces: WrittenPieces) {
        let WrittenPieces {
            text,
            ends,
            slots,
            slot_type,
        } = pieces;
        let width = if slot_type == Dtype::U16 { 2 } else { 4 };
        self.tensor("pieces.ends", Dtype::U32, &[ends.len() / 4], &ends);
        self.tensor("pieces.slots", slot_type, &[slots.len() / width], &slots);
        self.tensor("pieces.text", Dtype::U8, &[text.len()], &text);
    }

    /// Returns the file's bytes, with these words about it in its header.
    pub(crate) fn finish(mut self, about: &[(&str, String)]) -> Vec<u8> {
        let about: Map<_, _> = about
            .iter()
            .map(|(name, text)| ((*name).to_owned(), json!(text)))
            .collect();
        self.header.insert("__metadata__".to_owned(), about.into());
        let mut header = serde_json::Value::from(self.header)
            .to_string()
            .into_bytes();
        header.resize(header.len().next_multiple_of(8), b' ');
        let mut file = (header.len() as u64).to_le_bytes().to_vec();
        file.extend_from_slice(&header);
        file.extend_from_slice(&self.data);
        file
    }
}
