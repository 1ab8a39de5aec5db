//! Keeping what a step takes away, and bringing it back byte for byte.
//!
//! A step in the trash holds the touched files as they were, and `changes.json`, which says where
//! each stood and what the step left in its place. Undoing puts back what still is as the step left
//! it; what others have changed since is theirs. Reading a note is no change.

use std::collections::{BTreeMap, HashSet};

use memory_core::{Change, Step, Survey, Timestamp};
use memory_files::{Batch, Discarded, Saved, Spot};
use serde::{Deserialize, Serialize};

use crate::catalog::path_of;
use crate::change::Edit;
use crate::document::{KIND, address, document};
use crate::store::{Store, read_note};
use crate::{Category, Note, NoteError, NoteId, content_hash, format, limits, page};

const CHANGES: &str = "changes.json";
/// Largest list of changes that is read.
const CHANGES_BYTES: u64 = 256 << 20;

/// What a step did to one note.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Kept {
    pub(crate) id: NoteId,
    pub(crate) title: String,
    /// Where its file was, below the root.
    pub(crate) path: Option<String>,
    /// The name of that file's copy in the trash.
    pub(crate) saved: Option<String>,
    /// Where its file is now, and the hash of what it says.
    left: Option<(String, String)>,
}

impl Kept {
    /// Says whether the step took the note away.
    pub(crate) fn is_removal(&self) -> bool {
        self.saved.is_some() && self.left.is_none()
    }
}

/// Keeps what edits are about to change; none when they only add.
pub(crate) fn keep(
    store: &Store,
    what: &str,
    edits: &BTreeMap<NoteId, Edit>,
    now: Timestamp,
) -> Result<Option<Step>, NoteError> {
    if edits.values().all(|edit| edit.before.is_none()) {
        return Ok(None);
    }
    let mut saved = Vec::new();
    let mut kept = Vec::new();
    let mut names = HashSet::new();
    for (id, edit) in edits {
        let before = edit.before.as_ref();
        let copy = before.map(|before| {
            let name = before.path.rsplit('/').next().unwrap_or_default().to_owned();
            let name = if names.insert(name.clone()) { name } else { format!("{id}-{}.md", names.len()) };
            saved.push(Saved { name: name.clone(), bytes: before.bytes.clone() });
            name
        });
        let after = edit.after.as_ref();
        let title = after.map(|next| next.note.title().to_owned());
        kept.push(Kept {
            id: id.clone(),
            title: title.or_else(|| Some(title_of(before?))).unwrap_or_default(),
            path: before.map(|before| before.path.clone()),
            saved: copy,
            left: after.map(|next| (next.path.clone(), fingerprint(&next.note))),
        });
    }
    let bytes = serde_json::to_vec_pretty(&kept).unwrap_or_default();
    saved.push(Saved { name: CHANGES.to_owned(), bytes });
    let discarded = Discarded { kind: KIND, what: what.to_owned(), saved };
    Ok(Some(store.trash().put(discarded, now)?))
}

fn title_of(on_disk: &crate::store::OnDisk) -> String {
    parse(&on_disk.path, &on_disk.bytes).map(|note| note.title().to_owned()).unwrap_or_default()
}

/// What a note says, whoever has read it.
fn fingerprint(note: &Note) -> String {
    content_hash(&format::render(&Note { access_count: 0, ..note.clone() }))
}

fn parse(path: &str, bytes: &[u8]) -> Option<Note> {
    let mut parts = path.rsplit('/');
    let (file, folder) = (parts.next()?, parts.next()?.parse::<Category>().ok()?);
    let stamp = memory_files::Stamp { inode: 0, size: 0, modified: 0 };
    read_note(folder, file, &memory_files::Seen { bytes: bytes.to_vec(), stamp }).ok()
}

/// Returns what a step did, note by note.
pub(crate) fn kept_by(store: &Store, step: &Step) -> Result<Vec<Kept>, NoteError> {
    let bytes = store.trash().saved_file(step, CHANGES, CHANGES_BYTES)?;
    Ok(bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default())
}

/// Returns the steps of this store, newest first.
pub(crate) fn steps(store: &Store) -> Survey<Step> {
    store.trash().steps().unwrap_or_else(|error| Survey {
        good: vec![],
        flaws: vec![memory_core::Flaw::new(".trash", error.to_string())],
    })
}

/// Takes a step back; none when someone else has it.
pub(crate) fn undo(store: &Store, step: &Step) -> Result<Option<Vec<Change>>, NoteError> {
    let Some(_claim) = store.trash().claim(step)? else { return Ok(None) };
    let held = store.hold()?;
    let mut returning = Returning::new(store, step);
    for kept in kept_by(store, step)? {
        returning.take_back(&kept)?;
    }
    if returning.batch.is_empty() {
        return Err(NoteError::Changed { what: step.what.clone() });
    }
    held.apply(&store.root, &returning.batch)?;
    store.trash().drop_step(step)?;
    page::mend(store, &held, &store.survey().cards_with_paths())?;
    drop(held);
    Ok(Some(returning.changes))
}

