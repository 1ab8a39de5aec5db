//! Taking deletions back: what went to `deleted/` returns to where it was, byte for byte.
//!
//! A step in the trash is a list of moves; the files themselves wait below `deleted/`.

use memory_core::{Actor, Change, Step, Survey, Timestamp};
use memory_files::{Discarded, Saved};
use serde::{Deserialize, Serialize};

use crate::document::{KIND, document};
use crate::filing::{Filed, parse_source, source_name};
use crate::store::Store;
use crate::{ConversationError, ConversationId, limits};

const MOVES: &str = "moves.json";

/// Where a file was, and where it waits: paths below the root, and below its conversation.
#[derive(Debug, Serialize, Deserialize)]
struct Move {
    from: String,
    to: String,
}

/// Moves entries of one conversation to `deleted/` as a step that can be taken back.
pub(crate) fn bury(
    store: &Store,
    conversation: &ConversationId,
    entries: &[Filed],
    (what, by): (String, Actor),
    now: Timestamp,
) -> Result<Vec<Change>, ConversationError> {
    let mut work = store.work(conversation)?;
    let mut moves = Vec::new();
    for filed in entries {
        let from = source_name(&work.folder, filed.place.shelf, &filed.place.file);
        moves.push(Move {
            from,
            to: work.bury(filed, None),
        });
    }
    let saved = vec![Saved {
        name: MOVES.to_owned(),
        bytes: serde_json::to_vec(&moves).unwrap_or_default(),
    }];
    let step = store.trash().put(
        Discarded {
            kind: KIND,
            what,
            by,
            saved,
        },
        now,
    )?;
    let committed = work.commit();
    // What did not happen can't be taken back; but what failed may happen all the same, once it is planned.
    let is_planned = || {
        store
            .files
            .has_plan(&store.room(&conversation.folder()))
            .unwrap_or(true)
    };
    if committed.is_err() && !is_planned() && moves.iter().all(|moved| is_there(store, &moved.from))
    {
        let _ = store.trash().drop_step(&step);
    }
    committed
}

fn is_there(store: &Store, path: &str) -> bool {
    matches!(store.files.stamp(&store.root.join(path)), Ok(Some(_)))
}

/// Returns the undo steps.
pub(crate) fn steps(store: &Store) -> Survey<Step> {
    match store.trash().steps() {
        Ok(mut survey) => {
            survey.good.retain(|step| step.kind == KIND);
            survey
        }
        Err(error) => Survey::failed("conversations: .trash", &error.into()),
    }
}

/// Takes a step back; none when someone else has it.
pub(crate) fn undo(store: &Store, step: &Step) -> Result<Option<Vec<Change>>, ConversationError> {
    let Some(_claim) = store.trash().claim(step)? else {
        return Ok(None);
    };
    let bytes = store
        .trash()
        .saved_file(step, MOVES, limits::DERIVED_BYTES)?
        .unwrap_or_default();
    let moves: Vec<Move> = serde_json::from_slice(&bytes).unwrap_or_default();
    let mut changes = Vec::new();
    let mut left = moves.as_slice();
    // A step is of one conversation: all of it comes back at once.
    while let Some(folder) = left
        .first()
        .and_then(|moved| parse_source(&moved.from))
        .map(|(folder, _)| folder)
    {
        let here = left
            .iter()
            .take_while(|moved| parse_source(&moved.from).is_some_and(|(f, _)| f == folder))
            .count();
        changes.extend(put_back(store, folder, &left[..here])?);
        left = &left[here..];
    }
    if changes.is_empty() {
        return Err(ConversationError::Changed {
            what: step.what.clone(),
        });
    }
    store.trash().drop_step(step)?;
    Ok(Some(changes))
}

fn put_back(store: &Store, folder: &str, moves: &[Move]) -> Result<Vec<Change>, ConversationError> {
    let mut work = store.work_in(folder.to_owned())?;
    let mut changes = Vec::new();
    for moved in moves {
        let Some((_, place)) = parse_source(&moved.from) else {
            continue;
        };
        let waiting = store
            .files
            .read(&store.room(folder).join(&moved.to), limits::FILE_BYTES)?;
        let Some(seen) = waiting else {
            continue;
        };
        if is_there(store, &moved.from) {
            continue;
        }
        work.write(place.path(), seen.bytes.clone());
        work.remove(moved.to.clone());
        if let Ok(filed) = crate::filing::read_entry(folder, place.shelf, &place.file, seen) {
            changes.push(Change::kept(document(&filed.entry)));
        }
    }
    work.commit()?;
    Ok(changes)
}
