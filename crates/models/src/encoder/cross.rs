//! An encoder with one number at its end: how well a text answers a question, read together.

use std::sync::Arc;

use memory_core::Result;
use memory_files::Mapping;

use super::description::{Description, Task};
use super::kernel::Linear;
use super::model::Reader;
use super::transformer::{Transformer, load_linear};
use crate::bytes::{Bytes, Tensors};
use crate::{ModelError, Rerank};

/// A local cross-encoder.
#[derive(Debug)]
pub struct CrossEncoder {
    bytes: Bytes,
    about: Description,
    reader: Reader,
    transformer: Transformer,
    pooler: Linear,
    head: Linear,
}

impl CrossEncoder {
    /// Opens an installed model. Nothing is read but its head until a text comes.
    pub(crate) fn mapped(file: Arc<Mapping>) -> Result<Self, ModelError> {
        CrossEncoder::of(&Bytes::Mapped(file))
    }

    pub(crate) fn of(bytes: &Bytes) -> Result<Self, ModelError> {
        let tensors = Tensors::of(bytes)?;
        let about = Description::read(bytes)?;
        if about.task != Task::Rerank {
            return Err(ModelError::Unsupported {
                why: "it makes vectors and scores no pairs".to_owned(),
            });
        }
        let hidden = about.shape.hidden;
        Ok(CrossEncoder {
            bytes: bytes.clone(),
            reader: Reader::of(&tensors, &about)?,
            transformer: Transformer::of(&tensors, about.shape)?,
            pooler: load_linear(&tensors, "pooler", hidden, hidden)?,
            head: load_linear(&tensors, "head", 1, hidden)?,
            about,
        })
    }

    fn score_one(&self, question: &str, text: &str) -> f32 {
        let vectors = self.transformer.run(&[self.reader.pair(question, text)]);
        let (mut pooled, mut logit) = (Vec::new(), Vec::new());
        self.pooler
            .apply(&vectors[..self.transformer.hidden()], &mut pooled);
        pooled.iter_mut().for_each(|x| *x = x.tanh());
        self.head.apply(&pooled, &mut logit);
        logit.first().copied().unwrap_or_default()
    }
}

impl Rerank for CrossEncoder {
    fn id(&self) -> &str {
        &self.about.id
    }

    fn score(&self, question: &str, texts: &[&str]) -> Result<Vec<f32>> {
        let scores = texts
            .iter()
            .map(|text| self.score_one(question, text))
            .collect();
        self.bytes.require_whole()?;
        Ok(scores)
    }
}
