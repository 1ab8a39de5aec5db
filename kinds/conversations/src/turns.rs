//! Turns by their times, found by the names of their files: a long conversation is not read for a short
//! question.

use std::ffi::OsStr;
use std::sync::Arc;

use memchr::memmem::Finder;
use memory_core::Timestamp;

use crate::filing::{Filed, Place, has_shape_of_time, is_entry, read_entry, time_of_name};
use crate::kept::Room;
use crate::store::{DELETED, Store};
use crate::{ConversationError, Shelf, limits};

/// Which turns are looked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wanted<'w> {
    /// Their files have this text in them.
    pub(crate) text: &'w str,
    /// So many are looked at.
    pub(crate) most: usize,
}

impl Store {
    /// Returns the names of a shelf's files that tell no time, or one from `since` on; the latter in their order.
    fn names_since(
        &self,
        folder: &str,
        shelf: Shelf,
        since: Timestamp,
    ) -> Result<Vec<String>, ConversationError> {
        let earliest = since.strftime("%Y-%m-%dT%H-%M-%S").to_string();
        let kept = |room: &mut Room| {
            room.names_since(shelf, &earliest)
                .map(str::to_owned)
                .collect()
        };
        if let Some(names) = self.kept_room(folder, kept) {
            return Ok(names);
        }
        let may_be = |name: &&str| !has_shape_of_time(name) || *name >= earliest.as_str();
        self.on_names(folder, shelf, |names| {
            names.filter(may_be).map(str::to_owned).collect()
        })
    }

    /// Runs something on the names of a shelf's files in their order, without looking at the files.
    fn on_names<T>(
        &self,
        folder: &str,
        shelf: Shelf,
        look: impl Fn(&mut dyn DoubleEndedIterator<Item = &str>) -> T,
    ) -> Result<T, ConversationError> {
        let kept = |room: &mut Room| look(&mut room.files(shelf).keys().map(String::as_str));
        if let Some(seen) = self.kept_room(folder, kept) {
            return Ok(seen);
        }
        let items = self.files.list(&self.room(folder).join(shelf.path()))?;
        let names = items.iter().filter(|item| is_entry(&item.name));
        Ok(look(&mut names.filter_map(|item| item.name.to_str())))
    }

    /// Returns the time of the newest entry of a shelf by the names of its files.
    pub(crate) fn latest_time(
        &self,
        folder: &str,
        shelf: Shelf,
    ) -> Result<Option<Timestamp>, ConversationError> {
        // Names sort as their times do.
        self.on_names(folder, shelf, |names| names.rev().find_map(time_of_name))
    }

    /// Counts the entries of a shelf.
    pub(crate) fn count(&self, folder: &str, shelf: Shelf) -> Result<usize, ConversationError> {
        self.on_names(folder, shelf, |names| names.count())
    }

    /// Returns an id that no entry has.
    pub(crate) fn new_id(&self) -> Result<String, ConversationError> {
        loop {
            let id = self.ids.uuid();
            // Chance gives none twice; a seed gives the same to every process.
            if !self.ids.is_seeded() || !self.is_taken(&id)? {
                return Ok(id);
            }
        }
    }

