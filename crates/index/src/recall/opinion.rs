//! Which model has a vote on a question, and what it says of every memory.

use std::sync::Arc;

use memory_core::Flaw;
use memory_models::Embed;

use super::numbers::{Scale, TABLE, TRANSFORMER, WORDS_ALONE};
use crate::{Allowed, Scores, View};

/// What a model says, or that none has a say.
pub(crate) struct Opinion {
    /// The number of the model in the index.
    pub(crate) model: Option<usize>,
    pub(crate) cosines: Scores,
    pub(crate) scale: Scale,
    pub(crate) flaws: Vec<Flaw>,
}

/// Asks the first model that can read the question and has read at least half of the memories; if none
/// has, the one that has read most. A model that fails is passed over and told as a flaw.
pub(crate) fn ask(
    models: &[Arc<dyn Embed>],
    question: &str,
    view: &View,
    allowed: &Allowed,
) -> Opinion {
    let mut opinion = Opinion {
        model: None,
        cosines: Scores::default(),
        scale: WORDS_ALONE,
        flaws: Vec::new(),
    };
    for (number, model) in models
        .iter()
        .enumerate()
        .filter(|(_, model)| model.can_read(question))
    {
        let vector = match model.question(question) {
            Ok(vector) => vector,
            Err(error) => {
                opinion.flaws.push(Flaw::new(model.id(), error.to_string()));
                continue;
            }
        };
        let cosines = view.dense(number, &vector, allowed);
        if cosines.count() > opinion.cosines.count() {
            opinion.model = Some(number);
            opinion.cosines = cosines;
            opinion.scale = if model.is_instant() {
                TABLE
            } else {
                TRANSFORMER
            };
        }
        if opinion.cosines.count() * 2 >= allowed.count() {
            break;
        }
    }
    opinion
}
