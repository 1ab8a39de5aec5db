//! `archive`: moves what has rested long enough to the archive. The same work as by hand.

use std::sync::Arc;

use memory_core::{Actor, Cadence, Call, Done, Error, Report, Task};

use crate::limits;
use crate::store::Store;
use crate::tools::archive;

pub(crate) fn task(store: Arc<Store>) -> Task {
    Task::new(
        "archive",
        Cadence::Every(limits::ARCHIVE_EVERY),
        move |now, how| {
            let params = archive::Params {
                dry_run: how.is_dry(),
            };
            let call = Call {
                by: Actor::Daemon,
                ..Call::alone(now)
            };
            let done = archive::run(&store, &call, params).map_err(Error::from)?;
            let line =
                |gone: &archive::Moved| format!("{}: {} ({})", gone.id, gone.title, gone.reason);
            Ok(Done::changed(
                Report::of(done.reply.archived.iter().map(line).collect()),
                done.changes,
            ))
        },
    )
}
