//! An encoder as a model that embeds texts.

use std::sync::Arc;

use memory_core::Result;
use memory_files::Mapping;

use super::description::{Description, Pooling, Task};
use super::transformer::{Input, Transformer};
use crate::bytes::{Bytes, Tensors};
use crate::late::round;
use crate::text::{PieceTable, Script, WordPiece};
use crate::vector::{dot, normalise};
use crate::{Embed, ModelError, TokenVectors, Tokens};

/// Pieces that are run together: more would only leave the cache.
const TOGETHER: usize = 512;
/// Pieces of a memory that are kept for comparing late.
const LATE_PIECES: usize = 128;

/// A local embedding model.
#[derive(Debug)]
pub struct LocalModel {
    bytes: Bytes,
    about: Description,
    script: Script,
    reader: Reader,
    transformer: Transformer,
    /// What pieces are projected on before they are kept, as rows.
    late: Vec<f32>,
}

impl LocalModel {
    /// Opens an installed model. Nothing is read but its head until a text comes.
    pub(crate) fn mapped(file: Arc<Mapping>) -> Result<Self, ModelError> {
        LocalModel::of(&Bytes::Mapped(file))
    }

    pub(crate) fn of(bytes: &Bytes) -> Result<Self, ModelError> {
        let tensors = Tensors::of(bytes)?;
        let about = Description::read(bytes)?;
        if about.task != Task::Embed {
            return Err(ModelError::Unsupported {
                why: "it scores pairs and makes no vectors".to_owned(),
            });
        }
        let late = match tensors.shape("late") {
            Some(shape) => tensors.floats("late", shape.iter().product())?,
            None => Vec::new(),
        };
        Ok(LocalModel {
            bytes: bytes.clone(),
            script: Script::named(&about.manner.script),
            reader: Reader::of(&tensors, &about)?,
            transformer: Transformer::of(&tensors, about.shape)?,
            about,
            late,
        })
    }

    /// Runs texts in their order, and hands the vectors of each one's pieces over.
    fn run_each(
        &self,
        prefix: &str,
        texts: &[&str],
        mut each: impl FnMut(&[f32]),
    ) -> Result<(), ModelError> {
        let inputs: Vec<Input> = texts
            .iter()
            .map(|text| self.reader.one(&format!("{prefix}{text}")))
            .collect();
        for some in groups(&inputs) {
            let vectors = self.transformer.run(some);
            let mut rest = vectors.as_slice();
            for input in some {
                let (these, others) = rest.split_at(input.ids.len() * self.transformer.hidden());
                each(these);
                rest = others;
            }
        }
        self.bytes.require_whole()
    }

    fn pool(&self, pieces: &[f32]) -> Vec<f32> {
        let hidden = self.transformer.hidden();
        let mut pooled = match self.about.manner.pooling {
            Pooling::First => pieces[..hidden].to_vec(),
            Pooling::Mean => {
                pieces
                    .chunks_exact(hidden)
                    .fold(vec![0.0; hidden], |mut sum, piece| {
                        sum.iter_mut().zip(piece).for_each(|(x, y)| *x += y);
                        sum
                    })
            }
        };
        normalise(&mut pooled);
        pooled
    }

    /// Projects what lies between the two ends of a text, and makes it small.
    fn small(&self, pieces: &[f32]) -> TokenVectors {
        let hidden = self.transformer.hidden();
        let dimensions = self.late.len() / hidden;
        let last = (pieces.len() / hidden).saturating_sub(1);
        let mut small = Vec::new();
        for piece in pieces
            .chunks_exact(hidden)
            .take(last)
            .skip(1)
            .take(LATE_PIECES)
        {
            let mut projected: Vec<f32> = self
                .late
                .chunks_exact(hidden)
                .map(|axis| dot(axis, piece))
                .collect();
            normalise(&mut projected);
            small.extend_from_slice(&projected);
        }
        round(&small, dimensions)
    }

