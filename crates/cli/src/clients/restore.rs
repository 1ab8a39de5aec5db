//! What a client's file was before we came: the bytes of a backup, or no file at all.
//!
//! Taking an entry out can't tell a list that was empty before from one that we made. A backup can:
//! if connecting it gives the very bytes that are there now, nothing else has changed since.

use memory_files::Spot;

use super::change::{BACKUP, Draft, Intent};
use super::server::Entry;
use super::standing::read;
use super::{hooks, server};

/// Makes the draft of a file from which we are taken what the file was before, as far as that is known.
pub(super) fn bring_back(intent: &Intent<'_>, draft: &mut Draft) {
    if has_ours(intent, &draft.after) {
        return;
    }
    let without_us = backups(intent, draft)
        .into_iter()
        .filter(|text| !has_ours(intent, text));
    let without_us: Vec<String> = without_us.collect();
    let is_origin = |text: &&String| {
        [true, false]
            .iter()
            .any(|with_hooks| connected(intent, draft, text, *with_hooks) == draft.before)
    };
    if let Some(origin) = without_us.iter().find(is_origin) {
        draft.after = origin.clone();
    } else {
        let was_there = !without_us.is_empty() || is_link(intent, draft);
        draft.is_removal = is_empty(&draft.after) && !was_there;
    }
}

/// Returns the texts of the backups beside a file.
fn backups(intent: &Intent<'_>, draft: &Draft) -> Vec<String> {
    let (Some(folder), Some(name)) = (draft.path.parent(), draft.path.file_name()) else {
        return vec![];
    };
    let begin = format!("{}{BACKUP}", name.to_string_lossy());
    let items = intent.files.list(&Spot::anchor(folder)).unwrap_or_default();
    let names = items.iter().rev().map(|item| item.name.to_string_lossy());
    names
        .filter(|name| name.starts_with(&begin))
        .filter_map(|name| read(intent.files, &folder.join(&*name)).ok().flatten())
        .collect()
}

/// Returns what connecting would make of a text; none when it could not.
fn connected(intent: &Intent<'_>, draft: &Draft, text: &str, with_hooks: bool) -> Option<String> {
    let Intent {
        client,
        places,
        program,
        ..
    } = *intent;
    let mut text = text.to_owned();
    if places.server_files().any(|file| *file == draft.path) {
        text = server::put(client, &text, program).ok()?;
    }
    if with_hooks && places.hooks.as_ref() == Some(&draft.path) {
        for event in hooks::events(client) {
            text = hooks::put(client, &text, event, program).ok()?;
        }
    }
    Some(text)
}

/// Says whether anything in a text is ours; what can't be read is not.
fn has_ours(intent: &Intent<'_>, text: &str) -> bool {
    let Intent {
        client, program, ..
    } = *intent;
    let has_server = matches!(server::find(client, text, program), Ok(Entry::Ours(_)));
    let mut events = hooks::events(client).iter();
    has_server
        || events
            .any(|event| hooks::find(text, event, program).is_ok_and(|found| !found.is_empty()))
}

fn is_empty(text: &str) -> bool {
    matches!(text.trim_start_matches('\u{feff}').trim(), "" | "{}")
}

/// Says whether a file is reached by a link of its own, which somebody keeps for it.
fn is_link(intent: &Intent<'_>, draft: &Draft) -> bool {
    intent.files.link_target(&draft.path) != draft.path
}
