//! Keeping what a step takes away, and bringing it back byte for byte.
//!
//! A step in the trash holds the touched files as they were, and `changes.json`, which says where
//! each stood and what the step left in its place. Undoing puts back what still is as the step left
//! it; what others have changed since is theirs. Reading a note is no change.

use std::collections::{BTreeMap, HashMap, HashSet};

use memory_core::{Actor, Change, Rehearsal, Step, Survey, Timestamp};
use memory_files::{Discarded, Saved};
use serde::{Deserialize, Serialize};

use crate::archive::renew;
use crate::change::{Edit, Recall, Work};
use crate::document::KIND;
use crate::filing::read_note;
use crate::store::Store;
use crate::{Category, ContentHash, Note, NoteError, NoteId, format, limits};

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
    /// Where its file is in the archive, below the root, if the step archived it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    archived: Option<String>,
}

impl Kept {
    /// Says whether the step took the note away.
    pub(crate) fn is_removal(&self) -> bool {
        self.saved.is_some() && self.left.is_none() && self.archived.is_none()
    }
}

/// Keeps what edits are about to change, and says what they add.
pub(crate) fn keep(
    store: &Store,
    (what, by): (&str, Actor),
    edits: &BTreeMap<NoteId, Edit>,
    now: Timestamp,
) -> Result<Step, NoteError> {
    let mut saved = Vec::new();
    let mut kept = Vec::new();
    let mut names = HashSet::new();
    for (id, edit) in edits {
        let before = edit.before.as_ref();
        let copy = before.map(|before| {
            let name = before
                .path
                .rsplit('/')
                .next()
                .unwrap_or_default()
                .to_owned();
            let name = if names.insert(name.clone()) {
                name
            } else {
                format!("{id}-{}.md", names.len())
            };
            saved.push(Saved {
                name: name.clone(),
                bytes: before.bytes.clone(),
            });
            name
        });
        let after = edit.after.as_ref();
        let title = after.map(|next| short_title(&next.note));
        kept.push(Kept {
            id: id.clone(),
            title: title
                .or_else(|| Some(title_of(before?)))
                .unwrap_or_default(),
            path: before.map(|before| before.path.clone()),
            saved: copy,
            left: after.map(|next| (next.path.clone(), fingerprint(&next.note))),
            archived: edit.archived.clone(),
        });
    }
    let bytes = serde_json::to_vec_pretty(&kept).unwrap_or_default();
    saved.push(Saved {
        name: CHANGES.to_owned(),
        bytes,
    });
    let discarded = Discarded {
        kind: KIND,
        what: what.to_owned(),
        by,
        saved,
    };
    Ok(store.trash().put(discarded, now)?)
}

fn title_of(on_disk: &crate::store::OnDisk) -> String {
    parse(&on_disk.path, &on_disk.bytes)
        .map(|note| short_title(&note))
        .unwrap_or_default()
}

/// A first line may be as long as a note.
fn short_title(note: &Note) -> String {
    note.title().chars().take(limits::TITLE_CHARS).collect()
}

/// What a note says, whoever has read it.
fn fingerprint(note: &Note) -> String {
    ContentHash::of(&format::render(&Note {
        access_count: 0,
        ..note.clone()
    }))
    .to_string()
}

fn parse(path: &str, bytes: &[u8]) -> Option<Note> {
    let mut parts = path.rsplit('/');
    let (file, folder) = (parts.next()?, parts.next()?.parse::<Category>().ok()?);
    let stamp = memory_files::Stamp {
        inode: 0,
        size: 0,
        modified: 0,
    };
    read_note(
        folder,
        file,
        &memory_files::Seen {
            bytes: bytes.to_vec(),
            stamp,
        },
    )
    .ok()
}

/// Returns what a step did, note by note.
pub(crate) fn kept_by(store: &Store, step: &Step) -> Result<Vec<Kept>, NoteError> {
    let bytes = store.trash().saved_file(step, CHANGES, CHANGES_BYTES)?;
    Ok(bytes
        .and_then(|bytes| serde_json::from_slice(&bytes).ok())
        .unwrap_or_default())
}

