//! Which models are active: one answer for everyone who asks.
//!
//! Nothing is reached over a network unless the configuration names an endpoint. What is named and
//! can't be used is told, and the model inside the program stands in for it.

use std::sync::Arc;

use memory_core::{Error, Result};

use crate::endpoint::{Endpoint, EndpointEmbedder};
use crate::store::{Installed, ModelName, ModelStore};
use crate::{Embed, KNOWN, ModelError, Rerank, StaticModel, Task, WholeTexts};

/// What the configuration says about models.
#[derive(Debug, Clone, Default)]
pub struct Wishes {
    /// `auto`, `built-in`, `none`, the name of an installed model, or `openai:NAME`.
    pub embedding: String,
    /// `auto`, `none`, `late`, or the name of an installed cross-encoder.
    pub reranker: String,
    /// Where `openai:NAME` is asked; none when it is not set.
    pub endpoint: Option<Endpoint>,
}

/// The models that are active.
pub struct Chosen {
    /// What makes vectors; none when recall goes by words alone.
    pub embedder: Option<Arc<dyn Embed>>,
    pub reranker: Reranker,
    /// Wishes that could not be met, and why.
    pub troubles: Vec<Error>,
}

/// What orders the best candidates anew.
pub enum Reranker {
    None,
    /// The embedding model's own pieces, compared late: see [`Embed::tokens`].
    Late,
    Cross(Arc<dyn Rerank>),
}

/// Chooses the models that the configuration and what is installed ask for.
pub fn choose(wishes: &Wishes, store: Option<&ModelStore>) -> Chosen {
    let mut troubles = Vec::new();
    let embedder = embedder(wishes, store).unwrap_or_else(|trouble| {
        troubles.push(trouble);
        built_in().ok().flatten()
    });
    let reranker = reranker(wishes, store, embedder.as_deref()).unwrap_or_else(|trouble| {
        troubles.push(trouble);
        Reranker::None
    });
    let embedder = match reranker {
        Reranker::Late => embedder,
        _ => embedder.map(whole_texts),
    };
    Chosen {
        embedder,
        reranker,
        troubles,
    }
}

/// Returns a model that makes no pieces of memories, since no one would compare them.
fn whole_texts(model: Arc<dyn Embed>) -> Arc<dyn Embed> {
    if model.tokens().is_some() {
        Arc::new(WholeTexts(model))
    } else {
        model
    }
}

fn built_in() -> Result<Option<Arc<dyn Embed>>> {
    Ok(Some(Arc::new(StaticModel::built_in()?)))
}

fn embedder(wishes: &Wishes, store: Option<&ModelStore>) -> Result<Option<Arc<dyn Embed>>> {
    match wishes.embedding.as_str() {
        "none" => Ok(None),
        "built-in" => built_in(),
        "" | "auto" => match store
            .map(|store| best(store, Task::Embed))
            .transpose()?
            .flatten()
        {
            Some(name) => open(store, &name),
            None => built_in(),
        },
        other => match other.strip_prefix("openai:") {
            Some(model) => {
                let unset = || ModelError::NotSet {
                    setting: "embedding.base_url",
                };
                let endpoint = wishes.endpoint.clone().ok_or_else(unset)?;
                Ok(Some(Arc::new(EndpointEmbedder::new(endpoint, model))))
            }
            None => open(store, &ModelName::parse(other)?),
        },
    }
}

fn open(store: Option<&ModelStore>, name: &ModelName) -> Result<Option<Arc<dyn Embed>>> {
    let missing = || ModelError::NotInstalled {
        name: name.as_str().to_owned(),
    };
    Ok(Some(Arc::new(store.ok_or_else(missing)?.embedder(name)?)))
}

fn reranker(
    wishes: &Wishes,
    store: Option<&ModelStore>,
    embedder: Option<&dyn Embed>,
) -> Result<Reranker> {
    let has_pieces = embedder.is_some_and(|embedder| embedder.tokens().is_some());
    match wishes.reranker.as_str() {
        "none" => Ok(Reranker::None),
        "" | "auto" if has_pieces => Ok(Reranker::Late),
        "" | "auto" => match store
            .map(|store| best(store, Task::Rerank))
            .transpose()?
            .flatten()
        {
            Some(name) => cross(store, &name),
            None => Ok(Reranker::None),
        },
        "late" if has_pieces => Ok(Reranker::Late),
        "late" => Err(ModelError::Unsupported {
            why: "it does not support late interaction".to_owned(),
        }
        .into()),
        other => cross(store, &ModelName::parse(other)?),
    }
}

fn cross(store: Option<&ModelStore>, name: &ModelName) -> Result<Reranker> {
    let missing = || ModelError::NotInstalled {
        name: name.as_str().to_owned(),
    };
    Ok(Reranker::Cross(Arc::new(
        store.ok_or_else(missing)?.reranker(name)?,
    )))
}

/// Returns the installed model that is used when none is named: the first of those that we know,
/// then any other. One that reads Chinese alone must be named.
fn best(store: &ModelStore, task: Task) -> Result<Option<ModelName>> {
    let mut installed = store.installed()?;
    installed.retain(|model| model.task == Some(task) && model.script != "chinese");
    let rank = |model: &Installed| {
        KNOWN
            .iter()
            .position(|known| known.name == model.name)
            .unwrap_or(KNOWN.len())
    };
    let first = installed.into_iter().min_by_key(rank);
    Ok(first
        .map(|model| ModelName::parse(&model.name))
        .transpose()?)
}
