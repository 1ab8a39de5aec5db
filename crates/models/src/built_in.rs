//! The model inside the program: a table of word pieces, distilled from a larger model.
//!
//! A text's vector is the mean of its pieces' rows. There is nothing to install, to load or to
//! wait for. `tools/distil` makes the table; `assets/README.md` says from what.

use memory_core::Result;
use safetensors::Dtype;

use crate::bytes::{Bytes, Part, Tensors};
use crate::closeness::{Asked, Row};
use crate::text::{PieceTable, Script, WordPiece};
use crate::vector::normalise;
use crate::{Closeness, Embed, ModelError};

/// The name that the configuration knows it by, and the version of its table.
const ID: &str = "built-in-1";
/// Texts are read no further: the mean of a book says nothing.
const PIECES: usize = 4096;
/// And no further than this when many are compared piece by piece while someone waits.
const PIECES_COMPARED: usize = 1024;

static TABLE: &[u8] = include_bytes!("../assets/built-in-1.safetensors");

/// A table of word pieces: the mean of a text's rows is its vector.
#[derive(Debug)]
pub struct StaticModel {
    reader: WordPiece,
    rows: Part,
    /// What one step of a row's eight bits is worth, as the upper half of a 32-bit float.
    scales: Part,
    dimensions: usize,
}

impl StaticModel {
    /// Returns the model inside the program.
    pub fn built_in() -> Result<Self> {
        Ok(StaticModel::of(&Bytes::BuiltIn(TABLE))?)
    }

    fn of(bytes: &Bytes) -> Result<Self, ModelError> {
        let tensors = Tensors::of(bytes)?;
        let reader = WordPiece::forgetful(PieceTable::of(&tensors)?);
        let count = reader.table().len();
        let dimensions = tensors
            .shape("rows")
            .and_then(|shape| shape.get(1).copied())
            .unwrap_or(0);
        let rows = tensors.part("rows", Dtype::I8, Some(count * dimensions))?;
        let scales = tensors.part("scales", Dtype::BF16, Some(count))?;
        Ok(StaticModel {
            reader,
            rows,
            scales,
            dimensions,
        })
    }

    fn vector(&self, text: &str, ids: &mut Vec<u32>) -> Vec<f32> {
        ids.clear();
        self.reader.split(text, PIECES, ids);
        let mut sum = vec![0f32; self.dimensions];
        for id in ids.iter() {
            self.add(*id as usize, &mut sum);
        }
        normalise(&mut sum);
        sum
    }

    fn add(&self, id: usize, sum: &mut [f32]) {
        let Some(row) = self.row(id) else { return };
        for (value, step) in sum.iter_mut().zip(row.steps) {
            *value += row.scale * f32::from(step.cast_signed());
        }
    }

    fn row(&self, id: usize) -> Option<Row<'_>> {
        let steps = self
            .rows
            .get(id * self.dimensions..(id + 1) * self.dimensions)?;
        let scale = self.scales.as_chunks::<2>().0.get(id)?;
        Some(Row {
            steps,
            scale: f32::from_bits(u32::from(u16::from_le_bytes(*scale)) << 16),
        })
    }

    /// Reads the different pieces of a text.
    fn different(&self, text: &str, ids: &mut Vec<u32>) {
        ids.clear();
        self.reader.split(text, PIECES_COMPARED, ids);
        ids.sort_unstable();
        ids.dedup();
    }
}

impl Embed for StaticModel {
    fn id(&self) -> &str {
        ID
    }

    fn dimensions(&self) -> usize {
        self.dimensions
    }

    fn can_read(&self, text: &str) -> bool {
        Script::Latin.can_read(text)
    }

    fn question(&self, text: &str) -> Result<Vec<f32>> {
        Ok(self.vector(text, &mut Vec::new()))
    }

    fn documents(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
        let mut ids = Vec::new();
        Ok(texts
            .iter()
            .map(|text| self.vector(text, &mut ids))
            .collect())
    }

    fn is_instant(&self) -> bool {
        true
    }

    fn closeness(&self, question: &str, texts: &[&str]) -> Option<Vec<Option<Closeness>>> {
        let mut ids = Vec::new();
        self.different(question, &mut ids);
        let mut asked = Asked::new(
            ids.iter().filter_map(|id| self.row(*id as usize)),
            self.reader.table().len(),
        );
        let closeness = |text: &&str| {
            self.different(text, &mut ids);
            asked.closeness(&ids, |id| self.row(id as usize))
        };
        Some(texts.iter().map(closeness).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vector::dot;

    fn closeness(a: &str, b: &str) -> f32 {
        let model = StaticModel::built_in().unwrap();
        dot(&model.question(a).unwrap(), &model.question(b).unwrap())
    }

    #[test]
    fn what_means_the_same_lies_closer_than_what_does_not() {
        let question = "Where did she go on holiday?";
        assert!(closeness(question, "We spent our vacation travelling in Spain") > 0.2);
        let apart = closeness(question, "The compiler rejects the borrowed value");
        assert!(
            closeness(question, "We spent our vacation travelling in Spain") > apart + 0.2,
            "{apart}"
        );
        assert!(
            closeness("The car broke down", "my automobile needs a repair")
                > closeness("The car broke down", "she plays the piano")
        );
    }

    #[test]
    fn a_vector_has_length_one_or_none() {
        let model = StaticModel::built_in().unwrap();
        let length = |text: &str| {
            let vector = model.question(text).unwrap();
            assert_eq!(vector.len(), model.dimensions());
            dot(&vector, &vector).sqrt()
        };
        assert!((length("We moved to Berlin in May") - 1.0).abs() < 1e-4);
        assert_eq!(length(""), 0.0);
        assert_eq!(length("我们搬家了"), 0.0);
    }

    #[test]
    fn case_and_accents_make_no_difference() {
        assert!(closeness("Café Zürich", "cafe zurich") > 0.999);
    }

    #[test]
    fn piece_by_piece_an_answer_comes_closer_than_a_text_that_shares_a_name() {
        let model = StaticModel::built_in().unwrap();
        let texts = [
            "Anna drives a blue automobile",
            "Anna went swimming in the lake",
            "我们搬家了",
        ];
        let found = model.closeness("What car does Anna have?", &texts).unwrap();
        let [Some(answer), Some(other), None] = found[..] else {
            panic!("{found:?}")
        };
        assert!(
            answer.beyond_chance > other.beyond_chance && answer.found > other.found,
            "{found:?}"
        );
    }

    #[test]
    fn a_damaged_table_is_refused() {
        for length in [0, 8, 100, TABLE.len() / 2, TABLE.len() - 1] {
            assert!(
                StaticModel::of(&Bytes::BuiltIn(&TABLE[..length])).is_err(),
                "{length}"
            );
        }
    }

    #[test]
    fn the_table_is_small_enough_to_be_carried_everywhere() {
        assert!(TABLE.len() <= 4 << 20, "{}", TABLE.len());
    }
}
