//! `prompt`: the section of a prompt, with the memory of a run and of nothing else.

use memory_core::{Call, Done};

use super::end_run::Params;
use super::named;
use crate::store::Store;
use crate::{CompartmentError, PromptSection};

pub fn run(
    store: &Store,
    _: &Call<'_>,
    params: Params,
) -> Result<Done<PromptSection>, CompartmentError> {
    Ok(Done::read(store.prompt(named(params.run.as_deref())?)?))
}
