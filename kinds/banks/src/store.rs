//! Where the banks of one scope are kept, and the one way to change them.

use std::borrow::Cow;
use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use memory_core::Timestamp;
use memory_files::{DiskError, Files, Held, ItemKind, Spot, Stamp, Trash};

use crate::entry::Entry;
use crate::format::{Bank, FormatFlaw, Rendered};
use crate::index::{self, Answer, Section};
use crate::{BankError, BankName, Key, Scope, limits};

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
    Write(T),
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
        let most = limits::BANK_BYTES as u64;
        if let Some(seen) =
            self.files.read(&self.spot(bank, Form::Plain), most).map_err(|e| sized(bank, e))?
        {
            let text = String::from_utf8(seen.bytes).map_err(|_| self.damaged(bank, "it is not UTF-8"))?;
            return Ok(Some(Loaded { text, size: seen.stamp.size, form: Form::Plain }));
        }
        match self.files.read(&self.spot(bank, Form::Gzip), most).map_err(|e| sized(bank, e))? {
            None => Ok(None),
            Some(seen) => {
                let text = self.unzip(bank, &seen.bytes)?;
                Ok(Some(Loaded { text, size: seen.stamp.size, form: Form::Gzip }))
            }
        }
    }

    fn unzip(&self, bank: &BankName, bytes: &[u8]) -> Result<String, BankError> {
        let most = limits::BANK_BYTES as u64;
        let mut text = Vec::new();
        let unzipped = GzDecoder::new(bytes).take(most + 1).read_to_end(&mut text);
        unzipped.map_err(|e| self.damaged(bank, &e.to_string()))?;
        if text.len() as u64 > most {
            return Err(too_large(bank, text.len() as u64));
        }
        String::from_utf8(text).map_err(|_| self.damaged(bank, "it is not UTF-8"))
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
        let (place, updated_at) = match index::look_up(&index, bank, key.as_str(), stamp) {
            Answer::Unknown => return Ok(None),
            Answer::Absent => return Ok(Some(Found::NoKey)),
            Answer::Here { place, updated_at } => (place, updated_at),
        };
        let part = self.files.read_part(&at, place.start, place.length as usize)?;
        Ok(part.filter(|seen| seen.stamp == stamp).and_then(|seen| {
            let text = std::str::from_utf8(&seen.bytes).ok()?;
            let entry = Entry::parse(index::entry_text(text, key.as_str())?, updated_at).ok()?;
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
        let held = self.files.lock(&self.lock_spot(bank))?;
        held.sweep(&self.spot(bank, Form::Plain));
        let loaded = self.load(bank)?;
        let mut content = match &loaded {
            Some(loaded) => self.parse(bank, loaded)?,
            None => Bank::new(now),
        };
        if let Some(key) = content.duplicates.first() {
            return Err(self.damaged(bank, &format!("key '{key}' stands more than once")));
        }
        let keys_before = content.len();
        let answer = match edit(&mut content, loaded.is_some())? {
            Edit::Keep(answer) => return Ok(answer),
            Edit::Write(answer) => answer,
        };
        content.meta.updated_at = now;
        let rendered = content.render();
        let bytes_before = loaded.as_ref().map_or(0, |loaded| loaded.text.len());
        check_limits(bank, (keys_before, content.len()), (bytes_before, rendered.text.len()))?;
        self.write(&held, bank, &rendered, now)?;
        Ok(answer)
    }

    fn write(
        &self,
        held: &Held<'_>,
        bank: &BankName,
        rendered: &Rendered,
        now: Timestamp,
    ) -> Result<(), BankError> {
        let (form, bytes): (Form, Cow<'_, [u8]>) =
            match self.compress && rendered.text.len() > limits::COMPRESS_ABOVE {
                true => (Form::Gzip, zip(&rendered.text).into()),
                false => (Form::Plain, rendered.text.as_bytes().into()),
            };
        let draft = held.draft(&self.spot(bank, form), &bytes)?;
        let index = match form == Form::Plain && rendered.text.len() > limits::INDEX_ABOVE {
            true => self.draft_index(held, bank, draft.stamp(), rendered, now),
            false => None,
        };
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
        now: Timestamp,
    ) -> Option<memory_files::Draft<'h>> {
        let section = Section { stamp, updated_at: now, places: &rendered.places };
        let text = index::render(self.read_index().as_deref(), bank, &section);
        held.draft(&self.root.join(INDEX), text.as_bytes()).ok()
    }

    /// Removes a bank's file. `keep` is called first, with what is about to go.
    ///
    /// Returns none when there was no bank.
    pub fn remove<T>(
        &self,
        bank: &BankName,
        keep: impl FnOnce(&Loaded) -> Result<T, BankError>,
    ) -> Result<Option<T>, BankError> {
        if self.files.stamp(&self.root)?.is_none() {
            return Ok(None);
        }
        let lock = self.lock_spot(bank);
        let held = self.files.lock(&lock)?;
        let Some(loaded) = self.load(bank)? else {
            self.files.remove(&lock)?;
            return Ok(None);
        };
        let kept = keep(&loaded)?;
        held.sweep(&self.spot(bank, Form::Plain));
        self.files.remove(&self.spot(bank, Form::Gzip))?;
        self.files.remove(&self.spot(bank, Form::Plain))?;
        self.files.remove(&lock)?;
        Ok(Some(kept))
    }

    /// Puts a bank's file back as it was; says whether it did, which it does not over another.
    pub fn restore(&self, bank: &BankName, bytes: &[u8]) -> Result<bool, BankError> {
        self.files.ensure_folder(&self.root)?;
        let held = self.hold(bank)?;
        if !self.present_files(bank)?.is_empty() {
            return Ok(false);
        }
        held.commit(held.draft(&self.spot(bank, Form::Plain), bytes)?, None, None)?;
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

fn check_limits(bank: &BankName, keys: (usize, usize), bytes: (usize, usize)) -> Result<(), BankError> {
    // A bank that is past a limit already may shrink.
    if keys.1 > limits::KEYS && keys.1 > keys.0 {
        return Err(BankError::TooManyKeys { bank: bank.clone(), would_hold: keys.1, limit: limits::KEYS });
    }
    if bytes.1 > limits::BANK_BYTES && bytes.1 > bytes.0 {
        return Err(too_large(bank, bytes.1 as u64));
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
