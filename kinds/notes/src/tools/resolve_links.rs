//! `resolve-links`: makes links of the `[[names]]` in all contents.

use memory_core::{Call, Done, Rehearsal};
use serde::{Deserialize, Serialize};

use crate::NoteError;
use crate::change::Recall;
use crate::deed::{Deed, summary};
use crate::links::{Unresolved, resolve};
use crate::store::Store;
use crate::tools::UpkeepParams;

#[derive(Debug, Serialize, Deserialize)]
pub struct Reply {
    pub deeds: Vec<Deed>,
    /// Names that mean no note; they stay as they are written.
    pub unresolved: Vec<Unresolved>,
    pub dry_run: bool,
}

pub fn run(store: &Store, call: &Call<'_>, params: UpkeepParams) -> Result<Done<Reply>, NoteError> {
    let shelf = if params.dry_run {
        store.peek()?
    } else {
        store.look()?
    };
    let how = Rehearsal::dry_if(params.dry_run || shelf.cards().next().is_none());
    let mut work = store.work(call.now, how)?;
    let (deeds, unresolved) = resolve(&mut work)?;
    let what = format!("resolve links: {}", summary(&deeds));
    let changes = work.commit(Recall::Step(&what, call.by))?;
    let changes = if how.is_dry() { vec![] } else { changes };
    Ok(Done::changed(
        Reply {
            deeds,
            unresolved,
            dry_run: params.dry_run,
        },
        changes,
    ))
}
