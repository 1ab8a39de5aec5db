//! The archive: notes that maintenance removed from their categories, in `archive/<category>/`, without a time limit.
//!
//! An archived note keeps its file as it was. A note of the inbox counts as archived from the moment it expires,
//! whether or not maintenance has moved it. Recall finds archived notes that answer better than every current one; reading or
//! restoring one moves it back.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use memory_core::{Change, Flaw, Rehearsal, Survey, Timestamp};
use memory_files::{Sighting, Spot};

use crate::change::{Recall, Work};
use crate::filing::{is_note, read_note};
use crate::store::Store;
use crate::{Category, Note, NoteError, NoteId, Origin, SHORTEST_PREFIX, Standing, limits};

/// The folder of the archive, below the root.
pub(crate) const ARCHIVE: &str = "archive";

/// A note in the archive.
#[derive(Debug)]
pub(crate) struct Archived {
    pub(crate) category: Category,
    pub(crate) file: String,
    pub(crate) note: Note,
    pub(crate) bytes: Vec<u8>,
}

/// Returns the path of an archived file below the root of the notes.
pub(crate) fn path_of(category: Category, file: &str) -> String {
    format!("{ARCHIVE}/{category}/{file}")
}

impl Store {
    /// Returns the folder of a category in the archive.
    pub(crate) fn archive_folder(&self, category: Category) -> Spot {
        self.root.join(ARCHIVE).join(category.as_str())
    }

    /// Returns every archived file.
    pub(crate) fn archived_files(&self) -> Result<Vec<(Category, Sighting)>, NoteError> {
        let mut found = Vec::new();
        if self.files.stamp(&self.root.join(ARCHIVE))?.is_none() {
            return Ok(found);
        }
        for category in Category::ALL {
            let files = self.files.scan(&self.archive_folder(category))?;
            let notes = files.into_iter().filter(|file| is_note(&file.name));
            found.extend(notes.map(|file| (category, file)));
        }
        Ok(found)
    }

    /// Returns whether the file that a note was made from was removed. If its folder is missing as well, such as that of
    /// a disk that is not connected, it counts as there.
    pub(crate) fn is_source_gone(&self, origin: &Origin) -> bool {
        let path = Path::new(&origin.path);
        let has_folder = path
            .parent()
            .is_some_and(|folder| !self.files.is_missing(folder));
        has_folder && self.files.is_missing(path)
    }

    /// Returns every archived note that can be read, and a flaw for each file that is damaged.
    pub(crate) fn archived_notes(&self) -> Result<Survey<Archived>, NoteError> {
        let files = self.archived_files()?;
        self.read_archived(
            files
                .into_iter()
                .map(|(category, file)| (category, file.name))
                .collect(),
        )
    }

    /// Finds the archived note whose id is `text` or begins with it.
    pub(crate) fn find_archived(&self, text: &str) -> Result<Option<Archived>, NoteError> {
        let lower = text.trim().to_ascii_lowercase();
        let files = self.archived_files()?;
        if lower.len() < SHORTEST_PREFIX || files.is_empty() {
            return Ok(None);
        }
        let is_named = |file: &OsStr| {
            file.to_string_lossy()
                .to_ascii_lowercase()
                .starts_with(&lower)
        };
        let mut named: Vec<(Category, OsString)> = files
            .into_iter()
            .map(|(category, file)| (category, file.name))
            .collect();
        if named.iter().any(|(_, file)| is_named(file)) {
            named.retain(|(_, file)| is_named(file));
        }
        let mut found = self.read_archived(named)?.good;
        found.retain(|archived| {
            archived
                .note
                .id
                .as_str()
                .to_ascii_lowercase()
                .starts_with(&lower)
        });
        if let Some(exact) = found
            .iter()
            .position(|archived| archived.note.id.as_str() == text.trim())
        {
            return Ok(Some(found.swap_remove(exact)));
        }
        if found.len() > 1 {
            let ids = found.into_iter().map(|archived| archived.note.id).collect();
            return Err(NoteError::Ambiguous {
                prefix: text.to_owned(),
                ids,
            });
        }
        Ok(found.pop())
    }

    fn read_archived(
        &self,
        files: Vec<(Category, OsString)>,
    ) -> Result<Survey<Archived>, NoteError> {
        let mut found = Survey::default();
        for (category, file) in files {
            let file = file.to_string_lossy().into_owned();
            let at = self.archive_folder(category).join(&file);
            let Some(seen) = self.files.read(&at, limits::FILE_BYTES)? else {
                continue;
            };
            match read_note(category, &file, &seen) {
                Ok(note) => found.good.push(Archived {
                    category,
                    file,
                    note,
                    bytes: seen.bytes,
                }),
                Err(problem) => found.flaws.push(Flaw::new(
                    path_of(category, &file),
                    format!("The archived file is damaged: {problem}"),
                )),
            }
        }
        Ok(found)
    }
}

/// Moves an archived note back into its category, and links it with the notes that it names.
///
/// A note of the inbox that has expired waits as long there again.
pub(crate) fn bring_back(
    store: &Store,
    archived: Archived,
    now: Timestamp,
) -> Result<(Note, Vec<Change>), NoteError> {
    let id = archived.note.id.clone();
    let mut work = store.work(now, Rehearsal::Real)?;
    unarchive(&mut work, archived)?;
    let note = work.note(&id)?;
    Ok((note, work.commit(Recall::Nothing)?))
}

fn unarchive(work: &mut Work<'_>, archived: Archived) -> Result<(), NoteError> {
    let Archived {
        category,
        file,
        note,
        bytes,
    } = archived;
    if work.card(&note.id).is_some() {
        return Err(NoteError::bad(format!("Note '{}' already exists", note.id)));
    }
    let (id, links) = (note.id.clone(), note.links.clone());
    work.put_back(note, &crate::catalog::path_of(category, &file), bytes)?;
    work.remove_archived(path_of(category, &file));
    relink(work, &id, &links)?;
    renew(work, &id)
}

impl Archived {
    /// Returns the path of its file below the root.
    pub(crate) fn path(&self) -> String {
        path_of(self.category, &self.file)
    }
}

/// Makes the links of a note that came back stand on both sides; one to a note that is gone is dropped.
fn relink(work: &mut Work<'_>, id: &NoteId, links: &[NoteId]) -> Result<(), NoteError> {
    for other in links {
        if work.card(other).is_some() {
            work.edit(other, |note| {
                note.add_link(id);
            })?;
        } else {
            work.edit(id, |note| {
                note.drop_link(other);
            })?;
        }
    }
    Ok(())
}

/// Lets a note of the inbox that has expired wait as long again. One whose source is gone is a note like others.
pub(crate) fn renew(work: &mut Work<'_>, id: &NoteId) -> Result<(), NoteError> {
    let (now, store) = (work.now, work.store);
    let renewed = store.settings.inbox_ttl.after(now);
    work.edit(id, |note| {
        if note
            .origin
            .as_ref()
            .is_some_and(|origin| store.is_source_gone(origin))
        {
            note.origin = None;
            if let Standing::Inbox { expires_at } = &mut note.standing {
                *expires_at = Some(renewed);
            }
        }
        if note.expires_at().is_some_and(|at| at <= now) {
            note.standing = Standing::Inbox {
                expires_at: Some(renewed),
            };
        }
    })
}
