//! Who takes the second look, and what is asked of them.

use std::sync::Arc;

use memory_core::Result;
use memory_models::{Embed, Rerank};

use super::candidate::Candidate;
use super::{numbers, rerank};
use crate::View;

/// A model that reads the best candidates more closely.
#[derive(Clone)]
pub enum SecondLook {
    /// A model of its own that reads question and memory together.
    CrossEncoder(Arc<dyn Rerank>),
    /// The pieces of the embedding model itself.
    LateInteraction(Arc<dyn Embed>),
}

impl SecondLook {
    /// Names the model.
    pub fn id(&self) -> String {
        match self {
            SecondLook::CrossEncoder(model) => model.id().to_owned(),
            SecondLook::LateInteraction(model) => format!("{} (late interaction)", model.id()),
        }
    }

    pub(crate) fn is_cross_encoder(&self) -> bool {
        matches!(self, SecondLook::CrossEncoder(_))
    }

    pub(crate) fn can_read(&self, question: &str) -> bool {
        match self {
            SecondLook::CrossEncoder(_) => true,
            SecondLook::LateInteraction(model) => model.can_read(question) && model.tokens().is_some(),
        }
    }

    /// Looks at the best candidates again. A cross-encoder's word is final: what it did not see is let go.
    pub(crate) fn take(&self, candidates: &mut Vec<Candidate>, question: &str, view: &View) -> Result<()> {
        let most = candidates.len().min(numbers::RERANKED);
        let text = |candidate: &Candidate| view.record(candidate.id).map_or("", |record| record.text);
        let texts: Vec<&str> = candidates[..most].iter().map(text).collect();
        match self {
            SecondLook::CrossEncoder(model) => {
                let logits = model.score(question, &texts)?;
                candidates.truncate(most);
                rerank::by_cross_encoder(candidates, &logits);
            }
            SecondLook::LateInteraction(model) => {
                let Some(tokens) = model.tokens() else { return Ok(()) };
                let asked = tokens.question_tokens(question)?;
                let pieces = tokens.document_tokens(&texts)?;
                let likeness = rerank::likeness(&asked, &pieces);
                rerank::by_late_interaction(&mut candidates[..most], &likeness);
            }
        }
        Ok(())
    }
}
