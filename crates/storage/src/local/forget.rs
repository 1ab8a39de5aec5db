//! Removing texts from the history for good.
//!
//! The history is kept for ever, but for texts that must not be: values with a time to live, and what a person deletes
//! permanently. Their records stay, without the text.

use memory_core::Timestamp;
use memory_files::{Access, Spot};

use super::{LOG_BYTES, LocalStorage, LocalTransaction, TEMPORARY};
use crate::record::{Line, parse, render_line};
use crate::{PATIENCE, StorageError};

const ENDING: &str = ".expiry";
const BYTES: u64 = 1 << 10;
/// What the file of expiries says if no text expires.
const NEVER: &str = "never";

/// Says when a text of an entry expires; `None` if it does not.
pub type ExpiryOf<'a> = dyn Fn(&str, &str) -> Option<Timestamp> + 'a;

impl LocalStorage {
    /// Notes that a text which is about to be recorded expires.
    pub fn note_expiry(&self, at: Timestamp) {
        let earlier = matches!(self.next_expiry(), Some(Some(known)) if known <= at);
        if !earlier {
            let _ = self.ensure_history();
            self.write_next_expiry(Some(at));
        }
    }

    /// Removes texts from the history that have expired; returns how many.
    pub fn forget_expired(
        &self,
        now: Timestamp,
        expiry_of: &ExpiryOf<'_>,
    ) -> Result<usize, StorageError> {
        let is_due = match self.next_expiry() {
            Some(Some(at)) => at <= now,
            Some(None) => false,
            // Nobody knows: the history is read once.
            None => self.disk.stamp(&self.history)?.is_some(),
        };
        if !is_due {
            return Ok(0);
        }
        let mut writer = self.begin_writing(PATIENCE)?;
        let mut next: Option<Timestamp> = None;
        let forgotten = writer.forget(&mut |address, text| {
            let expiry = expiry_of(address, text);
            let is_expired = expiry.is_some_and(|at| at <= now);
            if let Some(at) = expiry.filter(|at| *at > now) {
                next = Some(next.map_or(at, |known| known.min(at)));
            }
            is_expired
        })?;
        self.write_next_expiry(next);
        Ok(forgotten)
    }

    /// Returns when the next text expires: `Some(None)` if none does, `None` if that is not known.
    fn next_expiry(&self) -> Option<Option<Timestamp>> {
        let seen = self.disk.read(&self.expiry_file()?, BYTES).ok()??;
        let text = String::from_utf8(seen.bytes).ok()?;
        match text.trim_end() {
            NEVER => Some(None),
            at => Some(Some(at.parse().ok()?)),
        }
    }

    fn write_next_expiry(&self, at: Option<Timestamp>) {
        let text = at.map_or(NEVER.to_owned(), |at| at.to_string());
        if let Some(file) = self.expiry_file() {
            // If it is not written, the history is read again.
            let _ = self.files.replace_derived(&file, text.as_bytes());
        }
    }

    fn expiry_file(&self) -> Option<Spot> {
        let id = self.machine.known_id()?;
        Some(self.history.join(format!("{id}{ENDING}")))
    }
}

impl LocalTransaction<'_> {
    /// Removes texts from the history files of this machine; returns how many.
    fn forget(
        &mut self,
        is_forgotten: &mut dyn FnMut(&str, &str) -> bool,
    ) -> Result<usize, StorageError> {
        let mut forgotten = 0;
        for item in self.storage.disk.list(&self.history)? {
            let name = item.name.to_string_lossy();
            if self.storage.is_own_log(&name) {
                forgotten += self.forget_in(&name, is_forgotten)?;
            }
        }
        Ok(forgotten)
    }

    fn forget_in(
        &mut self,
        name: &str,
        is_forgotten: &mut dyn FnMut(&str, &str) -> bool,
    ) -> Result<usize, StorageError> {
        let (disk, at) = (&self.storage.disk, self.history.join(name));
        let Some(seen) = disk.read(&at, LOG_BYTES)? else {
            return Ok(0);
        };
        let mut bytes = Vec::with_capacity(seen.bytes.len());
        let (mut forgotten, mut copied) = (0, 0);
        for mut line in parse(&seen.bytes, 0) {
            let removed = remove_texts(&mut line, is_forgotten);
            if removed > 0 {
                bytes.extend_from_slice(&seen.bytes[copied..line.start as usize]);
                bytes.extend_from_slice(render_line(&line)?.as_bytes());
                copied = line.end as usize;
                forgotten += removed;
            }
        }
        if forgotten == 0 {
            return Ok(0);
        }
        bytes.extend_from_slice(&seen.bytes[copied..]);
        let temporary = format!("{}{TEMPORARY}", self.storage.ids.short());
        let temporary = self.history.join(temporary);
        let written = disk
            .create(&temporary, &bytes, Access::Private)
            .and_then(|_| disk.rename(&temporary, &at))
            .and_then(|()| disk.sync_folder(&self.history));
        if let Err(error) = written {
            let _ = disk.remove(&temporary);
            return Err(error.into());
        }
        if self.log.as_deref() == Some(name) {
            self.log_bytes = bytes.len() as u64;
            self.write_checkpoint(&self.end())?;
        }
        Ok(forgotten)
    }
}

fn remove_texts(line: &mut Line, is_forgotten: &mut dyn FnMut(&str, &str) -> bool) -> usize {
    let mut removed = 0;
    for entry in &mut line.record.entries {
        for text in [&mut entry.text, &mut entry.before] {
            if text
                .as_ref()
                .is_some_and(|text| is_forgotten(&entry.address, text))
            {
                *text = None;
                removed += 1;
            }
        }
    }
    removed
}
