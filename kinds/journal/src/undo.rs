//! Keeping what a step takes away or changes, and bringing it back.
//!
//! A step in the trash holds `changes.json`: each line before and after. Undoing puts back what
//! still is as the step left it; what others have changed since is theirs. Being read is no change.

use memory_core::{Actor, Change, Step, Survey, Timestamp};
use memory_files::{Discarded, Saved, Signed};

use crate::change::Edit;
use crate::document::{KIND, address, document};
use crate::format::{Line, parse, render};
use crate::salvage::amend;
use crate::store::{ARCHIVE, Loaded, Store};
use crate::{JournalError, Record, Type, limits};

const CHANGES: &str = "changes.json";

/// Keeps what edits are about to change.
pub(crate) fn keep(
    store: &Store,
    (what, by): (String, Actor),
    edits: &[Edit],
    now: Timestamp,
) -> Result<Step, JournalError> {
    let bytes = serde_json::to_vec_pretty(edits).unwrap_or_default();
    let saved = vec![Saved {
        name: CHANGES.to_owned(),
        bytes,
    }];
    Ok(store.trash().put(
        Discarded {
            kind: KIND,
            what,
            by,
            saved,
        },
        now,
    )?)
}

/// Lists the undo steps.
pub(crate) fn steps(store: &Store) -> Survey<Step> {
    store
        .trash()
        .steps()
        .unwrap_or_else(|error| Survey::failed(KIND, &error.into()))
}

/// Takes a step back; none when someone else is doing or has done so.
pub(crate) fn undo(
    store: &Store,
    step: &Step,
    now: Timestamp,
) -> Result<Option<Vec<Change>>, JournalError> {
    let trash = store.trash();
    let Some(_claim) = trash.claim(step)? else {
        return Ok(None);
    };
    let bytes = trash
        .saved_file(step, CHANGES, limits::READ_BYTES)?
        .unwrap_or_default();
    let edits: Vec<Edit> =
        serde_json::from_slice(&bytes).map_err(|error| JournalError::Damaged {
            path: format!(".trash/{}/{CHANGES}", step.id),
            problem: error.to_string(),
        })?;
    let held = store.hold(now)?;
    let changes = take_back(store, &held, &edits, now)?;
    if changes.is_empty() {
        return Err(JournalError::Changed {
            what: step.what.clone(),
        });
    }
    take_out_of_archive(store, &held, &edits)?;
    store.renew_index(None, now)?;
    trash.drop_step(step)?;
    Ok(Some(changes))
}

fn take_back(
    store: &Store,
    held: &Signed<'_>,
    edits: &[Edit],
    now: Timestamp,
) -> Result<Vec<Change>, JournalError> {
    let mut paths: Vec<&str> = edits.iter().map(|edit| edit.path.as_str()).collect();
    paths.dedup();
    let mut changes = Vec::new();
    for path in paths {
        let mut loaded = store.load(path)?;
        let before = changes.len();
        for edit in edits.iter().filter(|edit| edit.path == path) {
            changes.extend(restore(&mut loaded, edit).map(|record| {
                if path.starts_with(ARCHIVE) {
                    // Archived records are not searched.
                    Change::gone(address(&record.id))
                } else {
                    Change::kept(document(&record))
                }
            }));
        }
        if changes.len() > before {
            store.back_up(path, now)?;
            store.put(held, &loaded)?;
        }
    }
    Ok(changes)
}

/// Puts one line back, if it still is as the step left it; returns the record that it is.
fn restore(loaded: &mut Loaded, edit: &Edit) -> Option<Record> {
    let before = parse(&edit.before).ok().or_else(|| amended(edit))?;
    let place = loaded
        .records()
        .find(|(_, record)| record.id.as_str() == edit.id)
        .map(|(at, _)| at);
    let Some(at) = place else {
        if edit.after.is_some() {
            return None;
        }
        let at = edit.at.min(loaded.lines.len());
        loaded
            .lines
            .insert(at, (at + 1, Line::read(edit.before.as_bytes())));
        return Some(before);
    };
    let there = loaded.lines[at].1.record()?;
    let is_left = edit
        .after
        .as_deref()
        .and_then(|after| parse(after).ok())
        .is_some_and(|after| is_same(there, &after));
    // A crash may have come after the file was put back.
    if !is_left && !is_same(there, &before) {
        return None;
    }
    let accesses = (
        there.access_count.max(before.access_count),
        there.accessed_at.max(before.accessed_at),
    );
    let record = Record {
        access_count: accesses.0,
        accessed_at: accesses.1,
        ..before
    };
    loaded.lines[at].1 = Line::of(record.clone());
    Some(record)
}

/// Reads the line that a step has changed although it lacked something.
fn amended(edit: &Edit) -> Option<Record> {
    let record = amend(
        edit.before.as_bytes(),
        Type::of_file(&edit.path)?,
        Timestamp::UNIX_EPOCH,
    )?;
    (record.id.as_str() == edit.id).then_some(record)
}

/// Says whether two states of a record differ by nothing but accesses.
fn is_same(a: &Record, b: &Record) -> bool {
    let (access_count, accessed_at) = (b.access_count, b.accessed_at);
    render(&Record {
        access_count,
        accessed_at,
        ..a.clone()
    }) == render(b)
}

fn take_out_of_archive(
    store: &Store,
    held: &Signed<'_>,
    edits: &[Edit],
) -> Result<(), JournalError> {
    let archived = || edits.iter().filter_map(|edit| edit.archived.as_ref());
    let mut paths: Vec<&str> = archived().map(|archived| archived.path.as_str()).collect();
    paths.dedup();
    for path in paths.into_iter().filter(|path| path.starts_with(ARCHIVE)) {
        let mut loaded = store.load(path)?;
        let has = |line: &Line| {
            archived()
                .any(|archived| archived.path == path && archived.line.as_bytes() == line.bytes)
        };
        loaded.lines.retain(|(_, line)| !has(line));
        store.put(held, &loaded)?;
    }
    Ok(())
}
