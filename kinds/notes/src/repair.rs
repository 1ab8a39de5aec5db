//! Inspecting the notes, and mending what is wrong with them.
//!
//! A file that can't be used is kept beside its note, with `.corrupt-<time>` at the end of its name,
//! and everything in it that can be read becomes the note. Links are made to stand on both sides.

use std::collections::{HashMap, HashSet};

use memory_core::{Actor, Flaw, Rehearsal, Timestamp};
use memory_files::{Batch, Seen};
use memory_text::front_matter;

use crate::card::Card;
use crate::catalog::{Filed, path_of};
use crate::change::{Recall, Work};
use crate::filing::read_note;
use crate::store::Store;
use crate::{Category, Note, NoteError, NoteId, format, limits, page};

/// Looks for damage and mends it, or only tells.
pub(crate) fn repair(
    store: &Store,
    now: Timestamp,
    how: Rehearsal,
) -> Result<Vec<Flaw>, NoteError> {
    let mut flaws = mend_files(store, now, how)?;
    let shelf = store.peek()?;
    if shelf.cards().next().is_none() || shelf.require_complete().is_err() {
        return Ok(flaws);
    }
    let mut work = store.work(now, how)?;
    flaws.extend(mend_links(&mut work)?);
    flaws.extend(mend_places(&mut work)?);
    work.commit(Recall::Step("repair links and places", Actor::Person))?;
    Ok(flaws)
}

fn mend_files(store: &Store, now: Timestamp, how: Rehearsal) -> Result<Vec<Flaw>, NoteError> {
    let shelf = store.peek()?;
    let mut flaws = shelf.flaws.clone();
    let damaged: Vec<&Filed> = shelf
        .entries
        .iter()
        .filter(|entry| entry.found.is_err())
        .collect();
    for entry in damaged {
        let problem = entry.found.as_ref().err().cloned().unwrap_or_default();
        let mut flaw = Flaw::new(entry.path(), format!("The file is damaged: {problem}"));
        flaw.remedy = match how {
            _ if entry.failure.is_some() => None,
            Rehearsal::Dry => is_readable(store, entry).then(|| {
                "a copy of the damaged file is kept, and its readable part becomes the note".into()
            }),
            Rehearsal::Real => mend_file(store, entry, now)?,
        };
        flaws.push(flaw);
    }
    flaws.extend(store.archived_notes()?.flaws);
    Ok(flaws)
}

/// Says whether there are bytes to mend: a link, or a file of someone else, has none for us.
fn is_readable(store: &Store, entry: &Filed) -> bool {
    let at = store.folder(entry.folder).join(&entry.file);
    matches!(store.files.read(&at, limits::DERIVED_BYTES), Ok(Some(_)))
}

/// Mends one file; says how, or none when it can't be read at all.
fn mend_file(store: &Store, entry: &Filed, now: Timestamp) -> Result<Option<String>, NoteError> {
    let held = store.hold()?;
    let at = store.folder(entry.folder).join(&entry.file);
    let Ok(Some(seen)) = store.files.read(&at, limits::DERIVED_BYTES) else {
        return Ok(None);
    };
    let mut note = salvage(entry, &seen);
    if store.survey().find(note.id.as_str()).is_ok() {
        note.id = store.new_id();
    }
    let kept = store
        .files
        .name_corrupt(&store.folder(entry.folder).join(&entry.file), now)?;
    let kept = kept.name().to_string_lossy().into_owned();
    let mut batch = Batch::default();
    batch.write(path_of(entry.folder, &kept), seen.bytes);
    // It stays in its folder: where it belongs may be taken, and is seen to with all other notes.
    batch.write(entry.path(), format::render(&note));
    held.apply(&store.root, &batch)?;
    page::mend(store, &held, &store.survey().listed())?;
    Ok(Some(format!(
        "repaired as note {}; the damaged file is kept as {kept}",
        note.id.short()
    )))
}

/// Reads what can be read: fields that can't be are left out, bytes that are no text are marked.
fn salvage(entry: &Filed, seen: &Seen) -> Note {
    let text = String::from_utf8_lossy(&seen.bytes).into_owned();
    let parts = front_matter::split(&text);
    let fields = front_matter::fields(parts.head.unwrap_or_default());
    let head: String = fields
        .iter()
        .map(|field| field.lines)
        .filter(|lines| reads_alone(entry, lines))
        .collect();
    let mut end = parts.body.len().min(limits::CONTENT_BYTES);
    while !parts.body.is_char_boundary(end) {
        end -= 1;
    }
    let body = parts.body[..end].to_owned();
    let mended = Seen {
        bytes: format!("---\n{head}---\n{body}").into_bytes(),
        stamp: seen.stamp,
    };
    read_note(entry.folder, &entry.file, &mended).unwrap_or_else(|_| {
        let bare = Seen {
            bytes: body.clone().into_bytes(),
            stamp: seen.stamp,
        };
        read_note(entry.folder, &entry.file, &bare).unwrap_or_else(|_| {
            let standing = crate::Standing::Organized {
                category: Category::Knowledge,
            };
            Note::new(
                NoteId::of_name(&entry.path()),
                body,
                standing,
                Timestamp::UNIX_EPOCH,
            )
        })
    })
}

fn reads_alone(entry: &Filed, lines: &str) -> bool {
    let bytes = format!("---\n{lines}---\nx\n").into_bytes();
    read_note(
        entry.folder,
        &entry.file,
        &Seen {
            bytes,
            stamp: entry.stamp,
        },
    )
    .is_ok()
}

fn mend_links(work: &mut Work<'_>) -> Result<Vec<Flaw>, NoteError> {
    let cards: Vec<Card> = work.cards().into_iter().cloned().collect();
    let links: HashMap<&NoteId, HashSet<&NoteId>> = cards
        .iter()
        .map(|card| (&card.id, card.links.iter().collect()))
        .collect();
    let mut flaws = Vec::new();
    for card in &cards {
        for to in &card.links {
            let problem = match links.get(to) {
                None => format!("It links to {to}, which does not exist"),
                Some(back) if !back.contains(&card.id) => {
                    format!("It links to {}, which does not link back", to.short())
                }
                Some(_) => continue,
            };
            let mut flaw = Flaw::new(format!("note {}", card.id.short()), problem);
            if links.contains_key(to) {
                work.edit(to, |note| {
                    note.add_link(&card.id);
                })?;
                flaw.remedy = Some("a link back".into());
            } else {
                work.edit(&card.id, |note| {
                    note.drop_link(to);
                })?;
                flaw.remedy = Some("the link is removed".into());
            }
            flaws.push(flaw);
        }
    }
    Ok(flaws)
}

/// A note whose head names another category than its folder belongs into that category's folder.
fn mend_places(work: &mut Work<'_>) -> Result<Vec<Flaw>, NoteError> {
    let misplaced: Vec<(NoteId, String, Category)> = work
        .shelf()
        .entries
        .iter()
        .filter_map(|entry| Some((entry, entry.found.as_ref().ok()?)))
        .filter(|(entry, card)| entry.folder != card.category())
        .map(|(entry, card)| (card.id.clone(), entry.path(), card.category()))
        .collect();
    let mut flaws = Vec::new();
    for (id, path, category) in misplaced {
        work.rewrite(&id)?;
        let mut flaw = Flaw::new(
            path,
            format!("Its category is {category}, but it is in the directory of another category"),
        );
        flaw.remedy = Some(format!("moved to {category}"));
        flaws.push(flaw);
    }
    Ok(flaws)
}
