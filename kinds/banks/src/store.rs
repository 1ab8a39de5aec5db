//! Where the banks of one scope are kept, and the one way to change them.

use std::borrow::Cow;
use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use memory_core::Timestamp;
use memory_files::{DiskError, Draft, Files, Held, ItemKind, Saved, Spot, Stamp, Trash};

use crate::entry::Entry;
use crate::format::{Bank, FormatFlaw, Rendered};
use crate::index::{self, Section};
use crate::{BankError, BankName, Key, Scope, limits, undo};

const INDEX: &str = "_index.json";

/// The banks of one scope.
#[derive(Debug, Clone)]
pub struct Store {
    files: Files,
    root: Spot,
    scope: Scope,
    compress: bool,
}

/// A bank's file as it was read.
#[derive(Debug)]
pub struct Loaded {
    pub text: String,
    /// Bytes that the file takes on the disk.
    pub size: u64,
    form: Form,
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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Plain,
    Gzip,
}

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
    /// What to call it in the list of steps that can be taken back, if it is one.
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
        Edit::Write(answer, Terms { undo: Some(what), keeps_time: false })
    }
}

/// What was found under a key.
#[derive(Debug)]
pub enum Found {
    NoBank,
    NoKey,
    Entry(Entry<'static>),
}

impl Store {
    /// Returns the store at `root`.
    pub fn new(files: Files, root: Spot, scope: Scope, compress: bool) -> Self {
        Store { files, root, scope, compress }
    }

    /// Returns the scope that it keeps.
    pub fn scope(&self) -> Scope {
        self.scope
    }

    /// Returns what was taken away and can be brought back.
    pub fn trash(&self) -> Trash<'_> {
        Trash::of(&self.files, &self.root)
    }

    pub(crate) fn files(&self) -> &Files {
        &self.files
    }

    /// Returns where a bank's file is, in the form that it has or would have.
    pub(crate) fn place(&self, bank: &BankName) -> Spot {
        self.spot(bank, Form::Plain)
    }

    /// Returns the names of all banks, in their order.
    pub fn names(&self) -> Result<Vec<BankName>, BankError> {
        let items = self.files.list(&self.root)?;
        let mut names: Vec<BankName> = items
            .iter()
            .filter(|item| item.kind != ItemKind::Folder)
            .filter_map(|item| {
                let name = item.name.to_str()?;
                let stem = name.strip_suffix(".gz").unwrap_or(name).strip_suffix(".json")?;
                BankName::parse(stem).ok()
            })
            .collect();
        names.dedup();
        Ok(names)
    }

    /// Reads a bank's file; none when there is none.
    ///
    /// Where both forms stand, a crash came between writing one and removing the other; the plain
    /// one then holds what was last acknowledged.
    pub fn load(&self, bank: &BankName) -> Result<Option<Loaded>, BankError> {
        // A writer may put the plain form in the place of the other while we look from one to the
        // other: then it is there at the second look.
        for form in [Form::Plain, Form::Gzip, Form::Plain] {
            if let Some(seen) =
                self.files.read(&self.spot(bank, form), limits::READ_BYTES).map_err(|e| sized(bank, e))?
            {
                let text = self.decode(bank, form, seen.bytes)?;
                return Ok(Some(Loaded { text, size: seen.stamp.size, form }));
            }
        }
        Ok(None)
    }

    /// Turns a file's bytes into a bank's text.
    fn decode(&self, bank: &BankName, form: Form, bytes: Vec<u8>) -> Result<String, BankError> {
        let bytes = match form {
            Form::Plain => bytes,
            Form::Gzip => self.unzip(bank, &bytes)?,
        };
        let text = String::from_utf8(bytes).map_err(|_| self.damaged(bank, "it is not UTF-8"))?;
        Ok(match text.strip_prefix('\u{feff}') {
            Some(without_mark) => without_mark.to_owned(),
            None => text,
        })
    }

    /// Turns the bytes of a saved file into a bank's text, by the file's name.
    pub(crate) fn decode_named(
        &self,
        bank: &BankName,
        name: &str,
        bytes: &[u8],
    ) -> Result<String, BankError> {
        let form = if name.ends_with(".gz") { Form::Gzip } else { Form::Plain };
        self.decode(bank, form, bytes.to_vec())
    }

    fn unzip(&self, bank: &BankName, bytes: &[u8]) -> Result<Vec<u8>, BankError> {
        let mut text = Vec::new();
        let unzipped = GzDecoder::new(bytes).take(limits::READ_BYTES + 1).read_to_end(&mut text);
        unzipped.map_err(|e| self.damaged(bank, &e.to_string()))?;
        match text.len() as u64 > limits::READ_BYTES {
            true => Err(too_large(bank, text.len() as u64)),
            false => Ok(text),
        }
    }

