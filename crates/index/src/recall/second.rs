//! Who takes the second look, and what is asked of them.

use std::sync::Arc;

use memory_core::Result;
use memory_models::{Embed, Rerank, TokenVectors};

use super::candidate::Candidate;
use super::{numbers, rerank};
use crate::{View, limits};

/// A model that reads the best candidates more closely.
#[derive(Clone)]
pub enum SecondLook {
    /// A model of its own that reads question and memory together.
    CrossEncoder(Arc<dyn Rerank>),
    /// The pieces of the embedding model itself, where they are kept.
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
            SecondLook::LateInteraction(model) => {
                model.can_read(question) && model.tokens().is_some()
            }
        }
    }

    /// Looks at the best candidates again; says whether it did. A cross-encoder's word is final: what it did not
    /// see is let go. `models` are those of the view.
    pub(crate) fn take(
        &self,
        candidates: &mut Vec<Candidate>,
        question: &str,
        view: &View,
        models: &[Arc<dyn Embed>],
    ) -> Result<bool> {
        let most = candidates.len().min(numbers::RERANKED);
        match self {
            SecondLook::CrossEncoder(model) => {
                candidates.truncate(most);
                let texts: Vec<&str> = candidates
                    .iter()
                    .map(|candidate| text(view, candidate))
                    .collect();
                rerank::by_cross_encoder(candidates, &model.score(question, &texts)?);
                Ok(true)
            }
            SecondLook::LateInteraction(model) => {
                let number = models.iter().position(|other| other.id() == model.id());
                compare_late(
                    &mut candidates[..most],
                    question,
                    view,
                    (model.as_ref(), number),
                )
            }
        }
    }
}

fn text<'v>(view: &'v View, candidate: &Candidate) -> &'v str {
    view.record(candidate.id).map_or("", |record| record.text)
}

/// Compares the pieces of candidates with the question's, unless those of most of them would have to be made:
/// no one who asks waits for a model to read memories.
fn compare_late(
    candidates: &mut [Candidate],
    question: &str,
    view: &View,
    (model, number): (&dyn Embed, Option<usize>),
) -> Result<bool> {
    let Some(tokens) = model.tokens() else {
        return Ok(false);
    };
    let kept = |candidate: &Candidate| view.pieces(candidate.id, number?);
    let mut pieces: Vec<Option<TokenVectors>> = candidates.iter().map(kept).collect();
    let is_short = |n: &usize| text(view, &candidates[*n]).len() <= limits::AT_ONCE_BYTES;
    let missing: Vec<usize> = (0..pieces.len()).filter(|n| pieces[*n].is_none()).collect();
    let few: Vec<usize> = missing
        .iter()
        .copied()
        .filter(is_short)
        .take(limits::AT_ONCE)
        .collect();
    let had = candidates.len() - missing.len();
    if candidates.is_empty() || (had + few.len()) * 2 < candidates.len() {
        return Ok(false);
    }
    if !few.is_empty() {
        let texts: Vec<&str> = few.iter().map(|n| text(view, &candidates[*n])).collect();
        let made = tokens.document_tokens(&texts)?;
        few.iter()
            .zip(made)
            .for_each(|(n, made)| pieces[*n] = Some(made));
    }
    let there: Vec<TokenVectors> = pieces.iter().flatten().cloned().collect();
    let mut found = rerank::likeness(&tokens.question_tokens(question)?, &there).into_iter();
    let likeness: Vec<Option<f32>> = pieces
        .iter()
        .map(|pieces| pieces.as_ref().and(found.next()))
        .collect();
    rerank::by_likeness(candidates, &likeness, numbers::LATE_SHARE);
    Ok(true)
}