    fn is_taken(&self, id: &str) -> Result<bool, ConversationError> {
        let ending = format!("__{id}.md");
        for folder in self.folders()? {
            for shelf in [Shelf::Facts, Shelf::User, Shelf::Assistant] {
                let here = self.room(&folder);
                for at in [
                    here.join(shelf.path()),
                    here.join(DELETED).join(shelf.path()),
                ] {
                    let items = self.files.list(&at)?;
                    if items
                        .iter()
                        .any(|item| item.name.to_string_lossy().ends_with(&ending))
                    {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }

    /// Reads the turns of a shelf from a time on that have a text anywhere in their files, the oldest first.
    /// Only the latest of them, up to so many, are looked at.
    pub(crate) fn turns_since(
        &self,
        folder: &str,
        shelf: Shelf,
        since: Timestamp,
        wanted: Wanted<'_>,
    ) -> Result<Vec<Arc<Filed>>, ConversationError> {
        let mut names = self.names_since(folder, shelf, since)?;
        names.retain(|name| time_of_name(name).is_some_and(|at| at >= since));
        let latest = &names[names.len().saturating_sub(wanted.most)..];
        self.kept_room(folder, |room| {
            latest.first().map(|first| room.forget_before(shelf, first))
        });
        let has_text = Finder::new(wanted.text);
        let mut found = self.read_names(folder, shelf, latest)?;
        found.retain(|filed| has_text.find(&filed.bytes).is_some());
        Ok(found)
    }

    /// Reads files of a shelf in the order of their names, without damaged ones. A process that stays reads each of
    /// them once.
    fn read_names(
        &self,
        folder: &str,
        shelf: Shelf,
        names: &[String],
    ) -> Result<Vec<Arc<Filed>>, ConversationError> {
        let known = self.kept_room(folder, |room| -> Vec<_> {
            names.iter().map(|name| room.read(shelf, name)).collect()
        });
        let mut found = known.unwrap_or_else(|| vec![None; names.len()]);
        let new: Vec<usize> = (0..names.len()).filter(|n| found[*n].is_none()).collect();
        let files: Vec<&OsStr> = new.iter().map(|n| OsStr::new(&names[*n])).collect();
        let (mut stamps, mut failure) = (Vec::new(), None);
        let at = self.room(folder).join(shelf.path());
        self.files
            .read_each(&at, &files, limits::FILE_BYTES, &mut |n, seen| {
                let seen = match seen {
                    Ok(Some(seen)) => seen,
                    Err(error) if error.is_io() => {
                        failure.get_or_insert(error);
                        return;
                    }
                    // Damage is reported by whoever looks at all of them.
                    Ok(None) | Err(_) => return,
                };
                let stamp = seen.stamp;
                if let Ok(filed) = read_entry(folder, shelf, &names[new[n]], seen) {
                    let filed = Arc::new(filed);
                    stamps.push((stamp, filed.clone()));
                    found[new[n]] = Some(filed);
                }
            });
        self.kept_room(folder, |room| {
            stamps
                .iter()
                .for_each(|(stamp, filed)| room.keep(*stamp, filed))
        });
        match failure {
            Some(error) => Err(error.into()),
            None => Ok(found.into_iter().flatten().collect()),
        }
    }

    /// Reads all facts that can be read, the oldest first. A process that stays reads each of them once.
    pub(crate) fn facts(&self, folder: &str) -> Result<Vec<Arc<Filed>>, ConversationError> {
        let names: Vec<String> = self.on_names(folder, Shelf::Facts, |names| {
            names.map(str::to_owned).collect()
        })?;
        let mut facts = self.read_names(folder, Shelf::Facts, &names)?;
        facts.sort_by(|a, b| {
            (a.entry.created_at, &a.entry.id).cmp(&(b.entry.created_at, &b.entry.id))
        });
        Ok(facts)
    }

    /// Reads the facts after a time, the oldest first. Those whose names tell an earlier time are not opened.
    pub(crate) fn facts_after(
        &self,
        folder: &str,
        since: Option<Timestamp>,
    ) -> Result<Vec<Arc<Filed>>, ConversationError> {
        let Some(since) = since else {
            return self.facts(folder);
        };
        let mut names = self.names_since(folder, Shelf::Facts, since)?;
        names.retain(|name| time_of_name(name).is_none_or(|at| at > since));
        let mut facts = self.read_names(folder, Shelf::Facts, &names)?;
        facts.retain(|filed| filed.entry.created_at > since);
        facts.sort_by(|a, b| {
            (a.entry.created_at, &a.entry.id).cmp(&(b.entry.created_at, &b.entry.id))
        });
        Ok(facts)
    }

    /// Returns when each entry of a shelf was made that can be read. A process that stays asks each of them once.
    pub(crate) fn times(
        &self,
        folder: &str,
        shelf: Shelf,
    ) -> Result<Vec<(Timestamp, Place)>, ConversationError> {
        let names: Vec<String> =
            self.on_names(folder, shelf, |names| names.map(str::to_owned).collect())?;
        let known = self.kept_room(folder, |room| -> Vec<_> {
            names.iter().map(|name| room.made(shelf, name)).collect()
        });
        let mut times = known.unwrap_or_else(|| vec![None; names.len()]);
        let at = self.room(folder).join(shelf.path());
        let new: Vec<usize> = (0..names.len()).filter(|n| times[*n].is_none()).collect();
        let files: Vec<&OsStr> = new.iter().map(|n| OsStr::new(&names[*n])).collect();
        let mut failure = None;
        self.files
            .read_each(&at, &files, limits::FILE_BYTES, &mut |n, seen| {
                let seen = match seen {
                    Ok(Some(seen)) => seen,
                    Err(error) if error.is_io() => {
                        failure.get_or_insert(error);
                        return;
                    }
                    Ok(None) | Err(_) => return,
                };
                let read = read_entry(folder, shelf, &names[new[n]], seen);
                times[new[n]] = read.ok().map(|filed| filed.entry.created_at);
            });
        if let Some(error) = failure {
            return Err(error.into());
        }
        let found = names.into_iter().zip(times);
        let found: Vec<(Timestamp, Place)> = found
            .filter_map(|(file, at)| Some((at?, Place { shelf, file })))
            .collect();
        self.kept_room(folder, |room| {
            found
                .iter()
                .for_each(|(at, place)| room.keep_made(place, *at))
        });
        Ok(found)
    }

    /// Reads what was answered to a user's turn: several texts if tools were asked in between.
    pub(crate) fn answers_to(
        &self,
        folder: &str,
        turn: &str,
    ) -> Result<Vec<Arc<Filed>>, ConversationError> {
        let ending = format!("__{turn}.md");
        let asked = self.on_names(folder, Shelf::User, |names| {
            names
                .rev()
                .find(|name| name.ends_with(&ending))
                .and_then(time_of_name)
        })?;
        let Some(at) = asked else { return Ok(vec![]) };
        let wanted = Wanted {
            text: turn,
            most: usize::MAX,
        };
        let mut answers = self.turns_since(folder, Shelf::Assistant, at, wanted)?;
        answers.retain(|filed| filed.entry.answers.as_deref() == Some(turn));
        Ok(answers)
    }
}
