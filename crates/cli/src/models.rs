//! What the configuration says about models, in the words of `memory-models`.

use memory_files::Spot;
use memory_models::{ModelStore, Wishes};

use crate::config::Config;
use crate::house::Ground;
use crate::places;

/// Returns where models are installed; none when there is no root.
pub(crate) fn store(ground: &Ground, config: &Config) -> Option<ModelStore> {
    let root = places::notes_root(&ground.environment, &ground.flags, config)?;
    Some(ModelStore::new(ground.files.clone(), &Spot::anchor(root)))
}

/// Returns what is wished for.
pub(crate) fn wishes(_: &Ground, _: &Config) -> Wishes {
    Wishes::default()
}
