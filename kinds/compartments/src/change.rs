//! The one way to change the file: under its lock, durable before it returns.

use memory_core::{Flaw, Step, Timestamp};
use memory_files::{Discarded, DiskError, Saved, Seen};

use crate::document::KIND;
use crate::format::Contents;
use crate::operations::count;
use crate::salvage::salvage;
use crate::store::Store;
use crate::undo::{self, Removed};
use crate::{CompartmentError, limits};

/// What is to happen after an edit.
pub(crate) enum Edit<T> {
    /// Nothing changed.
    Keep(T),
    /// Write the file.
    Write(T),
    /// Write the file, and keep what is gone from it: what was done, and the entries.
    Remove(T, String, Vec<Removed>),
}

/// What an edit answered, and what was found damaged on the way and put aside.
#[derive(Debug)]
pub(crate) struct Changed<T> {
    pub(crate) answer: T,
    pub(crate) flaws: Vec<Flaw>,
}

/// What is wrong with a file, and how many of its entries could be saved.
pub(crate) struct Damage {
    pub(crate) problem: String,
    pub(crate) salvaged: usize,
}

impl Store {
    /// Changes the file and makes the change durable before it returns.
    ///
    /// # Invariants
    ///
    /// - A reader sees the file before the change or after it, never between.
    /// - No one else changes it while `edit` runs; `edit` must therefore be quick.
    /// - When `edit` fails, nothing has changed.
    /// - A damaged file is kept as `<file>.corrupt-<time>` before another takes its place, which
    ///   begins with the entries that could be salvaged; and its caller is told.
    /// - What is taken away is in the trash before it is gone.
    pub(crate) fn change<T>(
        &self,
        now: Timestamp,
        edit: impl FnOnce(&mut Contents) -> Result<Edit<T>, CompartmentError>,
    ) -> Result<Changed<T>, CompartmentError> {
        let folder = self.file.parent().unwrap_or_else(|| self.file.clone());
        self.files.ensure_folder(&folder)?;
        let held = self.hold()?;
        let loaded = self.load()?;
        let (mut contents, damage) = self.contents(loaded.as_ref())?;
        let (answer, removal) = match edit(&mut contents)? {
            Edit::Keep(answer) => {
                // Who has nothing to write has no reason to move a damaged file, but must hear of it.
                return damage.map_or(
                    Ok(Changed {
                        answer,
                        flaws: vec![],
                    }),
                    |damage| Err(self.damaged(&damage.problem)),
                );
            }
            Edit::Write(answer) => (answer, None),
            Edit::Remove(answer, what, removed) => (answer, Some((what, removed))),
        };
        if loaded.is_none() {
            self.files.settle_folders(&folder)?;
        }
        held.sweep(std::slice::from_ref(&self.file));
        let draft = held.draft(&self.file, &self.bytes(&contents)?)?;
        let flaws = damage
            .map(|damage| self.set_aside(&damage, now))
            .transpose()?
            .into_iter()
            .collect();
        let step = removal
            .map(|(what, removed)| self.discard(what, &removed, now))
            .transpose()?;
        let written = held.commit(draft, None, None);
        if let (Err(_), Some(step)) = (&written, &step) {
            self.forget_unless_done(step, loaded.as_ref());
        }
        written?;
        Ok(Changed { answer, flaws })
    }

    /// Returns what the file holds; if it is damaged, what could be salvaged of it.
    pub(crate) fn contents(
        &self,
        loaded: Option<&Seen>,
    ) -> Result<(Contents, Option<Damage>), CompartmentError> {
        let Some(seen) = loaded else {
            return Ok((Contents::default(), None));
        };
        match self.parse(seen) {
            Ok(contents) => Ok((contents, None)),
            Err(CompartmentError::Damaged { problem, .. }) => {
                let contents = salvage(&String::from_utf8_lossy(&seen.bytes));
                let salvaged = contents.len();
                Ok((contents, Some(Damage { problem, salvaged })))
            }
            Err(error) => Err(error),
        }
    }

    pub(crate) fn bytes(&self, contents: &Contents) -> Result<Vec<u8>, CompartmentError> {
        let bytes = contents.render().into_bytes();
        let (size, limit) = (bytes.len() as u64, limits::FILE_BYTES);
        if size > limit {
            Err(DiskError::TooLarge {
                path: self.file.path(),
                size,
                limit,
            }
            .into())
        } else {
            Ok(bytes)
        }
    }

    /// Keeps the damaged file beside the one that takes its place.
    pub(crate) fn set_aside(
        &self,
        damage: &Damage,
        now: Timestamp,
    ) -> Result<Flaw, CompartmentError> {
        let kept = self
            .files
            .keep_corrupt(&self.file, limits::FILE_BYTES, now)?;
        let mut flaw = Flaw::new(
            self.name(),
            format!("The file was damaged: {}", damage.problem),
        );
        flaw.remedy = Some(format!(
            "The damaged file is kept as {kept}; recovered {} from it",
            count(damage.salvaged)
        ));
        Ok(flaw)
    }

    fn discard(
        &self,
        what: String,
        removed: &[Removed],
        now: Timestamp,
    ) -> Result<Step, CompartmentError> {
        let bytes = undo::render(removed);
        let saved = vec![Saved {
            name: undo::REMOVED.to_owned(),
            bytes,
        }];
        Ok(self.trash().put(
            Discarded {
                kind: KIND,
                what,
                saved,
            },
            now,
        )?)
    }

    /// What did not happen can't be taken back; what can be seen must be, even if its last sync failed.
    fn forget_unless_done(&self, step: &Step, before: Option<&Seen>) {
        let is_as_before = self.load().is_ok_and(|now| {
            now.as_ref().map(|seen| &seen.bytes) == before.map(|seen| &seen.bytes)
        });
        if is_as_before {
            let _ = self.trash().drop_step(step);
        }
    }
}
