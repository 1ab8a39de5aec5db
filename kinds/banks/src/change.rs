//! The one way to change the banks of a scope: under the bank's lock, durable before it returns.

use std::borrow::Cow;
use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use memory_core::Timestamp;
use memory_files::{Draft, Held, Saved, Stamp};

use crate::format::{Bank, Rendered};
use crate::index::{self, Section};
use crate::store::{Form, INDEX, Loaded, Store, sized, too_large};
use crate::{BankError, BankName, Scope, limits, undo};

/// What is to happen after an edit.
pub enum Edit<T> {
    /// Nothing changed.
    Keep(T),
    /// Write the bank.
    Write(T, Terms),
}

/// What else a write must see to.
#[derive(Debug, Default)]
pub struct Terms {
    /// What to call it in the list of undo steps, if it is one.
    pub undo: Option<String>,
    /// Whether the bank keeps the time of its last update: it comes from elsewhere as it is.
    pub keeps_time: bool,
}

impl<T> Edit<T> {
    /// A write that only adds or replaces what its caller knows of.
    pub fn write(answer: T) -> Self {
        Edit::Write(answer, Terms::default())
    }

    /// A write that takes something away.
    pub fn undoable(answer: T, what: String) -> Self {
        Edit::Write(
            answer,
            Terms {
                undo: Some(what),
                keeps_time: false,
            },
        )
    }
}

/// A bank after an edit: its next file, if it has changed.
struct Edited<'l, T> {
    content: Bank<'l>,
    answer: T,
    next: Option<(Rendered, Terms)>,
}

/// The next state of a bank's file and of the index, written but not yet in their places.
struct Drafts<'h> {
    draft: Draft<'h>,
    index: Option<Draft<'h>>,
    form: Form,
}

impl Store {
    /// Changes one bank and makes the change durable before it returns.
    ///
    /// # Invariants
    ///
    /// - A reader sees the bank before the change or after it, never between.
    /// - No one else changes the bank while `edit` runs; `edit` must therefore be quick.
    /// - A bank past its limits is refused before a byte is written.
    /// - When `edit` fails, the file is as it was. A damaged file is never written over.
    ///
    /// `edit` is told whether the bank was there; if not, it gets an empty one.
    pub fn change<T>(
        &self,
        bank: &BankName,
        now: Timestamp,
        edit: impl FnOnce(&mut Bank<'_>, bool) -> Result<Edit<T>, BankError>,
    ) -> Result<T, BankError> {
        self.make_root()?;
        let held = self.hold(bank)?;
        let loaded = self.load(bank)?;
        let edited = self.edited(bank, loaded.as_ref(), now, edit)?;
        let Some((rendered, terms)) = edited.next else {
            return Ok(edited.answer);
        };
        if loaded.is_none() {
            self.files.settle_folders(&self.root)?;
        }
        let drafts = self.draft(&held, bank, &rendered)?;
        let step = match terms.undo {
            None => None,
            Some(what) => {
                let before = loaded
                    .as_ref()
                    .map(|loaded| self.parse(bank, loaded))
                    .transpose()?;
                let before = before.unwrap_or_else(|| Bank::new(now));
                Some(undo::keep(
                    self,
                    bank,
                    what,
                    (&before, &edited.content),
                    now,
                )?)
            }
        };
        let written = self.commit(&held, bank, drafts);
        if let (Err(_), Some(step)) = (&written, &step) {
            // What did not happen can't be taken back; what can be seen must be, even if its last
            // sync failed.
            let before = loaded.as_ref().map(|loaded| &loaded.text);
            if self
                .load(bank)
                .is_ok_and(|now| now.as_ref().map(|now| &now.text) == before)
            {
                let _ = self.trash().drop_step(step);
            }
        }
        written.map(|()| edited.answer)
    }

    /// Does to a copy what [`Store::change`] would do to the bank, limits included.
    pub fn rehearse<T>(
        &self,
        bank: &BankName,
        now: Timestamp,
        edit: impl FnOnce(&mut Bank<'_>, bool) -> Result<Edit<T>, BankError>,
    ) -> Result<T, BankError> {
        let loaded = self.load(bank)?;
        Ok(self.edited(bank, loaded.as_ref(), now, edit)?.answer)
    }

    fn edited<'l, T>(
        &self,
        bank: &BankName,
        loaded: Option<&'l Loaded>,
        now: Timestamp,
        edit: impl FnOnce(&mut Bank<'_>, bool) -> Result<Edit<T>, BankError>,
    ) -> Result<Edited<'l, T>, BankError> {
        let mut content = match loaded {
            Some(loaded) => self.parse(bank, loaded)?,
            None => Bank::new(now),
        };
        if let Some(key) = content.duplicates.first() {
            return Err(self.damaged(bank, &format!("key '{key}' occurs more than once")));
        }
        let before = (content.len(), loaded.map_or(0, |loaded| loaded.text.len()));
        let (answer, terms) = match edit(&mut content, loaded.is_some())? {
            Edit::Keep(answer) => {
                return Ok(Edited {
                    content,
                    answer,
                    next: None,
                });
            }
            Edit::Write(answer, terms) => (answer, terms),
        };
        if !terms.keeps_time {
            content.meta.updated_at = now;
        }
        let rendered = content.render();
        check_limits(bank, before, (content.len(), rendered.text.len()))?;
        Ok(Edited {
            content,
            answer,
            next: Some((rendered, terms)),
        })
    }

    fn draft<'h>(
        &self,
        held: &'h Held<'_>,
        bank: &BankName,
        rendered: &Rendered,
    ) -> Result<Drafts<'h>, BankError> {
        held.sweep(&[
            self.spot(bank, Form::Plain),
            self.spot(bank, Form::Gzip),
            self.root.join(INDEX),
        ]);
        let (form, bytes): (Form, Cow<'_, [u8]>) =
            if self.compress && rendered.text.len() > limits::COMPRESS_ABOVE {
                (Form::Gzip, zip(&rendered.text).into())
            } else {
                (Form::Plain, rendered.text.as_bytes().into())
            };
        let draft = held.draft(&self.spot(bank, form), &bytes)?;
        let index = if form == Form::Plain && rendered.text.len() > limits::INDEX_ABOVE {
            self.draft_index(held, bank, draft.stamp(), rendered)
        } else {
            None
        };
        Ok(Drafts { draft, index, form })
    }

