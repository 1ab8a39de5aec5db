//! `import`: reads what `export` has written. What it replaces can be undone.
//!
//! An older export overwrites no newer note and brings none back that was deleted later: such a line is a conflict,
//! which is listed and left alone unless the caller decides.

use std::collections::{BTreeMap, HashMap, HashSet};

use memory_core::{Actor, Call, Done, Flaw, Rehearsal, instant};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::archive::{Archived, bring_back};
use crate::change::{Recall, Work};
use crate::format::{self, Hints};
use crate::portable::Portable;
use crate::store::Store;
use crate::tools::write::{check_secrets, checked_source};
use crate::undo::removals;
use crate::{Category, ContentHash, Note, NoteError, NoteId, NoteScope, Reminder, limits};

#[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    /// One note a line.
    pub lines: String,
    #[serde(default)]
    pub dry_run: bool,
    #[serde(default)]
    #[schemars(skip)]
    pub allow_secret: bool,
    /// What happens where a note is here as well and differs.
    #[serde(default)]
    pub prefer: Prefer,
}

/// Which side decides where both have a note.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Prefer {
    /// The one that changed last; what is newer here is a conflict.
    #[default]
    Newer,
    /// The note that is here, or that was deleted here.
    Mine,
    /// The imported note.
    Theirs,
}

/// An imported note that was left alone, because the note here is newer or was deleted later.
#[derive(Debug, Serialize, Deserialize)]
pub struct Conflict {
    pub id: String,
    pub title: String,
    /// What is so here.
    pub why: String,
}

#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Reply {
    /// Notes that were not there.
    pub created: usize,
    /// Notes that were there with the same id, and said something else.
    pub replaced: usize,
    /// Notes that are there just so.
    pub unchanged: usize,
    /// Notes whose content is there under another id.
    pub duplicates: usize,
    pub dry_run: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conflicts: Vec<Conflict>,
    /// Lines that are no note.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flaws: Vec<Flaw>,
}

pub fn run(store: &Store, call: &Call<'_>, params: Params) -> Result<Done<Reply>, NoteError> {
    let mut reply = Reply {
        dry_run: params.dry_run,
        ..Reply::default()
    };
    let notes = parse(store, call, &params, &mut reply.flaws);
    let how = Rehearsal::dry_if(params.dry_run || notes.is_empty());
    if !how.is_dry() {
        bring_back_replaced(store, call, &notes, params.prefer)?;
    }
    let mut work = store.work(call.now, how)?;
    put(&mut work, notes, params.prefer, &mut reply)?;
    let what = format!("import: {} new, {} replaced", reply.created, reply.replaced);
    let changes = work.commit(Recall::Step(&what, Actor::Import))?;
    let changes = if how.is_dry() { vec![] } else { changes };
    Ok(Done::changed(reply, changes))
}

/// An imported note.
struct Line {
    note: Note,
    has_id: bool,
    /// Whether the line says when it was written. One that does not is new.
    has_time: bool,
}

/// Reads the lines; one that is no note is told with its number and hides no other.
///
/// A note comes with what its line told of it.
fn parse(store: &Store, call: &Call<'_>, params: &Params, flaws: &mut Vec<Flaw>) -> Vec<Line> {
    let mut notes = Vec::new();
    for (n, line) in params
        .lines
        .trim_start_matches('\u{feff}')
        .lines()
        .enumerate()
    {
        if line.trim().is_empty() {
            continue;
        }
        let note = serde_json::from_str::<Portable>(line)
            .map_err(|error| not_json(&error))
            .and_then(|portable| {
                let (has_id, has_time) = (portable.has_id(), portable.has_time());
                let note = fitting(portable.into_note(store.new_id(), call.now)?)?;
                check_secrets(&note, params.allow_secret)
                    .map_err(|error| format!("{error}; --allow-secret imports it"))?;
                Ok(Line {
                    note,
                    has_id,
                    has_time,
                })
            });
        match note {
            Ok(note) => notes.push(note),
            Err(problem) => flaws.push(Flaw::new(format!("line {}", n + 1), problem)),
        }
    }
    notes
}