/// Brings one note back that some step has taken away; says which.
pub(crate) fn restore(store: &Store, text: &str, now: Timestamp) -> Result<(NoteId, Vec<Change>), NoteError> {
    let held = store.hold()?;
    let (step, kept) = find_removed(store, text)?;
    if store.survey().find(kept.id.as_str()).is_ok() {
        return Err(NoteError::bad(format!("The note '{}' is there already", kept.id)));
    }
    let mut returning = Returning::new(store, &step);
    returning.take_back(&kept)?;
    held.apply(&store.root, &returning.batch)?;
    drop(held);
    let mut changes = returning.changes;
    changes.extend(link_back(store, &kept.id, now)?);
    Ok((kept.id, changes))
}

/// Finds the newest step that took away the one note whose id begins with `text`.
fn find_removed(store: &Store, text: &str) -> Result<(Step, Kept), NoteError> {
    let mut found: Vec<(Step, Kept)> = Vec::new();
    for step in steps(store).good {
        for kept in kept_by(store, &step)? {
            let is_meant = kept.is_removal() && kept.id.as_str().starts_with(text);
            if is_meant && !found.iter().any(|(_, other)| other.id == kept.id) {
                found.push((step.clone(), kept));
            }
        }
    }
    if text.len() < crate::SHORTEST_PREFIX || found.is_empty() {
        return Err(NoteError::BadArgument {
            problem: format!("There is no removed note '{text}'"),
            hint: Some("'memory trash' lists what can be restored".into()),
        });
    }
    match found.len() {
        1 => Ok(found.swap_remove(0)),
        _ => Err(NoteError::Ambiguous {
            prefix: text.to_owned(),
            ids: found.into_iter().map(|(_, kept)| kept.id).collect(),
        }),
    }
}

/// A note that comes back alone finds its neighbours without their links to it.
fn link_back(store: &Store, id: &NoteId, now: Timestamp) -> Result<Vec<Change>, NoteError> {
    let mut work = store.work(now, memory_core::Rehearsal::Real)?;
    let note = work.note(id)?;
    for neighbour in &note.links {
        if work.find(neighbour.as_str()).is_ok() {
            work.edit(neighbour, |other| {
                other.add_link(id);
            })?;
        }
    }
    work.commit(crate::change::Recall::Nothing)
}

/// Files on their way back, and what that changes.
struct Returning<'a> {
    store: &'a Store,
    step: &'a Step,
    batch: Batch,
    changes: Vec<Change>,
}

impl<'a> Returning<'a> {
    fn new(store: &'a Store, step: &'a Step) -> Self {
        Returning { store, step, batch: Batch::default(), changes: vec![] }
    }

    fn take_back(&mut self, kept: &Kept) -> Result<(), NoteError> {
        if !self.is_as_left(kept)? {
            return Ok(());
        }
        if let Some((left, _)) = kept.left.as_ref().filter(|(left, _)| Some(left) != kept.path.as_ref()) {
            self.batch.remove(left);
        }
        let (Some(path), Some(name)) = (&kept.path, &kept.saved) else {
            self.changes.push(Change::gone(address(&kept.id)));
            return Ok(());
        };
        let bytes = self.store.trash().saved_file(self.step, name, limits::FILE_BYTES)?;
        let bytes = bytes.ok_or_else(|| NoteError::Damaged {
            path: format!(".trash/{}/{name}", self.step.id),
            problem: "it is missing".into(),
        })?;
        let folder = self.spot(path).parent().unwrap_or_else(|| self.store.root.clone());
        self.store.files.ensure_folder(&folder)?;
        self.changes.push(match parse(path, &bytes) {
            Some(note) => Change::kept(document(&note)),
            None => Change::gone(address(&kept.id)),
        });
        self.batch.write(path, bytes);
        Ok(())
    }

    /// Says whether the note is still as the step left it.
    fn is_as_left(&self, kept: &Kept) -> Result<bool, NoteError> {
        let path = match (&kept.left, &kept.path) {
            (Some((left, _)), _) => left.clone(),
            (None, Some(path)) => path.clone(),
            (None, None) => path_of(Category::Inbox, &format!("{}.md", kept.id)),
        };
        let seen = self.store.files.read(&self.spot(&path), limits::FILE_BYTES)?;
        Ok(match (&kept.left, seen) {
            (None, there) => there.is_none(),
            (Some(_), None) => false,
            (Some((_, hash)), Some(seen)) => {
                parse(&path, &seen.bytes).is_some_and(|note| fingerprint(&note) == *hash)
            }
        })
    }

    fn spot(&self, path: &str) -> Spot {
        self.store.root.join(path)
    }
}
