//! Upkeep of conversations: what waits after turns is done, and the snapshot follows edits by hand.

use std::sync::Arc;

use memory_core::{Cadence, Call, Done, Error, Rehearsal, Report, Task};

use crate::store::Store;
use crate::tools;

pub(crate) fn all(store: &Arc<Store>) -> Vec<Task> {
    let mut tasks = vec![drain(store)];
    if store.settings.watch {
        tasks.push(watch(store));
    }
    tasks
}

/// Picks up the work that a crash has left, or that nobody has done yet.
fn drain(store: &Arc<Store>) -> Task {
    let store = store.clone();
    Task::new("drain", Cadence::EveryRound, move |now, how| {
        let mut waiting = 0;
        for folder in store.folders().map_err(Error::from)? {
            waiting += store.pending(&folder).map_err(Error::from)?.len();
        }
        if waiting == 0 {
            return Ok(Done::read(Report::default()));
        }
        if how == Rehearsal::Dry {
            return Ok(Done::read(Report::of(vec![format!("{waiting} turns wait")])));
        }
        let params = tools::drain::Params::default();
        let done = tools::drain::run(&store, &Call::alone(now), params).map_err(Error::from)?;
        let line = format!("{} turns seen to, {} facts added", done.reply.turns, done.reply.added);
        Ok(Done::changed(Report::of(vec![line]), done.changes))
    })
}

/// Section 6, `start_watcher`: nobody has to ask for the snapshot to be true.
fn watch(store: &Arc<Store>) -> Task {
    let store = store.clone();
    Task::new("watch", Cadence::EveryRound, move |_, how| {
        let is_new = match how {
            Rehearsal::Dry => false,
            Rehearsal::Real => store.refresh_snapshot().map_err(Error::from)?,
        };
        let lines = is_new.then(|| "memory_index.json was not true any more".to_owned());
        Ok(Done::read(Report::of(lines.into_iter().collect())))
    })
}
