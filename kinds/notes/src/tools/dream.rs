//! `dream`: sorts, merges, links and reminds, as deep as asked.

use memory_core::{Call, Done, Rehearsal};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::NoteError;
use crate::deed::Deed;
use crate::dream::{Level, dream};
use crate::links::Unresolved;
use crate::store::Store;

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    /// 1, 2 or 3
    pub level: u64,
    #[serde(default)]
    pub dry_run: bool,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Reply {
    pub level: u64,
    pub deeds: Vec<Deed>,
    pub unresolved: Vec<Unresolved>,
    pub dry_run: bool,
}

pub fn run(store: &Store, call: &Call<'_>, params: Params) -> Result<Done<Reply>, NoteError> {
    let level = Level::new(params.level)?;
    let done = dream(
        store,
        level,
        (call.by, call.now),
        Rehearsal::dry_if(params.dry_run),
    )?;
    let dreamt = done.reply;
    let reply = Reply {
        level: params.level,
        deeds: dreamt.deeds,
        unresolved: dreamt.unresolved,
        dry_run: params.dry_run,
    };
    Ok(Done::changed(reply, done.changes))
}
