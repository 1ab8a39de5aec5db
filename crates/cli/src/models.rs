//! What the configuration says about models, in the words of `memory-models`.

use std::time::Duration;

use memory_core::{Code, Error, Result};
use memory_files::Spot;
use memory_models::{Chosen, Endpoint, ModelStore, Wishes, choose};

use crate::config::Config;
use crate::house::Ground;
use crate::places;

/// How long an endpoint may take for vectors.
const PATIENCE: Duration = Duration::from_secs(30);

/// Returns where models are installed; none when there is no root.
pub(crate) fn store(ground: &Ground, config: &Config) -> Option<ModelStore> {
    let root = places::notes_root(&ground.environment, &ground.flags, config)?;
    Some(ModelStore::new(ground.files.clone(), &Spot::anchor(root)))
}

/// Returns where models are installed, or says why there is no such place.
pub(crate) fn required_store(ground: &Ground, config: &Config) -> Result<ModelStore> {
    store(ground, config).ok_or_else(|| {
        Error::new(
            Code::InvalidArgument,
            "The directory of the models is not known",
        )
        .hint("Set HOME or MEMORY_ROOT, or name the folder with --root DIR")
    })
}

/// Returns what the configuration wishes for.
pub(crate) fn wishes(ground: &Ground, config: &Config) -> Wishes {
    let embedding = &config.embedding;
    let key = ground.environment.key(&embedding.api_key_env);
    let endpoint = embedding
        .base_url
        .as_ref()
        .map(|url| Endpoint::new(url, key, PATIENCE));
    Wishes {
        embedding: embedding.model.clone(),
        reranker: config.retrieval.reranker.clone(),
        endpoint,
    }
}

/// Returns the models that are active here.
pub(crate) fn chosen(ground: &Ground, config: &Config) -> Chosen {
    choose(&wishes(ground, config), store(ground, config).as_ref())
}
