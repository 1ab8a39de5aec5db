//! What a prompt brings to mind: the notes that have a good part of its words, or nothing.

use memory_core::{Address, Fenced, fence};
use memory_notes::tools::smart_search;

use super::words::Asked;
use super::{MOST_CHARACTERS, Recall, address, note_piece};

/// How many notes are asked for, and how many are told at the most.
const CANDIDATES: usize = 20;
const TOLD: usize = 5;
/// How much of a prompt is looked at, in characters: a pasted log is not a question.
pub(super) const PROMPT_CHARACTERS: usize = 2_000;

/// Returns the notes that matter to a prompt, as text for a model.
pub(super) fn context(recall: &Recall, prompt: &str) -> Option<(String, Vec<Address>)> {
    let prompt: String = prompt.trim().chars().take(PROMPT_CHARACTERS).collect();
    let asked = Asked::of(&prompt)?;
    if is_command(&prompt) {
        return None;
    }
    let agent = Some(recall.agent.clone());
    let params = smart_search::Params {
        query: asked.query(),
        limit: Some(CANDIDATES),
        agent,
        unasked: true,
        ..Default::default()
    };
    recall.hurry();
    let reply: smart_search::Reply = recall.ask("memory_smart_search", &params).ok()?;
    let relevant = reply
        .hits
        .into_iter()
        .filter(|hit| asked.is_answered_by(&hit.text, &hit.tags));
    let relevant: Vec<smart_search::Hit> = relevant.take(TOLD).collect();
    let pieces: Vec<Fenced> = relevant.iter().map(piece).collect();
    let text = fence(
        "Notes of the user that may matter to this prompt.",
        &pieces,
        &recall.house.ground.environment.ids,
        MOST_CHARACTERS,
    )?;
    Some((text, relevant.iter().map(|hit| address(&hit.id)).collect()))
}

/// Says whether a prompt is a command for the client, such as `/review` or `/plugin:review 12`. A path
/// is none.
fn is_command(prompt: &str) -> bool {
    let name = prompt
        .strip_prefix('/')
        .and_then(|rest| rest.split_whitespace().next());
    name.is_some_and(|name| {
        name.chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | ':'))
    })
}

fn piece(hit: &smart_search::Hit) -> Fenced {
    note_piece(
        hit.category,
        &hit.id,
        &hit.created_at,
        &hit.source,
        &hit.text,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_told_from_a_path() {
        for command in ["/clear", "/review 12", "/plugin:do-it now", "/model\nopus"] {
            assert!(is_command(command), "{command}");
        }
        for prompt in [
            "/src/deploy.sh: when do we deploy?",
            "/deploy.sh fails",
            "a /clear",
            "/",
        ] {
            assert!(!is_command(prompt), "{prompt}");
        }
    }
}