/// Returns the steps of this store, newest first.
pub(crate) fn steps(store: &Store) -> Survey<Step> {
    store
        .trash()
        .steps()
        .unwrap_or_else(|error| Survey::failed(".trash", &error.into()))
}

/// Takes a step back; none when someone else has it.
pub(crate) fn undo(
    store: &Store,
    step: &Step,
    now: Timestamp,
) -> Result<Option<Vec<Change>>, NoteError> {
    let Some(_claim) = store.trash().claim(step)? else {
        return Ok(None);
    };
    let mut work = store.work(now, Rehearsal::Real)?;
    let mut returns = Vec::new();
    let mut is_back = true;
    for kept in kept_by(store, step)? {
        let back = Return::of(&work, step, kept)?;
        is_back &= back.is_back;
        returns.extend(back.is_as_left.then_some(back));
    }
    // A crash may have come between taking back and forgetting the step: then it is done.
    if returns.is_empty() && !is_back {
        return Err(NoteError::Changed {
            what: step.what.clone(),
        });
    }
    let unarchived: Vec<NoteId> = returns
        .iter()
        .filter(|back| back.archived.is_some())
        .map(|back| back.id.clone())
        .collect();
    take_back(&mut work, returns)?;
    unarchived.iter().try_for_each(|id| renew(&mut work, id))?;
    let changes = work.commit(Recall::Nothing)?;
    // Bringing a note back is a use: maintenance does not remove it again for being unused.
    store.record_access(unarchived.iter().map(NoteId::as_str));
    store.trash().drop_step(step)?;
    Ok(Some(changes))
}

/// Returns the steps of this store, newest first. Fails if one could not be read.
fn all_steps(store: &Store) -> Result<Vec<Step>, NoteError> {
    let unread = |error: memory_core::Error| NoteError::Unread {
        problem: error.message,
        code: error.code,
    };
    steps(store).complete().map_err(unread)
}

/// Returns when each note was taken away that is in the trash, the last time if it was more than once.
pub(crate) fn removals(store: &Store) -> Result<HashMap<NoteId, Timestamp>, NoteError> {
    let mut removals: HashMap<NoteId, Timestamp> = HashMap::new();
    for step in all_steps(store)? {
        for kept in kept_by(store, &step)?.into_iter().filter(Kept::is_removal) {
            let at = removals.entry(kept.id).or_insert(step.at);
            *at = (*at).max(step.at);
        }
    }
    Ok(removals)
}

/// Brings one note back that some step has taken away; says which.
pub(crate) fn restore(
    store: &Store,
    text: &str,
    now: Timestamp,
) -> Result<(NoteId, Vec<Change>), NoteError> {
    // Looked for first: what is not there takes no lock.
    find_removed(store, text)?;
    let mut work = store.work(now, Rehearsal::Real)?;
    let (step, kept) = find_removed(store, text)?;
    let id = kept.id.clone();
    if work.card(&id).is_some() {
        return Err(NoteError::bad(format!("Note '{id}' already exists")));
    }
    let back = Return::of(&work, &step, kept)?;
    take_back(&mut work, vec![back])?;
    Ok((id, work.commit(Recall::Nothing)?))
}

/// Finds the newest step that took away the one note whose id is `text` or begins with it.
fn find_removed(store: &Store, text: &str) -> Result<(Step, Kept), NoteError> {
    let lower = text.to_ascii_lowercase();
    let mut found: Vec<(Step, Kept)> = Vec::new();
    for step in all_steps(store)? {
        for kept in kept_by(store, &step)? {
            let is_meant =
                kept.is_removal() && kept.id.as_str().to_ascii_lowercase().starts_with(&lower);
            if is_meant && !found.iter().any(|(_, other)| other.id == kept.id) {
                found.push((step.clone(), kept));
            }
        }
    }
    let exact = found.iter().position(|(_, kept)| kept.id.as_str() == text);
    match (exact, found.len()) {
        (Some(n), _) => Ok(found.swap_remove(n)),
        _ if text.len() < crate::SHORTEST_PREFIX => Err(NoteError::NotRemoved {
            id: text.to_owned(),
        }),
        (None, 0) => Err(NoteError::NotRemoved {
            id: text.to_owned(),
        }),
        (None, 1) => Ok(found.swap_remove(0)),
        _ => Err(NoteError::Ambiguous {
            prefix: text.to_owned(),
            ids: found.into_iter().map(|(_, kept)| kept.id).collect(),
        }),
    }
}

