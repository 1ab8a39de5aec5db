//! `end_run`: clears what belongs to one run. It can be undone.

use memory_core::{Call, Done};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::clear::Reply;
use super::named;
use crate::store::Store;
use crate::{Compartment, CompartmentError};

#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
}

pub fn run(
    store: &Store,
    call: &Call<'_>,
    params: Params,
) -> Result<Done<Reply>, CompartmentError> {
    let run = named(params.run.as_deref())?;
    let whence = store.part(Compartment::Run, run.clone()).to_string();
    // Search has never been shown what belongs to a run: no document is gone.
    Ok(Done::read(Reply::of(
        store.end_run(run, call.by, call.now)?,
        &whence,
    )))
}