    fn commit(
        &self,
        held: &Held<'_>,
        bank: &BankName,
        drafts: Drafts<'_>,
    ) -> Result<(), BankError> {
        let Drafts { draft, index, form } = drafts;
        let other = self.spot(
            bank,
            if form == Form::Plain {
                Form::Gzip
            } else {
                Form::Plain
            },
        );
        let superseded = self.files.stamp(&other)?.map(|_| &other);
        Ok(held.commit(draft, index, superseded)?)
    }

    /// The index is a convenience: when it can't be written, reading is slower and nothing else.
    fn draft_index<'h>(
        &self,
        held: &'h Held<'_>,
        bank: &BankName,
        stamp: Stamp,
        rendered: &Rendered,
    ) -> Option<Draft<'h>> {
        let section = Section {
            stamp,
            created_at: rendered.created_at,
            places: &rendered.places,
        };
        let text = index::render(self.read_index().as_deref(), bank, &section);
        held.draft(&self.root.join(INDEX), text.as_bytes()).ok()
    }

    /// Removes a bank's files, whatever is in them, so that it can be undone; says whether there
    /// were any.
    pub fn remove(&self, bank: &BankName, now: Timestamp) -> Result<bool, BankError> {
        if self.present_files(bank)?.is_empty() {
            return Ok(false);
        }
        let held = self.hold(bank)?;
        let files = self.present_files(bank)?;
        let mut saved = Vec::new();
        for file in &files {
            let bytes = self
                .files
                .read(file, limits::READ_BYTES)
                .map_err(|e| sized(bank, e))?;
            let name = file.name().to_string_lossy().into_owned();
            saved.extend(bytes.map(|seen| Saved {
                name,
                bytes: seen.bytes,
            }));
        }
        if saved.is_empty() {
            return Ok(false);
        }
        let step = undo::keep_bank(self, bank, saved, now)?;
        // The plain form goes last: until then it is the one that counts.
        let removed = files
            .iter()
            .rev()
            .try_for_each(|file| self.files.remove(file));
        if removed.is_err() && !self.present_files(bank)?.is_empty() {
            let _ = self.trash().drop_step(&step);
        }
        removed?;
        held.sweep(&[self.spot(bank, Form::Plain), self.spot(bank, Form::Gzip)]);
        self.files.remove(&self.lock_spot(bank))?;
        Ok(true)
    }

    /// Makes the folder of the banks. That of a project is in somebody's work tree.
    fn make_root(&self) -> Result<(), BankError> {
        let made = match self.scope() {
            Scope::Project => self.files.ensure_ignored_folder(&self.root),
            Scope::User => self.files.ensure_folder(&self.root),
        };
        Ok(made?)
    }

    /// Puts a bank's files back as they were; says whether it did, which it does not over others.
    pub(crate) fn restore(&self, bank: &BankName, saved: &[&Saved]) -> Result<bool, BankError> {
        self.make_root()?;
        let held = self.hold(bank)?;
        if !self.present_files(bank)?.is_empty() {
            return Ok(false);
        }
        for file in saved {
            held.commit(
                held.draft(&self.root.join(&file.name), &file.bytes)?,
                None,
                None,
            )?;
        }
        Ok(true)
    }
}

/// Refuses a bank whose keys or bytes are past their limits. One that is already may shrink.
fn check_limits(
    bank: &BankName,
    before: (usize, usize),
    after: (usize, usize),
) -> Result<(), BankError> {
    if after.0 > limits::KEYS && after.0 > before.0 {
        return Err(BankError::TooManyKeys {
            bank: bank.clone(),
            would_hold: after.0,
            limit: limits::KEYS,
        });
    }
    if after.1 > limits::BANK_BYTES && after.1 > before.1 {
        return Err(too_large(bank, after.1 as u64));
    }
    Ok(())
}

fn zip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    let written = encoder
        .write_all(text.as_bytes())
        .and_then(|()| encoder.finish());
    written.expect("writing into memory does not fail")
}
