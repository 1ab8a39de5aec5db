//! What a session should know from its beginning: what waits to be done, and what always holds.

use memory_core::{Address, Fenced, fence, visible};
use memory_notes::NoteView;
use memory_notes::tools::notify::Due;
use memory_notes::tools::opening;

use super::{MOST_CHARACTERS, Recall, address, note_piece};
use crate::render::time::when;

/// What holds in every session: how the user likes things, what was decided, what was learnt.
const CATEGORIES: [&str; 3] = ["preferences", "decisions", "lessons"];
/// How many notes and reminders are told at the most.
const TOLD: usize = 12;
const REMINDERS: usize = 10;

/// Returns what a new session should know, as text for a model.
pub(super) fn context(recall: &Recall) -> Option<(String, Vec<Address>)> {
    let categories = CATEGORIES.map(str::to_owned).to_vec();
    let params = opening::Params {
        agent: recall.agent.clone(),
        categories,
        limit: TOLD,
    };
    let reply: opening::Reply = recall.ask("opening", &params).ok()?;
    let pieces: Vec<Fenced> = reminders(recall, &reply.reminders)
        .into_iter()
        .chain(reply.notes.iter().map(piece))
        .collect();
    let text = fence(
        "What the user's memory has for every session.",
        &pieces,
        &recall.house.ground.environment.ids,
        MOST_CHARACTERS,
    )?;
    let reminders = reply
        .reminders
        .iter()
        .take(REMINDERS)
        .map(|due| due.id.as_str());
    let notes = reply.notes.iter().map(|note| note.id.as_str());
    Some((text, reminders.chain(notes).map(address).collect()))
}

fn reminders(recall: &Recall, waiting: &[Due]) -> Option<Fenced> {
    let zone = recall.house.config.time_zone();
    let line = |due: &Due| {
        let id: String = due.id.chars().take(8).collect();
        format!(
            "- {id}, due {}: {}\n",
            when(&due.due_at, &zone),
            visible(&due.text)
        )
    };
    let lines: String = waiting.iter().take(REMINDERS).map(line).collect();
    let origin = "reminders that are due; 'memory notify --ack ID' clears one".to_owned();
    (!lines.is_empty()).then_some(Fenced {
        origin,
        text: lines,
    })
}

fn piece(note: &NoteView) -> Fenced {
    note_piece(
        note.category,
        &note.id,
        &note.created_at,
        &note.source,
        &note.text(),
    )
}
