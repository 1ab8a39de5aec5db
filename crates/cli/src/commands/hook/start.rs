//! What a session should know from its beginning: what waits to be done, and what always holds.

use std::collections::HashSet;

use memory_core::{Fenced, Timestamp, fence, parse_instant, printable};
use memory_notes::tools::{list, notify};
use memory_notes::{FilterParams, NoteView};

use super::{MOST_CHARACTERS, Recall};
use crate::render::time::when;

/// What holds in every session: how the user likes things, what was decided, what was learnt.
const CATEGORIES: [&str; 3] = ["preferences", "decisions", "lessons"];
/// How many of the newest notes of a category are weighed, and how many are told at the most.
const WEIGHED: usize = 200;
const TOLD: usize = 12;
const REMINDERS: usize = 10;
/// After so many days a note is hardly new any more.
const NEW_DAYS: f64 = 30.0;

/// Returns what a new session should know, as text for a model.
pub(super) fn context(recall: &Recall) -> Option<String> {
    let now = recall.house.ground.environment.clock.now();
    let mut pieces: Vec<Fenced> = reminders(recall).into_iter().collect();
    let mut notes = notes(recall);
    notes.sort_by(|a, b| weight(b, now).total_cmp(&weight(a, now)).then_with(|| a.id.cmp(&b.id)));
    pieces.extend(notes.iter().take(TOLD).map(piece));
    fence(
        "What the user's memory has for every session.",
        &pieces,
        &recall.house.ground.environment.ids,
        MOST_CHARACTERS,
    )
}

/// Returns the reminders that wait: told before, or due by now.
fn reminders(recall: &Recall) -> Option<Fenced> {
    let params = notify::Params { dry_run: true, ..Default::default() };
    let reply: notify::Reply = recall.ask("notify", &params).ok()?;
    let zone = recall.house.config.time_zone();
    let hidden = if reply.pending.is_empty() { HashSet::new() } else { recall.hidden()? };
    let line = |due: &notify::Due| {
        let id: String = due.id.chars().take(8).collect();
        format!("- {id}, due {}: {}\n", when(&due.due_at, &zone), printable(&due.text))
    };
    let pending = reply.pending.iter().filter(|due| !hidden.contains(&due.id));
    let lines: String = pending.take(REMINDERS).map(line).collect();
    let origin = "reminders that are due; 'memory notify --ack ID' clears one".to_owned();
    (!lines.is_empty()).then_some(Fenced { origin, text: lines })
}

/// Asks once for each category, since each question looks at all notes: scopes are sorted out here.
fn notes(recall: &Recall) -> Vec<NoteView> {
    let scopes = recall.scopes();
    let mut notes = Vec::new();
    for category in CATEGORIES {
        let filter = FilterParams { category: Some(category.to_owned()), ..FilterParams::default() };
        let params = list::Params { filter, limit: Some(WEIGHED), brief: false };
        let Ok(reply) = recall.ask::<list::Reply>("memory_list", &params) else { continue };
        notes.extend(reply.memories.into_iter().filter_map(|listed| match listed {
            list::Listed::Whole(note) if scopes.contains(&note.scope) => Some(*note),
            _ => None,
        }));
    }
    notes
}

/// The newest and the most read first.
fn weight(note: &NoteView, now: Timestamp) -> f64 {
    let written = parse_instant(&note.updated_at).map_or(0, |at| at.as_second());
    let days = (now.as_second() - written).max(0) as f64 / 86_400.0;
    let reads = note.access_count as f64;
    (-days / NEW_DAYS).exp() + reads / (reads + 3.0)
}

fn piece(note: &NoteView) -> Fenced {
    let day = note.created_at.split('T').next().unwrap_or_default();
    let id: String = note.id.chars().take(8).collect();
    let origin = format!("{}, {day}, from {}, note {id}", note.category, printable(&note.source));
    Fenced { origin, text: note.content.clone() }
}
