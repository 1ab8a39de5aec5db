//! Keeping what a step takes away, and bringing it back.
//!
//! A step in the trash is of one of two forms. A deleted bank is its files as they were. Any other
//! step holds the touched entries as they were (`<bank>.json`) and as the step left them
//! (`<bank>.after.json`), and where they stood (`<bank>.places.json`). Undoing puts back what still
//! is as the step left it; what others have changed since is theirs.

use std::collections::HashMap;

use memory_core::{Change, Step, Timestamp};
use memory_files::{Discarded, Saved};

use crate::change::Edit;
use crate::document::{KIND, address, document};
use crate::format::Bank;
use crate::store::Store;
use crate::{BankError, BankName, limits};

const BEFORE: &str = ".json";
const AFTER: &str = ".after.json";
const PLACES: &str = ".places.json";

/// Keeps entries that a step is about to change: as they were, and as they will be.
pub(crate) fn keep(
    store: &Store,
    bank: &BankName,
    what: String,
    (before, after): (&Bank<'_>, &Bank<'_>),
    now: Timestamp,
) -> Result<Step, BankError> {
    let touched = |key: &str| text(before, key) != text(after, key);
    let part = |content: &Bank<'_>, suffix| {
        let mut content = content.clone();
        content.retain(touched);
        Saved {
            name: format!("{bank}{suffix}"),
            bytes: content.render().text.into_bytes(),
        }
    };
    let places: HashMap<&str, usize> = before
        .keys()
        .enumerate()
        .filter(|(_, key)| touched(key))
        .map(|(n, key)| (key, n))
        .collect();
    let places = Saved {
        name: format!("{bank}{PLACES}"),
        bytes: serde_json::to_vec(&places).unwrap_or_default(),
    };
    let saved = vec![part(before, BEFORE), part(after, AFTER), places];
    Ok(store.trash().put(
        Discarded {
            kind: KIND,
            what,
            saved,
        },
        now,
    )?)
}

/// Keeps the files of a bank that is about to go.
pub(crate) fn keep_bank(
    store: &Store,
    bank: &BankName,
    saved: Vec<Saved>,
    now: Timestamp,
) -> Result<Step, BankError> {
    let what = format!("delete bank '{bank}' ({})", store.scope());
    Ok(store.trash().put(
        Discarded {
            kind: KIND,
            what,
            saved,
        },
        now,
    )?)
}

/// Takes a step back; returns what is different now, or none when someone else has the step.
pub(crate) fn undo(
    store: &Store,
    step: &Step,
    now: Timestamp,
) -> Result<Option<Vec<Change>>, BankError> {
    let Some(_claim) = store.trash().claim(step)? else {
        return Ok(None);
    };
    let saved = store.trash().saved(step, limits::READ_BYTES)?;
    let kept = Kept {
        store,
        now,
        saved: &saved,
    };
    let changes = match saved.iter().find_map(|file| file.name.strip_suffix(AFTER)) {
        Some(bank) => kept.put_entries_back(&BankName::parse(bank)?)?,
        None => kept.put_bank_back()?,
    };
    store.trash().drop_step(step)?;
    Ok(Some(changes))
}

/// What a step has kept.
struct Kept<'a> {
    store: &'a Store,
    now: Timestamp,
    saved: &'a [Saved],
}

impl Kept<'_> {
    fn bytes(&self, name: &str) -> Option<&[u8]> {
        self.saved
            .iter()
            .find(|file| file.name == name)
            .map(|file| file.bytes.as_slice())
    }

    /// Puts a whole bank back, or what of it is missing in the one that is there by now.
    fn put_bank_back(&self) -> Result<Vec<Change>, BankError> {
        let Some(file) = self.saved.first() else {
            return Ok(vec![]);
        };
        let bank = BankName::parse(file.name.trim_end_matches(".gz").trim_end_matches(BEFORE))?;
        let is_whole = self
            .store
            .restore(&bank, &self.saved.iter().collect::<Vec<_>>())?;
        let text = match self.store.decode_named(&bank, &file.name, &file.bytes) {
            Ok(text) => text,
            // What was no bank when it was deleted is none now.
            Err(_) if is_whole => return Ok(vec![]),
            Err(error) => return Err(error),
        };
        match (Bank::parse(&text), is_whole) {
            (Ok(before), true) => Ok(self.documents(&bank, &before)),
            (Ok(before), false) => self.put_back(&bank, &before, None, &HashMap::new()),
            (Err(_), true) => Ok(vec![]),
            (Err(flaw), false) => Err(self.unreadable(&bank, &flaw.to_string())),
        }
    }

    fn put_entries_back(&self, bank: &BankName) -> Result<Vec<Change>, BankError> {
        let read = |suffix: &str| {
            let bytes = self.bytes(&format!("{bank}{suffix}")).unwrap_or_default();
            let text =
                std::str::from_utf8(bytes).map_err(|e| self.unreadable(bank, &e.to_string()))?;
            Bank::parse(text).map_err(|flaw| self.unreadable(bank, &flaw.to_string()))
        };
        let places = self.bytes(&format!("{bank}{PLACES}")).unwrap_or_default();
        let places = serde_json::from_slice(places).unwrap_or_default();
        self.put_back(bank, &read(BEFORE)?, Some(&read(AFTER)?), &places)
    }

    fn put_back(
        &self,
        bank: &BankName,
        before: &Bank<'_>,
        after: Option<&Bank<'_>>,
        places: &HashMap<String, usize>,
    ) -> Result<Vec<Change>, BankError> {
        let scope = self.store.scope();
        let left_as = |key: &str| after.and_then(|after| text(after, key));
        self.store.change(bank, self.now, |content, existed| {
            if !existed || after.is_some_and(|after| after.meta.schema == content.meta.schema) {
                content.meta.schema = before.meta.schema.clone();
            }
            let mut changes = Vec::new();
            let added_by_step = after
                .into_iter()
                .flat_map(Bank::keys)
                .filter(|key| text(before, key).is_none());
            for key in before.keys().chain(added_by_step) {
                if text(content, key) != left_as(key) {
                    continue;
                }
                match before.entry(key) {
                    Some(Ok(entry)) => {
                        content.put_at(key, &entry, places.get(key).copied().unwrap_or(usize::MAX));
                        changes.push(Change::kept(document(scope, bank, key, &entry)));
                    }
                    Some(Err(_)) => {}
                    None => {
                        content.take(key);
                        changes.push(Change::gone(address(scope, bank, key)));
                    }
                }
            }
            Ok(Edit::write(changes))
        })
    }

    fn documents(&self, bank: &BankName, content: &Bank<'_>) -> Vec<Change> {
        let entries = content
            .entries()
            .filter_map(|(key, entry)| Some((key, entry.ok()?)));
        entries
            .map(|(key, entry)| Change::kept(document(self.store.scope(), bank, key, &entry)))
            .collect()
    }

    fn unreadable(&self, bank: &BankName, why: &str) -> BankError {
        self.store.damaged(
            bank,
            &format!("its copy in the trash cannot be read: {why}"),
        )
    }
}

fn text(content: &Bank<'_>, key: &str) -> Option<String> {
    content
        .entry(key)
        .and_then(Result::ok)
        .map(|entry| entry.render())
}
