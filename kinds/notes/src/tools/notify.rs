//! `notify`: marks due reminders as told, once, so that the caller pushes each of them once.
//!
//! A reminder is marked before it is pushed: whatever breaks in between, it stands in `pending.md`
//! until it is acknowledged, and nobody is told twice.

use memory_core::{Call, Done, Rehearsal, instant};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::card::Card;
use crate::change::{Recall, Work};
use crate::store::Store;
use crate::{NoteError, NoteId};

#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    /// A reminder to acknowledge.
    #[serde(default)]
    pub ack: Option<String>,
    /// Acknowledge all that are pending.
    #[serde(default)]
    pub ack_all: bool,
    #[serde(default)]
    pub dry_run: bool,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Reply {
    /// Reminders that fall due with this call.
    pub fired: Vec<Due>,
    /// Reminders that were acknowledged by this call.
    pub acknowledged: Vec<Due>,
    /// Reminders that wait to be acknowledged, those just fired included.
    pub pending: Vec<Due>,
    pub dry_run: bool,
}

/// A reminder and its time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Due {
    pub id: String,
    pub text: String,
    pub due_at: String,
}

impl Due {
    pub(super) fn of(card: &Card) -> Option<Self> {
        let due_at = instant(card.reminder()?.due_at);
        Some(Due {
            id: card.id.to_string(),
            text: card.title.to_string(),
            due_at,
        })
    }
}

pub fn run(store: &Store, call: &Call<'_>, params: Params) -> Result<Done<Reply>, NoteError> {
    let shelf = if params.dry_run {
        store.peek()?
    } else {
        store.look()?
    };
    let is_empty = shelf.cards().all(|card| card.reminder().is_none());
    let how = Rehearsal::dry_if(params.dry_run || is_empty);
    let mut work = store.work(call.now, how)?;
    let acknowledging = params.ack.is_some() || params.ack_all;
    let (mut fired, mut acknowledged) = (vec![], vec![]);
    if acknowledging {
        acknowledged = acknowledge(&mut work, params.ack.as_deref())?;
    } else {
        fired = fire(&mut work)?;
    }
    let pending = dues(&work, |card| {
        card.reminder()
            .is_some_and(|reminder| reminder.is_pending())
    });
    let changes = work.commit(Recall::Nothing)?;
    let changes = if how.is_dry() { vec![] } else { changes };
    Ok(Done::changed(
        Reply {
            fired,
            acknowledged,
            pending,
            dry_run: params.dry_run,
        },
        changes,
    ))
}

fn fire(work: &mut Work<'_>) -> Result<Vec<Due>, NoteError> {
    let now = work.now;
    let is_due = |card: &Card| {
        card.reminder()
            .is_some_and(|reminder| reminder.due_at <= now && reminder.notified_at.is_none())
    };
    let fired = dues(work, is_due);
    for id in ids(work, is_due) {
        work.edit(&id, |note| {
            note.reminder
                .iter_mut()
                .for_each(|reminder| reminder.notified_at = Some(now));
        })?;
    }
    Ok(fired)
}

fn acknowledge(work: &mut Work<'_>, one: Option<&str>) -> Result<Vec<Due>, NoteError> {
    let now = work.now;
    let wanted = one.map(|text| work.find(text)).transpose()?;
    let is_meant = |card: &Card| match &wanted {
        Some(id) => card.id == *id && card.reminder().is_some(),
        None => card
            .reminder()
            .is_some_and(|reminder| reminder.is_pending()),
    };
    if let (Some(id), true) = (&wanted, ids(work, is_meant).is_empty()) {
        return Err(NoteError::bad(format!(
            "Note {} is not a reminder",
            id.short()
        )));
    }
    let told = dues(work, is_meant);
    for id in ids(work, is_meant) {
        work.edit(&id, |note| {
            for reminder in note.reminder.iter_mut() {
                reminder.notified_at.get_or_insert(now);
                reminder.acknowledged_at.get_or_insert(now);
            }
        })?;
    }
    Ok(told)
}

fn dues(work: &Work<'_>, wanted: impl Fn(&Card) -> bool) -> Vec<Due> {
    let mut cards: Vec<&Card> = work
        .cards()
        .into_iter()
        .filter(|card| wanted(card))
        .collect();
    cards.sort_by_key(|card| card.reminder().map(|reminder| reminder.due_at));
    cards.into_iter().filter_map(Due::of).collect()
}

fn ids(work: &Work<'_>, wanted: impl Fn(&Card) -> bool) -> Vec<NoteId> {
    work.cards()
        .into_iter()
        .filter(|card| wanted(card))
        .map(|card| card.id.clone())
        .collect()
}
