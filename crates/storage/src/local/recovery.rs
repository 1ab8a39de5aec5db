//! Completing a commit that was interrupted.

use std::collections::HashMap;

use memory_files::{Access, ItemKind, Spot};

use super::checkpoint::Checkpoint;
use super::commit::FILE_BYTES;
use super::{IGNORE, IGNORE_ALL, LOG, LocalTransaction, TEMPORARY};
use crate::change_set::{hash, state_hash};
use crate::record::{FileChange, Line, render_cancellation};
use crate::{StorageError, StorePath};

/// What has become of the change of one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    /// The file is as the record says.
    Done,
    /// The file is as it was before, and the new contents are lost: a power cut came before the rename was durable.
    Lost,
    /// The file was edited since and stays as it is.
    Edited,
}

impl LocalTransaction<'_> {
    /// Finds the end of the history, and completes what lies behind the checkpoint.
    pub(super) fn recover(&mut self) -> Result<(), StorageError> {
        let storage = self.storage;
        let mut temporaries = Vec::new();
        let (mut is_used, mut has_ignore) = (false, false);
        for item in storage.disk.list(&self.history)? {
            let (ItemKind::File, Some(name)) = (item.kind, item.name.to_str()) else {
                continue;
            };
            is_used |= name.ends_with(LOG);
            has_ignore |= name == IGNORE;
            // The second is one of a file that is replaced without the lock.
            if name.ends_with(TEMPORARY) || name.starts_with('.') && name.contains(".tmp-") {
                temporaries.push(self.history.join(name));
            } else if storage.is_own_log(name) && self.log.as_deref() < Some(name) {
                self.log = Some(name.to_owned());
            }
        }
        // Only a writer that holds the lock replaces files here.
        if storage.is_ignored && !is_used && !has_ignore {
            let at = self.history.join(IGNORE);
            storage.files.replace(&at, IGNORE_ALL)?;
        }
        if let Some(log) = &self.log {
            let stamp = storage.disk.stamp(&self.history.join(log))?;
            self.log_bytes = stamp.map_or(0, |stamp| stamp.size);
        }
        let checkpoint = storage.read_checkpoint(&self.history)?;
        let is_new = checkpoint.is_none() && self.log.is_none();
        if is_new {
            // The process that has created the folders may have died before their names were durable.
            storage.files.settle_folders(&storage.history)?;
        }
        if temporaries.is_empty() && (is_new || checkpoint == Some(self.end())) {
            return Ok(());
        }
        self.settles_folders = true;
        self.redo(checkpoint)?;
        for temporary in &temporaries {
            storage.disk.remove(temporary)?;
        }
        self.write_checkpoint(&self.end())?;
        Ok(())
    }

    fn redo(&mut self, checkpoint: Option<Checkpoint>) -> Result<(), StorageError> {
        let Some(log) = self.log.clone() else {
            return Ok(());
        };
        let from = checkpoint
            .filter(|checkpoint| checkpoint.log == log && checkpoint.offset <= self.log_bytes)
            .map_or(0, |checkpoint| checkpoint.offset);
        let lines = self.storage.lines(&log, from)?;
        // A later record of the same file has the contents that the file must have.
        let mut last: HashMap<&StorePath, &str> = HashMap::new();
        for line in &lines {
            for change in &line.files {
                last.insert(&change.path, &line.step);
            }
        }
        let mut folders: Vec<Spot> = Vec::new();
        let mut lost = Vec::new();
        for line in &lines {
            let mut outcomes = Vec::new();
            for change in &line.files {
                if last.get(&change.path) == Some(&line.step.as_str()) {
                    outcomes.push(self.redo_file(line, change)?);
                    folders.extend(self.at(&change.path).parent());
                }
            }
            if !outcomes.is_empty() && outcomes.iter().all(|outcome| *outcome == Outcome::Lost) {
                lost.push(line);
            }
        }
        folders.sort_by_key(Spot::path);
        folders.dedup();
        for folder in &folders {
            self.storage.disk.sync_folder(folder)?;
        }
        self.end_log(&log, from, &lines)?;
        for line in lost {
            self.cancel(&log, line)?;
        }
        Ok(())
    }

    /// Makes what is left of the history durable. A last line that is not whole gets an end, so that the next record
    /// begins a line.
    fn end_log(&mut self, log: &str, from: u64, lines: &[Line]) -> Result<(), StorageError> {
        let whole = lines.last().map_or(from, |line| line.end);
        let rest = if whole < self.log_bytes { "\n" } else { "" };
        let at = self.history.join(log);
        self.storage
            .disk
            .append(&at, rest.as_bytes(), Access::Private)?;
        self.storage.disk.sync_folder(&self.history)?;
        self.log_bytes += rest.len() as u64;
        Ok(())
    }

    /// Notes that the change of a record did not happen.
    fn cancel(&mut self, log: &str, line: &Line) -> Result<(), StorageError> {
        let step = self.new_step(line.record.at);
        let text = render_cancellation(&step, line, line.record.at)?;
        let at = self.history.join(log);
        self.storage
            .disk
            .append(&at, text.as_bytes(), Access::Private)?;
        self.log_bytes += text.len() as u64;
        Ok(())
    }

    fn redo_file(&self, line: &Line, change: &FileChange) -> Result<Outcome, StorageError> {
        let at = self.at(&change.path);
        let stamp = self.storage.disk.stamp(&at)?.as_ref().map(state_hash);
        match (change.sum, change.offset) {
            (None, _) => {
                if stamp.is_some() && stamp == change.base {
                    self.storage.disk.remove(&at)?;
                }
                let is_done = stamp.is_none() || stamp == change.base;
                Ok(if is_done {
                    Outcome::Done
                } else {
                    Outcome::Edited
                })
            }
            (Some(sum), None) => {
                let contents = self.storage.disk.read(&at, FILE_BYTES)?;
                if contents.is_some_and(|seen| hash(&seen.bytes) == sum) {
                    self.storage.disk.overwrite(&at, &[])?;
                    Ok(Outcome::Done)
                } else if stamp == change.base {
                    self.put_again(line, change, sum, &at)
                } else {
                    Ok(Outcome::Edited)
                }
            }
            (Some(sum), Some(offset)) => self.append_again(line, change, sum, offset),
        }
    }

    fn put_again(
        &self,
        line: &Line,
        change: &FileChange,
        sum: u64,
        at: &Spot,
    ) -> Result<Outcome, StorageError> {
        let disk = &self.storage.disk;
        let temporary = change
            .temporary
            .as_ref()
            .map(|name| self.history.join(name));
        if let Some(temporary) = temporary
            && let Some(seen) = disk.read(&temporary, FILE_BYTES)?
            && hash(&seen.bytes) == sum
        {
            disk.overwrite(&temporary, &[])?;
            disk.rename(&temporary, at)?;
            return Ok(Outcome::Done);
        }
        let Some(text) = text_of(line, change, sum) else {
            return Ok(Outcome::Lost);
        };
        if let Some(folder) = at.parent() {
            self.storage.ensure_folder(&folder, self.storage.access)?;
        }
        let name = format!("{}{TEMPORARY}", self.storage.ids.short());
        let temporary = self.history.join(&name);
        disk.create(&temporary, text.as_bytes(), self.storage.access)?;
        disk.rename(&temporary, at)?;
        Ok(Outcome::Done)
    }

    fn append_again(
        &self,
        line: &Line,
        change: &FileChange,
        sum: u64,
        offset: u64,
    ) -> Result<Outcome, StorageError> {
        let (disk, at) = (&self.storage.disk, self.at(&change.path));
        let rest = match disk.read_part(&at, offset, FILE_BYTES as usize)? {
            Some(seen) if seen.stamp.size < offset => return Ok(Outcome::Edited),
            Some(seen) => seen.bytes,
            None if offset == 0 => Vec::new(),
            None => return Ok(Outcome::Edited),
        };
        let text = line.record.entries.iter().find_map(|entry| {
            let appended = format!("{}\n", entry.text.as_ref()?);
            let is_meant = entry.path == change.path && hash(appended.as_bytes()) == sum;
            is_meant.then_some(appended)
        });
        let Some(text) = text else {
            return Ok(Outcome::Lost);
        };
        if rest.starts_with(text.as_bytes()) {
            disk.overwrite(&at, &[])?;
            Ok(Outcome::Done)
        } else if rest.is_empty() || text.as_bytes().starts_with(&rest) {
            disk.append(&at, &text.as_bytes()[rest.len()..], self.storage.access)?;
            Ok(Outcome::Done)
        } else {
            Ok(Outcome::Edited)
        }
    }
}

/// Returns the text of the entry that is the whole file.
fn text_of<'l>(line: &'l Line, change: &FileChange, sum: u64) -> Option<&'l str> {
    let texts = line
        .record
        .entries
        .iter()
        .filter(|entry| entry.path == change.path)
        .filter_map(|entry| entry.text.as_deref());
    texts.into_iter().find(|text| hash(text.as_bytes()) == sum)
}