    /// Reads a loaded file as a bank.
    pub fn parse<'a>(&self, bank: &BankName, loaded: &'a Loaded) -> Result<Bank<'a>, BankError> {
        Bank::parse(&loaded.text).map_err(|flaw| match flaw {
            FormatFlaw::NewerVersion(version) => BankError::NewerVersion { bank: bank.clone(), version },
            FormatFlaw::Broken(problem) => self.damaged(bank, &problem),
        })
    }

    /// Reads the entry under a key. A large bank is read only where the key is, if its index fits.
    pub fn fetch(&self, bank: &BankName, key: &Key) -> Result<Found, BankError> {
        if let Some(found) = self.fetch_by_index(bank, key)? {
            return Ok(found);
        }
        let Some(loaded) = self.load(bank)? else { return Ok(Found::NoBank) };
        let parsed = self.parse(bank, &loaded)?;
        match parsed.entry(key.as_str()) {
            None => Ok(Found::NoKey),
            Some(Ok(entry)) => Ok(Found::Entry(entry.into_owned())),
            Some(Err(why)) => Err(self.bad_entry(bank, key.as_str(), &why)),
        }
    }

    fn fetch_by_index(&self, bank: &BankName, key: &Key) -> Result<Option<Found>, BankError> {
        let at = self.spot(bank, Form::Plain);
        let stamp = match self.files.stamp(&at)? {
            Some(stamp) if stamp.size > limits::INDEX_ABOVE as u64 => stamp,
            _ => return Ok(None),
        };
        let Some(index) = self.read_index() else { return Ok(None) };
        let Some((place, created_at)) = index::look_up(&index, bank, key.as_str(), stamp) else {
            return Ok(None);
        };
        let part = self.files.read_part(&at, place.start, place.length as usize)?;
        Ok(part.filter(|seen| seen.stamp == stamp).and_then(|seen| {
            let text = std::str::from_utf8(&seen.bytes).ok()?;
            let entry = Entry::parse(index::entry_text(text, key.as_str())?, created_at).ok()?;
            Some(Found::Entry(entry.into_owned()))
        }))
    }

    fn read_index(&self) -> Option<String> {
        let seen = self.files.read(&self.root.join(INDEX), limits::INDEX_BYTES).ok()??;
        String::from_utf8(seen.bytes).ok()
    }

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
        self.files.ensure_folder(&self.root)?;
        let held = self.hold(bank)?;
        let loaded = self.load(bank)?;
        let edited = self.edited(bank, loaded.as_ref(), now, edit)?;
        let Some((rendered, terms)) = edited.next else { return Ok(edited.answer) };
        if loaded.is_none() {
            self.files.settle_folders(&self.root)?;
        }
        let drafts = self.draft(&held, bank, &rendered)?;
        let step = match terms.undo {
            None => None,
            Some(what) => {
                let before = loaded.as_ref().map(|loaded| self.parse(bank, loaded)).transpose()?;
                let before = before.unwrap_or_else(|| Bank::new(now));
                Some(undo::keep(self, bank, what, (&before, &edited.content), now)?)
            }
        };
        let written = self.commit(&held, bank, drafts);
        if let (Err(_), Some(step)) = (&written, &step) {
            // What did not happen can't be taken back.
            let _ = self.trash().drop_step(step);
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
            return Err(self.damaged(bank, &format!("key '{key}' stands more than once")));
        }
        let before = (content.len(), loaded.map_or(0, |loaded| loaded.text.len()));
        let (answer, terms) = match edit(&mut content, loaded.is_some())? {
            Edit::Keep(answer) => return Ok(Edited { content, answer, next: None }),
            Edit::Write(answer, terms) => (answer, terms),
        };
        if !terms.keeps_time {
            content.meta.updated_at = now;
        }
        let rendered = content.render();
        check_limits(bank, before, (content.len(), rendered.text.len()))?;
        Ok(Edited { content, answer, next: Some((rendered, terms)) })
    }

    fn draft<'h>(
        &self,
        held: &'h Held<'_>,
        bank: &BankName,
        rendered: &Rendered,
    ) -> Result<Drafts<'h>, BankError> {
        held.sweep(&[self.spot(bank, Form::Plain), self.spot(bank, Form::Gzip), self.root.join(INDEX)]);
        let (form, bytes): (Form, Cow<'_, [u8]>) =
            match self.compress && rendered.text.len() > limits::COMPRESS_ABOVE {
                true => (Form::Gzip, zip(&rendered.text).into()),
                false => (Form::Plain, rendered.text.as_bytes().into()),
            };
        let draft = held.draft(&self.spot(bank, form), &bytes)?;
        let index = match form == Form::Plain && rendered.text.len() > limits::INDEX_ABOVE {
            true => self.draft_index(held, bank, draft.stamp(), rendered),
            false => None,
        };
        Ok(Drafts { draft, index, form })
    }

    fn commit(&self, held: &Held<'_>, bank: &BankName, drafts: Drafts<'_>) -> Result<(), BankError> {
        let Drafts { draft, index, form } = drafts;
        let other = self.spot(bank, if form == Form::Plain { Form::Gzip } else { Form::Plain });
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
        let section = Section { stamp, created_at: rendered.created_at, places: &rendered.places };
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
            let bytes = self.files.read(file, limits::READ_BYTES).map_err(|e| sized(bank, e))?;
            let name = file.name().to_string_lossy().into_owned();
            saved.extend(bytes.map(|seen| Saved { name, bytes: seen.bytes }));
        }
        if saved.is_empty() {
            return Ok(false);
        }
        let step = undo::keep_bank(self, bank, saved, now)?;
        // The plain form goes last: until then it is the one that counts.
        let removed = files.iter().rev().try_for_each(|file| self.files.remove(file));
        if removed.is_err() && !self.present_files(bank)?.is_empty() {
            let _ = self.trash().drop_step(&step);
        }
        removed?;
        held.sweep(&[self.spot(bank, Form::Plain), self.spot(bank, Form::Gzip)]);
        self.files.remove(&self.lock_spot(bank))?;
        Ok(true)
    }

    /// Puts a bank's files back as they were; says whether it did, which it does not over others.
    pub(crate) fn restore(&self, bank: &BankName, saved: &[&Saved]) -> Result<bool, BankError> {
        self.files.ensure_folder(&self.root)?;
        let held = self.hold(bank)?;
        if !self.present_files(bank)?.is_empty() {
            return Ok(false);
        }
        for file in saved {
            held.commit(held.draft(&self.root.join(&file.name), &file.bytes)?, None, None)?;
        }
        Ok(true)
    }

    /// Waits for a bank's lock, for work on its file as a whole.
    pub(crate) fn hold(&self, bank: &BankName) -> Result<Held<'_>, BankError> {
        Ok(self.files.lock(&self.lock_spot(bank))?)
    }

    /// Returns the places of the forms that a bank's file has now.
    pub(crate) fn present_files(&self, bank: &BankName) -> Result<Vec<Spot>, BankError> {
        let mut present = Vec::new();
        for form in [Form::Plain, Form::Gzip] {
            let at = self.spot(bank, form);
            if self.files.stamp(&at)?.is_some() {
                present.push(at);
            }
        }
        Ok(present)
    }

    fn spot(&self, bank: &BankName, form: Form) -> Spot {
        self.root.join(match form {
            Form::Plain => format!("{bank}.json"),
            Form::Gzip => format!("{bank}.json.gz"),
        })
    }

    fn lock_spot(&self, bank: &BankName) -> Spot {
        self.root.join(format!(".{bank}.lock"))
    }

    /// Says that a bank's file can't be read as one.
    pub fn damaged(&self, bank: &BankName, problem: &str) -> BankError {
        BankError::Damaged { bank: bank.clone(), scope: self.scope, problem: problem.to_owned() }
    }

    /// Says that one entry can't be read.
    pub fn bad_entry(&self, bank: &BankName, key: &str, why: &str) -> BankError {
        self.damaged(bank, &format!("entry '{}' can't be read: {why}", memory_core::printable(key)))
    }
}

impl Loaded {
    /// Says whether the file is compressed.
    pub fn is_compressed(&self) -> bool {
        self.form == Form::Gzip
    }
}

/// Refuses a bank whose keys or bytes are past their limits. One that is already may shrink.
fn check_limits(bank: &BankName, before: (usize, usize), after: (usize, usize)) -> Result<(), BankError> {
    if after.0 > limits::KEYS && after.0 > before.0 {
        return Err(BankError::TooManyKeys { bank: bank.clone(), would_hold: after.0, limit: limits::KEYS });
    }
    if after.1 > limits::BANK_BYTES && after.1 > before.1 {
        return Err(too_large(bank, after.1 as u64));
    }
    Ok(())
}

fn too_large(bank: &BankName, would_have: u64) -> BankError {
    BankError::BankTooLarge { bank: bank.clone(), would_have, limit: limits::BANK_BYTES }
}

fn sized(bank: &BankName, error: DiskError) -> BankError {
    match error {
        DiskError::TooLarge { size, .. } => too_large(bank, size),
        other => other.into(),
    }
}

fn zip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    let written = encoder.write_all(text.as_bytes()).and_then(|()| encoder.finish());
    written.expect("writing into memory does not fail")
}
