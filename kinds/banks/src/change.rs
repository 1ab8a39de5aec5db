//! The one way to change the banks of a scope: planned, committed with its record, durable before it returns.

use std::borrow::Cow;
use std::io::Write;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use memory_core::{Actor, Call, Timestamp};
use memory_files::Stamp;
use memory_storage::{
    ChangeSet, EntryChange, Op, PATIENCE, Read, Record, Storage, StorePath, Updated, update,
};

use crate::document::{KIND, address};
use crate::format::{Bank, Rendered};
use crate::index::{self, Section};
use crate::store::{Form, INDEX, Loaded, Store, sized, too_large};
use crate::{BankError, BankName, Entry, Scope, limits};

/// Begins the contents of a file that is not UTF-8.
const BASE64: &str = "base64,";

/// What is to happen after an edit.
pub enum Edit<T> {
    /// Nothing changed.
    Keep(T),
    /// Write the bank.
    Write(T, Terms),
}

/// How a bank is written.
#[derive(Debug, Default)]
pub struct Terms {
    /// What was done, for people.
    pub summary: String,
    /// Whether the bank keeps the time of its last update: it comes from elsewhere as it is.
    pub keeps_time: bool,
}

impl<T> Edit<T> {
    /// A write, and what it does.
    pub fn write(answer: T, summary: String) -> Self {
        Edit::Write(
            answer,
            Terms {
                summary,
                keeps_time: false,
            },
        )
    }
}

/// Who makes a change, when, and by which operation.
#[derive(Debug, Clone, Copy)]
pub struct By {
    pub actor: Actor,
    pub now: Timestamp,
    pub action: &'static str,
}

impl By {
    /// Returns who makes a call.
    pub(crate) fn of(call: &Call<'_>, action: &'static str) -> Self {
        By {
            actor: call.by,
            now: call.now,
            action,
        }
    }
}

/// A bank after an edit: its next file, if it has changed.
struct Edited<'l, T> {
    content: Bank<'l>,
    answer: T,
    next: Option<(Rendered, Terms)>,
}

