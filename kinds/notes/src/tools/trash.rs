//! `trash`: what was removed and can be restored; and emptying it for good.

use memory_core::{Call, Done, Flaw, instant};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::NoteError;
use crate::store::Store;
use crate::undo::{kept_by, steps};

#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    /// Remove all of it for good.
    #[serde(default)]
    pub empty: bool,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Reply {
    pub removed: Vec<Removed>,
    /// How many steps can no longer be taken back.
    #[serde(default)]
    pub emptied: usize,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flaws: Vec<Flaw>,
}

/// A note that is gone, and how.
#[derive(Debug, Serialize, Deserialize)]
pub struct Removed {
    pub id: String,
    pub title: String,
    pub at: String,
    /// The step that took it away.
    pub by: String,
}

pub fn run(store: &Store, _: &Call<'_>, params: Params) -> Result<Done<Reply>, NoteError> {
    let survey = steps(store);
    let mut reply = Reply {
        removed: vec![],
        emptied: 0,
        flaws: survey.flaws,
    };
    for step in &survey.good {
        if params.empty {
            store.trash().drop_step(step)?;
            reply.emptied += 1;
            continue;
        }
        for kept in kept_by(store, step)?
            .into_iter()
            .filter(|kept| kept.is_removal())
        {
            let (at, by) = (instant(step.at), step.what.clone());
            reply.removed.push(Removed {
                id: kept.id.to_string(),
                title: kept.title,
                at,
                by,
            });
        }
    }
    if !params.empty {
        let there = store.look()?;
        reply
            .removed
            .retain(|removed| there.find(&removed.id).is_err());
    }
    Ok(Done::read(reply))
}
