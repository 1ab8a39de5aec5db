//! `decay`: removes sorted notes that are old and that nobody has read.

use memory_core::{Call, Done, Rehearsal};

use crate::NoteError;
use crate::store::Store;
use crate::tasks::{decay, tend};
use crate::tools::{Upkeep, UpkeepParams};

pub fn run(
    store: &Store,
    call: &Call<'_>,
    params: UpkeepParams,
) -> Result<Done<Upkeep>, NoteError> {
    let done = tend(
        store,
        "decay",
        &[decay::run],
        (call.by, call.now),
        Rehearsal::dry_if(params.dry_run),
    )?;
    Ok(Done::changed(
        Upkeep {
            deeds: done.reply,
            dry_run: params.dry_run,
        },
        done.changes,
    ))
}