impl Store {
    /// Changes one bank and makes the change durable before it returns.
    ///
    /// `edit` receives an empty bank, and `false`, if the bank does not exist. It runs again if another process changes
    /// the bank first.
    ///
    /// # Guarantees
    ///
    /// - A reader sees the bank before or after the change, never in between.
    /// - A bank that would exceed its limits is rejected before anything is written.
    /// - If `edit` fails, the file is unchanged. A damaged file is never replaced.
    pub fn change<T>(
        &self,
        bank: &BankName,
        by: By,
        mut edit: impl FnMut(&mut Bank<'_>, bool) -> Result<Edit<T>, BankError>,
    ) -> Result<T, BankError> {
        self.make_root()?;
        let Updated { answer, committed } = update(&self.storage, PATIENCE, |at| {
            let loaded = self.load_from(at, bank)?;
            let edited = self.edited(bank, loaded.as_ref(), by.now, &mut edit)?;
            let Some((rendered, terms)) = edited.next else {
                return Ok(((edited.answer, None), ChangeSet::default()));
            };
            let entries = self.changes(bank, &edited.content, loaded.is_some());
            let expiry = first_expiry(&entries);
            self.note_expiry(expiry);
            let mut set = self.put_set(bank, loaded.as_ref(), &rendered, at)?;
            set.record = Some(record(by, terms.summary, entries));
            Ok::<_, BankError>(((edited.answer, Some((rendered, expiry))), set))
        })?;
        let (answer, written) = answer;
        if let Some((_, expiry)) = &written {
            // Maintenance may have looked at the history before the text was in it.
            self.note_expiry(*expiry);
        }
        let rendered = written.map(|(rendered, _)| rendered);
        if let (Some(rendered), Some(committed)) = (rendered, committed) {
            self.publish_index(bank, &rendered, committed.written.first().copied());
        }
        Ok(answer)
    }

    /// Does to a copy what [`Store::change`] would do to the bank, limits included.
    pub fn rehearse<T>(
        &self,
        bank: &BankName,
        now: Timestamp,
        mut edit: impl FnMut(&mut Bank<'_>, bool) -> Result<Edit<T>, BankError>,
    ) -> Result<T, BankError> {
        let loaded = self.load(bank)?;
        Ok(self.edited(bank, loaded.as_ref(), now, &mut edit)?.answer)
    }

    fn edited<'l, T>(
        &self,
        bank: &BankName,
        loaded: Option<&'l Loaded>,
        now: Timestamp,
        edit: &mut impl FnMut(&mut Bank<'_>, bool) -> Result<Edit<T>, BankError>,
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

    /// Returns the entries that an edit has changed, and the bank's own entry if that has changed.
    pub(crate) fn changes(
        &self,
        bank: &BankName,
        content: &Bank<'_>,
        existed: bool,
    ) -> Vec<EntryChange> {
        let mut changes = Vec::new();
        let path = self.path(bank, Form::Plain);
        let meta = Some(content.meta.canonical());
        let old_meta = content.meta_before().filter(|_| existed);
        if meta != old_meta {
            let address = bank_address(self.scope(), bank);
            changes.push(EntryChange::new(address, path.clone(), old_meta, meta));
        }
        for (key, position, before) in content.changed() {
            let (before, now) = (
                before.map(str::to_owned),
                content.text(key).map(str::to_owned),
            );
            if before != now {
                let address = address(self.scope(), bank, key).to_string();
                let change = EntryChange::new(address, path.clone(), before, now);
                changes.push(change.at_position(position));
            }
        }
        changes
    }

    /// Lets the history forget the texts of values with a time to live when they have expired.
    pub(crate) fn note_expiry(&self, at: Option<Timestamp>) {
        if let Some(at) = at {
            self.storage.note_expiry(at);
        }
    }

    /// Removes the texts of expired values from the history.
    pub(crate) fn forget_expired(&self, now: Timestamp) -> Result<(), BankError> {
        self.storage
            .forget_expired(now, &|_, text| expiry_of(text))?;
        Ok(())
    }

    /// Returns the change that writes a bank's file, without a record.
    pub(crate) fn put_set(
        &self,
        bank: &BankName,
        loaded: Option<&Loaded>,
        rendered: &Rendered,
        at: &dyn Read,
    ) -> Result<ChangeSet, BankError> {
        let (form, bytes): (Form, Cow<'_, [u8]>) =
            if self.compress && rendered.text.len() > limits::COMPRESS_ABOVE {
                (Form::Gzip, zip(&rendered.text).into())
            } else {
                (Form::Plain, rendered.text.as_bytes().into())
            };
        let mut set = ChangeSet {
            ops: vec![Op::Put(self.path(bank, form), bytes.into_owned())],
            ..ChangeSet::default()
        };
        for known in [Form::Plain, Form::Gzip] {
            let path = self.path(bank, known);
            // The versions are those of what was read: a file that was created since is a conflict.
            let version = match loaded {
                Some(loaded) if loaded.form() == known => Some(loaded.version.clone()),
                // The plain form counts, whatever the other one contains.
                Some(loaded) if loaded.form() == Form::Plain => at.stat(&path)?,
                _ => None,
            };
            if known != form && version.is_some() {
                set.ops.push(Op::Remove(path.clone()));
            }
            set.expect.push((path, version));
        }
        Ok(set)
    }

    /// The index is a convenience: if it is not written, reading is slower and nothing else.
    fn publish_index(&self, bank: &BankName, rendered: &Rendered, stamp: Option<Stamp>) {
        let is_plain = !self.compress || rendered.text.len() <= limits::COMPRESS_ABOVE;
        let Some(stamp) = stamp.filter(|_| is_plain) else {
            return;
        };
        if rendered.text.len() <= limits::INDEX_ABOVE {
            return;
        }
        let section = Section {
            stamp,
            created_at: rendered.created_at,
            places: &rendered.places,
        };
        let text = index::render(self.read_index().as_deref(), bank, &section);
        if let Ok(path) = StorePath::new(INDEX) {
            self.storage.publish(&path, text.as_bytes());
        }
    }

    /// Removes a bank, whatever is in its files; returns `false` if it does not exist.
    pub fn remove(&self, bank: &BankName, by: By) -> Result<bool, BankError> {
        if self.present_files(bank)?.is_empty() {
            return Ok(false);
        }
        let removed = update(&self.storage, PATIENCE, |at| {
            let mut set = self.remove_set(bank, at)?;
            if set.ops.is_empty() {
                return Ok((false, ChangeSet::default()));
            }
            let summary = format!("delete bank '{bank}' ({})", self.scope());
            let removals = self.removals(bank, at)?;
            set.record = Some(record(by, summary, removals));
            Ok::<_, BankError>((true, set))
        })?;
        Ok(removed.answer)
    }

    /// Returns the change that removes a bank's files, without a record.
    pub(crate) fn remove_set(
        &self,
        bank: &BankName,
        at: &dyn Read,
    ) -> Result<ChangeSet, BankError> {
        let mut set = ChangeSet::default();
        for form in [Form::Plain, Form::Gzip] {
            let path = self.path(bank, form);
            let version = at.stat(&path)?;
            if version.is_some() {
                set.ops.push(Op::Remove(path.clone()));
            }
            set.expect.push((path, version));
        }
        Ok(set)
    }

    /// Adds copies of a bank's files, named after the time, to a change; returns their names.
    pub(crate) fn keep_damaged(
        &self,
        bank: &BankName,
        at: &dyn Read,
        now: Timestamp,
        set: &mut ChangeSet,
    ) -> Result<Vec<String>, BankError> {
        let mut names = Vec::new();
        for form in [Form::Plain, Form::Gzip] {
            let found = at.read(&self.path(bank, form), limits::READ_BYTES)?;
            if let Some(object) = found {
                let copy = self.files.name_corrupt(&self.spot(bank, form), now)?;
                let name = copy.name().to_string_lossy().into_owned();
                set.expect.push((StorePath::new(&name)?, None));
                // It has its name before the file changes.
                set.ops
                    .insert(names.len(), Op::Put(StorePath::new(&name)?, object.bytes));
                names.push(name);
            }
        }
        Ok(names)
    }

    /// Returns the removal of each entry of a bank. A file that is no bank, or does not count, is one entry.
    fn removals(&self, bank: &BankName, at: &dyn Read) -> Result<Vec<EntryChange>, BankError> {
        let mut removals = Vec::new();
        let mut counts = true;
        for form in [Form::Plain, Form::Gzip] {
            let path = self.path(bank, form);
            let found = at.read(&path, limits::READ_BYTES);
            let Some(object) = found.map_err(|error| sized(bank, error))? else {
                continue;
            };
            let text = self.decode(bank, form, object.bytes.clone());
            let content = text.as_deref().ok().and_then(|text| Bank::parse(text).ok());
            match content.filter(|content| counts && content.duplicates.is_empty()) {
                Some(content) => removals.extend(self.removals_of(bank, &content, path)),
                None => {
                    let address = file_address(self.scope(), &path);
                    let text = Some(file_text(object.bytes));
                    removals.push(EntryChange::new(address, path, text, None));
                }
            }
            counts = false;
        }
        Ok(removals)
    }

    fn removals_of(
        &self,
        bank: &BankName,
        content: &Bank<'_>,
        path: StorePath,
    ) -> Vec<EntryChange> {
        let meta = Some(content.meta.canonical());
        let of_bank = bank_address(self.scope(), bank);
        let mut removals = vec![EntryChange::new(of_bank, path.clone(), meta, None)];
        for (position, key) in content.keys().enumerate() {
            let address = address(self.scope(), bank, key).to_string();
            let text = content.text(key).map(str::to_owned);
            let removal = EntryChange::new(address, path.clone(), text, None);
            removals.push(removal.at_position(position));
        }
        // Undo puts the last one first.
        removals[1..].reverse();
        removals
    }

    /// Creates the folder of the banks. That of a project is in somebody's work tree.
    fn make_root(&self) -> Result<(), BankError> {
        let made = match self.scope() {
            Scope::Project => self.files.ensure_ignored_folder(&self.root),
            Scope::User => self.files.ensure_folder(&self.root),
        };
        Ok(made?)
    }
}

/// Returns when the first of the recorded texts expires.
pub(crate) fn first_expiry(entries: &[EntryChange]) -> Option<Timestamp> {
    let texts = entries.iter().filter_map(|entry| entry.text.as_deref());
    texts.filter_map(expiry_of).min()
}

/// Returns when a value expires, from the text of its entry.
fn expiry_of(text: &str) -> Option<Timestamp> {
    Entry::parse(text, Timestamp::UNIX_EPOCH).ok()?.expires_at()
}

/// Returns the address of a bank's own entry: when it was created, and its schema.
pub(crate) fn bank_address(scope: Scope, bank: &BankName) -> String {
    format!("{KIND}:{scope}/{bank}")
}

/// Returns the address of a file that cannot be read as a bank.
pub(crate) fn file_address(scope: Scope, path: &StorePath) -> String {
    format!("{KIND}:{scope}/{path}")
}

/// Returns the contents of a file as the history has them.
pub(crate) fn file_text(bytes: Vec<u8>) -> String {
    match String::from_utf8(bytes) {
        Ok(text) if !text.starts_with(BASE64) => text,
        Ok(text) => format!("{BASE64}{}", STANDARD.encode(text)),
        Err(error) => format!("{BASE64}{}", STANDARD.encode(error.into_bytes())),
    }
}

/// Returns the contents of a file that the history has as a text.
pub(crate) fn file_bytes(text: &str) -> Option<Vec<u8>> {
    match text.strip_prefix(BASE64) {
        Some(encoded) => STANDARD.decode(encoded).ok(),
        None => Some(text.as_bytes().to_vec()),
    }
}

pub(crate) fn record(by: By, summary: String, entries: Vec<EntryChange>) -> Record {
    Record {
        at: by.now,
        by: by.actor,
        action: by.action.to_owned(),
        summary,
        reverts: None,
        entries,
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
