//! Upkeep of specification 001's daemon: one file a task. The commands run the very same ones.

pub(crate) mod consolidate;
pub(crate) mod decay;
pub(crate) mod expire;
pub(crate) mod upgrade;

use std::sync::Arc;

use memory_core::{Cadence, Done, Error, Rehearsal, Report, Task, Timestamp};

use crate::change::{Recall, Work};
use crate::deed::{Deed, summary};
use crate::store::Store;
use crate::{NoteError, limits};

/// A piece of upkeep: looks at the notes and edits those that its rule is about.
pub(crate) type Stage = fn(&mut Work<'_>) -> Result<Vec<Deed>, NoteError>;

/// The four of specification 001, in its order.
pub(crate) const STAGES: [(&str, Stage); 4] = [
    ("expire", expire::run),
    ("decay", decay::run),
    ("upgrade", upgrade::run),
    ("consolidate", consolidate::run),
];

pub(crate) fn all(store: &Arc<Store>) -> Vec<Task> {
    let task = |(name, stage): (&'static str, Stage)| {
        let store = store.clone();
        Task::new(name, Cadence::EveryRound, move |now, how| {
            let done = tend(&store, name, &[stage], now, how).map_err(Error::from)?;
            let lines = done.reply.iter().map(line).collect();
            Ok(Done::changed(Report::of(lines), done.changes))
        })
    };
    STAGES.map(task).into()
}

/// Runs stages one after the other, as one change that can be taken back.
pub(crate) fn tend(
    store: &Store,
    name: &str,
    stages: &[Stage],
    now: Timestamp,
    how: Rehearsal,
) -> Result<Done<Vec<Deed>>, NoteError> {
    // Looked at first: what has nothing to do waits for no one and makes no folder.
    if !how.is_dry() && rehearse(store, stages, now)?.is_empty() {
        store.look()?;
        return Ok(Done::read(vec![]));
    }
    let mut work = store.work(now, how)?;
    let mut deeds = Vec::new();
    for stage in stages {
        deeds.extend(stage(&mut work)?);
    }
    let what = format!("{name}: {}", summary(&deeds));
    let changes = work.commit(Recall::Step(&what))?;
    let changes = if how.is_dry() { vec![] } else { changes };
    Ok(Done::changed(deeds, changes))
}

fn rehearse(store: &Store, stages: &[Stage], now: Timestamp) -> Result<Vec<Deed>, NoteError> {
    let mut work = store.work(now, Rehearsal::Dry)?;
    let mut deeds = Vec::new();
    for stage in stages {
        deeds.extend(stage(&mut work)?);
    }
    Ok(deeds)
}

fn line(deed: &Deed) -> String {
    let title: String = deed.title.chars().take(limits::TITLE_CHARS).collect();
    format!("{} {} '{title}': {}", deed.action.done(), deed.id.short(), deed.why)
}