fn not_json(error: &serde_json::Error) -> String {
    let whole = error.to_string();
    format!(
        "it is not a note in JSON: {}",
        whole.split(" at line ").next().unwrap_or_default()
    )
}

/// Refuses what would not come back from its file as it is, such as a head that ends too early.
fn fitting(note: Note) -> Result<Note, String> {
    checked_source(Some(&note.source))
        .map_err(|error| format!("its source cannot be used: {error}"))?;
    if note.content.len() > limits::CONTENT_BYTES {
        return Err(format!(
            "its content has more than {} bytes",
            limits::CONTENT_BYTES
        ));
    }
    let hints = Hints {
        id: note.id.clone(),
        category: Category::Inbox,
        modified: note.created_at,
    };
    match format::parse(&format::render(&note), &hints) {
        Ok(again) if again == note => Ok(note),
        _ => Err("its front_matter is invalid".to_owned()),
    }
}

/// Moves archived notes that the import replaces back into their categories, so that its step keeps their texts.
fn bring_back_replaced(
    store: &Store,
    call: &Call<'_>,
    lines: &[Line],
    prefer: Prefer,
) -> Result<(), NoteError> {
    let by_id: HashMap<&NoteId, &Line> = lines.iter().map(|line| (&line.note.id, line)).collect();
    for archived in store.archived_notes()?.good {
        let Some(line) = by_id.get(&archived.note.id) else {
            continue;
        };
        let is_newer = !line.has_time || line.note.updated_at > archived.note.updated_at;
        let is_replaced = match prefer {
            Prefer::Mine => false,
            Prefer::Theirs => true,
            Prefer::Newer => is_newer && !is_same(&archived.note, &line.note),
        };
        if is_replaced && store.look()?.entry(&archived.note.id).is_none() {
            bring_back(store, archived, call.now)?;
        }
    }
    Ok(())
}

/// What a note says, and to whom.
type Saying = (NoteScope, Option<Reminder>, ContentHash);

