//! `opening`: what an agent should know when a session begins, by one look at all notes.

use memory_core::{Call, Done, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::accesses::Accesses;
use crate::card::Card;
use crate::catalog::Filed;
use crate::filter::{Filter, FilterParams};
use crate::store::Store;
use crate::tools::list::{Listed, whole};
use crate::tools::notify::Due;
use crate::view::NoteView;
use crate::{Category, NoteError};

#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    /// The agent whose session it is.
    pub agent: String,
    /// Categories that hold in every session.
    pub categories: Vec<String>,
    /// Maximum number of notes.
    pub limit: usize,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Reply {
    /// Reminders that were told or are due, and that nobody has acknowledged.
    pub reminders: Vec<Due>,
    /// The newest and the most read first.
    pub notes: Vec<NoteView>,
}

/// After so many days a note is hardly new any more.
const NEW_DAYS: f64 = 30.0;

pub fn run(store: &Store, call: &Call<'_>, params: Params) -> Result<Done<Reply>, NoteError> {
    let filter = FilterParams {
        agent: Some(params.agent),
        ..FilterParams::default()
    };
    let filter = Filter::new(&filter, &store.settings.zone, call.now)?;
    let categories: Vec<Category> = params
        .categories
        .iter()
        .map(|word| word.parse())
        .collect::<Result<_, _>>()?;
    let shelf = store.look()?;
    let seen = |entry: &Filed| entry.found.as_ref().is_ok_and(|card| filter.admits(card));
    let entries: Vec<(&Filed, &Card)> = shelf
        .entries
        .iter()
        .filter(|entry| seen(entry))
        .filter_map(|entry| Some((entry, entry.found.as_ref().ok()?)))
        .collect();
    let accesses = store.accesses().unwrap_or_default();
    let mut waiting: Vec<&Card> = entries
        .iter()
        .map(|(_, card)| *card)
        .filter(|card| waits(card, call.now))
        .collect();
    waiting.sort_by_key(|card| card.reminder().map(|reminder| reminder.due_at));
    let mut weighed: Vec<&(&Filed, &Card)> = entries
        .iter()
        .filter(|(_, card)| categories.contains(&card.category()))
        .collect();
    weighed.sort_by(|(_, a), (_, b)| {
        weight(b, &accesses, call.now)
            .total_cmp(&weight(a, &accesses, call.now))
            .then_with(|| a.id.cmp(&b.id))
    });
    let shown = weighed.iter().take(params.limit);
    let told = shown.filter_map(|(entry, _)| whole(store, entry, &accesses, &mut vec![], None));
    let notes = told.filter_map(|listed| match listed {
        Listed::Whole(note) => Some(*note),
        Listed::Line(_) => None,
    });
    Ok(Done::read(Reply {
        notes: notes.collect(),
        reminders: waiting.into_iter().filter_map(Due::of).collect(),
    }))
}

fn waits(card: &Card, now: Timestamp) -> bool {
    card.reminder()
        .is_some_and(|reminder| reminder.acknowledged_at.is_none() && reminder.due_at <= now)
}

fn weight(card: &Card, accesses: &Accesses, now: Timestamp) -> f64 {
    let days = (now.as_second() - card.updated_at.as_second()).max(0) as f64 / 86_400.0;
    let reads = card.access_count.saturating_add(accesses.of(&card.id)) as f64;
    (-days / NEW_DAYS).exp() + reads / (reads + 3.0)
}