/// A note on its way back.
struct Return {
    id: NoteId,
    /// Its file as it was and where; none when the step has added it.
    was: Option<Was>,
    links_now: Vec<NoteId>,
    /// Its file in the archive, below the root.
    archived: Option<String>,
    /// It is still as the step left it.
    is_as_left: bool,
    /// It is as it was before the step, but for its links, which others may have changed.
    is_back: bool,
}

struct Was {
    path: String,
    bytes: Vec<u8>,
    note: Note,
}

impl Return {
    fn of(work: &Work<'_>, step: &Step, kept: Kept) -> Result<Self, NoteError> {
        let now = work.on_disk(&kept.id)?;
        let was = saved(work.store(), step, &kept)?;
        let is_as_left = match (&kept.left, &now) {
            (None, now) => now.is_none(),
            (Some(_), None) => false,
            (Some((path, hash)), Some((now_at, note))) => {
                path == now_at && *hash == fingerprint(note)
            }
        };
        let is_back = match (&was, &now) {
            (None, now) => now.is_none(),
            (Some(was), Some((_, now))) => is_same_but_links(&was.note, now),
            (Some(_), None) => false,
        };
        let links_now = now.map(|(_, note)| note.links).unwrap_or_default();
        Ok(Return {
            id: kept.id,
            was,
            links_now,
            archived: kept.archived,
            is_as_left,
            is_back,
        })
    }
}

/// Returns a note's file as the step kept it; none when the step has added the note.
fn saved(store: &Store, step: &Step, kept: &Kept) -> Result<Option<Was>, NoteError> {
    let (Some(path), Some(name)) = (&kept.path, &kept.saved) else {
        return Ok(None);
    };
    let damaged = |problem: &str| NoteError::Damaged {
        path: format!(".trash/{}/{name}", step.id),
        problem: problem.to_owned(),
    };
    let bytes = store.trash().saved_file(step, name, limits::FILE_BYTES)?;
    let bytes = bytes.ok_or_else(|| damaged("it is missing"))?;
    let note = parse(path, &bytes).ok_or_else(|| damaged("it is not a note"))?;
    Ok(Some(Was {
        path: path.clone(),
        bytes,
        note: Note {
            id: kept.id.clone(),
            ..note
        },
    }))
}

fn is_same_but_links(a: &Note, b: &Note) -> bool {
    let without_links = |note: &Note| {
        fingerprint(&Note {
            links: vec![],
            ..note.clone()
        })
    };
    without_links(a) == without_links(b)
}

/// Puts notes back, and makes the links of those that stay fit to them.
///
/// What came back may link to notes that are gone, or that have changed since and do not link back.
fn take_back(work: &mut Work<'_>, returns: Vec<Return>) -> Result<(), NoteError> {
    let returning: HashSet<NoteId> = returns.iter().map(|back| back.id.clone()).collect();
    let mut fits = Vec::new();
    for Return {
        id,
        was,
        links_now,
        archived,
        ..
    } in returns
    {
        let links_then = was
            .as_ref()
            .map(|was| was.note.links.clone())
            .unwrap_or_default();
        match was {
            Some(was) => work.put_back(was.note, &was.path, was.bytes)?,
            None => work.remove(&id)?,
        }
        archived
            .into_iter()
            .for_each(|path| work.remove_archived(path));
        fits.push((id, links_now, links_then));
    }
    for (id, links_now, links_then) in fits {
        let is_staying = |work: &Work<'_>, other: &NoteId| {
            !returning.contains(other) && work.card(other).is_some()
        };
        for other in links_now.iter().filter(|other| !links_then.contains(other)) {
            if is_staying(work, other) {
                work.edit(other, |note| {
                    note.drop_link(&id);
                })?;
            }
        }
        for other in &links_then {
            if work.card(other).is_none() {
                work.edit(&id, |note| {
                    note.drop_link(other);
                })?;
            } else if is_staying(work, other) {
                work.edit(other, |note| {
                    note.add_link(&id);
                })?;
            }
        }
    }
    Ok(())
}
