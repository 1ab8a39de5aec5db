//! Upkeep of specification 001's daemon: one file a task. The commands run the very same ones.
//!
//! The four of the specification and the reminders come with every round, dreams with idle time.

pub(crate) mod consolidate;
pub(crate) mod decay;
pub(crate) mod expire;
mod rest;
pub(crate) mod upgrade;

use std::sync::Arc;

use memory_core::{Actor, Cadence, Call, Done, Error, Notice, Rehearsal, Report, Task, Timestamp};

use crate::change::{Recall, Work};
use crate::deed::{Deed, summary};
use crate::dream::{Level, dream};
use crate::store::Store;
use crate::tools::notify;
use crate::{NoteError, limits};

use rest::Rest;

/// A piece of upkeep: looks at the notes and edits those that its rule is about.
pub(crate) type Stage = fn(&mut Work<'_>) -> Result<Vec<Deed>, NoteError>;

/// The four of specification 001, in its order.
pub(crate) const STAGES: [(&str, Stage); 4] = [
    ("expire", expire::run),
    ("decay", decay::run),
    ("upgrade", upgrade::run),
    ("consolidate", consolidate::run),
];

/// The dreams, and how long nobody must have asked for anything.
const DREAMS: [(&str, Level, Cadence); 3] = [
    (
        "dream 1",
        Level::Light,
        Cadence::WhenIdle(limits::IDLE_LIGHT),
    ),
    (
        "dream 2",
        Level::Medium,
        Cadence::WhenIdle(limits::IDLE_MEDIUM),
    ),
    ("dream 3", Level::Deep, Cadence::WhenIdle(limits::IDLE_DEEP)),
];

type Body =
    Box<dyn Fn(&Store, Timestamp, Rehearsal) -> Result<Done<Report>, NoteError> + Send + Sync>;

pub(crate) fn all(store: &Arc<Store>) -> Vec<Task> {
    let rest = Arc::new(Rest::default());
    let stage = |(name, stage): (&'static str, Stage)| {
        let body: Body = Box::new(move |store, now, how| {
            let done = tend(store, name, &[stage], (Actor::Daemon, now), how)?;
            Ok(Done::changed(told(&done.reply), done.changes))
        });
        rested(name, store, &rest, body)
    };
    let dream = |(name, level, cadence)| {
        let store = store.clone();
        Task::new(name, cadence, move |now, how| {
            let done = dream(&store, level, (Actor::Daemon, now), how).map_err(Error::from)?;
            Ok(Done::changed(told(&done.reply.deeds), done.changes))
        })
    };
    let notify = rested("notify", store, &rest, Box::new(remind));
    let counts = {
        let store = store.clone();
        Task::new(
            "access counts",
            Cadence::Every(limits::COUNT_MERGE),
            move |now, how| {
                if !how.is_dry() {
                    store.merge_accesses(now)?;
                }
                Ok(Done::read(Report::default()))
            },
        )
    };
    let dreams = DREAMS.into_iter().map(dream);
    STAGES
        .into_iter()
        .map(stage)
        .chain([notify, counts])
        .chain(dreams)
        .collect()
}

/// Declares a task of every round that does not look at notes which it knows to be in order.
fn rested(name: &'static str, store: &Arc<Store>, rest: &Arc<Rest>, body: Body) -> Task {
    let (store, rest) = (store.clone(), rest.clone());
    Task::new(name, Cadence::EveryRound, move |now, how| {
        let pulse = store.pulse();
        if rest.holds_for(name, pulse, now) {
            return Ok(Done::read(Report::default()));
        }
        let done = body(&store, now, how)?;
        if done.reply.lines.is_empty() {
            rest.begin(name, &store, pulse, now)?;
        }
        Ok(done)
    })
}

/// Lets due reminders fire, each once.
fn remind(store: &Store, now: Timestamp, how: Rehearsal) -> Result<Done<Report>, NoteError> {
    let params = notify::Params {
        dry_run: how.is_dry(),
        ..notify::Params::default()
    };
    let done = notify::run(store, &Call::alone(now), params)?;
    let fired = &done.reply.fired;
    let lines = fired
        .iter()
        .map(|due| format!("'{}' was due {}", due.text, due.due_at))
        .collect();
    let notice = |due: &notify::Due| Notice {
        title: "Reminder".to_owned(),
        text: due.text.clone(),
    };
    let report = Report {
        lines,
        notices: fired.iter().map(notice).collect(),
    };
    Ok(Done::changed(report, done.changes))
}

fn told(deeds: &[Deed]) -> Report {
    Report::of(deeds.iter().map(line).collect())
}

/// Runs stages one after the other, as one change that can be taken back.
pub(crate) fn tend(
    store: &Store,
    name: &str,
    stages: &[Stage],
    (by, now): (Actor, Timestamp),
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
    let changes = work.commit(Recall::Step(&what, by))?;
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
    format!(
        "{} {} '{title}': {}",
        deed.action.done(),
        deed.id.short(),
        deed.why
    )
}