    /// Returns the vectors of all pieces but the ends of pseudo-texts, for finding projections.
    pub(super) fn sample(&self, inputs: &[Input]) -> Vec<f32> {
        let hidden = self.transformer.hidden();
        let mut sample = Vec::new();
        for some in groups(inputs) {
            let mut vectors = self.transformer.run(some);
            vectors.chunks_exact_mut(hidden).for_each(normalise);
            sample.extend_from_slice(&vectors);
        }
        sample
    }
}

/// Splits inputs into groups that are run together.
fn groups(inputs: &[Input]) -> impl Iterator<Item = &[Input]> {
    let mut rest = inputs;
    std::iter::from_fn(move || {
        let mut pieces = 0;
        let fits = |input: &&Input| {
            pieces += input.ids.len();
            pieces <= TOGETHER
        };
        let count = rest.iter().take_while(fits).count().max(1);
        let (some, others) = rest.split_at_checked(count)?;
        rest = others;
        Some(some)
    })
}

impl Embed for LocalModel {
    fn id(&self) -> &str {
        &self.about.id
    }

    fn dimensions(&self) -> usize {
        self.transformer.hidden()
    }

    fn can_read(&self, text: &str) -> bool {
        self.script.can_read(text)
    }

    fn question(&self, text: &str) -> Result<Vec<f32>> {
        let mut vector = Vec::new();
        self.run_each(&self.about.manner.question_prefix, &[text], |pieces| {
            vector = self.pool(pieces)
        })?;
        Ok(vector)
    }

    fn documents(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>> {
        let mut vectors = Vec::with_capacity(texts.len());
        self.run_each(&self.about.manner.document_prefix, texts, |pieces| {
            vectors.push(self.pool(pieces))
        })?;
        Ok(vectors)
    }

    fn tokens(&self) -> Option<&dyn Tokens> {
        (self.about.manner.late && !self.late.is_empty()).then_some(self)
    }
}

impl Tokens for LocalModel {
    fn question_tokens(&self, text: &str) -> Result<TokenVectors> {
        let mut tokens = TokenVectors::default();
        self.run_each("", &[text], |pieces| tokens = self.small(pieces))?;
        Ok(tokens)
    }

    fn document_tokens(&self, texts: &[&str]) -> Result<Vec<TokenVectors>> {
        Ok(self
            .documents_and_tokens(texts)?
            .into_iter()
            .map(|(_, tokens)| tokens)
            .collect())
    }

    fn documents_and_tokens(&self, texts: &[&str]) -> Result<Vec<(Vec<f32>, TokenVectors)>> {
        let mut both = Vec::with_capacity(texts.len());
        let prefix = &self.about.manner.document_prefix;
        self.run_each(prefix, texts, |pieces| {
            both.push((self.pool(pieces), self.small(pieces)))
        })?;
        Ok(both)
    }
}

/// Reads texts as the pieces that an encoder takes, with the marks at their ends.
#[derive(Debug)]
pub(super) struct Reader {
    pieces: WordPiece,
    begin: u32,
    end: u32,
    most: usize,
}

impl Reader {
    pub(super) fn of(tensors: &Tensors<'_>, about: &Description) -> Result<Self, ModelError> {
        let pieces = WordPiece::new(PieceTable::of(tensors)?, about.manner.lower)?;
        let find = |piece| pieces.table().find(piece).ok_or(ModelError::Damaged);
        let (begin, end) = (find("[CLS]")?, find("[SEP]")?);
        let most = about.manner.most_pieces.min(about.shape.positions).max(8);
        Ok(Reader {
            pieces,
            begin,
            end,
            most,
        })
    }

    /// Reads one text.
    pub(super) fn one(&self, text: &str) -> Input {
        let mut ids = vec![self.begin];
        self.pieces.split(text, self.most - 1, &mut ids);
        ids.push(self.end);
        Input {
            ids,
            second_from: None,
        }
    }

    /// Reads a question and a text; of the two, the longer one is cut where both do not fit.
    pub(super) fn pair(&self, question: &str, text: &str) -> Input {
        let mut ids = vec![self.begin];
        self.pieces.split(question, self.most / 2, &mut ids);
        ids.push(self.end);
        let second_from = Some(ids.len());
        self.pieces.split(text, self.most - 1, &mut ids);
        ids.push(self.end);
        Input { ids, second_from }
    }
}
