//! `backups`: the copies that were made before changes, the newest first.

use memory_core::{Call, Done};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::JournalError;
use crate::store::{BACKUPS, Store};

#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {}

#[derive(Debug, Serialize, Deserialize)]
pub struct Reply {
    pub backups: Vec<Backup>,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Backup {
    pub name: String,
    /// The file that it is a copy of.
    pub file: String,
    pub size: u64,
}

pub fn run(store: &Store, _: &Call<'_>, _: Params) -> Result<Done<Reply>, JournalError> {
    let found = store.files.scan(&store.root.join(BACKUPS))?;
    let backup = |sighting: &memory_files::Sighting| {
        let name = sighting.name.to_str()?.to_owned();
        let (file, _) = name.split_once(".backup.")?;
        Some(Backup {
            file: file.to_owned(),
            size: sighting.stamp.size,
            name,
        })
    };
    let mut backups: Vec<Backup> = found.iter().filter_map(backup).collect();
    let time = |backup: &Backup| backup.name[backup.file.len()..].to_owned();
    backups.sort_by_key(|backup| std::cmp::Reverse(time(backup)));
    Ok(Done::read(Reply { backups }))
}