fn put(
    work: &mut Work<'_>,
    notes: Vec<Line>,
    prefer: Prefer,
    reply: &mut Reply,
) -> Result<(), NoteError> {
    let timeless = notes
        .iter()
        .filter(|line| !line.has_time)
        .map(|line| line.note.id.clone())
        .collect();
    let mut notes = without_duplicates(work, notes, reply);
    leave_out_conflicts(work, &mut notes, &timeless, prefer, reply)?;
    for (back, id) in complete_links(work, &mut notes) {
        work.edit(&back, |note| {
            note.add_link(&id);
        })?;
    }
    for (id, note) in notes {
        match work.note(&id) {
            Ok(there) if is_same(&there, &note) && there.links == note.links => {
                reply.unchanged += 1
            }
            Ok(_) => {
                reply.replaced += 1;
                work.edit(&id, |old| *old = note)?;
            }
            Err(NoteError::NoNote { .. }) => {
                reply.created += 1;
                work.add(note);
            }
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Leaves out notes that are newer here, or were archived or deleted here later, as far as the caller has not
/// decided for them. What is archived here and comes back leaves the archive.
fn leave_out_conflicts(
    work: &mut Work<'_>,
    notes: &mut BTreeMap<NoteId, Note>,
    timeless: &HashSet<NoteId>,
    prefer: Prefer,
    reply: &mut Reply,
) -> Result<(), NoteError> {
    let mut archived: HashMap<NoteId, Archived> = work
        .store()
        .archived_notes()?
        .good
        .into_iter()
        .map(|found| (found.note.id.clone(), found))
        .collect();
    let removals = removals(work.store())?;
    let mut left = Vec::new();
    for (id, note) in notes.iter() {
        let (is_newer, why) = match (work.card(id).is_some(), archived.get(id), removals.get(id)) {
            (true, ..) => {
                let here = work.note(id)?;
                if is_same(&here, note) {
                    continue;
                }
                (
                    note.updated_at > here.updated_at,
                    format!("it changed here {}", instant(here.updated_at)),
                )
            }
            (false, Some(found), _) if is_same(&found.note, note) && prefer != Prefer::Theirs => {
                reply.unchanged += 1;
                left.push(id.clone());
                continue;
            }
            (false, Some(found), _) => (
                note.updated_at > found.note.updated_at,
                "it is archived here".to_owned(),
            ),
            (false, None, Some(at)) => (
                note.updated_at > *at,
                format!("it was deleted here {}", instant(*at)),
            ),
            (false, None, None) => continue,
        };
        match prefer {
            Prefer::Theirs => {}
            Prefer::Newer if is_newer || timeless.contains(id) => {}
            Prefer::Mine => left.push(id.clone()),
            Prefer::Newer => {
                let title = note.title().chars().take(limits::TITLE_CHARS).collect();
                reply.conflicts.push(Conflict {
                    id: id.to_string(),
                    title,
                    why,
                });
                left.push(id.clone());
            }
        }
    }
    for id in left {
        notes.remove(&id);
        archived.remove(&id);
    }
    for id in notes.keys() {
        archived
            .remove(id)
            .into_iter()
            .for_each(|found| work.remove_archived(found.path()));
    }
    Ok(())
}

/// Says whether two notes differ in nothing but their links and how often they were used.
fn is_same(a: &Note, b: &Note) -> bool {
    let bare = |note: &Note| Note {
        links: vec![],
        access_count: 0,
        ..note.clone()
    };
    bare(a) == bare(b)
}

/// Leaves out notes whose content is there under another id, and leads links to that one.
///
/// A reminder may say what its source says, and what was two notes before stays two.
fn without_duplicates(
    work: &Work<'_>,
    notes: Vec<Line>,
    reply: &mut Reply,
) -> BTreeMap<NoteId, Note> {
    let coming: HashSet<NoteId> = notes.iter().map(|line| line.note.id.clone()).collect();
    let known: HashMap<Saying, NoteId> = work
        .cards()
        .iter()
        .filter(|card| !coming.contains(&card.id))
        .map(|card| {
            (
                (card.scope.clone(), card.reminder(), card.content_hash),
                card.id.clone(),
            )
        })
        .collect();
    let mut moved: HashMap<NoteId, NoteId> = HashMap::new();
    let mut kept: BTreeMap<NoteId, Note> = BTreeMap::new();
    for Line {
        mut note, has_id, ..
    } in notes
    {
        if !has_id {
            note.id = work.new_id();
        }
        let saying = (note.scope.clone(), note.reminder, note.content_hash());
        if let Some(twin) = known.get(&saying)
            && work.card(&note.id).is_none()
        {
            moved.insert(note.id.clone(), twin.clone());
            reply.duplicates += 1;
            continue;
        }
        // Of two lines with one id the later one counts.
        reply.duplicates += usize::from(kept.insert(note.id.clone(), note).is_some());
    }
    for note in kept.values_mut() {
        for link in std::mem::take(&mut note.links) {
            note.add_link(moved.get(&link).unwrap_or(&link));
        }
    }
    kept
}

/// Makes the links of imported notes stand on both sides, as far as the other side is there.
///
/// Returns the links that notes need which are not imported themselves. Links that were made here
/// since the export stay.
fn complete_links(work: &Work<'_>, notes: &mut BTreeMap<NoteId, Note>) -> Vec<(NoteId, NoteId)> {
    let mut pairs = Vec::new();
    for (id, note) in notes.iter_mut() {
        let here = work
            .card(id)
            .map(|card| card.links.clone())
            .unwrap_or_default();
        here.iter().for_each(|link| {
            note.add_link(link);
        });
        pairs.extend(note.links.iter().map(|to| (to.clone(), id.clone())));
    }
    let mut missing = Vec::new();
    for (to, from) in pairs {
        match notes.get_mut(&to) {
            Some(note) => {
                note.add_link(&from);
            }
            None if work.card(&to).is_some() => missing.push((to, from)),
            None => {}
        }
    }
    missing
}
