//! Where the banks of one scope are kept, and how they are read. Changing them is `change.rs`'s.

use std::ffi::OsStr;
use std::io::Read as _;

use flate2::read::GzDecoder;
use memory_core::{Flaw, Timestamp};
use memory_files::{DiskError, Files, ItemKind, Spot, Trash};
use memory_storage::{FileVersion, LocalStorage, Machine, Read, StorageError, StorePath};

use crate::entry::Entry;
use crate::format::{Bank, FormatFlaw};
use crate::index;
use crate::{BankError, BankName, Key, Scope, limits};

pub(crate) const INDEX: &str = "_index.json";

/// The banks of one scope.
#[derive(Debug, Clone)]
pub struct Store {
    pub(crate) files: Files,
    pub(crate) storage: LocalStorage,
    pub(crate) root: Spot,
    scope: Scope,
    /// Whether large banks are compressed.
    pub(crate) compress: bool,
}

/// A bank's file as it was read.
#[derive(Debug)]
pub struct Loaded {
    pub text: String,
    /// Bytes that the file takes on the disk.
    pub size: u64,
    pub(crate) version: FileVersion,
    form: Form,
}

/// The two forms of a bank's file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Plain,
    Gzip,
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
        let storage = LocalStorage::new(&files, root.clone(), Machine::of_system(&files));
        Store {
            files,
            storage: match scope {
                Scope::Project => storage.ignored(),
                Scope::User => storage,
            },
            root,
            scope,
            compress,
        }
    }

    /// Returns the same store with the id of this machine, which names the files of the history.
    #[must_use]
    pub fn on_machine(self, machine: Machine) -> Self {
        Store {
            storage: self.storage.on_machine(machine),
            ..self
        }
    }

    /// Returns the scope that it keeps.
    pub fn scope(&self) -> Scope {
        self.scope
    }

    /// Returns the trash that earlier versions have written.
    pub(crate) fn trash(&self) -> Trash<'_> {
        Trash::of(&self.files, &self.root)
    }

    /// Returns the names of all banks, in their order.
    pub fn names(&self) -> Result<Vec<BankName>, BankError> {
        let items = self.files.list(&self.root)?;
        let mut names: Vec<BankName> = items
            .iter()
            .filter(|item| item.kind != ItemKind::Folder)
            .filter_map(|item| bank_of(&item.name))
            .collect();
        names.dedup();
        Ok(names)
    }

    /// Reads a bank's file; none when there is none.
    ///
    /// Where both forms stand, a crash came between writing one and removing the other; the plain
    /// one then holds what was last acknowledged.
    pub fn load(&self, bank: &BankName) -> Result<Option<Loaded>, BankError> {
        self.load_from(&self.storage, bank)
    }

    pub(crate) fn load_from(
        &self,
        at: &dyn Read,
        bank: &BankName,
    ) -> Result<Option<Loaded>, BankError> {
        // A writer may put the plain form in the place of the other while we look from one to the
        // other: then it is there at the second look.
        for form in [Form::Plain, Form::Gzip, Form::Plain] {
            let found = at.read(&self.path(bank, form), limits::READ_BYTES);
            if let Some(object) = found.map_err(|error| sized(bank, error))? {
                let size = object.bytes.len() as u64;
                return Ok(Some(Loaded {
                    text: self.decode(bank, form, object.bytes)?,
                    size,
                    form,
                    version: object.version,
                }));
            }
        }
        Ok(None)
    }

    /// Turns a file's bytes into a bank's text.
    pub(crate) fn decode(
        &self,
        bank: &BankName,
        form: Form,
        bytes: Vec<u8>,
    ) -> Result<String, BankError> {
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
        let form = if name.ends_with(".gz") {
            Form::Gzip
        } else {
            Form::Plain
        };
        self.decode(bank, form, bytes.to_vec())
    }

    fn unzip(&self, bank: &BankName, bytes: &[u8]) -> Result<Vec<u8>, BankError> {
        let mut text = Vec::new();
        let unzipped = GzDecoder::new(bytes)
            .take(limits::READ_BYTES + 1)
            .read_to_end(&mut text);
        unzipped.map_err(|e| self.damaged(bank, &e.to_string()))?;
        if text.len() as u64 > limits::READ_BYTES {
            Err(too_large(bank, text.len() as u64))
        } else {
            Ok(text)
        }
    }

    /// Reads a loaded file as a bank.
    pub fn parse<'a>(&self, bank: &BankName, loaded: &'a Loaded) -> Result<Bank<'a>, BankError> {
        Bank::parse(&loaded.text).map_err(|flaw| match flaw {
            FormatFlaw::NewerVersion(version) => BankError::NewerVersion {
                bank: bank.clone(),
                version,
            },
            FormatFlaw::Broken(problem) => self.damaged(bank, &problem),
        })
    }

    /// Reads the entry under a key. A large bank is read only where the key is, if its index fits.
    pub fn fetch(&self, bank: &BankName, key: &Key) -> Result<Found, BankError> {
        if let Some(found) = self.fetch_by_index(bank, key)? {
            return Ok(found);
        }
        let Some(loaded) = self.load(bank)? else {
            return Ok(Found::NoBank);
        };
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
        let Some(index) = self.read_index() else {
            return Ok(None);
        };
        let Some((place, created_at)) = index::look_up(&index, bank, key.as_str(), stamp) else {
            return Ok(None);
        };
        let part = self
            .files
            .read_part(&at, place.start, place.length as usize)?;
        Ok(part.filter(|seen| seen.stamp == stamp).and_then(|seen| {
            let text = std::str::from_utf8(&seen.bytes).ok()?;
            let entry = Entry::parse(index::entry_text(text, key.as_str())?, created_at).ok()?;
            Some(Found::Entry(entry.into_owned()))
        }))
    }

    pub(crate) fn read_index(&self) -> Option<String> {
        let seen = self
            .files
            .read(&self.root.join(INDEX), limits::INDEX_BYTES)
            .ok()??;
        String::from_utf8(seen.bytes).ok()
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

    pub(crate) fn spot(&self, bank: &BankName, form: Form) -> Spot {
        self.root.join(match form {
            Form::Plain => format!("{bank}.json"),
            Form::Gzip => format!("{bank}.json.gz"),
        })
    }

    /// Returns the path of a bank's file in its store.
    pub(crate) fn path(&self, bank: &BankName, form: Form) -> StorePath {
        let name = match form {
            Form::Plain => format!("{bank}.json"),
            Form::Gzip => format!("{bank}.json.gz"),
        };
        StorePath::new(&name).expect("the name of a bank is a file name")
    }

    /// Says that a bank's file can't be read as one.
    pub fn damaged(&self, bank: &BankName, problem: &str) -> BankError {
        BankError::Damaged {
            bank: bank.clone(),
            scope: self.scope,
            problem: problem.to_owned(),
        }
    }

    /// Returns the entry under a key of a bank that is being changed; one that has expired is none.
    pub(crate) fn live_entry(
        &self,
        bank: &BankName,
        content: &Bank<'_>,
        key: &Key,
        now: Timestamp,
    ) -> Result<Option<Entry<'static>>, BankError> {
        match content.entry(key.as_str()) {
            None => Ok(None),
            Some(Ok(entry)) => Ok(Some(entry.into_owned()).filter(|entry| !entry.is_expired(now))),
            Some(Err(why)) => Err(self.bad_entry(bank, key.as_str(), &why)),
        }
    }

    /// Tells of a flaw in a bank, with where it is.
    pub fn flaw(&self, bank: &BankName, problem: impl ToString) -> Flaw {
        Flaw::new(format!("{bank}.json ({})", self.scope), problem.to_string())
    }

    /// Says that one entry can't be read.
    pub fn bad_entry(&self, bank: &BankName, key: &str, why: &str) -> BankError {
        self.damaged(
            bank,
            &format!(
                "entry '{}' cannot be read: {why}",
                memory_core::printable(key)
            ),
        )
    }
}

impl Loaded {
    pub(crate) fn form(&self) -> Form {
        self.form
    }

    /// Says whether the file is compressed.
    pub fn is_compressed(&self) -> bool {
        self.form == Form::Gzip
    }
}

/// Returns the bank that a file's name means, in either form.
pub(crate) fn bank_of(file: &OsStr) -> Option<BankName> {
    let name = file.to_str()?;
    let stem = name
        .strip_suffix(".gz")
        .unwrap_or(name)
        .strip_suffix(".json")?;
    BankName::parse(stem).ok()
}

pub(crate) fn too_large(bank: &BankName, would_have: u64) -> BankError {
    BankError::BankTooLarge {
        bank: bank.clone(),
        would_have,
        limit: limits::BANK_BYTES,
    }
}

pub(crate) fn sized(bank: &BankName, error: StorageError) -> BankError {
    match error {
        StorageError::Disk(DiskError::TooLarge { size, .. }) => too_large(bank, size),
        other => other.into(),
    }
}
