//! Inspecting the conversations, and mending files that can't be used.
//!
//! A damaged file is kept beside its entry with `.corrupt-<time>` at the end of its name, and all of it
//! that can be read becomes the entry.

use memory_core::{Flaw, Rehearsal, Timestamp};
use memory_files::Seen;
use memory_text::front_matter;

use crate::entry::Entry;
use crate::filing::{Place, parse_source, read_entry};
use crate::store::Store;
use crate::{ConversationError, ConversationId, Shelf, format, limits};

/// Looks for damage and mends it, or only tells.
pub(crate) fn repair(
    store: &Store,
    now: Timestamp,
    how: Rehearsal,
) -> Result<Vec<Flaw>, ConversationError> {
    let mut flaws = Vec::new();
    for folder in store.folders()? {
        if !how.is_dry() {
            store.settle(&folder);
        }
        for shelf in Shelf::ALL {
            for mut flaw in store.entries(&folder, shelf).flaws {
                flaw.problem = format!("The file is damaged: {}", flaw.problem);
                flaw.remedy = match how {
                    // A read that failed says nothing about the file.
                    _ if flaw.failure.is_some() => None,
                    Rehearsal::Dry => Some(
                        "a copy of the damaged file is kept, and its readable part becomes the entry".into(),
                    ),
                    Rehearsal::Real => mend(store, &flaw.place, now)?,
                };
                flaws.push(flaw);
            }
        }
    }
    flaws.extend(store.repair_git(now, how));
    Ok(flaws)
}

/// Mends one file; says how, or none when it can't be read at all.
fn mend(store: &Store, source: &str, now: Timestamp) -> Result<Option<String>, ConversationError> {
    let Some((folder, place)) = parse_source(source) else {
        return Ok(None);
    };
    let mut work = store.work_in(folder.to_owned())?;
    let at = store.room(folder).join(place.path());
    let Ok(Some(seen)) = store.files.read(&at, limits::DERIVED_BYTES) else {
        return Ok(None);
    };
    let Some(entry) = salvage(store, folder, &place, &seen) else {
        return Ok(None);
    };
    let kept = format!(
        "{}.corrupt-{}",
        place.path(),
        now.strftime("%Y%m%dT%H%M%SZ")
    );
    work.write(kept.clone(), seen.bytes);
    work.write(place.path(), format::render(&entry));
    work.commit()?;
    Ok(Some(format!(
        "repaired; the damaged file is kept as {kept}"
    )))
}

/// Reads what can be read: fields that can't be are left out, bytes that are no text are marked.
fn salvage(store: &Store, folder: &str, place: &Place, seen: &Seen) -> Option<Entry> {
    let text = String::from_utf8_lossy(&seen.bytes).into_owned();
    let parts = front_matter::split(&text);
    let fields = front_matter::fields(parts.head.unwrap_or_default());
    let read = |head: &str, body: &str| {
        let bytes = format!("---\n{head}---\n{body}").into_bytes();
        read_entry(
            folder,
            place.shelf,
            &place.file,
            Seen {
                bytes,
                stamp: seen.stamp,
            },
        )
        .ok()
    };
    let conversation = store
        .conversation(folder)
        .ok()?
        .or_else(|| ConversationId::parse(folder).ok())?;
    // So that a field is not taken for bad because another one is missing.
    let own = format!(
        "conversation_id: {}\n",
        memory_text::yaml::write_scalar(conversation.as_str())
    );
    let good = fields
        .iter()
        .filter(|field| field.name != "conversation_id");
    let good = good
        .map(|field| field.lines)
        .filter(|lines| read(&format!("{own}{lines}"), "x").is_some());
    let head: String = good.collect();
    let mut end = parts.body.len().min(limits::CONTENT_BYTES);
    while !parts.body.is_char_boundary(end) {
        end -= 1;
    }
    read(&format!("{own}{head}"), &parts.body[..end]).map(|filed| filed.entry)
}
