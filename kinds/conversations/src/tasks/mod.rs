//! Upkeep of conversations: what waits after turns is done, and the snapshot follows edits by hand.

use std::sync::Arc;

use memory_core::{Cadence, Call, Done, Error, Rehearsal, Report, Task, Timestamp};

use crate::store::Store;
use crate::{ConversationError, ConversationId, limits, tools};

pub(crate) fn all(store: &Arc<Store>) -> Vec<Task> {
    let mut tasks = vec![drain(store)];
    if store.settings.watch {
        tasks.push(watch(store));
    }
    tasks
}

/// Picks up the work that a crash has left. What has just been said is left to whoever heard it, and may
/// have a model for it.
fn drain(store: &Arc<Store>) -> Task {
    let store = store.clone();
    Task::new("drain", Cadence::EveryRound, move |now, how| {
        let (mut report, mut changes) = (Report::default(), Vec::new());
        for (conversation, waiting) in abandoned(&store, now).map_err(Error::from)? {
            if how == Rehearsal::Dry {
                report
                    .lines
                    .push(format!("{waiting} turns of '{conversation}' are pending"));
                continue;
            }
            let params = tools::drain::Params {
                conversation: Some(conversation.to_string()),
            };
            let done = tools::drain::run(&store, &Call::alone(now), params).map_err(Error::from)?;
            let tools::drain::Reply { turns, added, .. } = done.reply;
            report.lines.push(format!(
                "{turns} turns of '{conversation}' processed, {added} facts added"
            ));
            changes.extend(done.changes);
        }
        Ok(Done::changed(report, changes))
    })
}

/// Returns the conversations in which a turn has waited for long, and how many do.
fn abandoned(
    store: &Store,
    now: Timestamp,
) -> Result<Vec<(ConversationId, usize)>, ConversationError> {
    let since = limits::ABANDONED.before(now);
    let mut abandoned = Vec::new();
    for folder in store.folders()? {
        let pending = store.pending(&folder)?;
        let is_old = pending.first().is_some_and(|oldest| oldest.said_at < since);
        if is_old {
            abandoned.extend(store.conversation(&folder)?.map(|id| (id, pending.len())));
        }
    }
    Ok(abandoned)
}

/// Section 6, `start_watcher`: nobody has to ask for the snapshot to be true.
fn watch(store: &Arc<Store>) -> Task {
    let store = store.clone();
    Task::new("watch", Cadence::EveryRound, move |_, how| {
        let is_new = match how {
            Rehearsal::Dry => false,
            Rehearsal::Real => store.refresh_snapshot().map_err(Error::from)?,
        };
        let lines = is_new.then(|| "memory_index.json was out of date".to_owned());
        Ok(Done::read(Report::of(lines.into_iter().collect())))
    })
}
