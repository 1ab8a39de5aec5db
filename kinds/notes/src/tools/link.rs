//! `link` and `unlink`: a link between two notes stands on both sides.

use memory_core::{Call, Done, Rehearsal};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::NoteError;
use crate::change::Recall;
use crate::links::{link, unlink};
use crate::store::Store;

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    pub source: String,
    pub target: String,
    /// Take the link away.
    #[serde(default)]
    pub remove: bool,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Reply {
    pub source: String,
    pub target: String,
    /// False when it was so already.
    pub changed: bool,
}

pub fn run(store: &Store, call: &Call<'_>, params: Params) -> Result<Done<Reply>, NoteError> {
    let shelf = store.look()?;
    shelf.find(&params.source)?;
    shelf.find(&params.target)?;
    let mut work = store.work(call.now, Rehearsal::Real)?;
    let (source, target) = (work.find(&params.source)?, work.find(&params.target)?);
    if source == target {
        return Err(NoteError::bad("A note cannot be linked to itself"));
    }
    let changed = if params.remove {
        unlink(&mut work, &source, &target)?
    } else {
        link(&mut work, &source, &target)?
    };
    let now = work.now;
    if changed {
        work.edit(&source, |note| note.touch(now))?;
        work.edit(&target, |note| note.touch(now))?;
    }
    let what = format!("unlink notes {} and {}", source.short(), target.short());
    let changes = work.commit(if params.remove {
        Recall::Step(&what, call.by)
    } else {
        Recall::Nothing
    })?;
    Ok(Done::changed(
        Reply {
            source: source.to_string(),
            target: target.to_string(),
            changed,
        },
        changes,
    ))
}
