//! `consolidate`: runs all tasks of the daemon once: expire, decay, upgrade, deduplicate.

use memory_core::{Call, Done, Rehearsal};

use crate::NoteError;
use crate::store::Store;
use crate::tasks::{STAGES, tend};
use crate::tools::{Upkeep, UpkeepParams};

pub fn run(
    store: &Store,
    call: &Call<'_>,
    params: UpkeepParams,
) -> Result<Done<Upkeep>, NoteError> {
    let stages = STAGES.map(|(_, stage)| stage);
    let done = tend(
        store,
        "consolidate",
        &stages,
        (call.by, call.now),
        Rehearsal::dry_if(params.dry_run),
    )?;
    if !params.dry_run {
        store.merge_accesses(call.now)?;
    }
    Ok(Done::changed(
        Upkeep {
            deeds: done.reply,
            dry_run: params.dry_run,
        },
        done.changes,
    ))
}
