//! Turns by their times, found by the names of their files: a long conversation is not read for a short
//! question.

use std::ffi::OsStr;

use memchr::memmem::Finder;
use memory_core::Timestamp;

use crate::store::{DELETED, Filed, Place, Store, is_entry, read_entry, time_of_name};
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
    /// Returns the names of a shelf's files in the order of their times, without looking at them.
    fn names(&self, folder: &str, shelf: Shelf) -> Result<Vec<String>, ConversationError> {
        let items = self.files.list(&self.room(folder).join(shelf.path()))?;
        let names = items.into_iter().filter_map(|item| item.name.into_string().ok());
        Ok(names.filter(|name| name.ends_with(".md") && time_of_name(name).is_some()).collect())
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
                for at in [here.join(shelf.path()), here.join(DELETED).join(shelf.path())] {
                    let items = self.files.list(&at)?;
                    if items.iter().any(|item| item.name.to_string_lossy().ends_with(&ending)) {
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
    ) -> Result<Vec<Filed>, ConversationError> {
        let names = self.names(folder, shelf)?;
        let first = names.partition_point(|name| time_of_name(name).is_some_and(|at| at < since));
        let latest = &names[first.max(names.len().saturating_sub(wanted.most))..];
        let files: Vec<&OsStr> = latest.iter().map(OsStr::new).collect();
        let has_text = Finder::new(wanted.text);
        let mut found = Vec::new();
        let at = self.room(folder).join(shelf.path());
        self.files.read_each(&at, &files, limits::FILE_BYTES, &mut |n, seen| {
            // One that can't be read is told by whoever looks at all of them.
            if let Ok(Some(seen)) = seen
                && has_text.find(&seen.bytes).is_some()
            {
                found.extend(read_entry(folder, shelf, &latest[n], seen));
            }
        });
        Ok(found)
    }

    /// Reads the facts after a time, the oldest first. Those whose names tell an earlier time are not opened.
    pub(crate) fn facts_after(&self, folder: &str, since: Option<Timestamp>) -> Vec<Filed> {
        let Some(since) = since else { return self.entries(folder, Shelf::Facts).good };
        let items = self.files.list(&self.room(folder).join(Shelf::Facts.path())).unwrap_or_default();
        let names = items
            .into_iter()
            .filter(|item| is_entry(&item.name))
            .filter_map(|item| item.name.into_string().ok());
        let may_be_new = |name: &String| time_of_name(name).is_none_or(|at| at > since);
        let read = |file: String| self.read(folder, &Place { shelf: Shelf::Facts, file }).ok().flatten();
        let mut facts: Vec<Filed> = names.filter(may_be_new).filter_map(read).collect();
        facts.retain(|filed| filed.entry.created_at > since);
        facts.sort_by(|a, b| (a.entry.created_at, &a.entry.id).cmp(&(b.entry.created_at, &b.entry.id)));
        facts
    }

    /// Reads what was answered to a user's turn: several texts if tools were asked in between.
    pub(crate) fn answers_to(&self, folder: &str, turn: &str) -> Result<Vec<Filed>, ConversationError> {
        let ending = format!("__{turn}.md");
        let asked = self.names(folder, Shelf::User)?.into_iter().rfind(|name| name.ends_with(&ending));
        let Some(at) = asked.and_then(|name| time_of_name(&name)) else { return Ok(vec![]) };
        let wanted = Wanted { text: turn, most: usize::MAX };
        let mut answers = self.turns_since(folder, Shelf::Assistant, at, wanted)?;
        answers.retain(|filed| filed.entry.answers.as_deref() == Some(turn));
        Ok(answers)
    }
}
