//! Taking entries away so that they can be brought back, and bringing them back.
//!
//! A step in the trash holds the touched entries as they were (`<bank>.json`) and as the step left
//! them (`<bank>.after.json`). Undoing puts back what still is as the step left it; what others
//! have changed since is theirs.

use memory_core::{Change, Step, Timestamp};
use memory_files::{Discarded, Saved};

use crate::document::{KIND, address, document};
use crate::format::Bank;
use crate::store::{Edit, Loaded, Store};
use crate::{BankError, BankName, limits};

const BEFORE: &str = ".json";
const AFTER: &str = ".after.json";

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
        Saved { name: format!("{bank}{suffix}"), bytes: content.render().text.into_bytes() }
    };
    let saved = vec![part(before, BEFORE), part(after, AFTER)];
    Ok(store.trash().put(Discarded { kind: KIND, what, saved }, now)?)
}

/// Keeps a whole bank that is about to go.
pub(crate) fn keep_bank(
    store: &Store,
    bank: &BankName,
    loaded: &Loaded,
    now: Timestamp,
) -> Result<Step, BankError> {
    let what = format!("delete bank '{bank}' ({})", store.scope());
    let saved = vec![Saved { name: format!("{bank}{BEFORE}"), bytes: loaded.text.clone().into_bytes() }];
    Ok(store.trash().put(Discarded { kind: KIND, what, saved }, now)?)
}

/// Takes a step back; returns what is different now.
pub(crate) fn undo(store: &Store, step: &Step, now: Timestamp) -> Result<Vec<Change>, BankError> {
    let saved = store.trash().saved(step, limits::BANK_BYTES as u64)?;
    let find = |name: &str| saved.iter().find(|file| file.name == name).map(|file| file.bytes.as_slice());
    let mut changes = Vec::new();
    for file in saved.iter().filter(|file| !file.name.ends_with(AFTER)) {
        let bank = BankName::parse(file.name.trim_end_matches(BEFORE))?;
        let after = find(&format!("{bank}{AFTER}"));
        let is_whole = after.is_none() && store.restore(&bank, &file.bytes)?;
        changes.extend(match is_whole {
            true => all_back(store, &bank, &file.bytes),
            false => put_back(store, &bank, &file.bytes, after, now)?,
        });
    }
    store.trash().drop_step(step)?;
    Ok(changes)
}

fn all_back(store: &Store, bank: &BankName, bytes: &[u8]) -> Vec<Change> {
    let Ok(content) = read(store, bank, bytes) else { return vec![] };
    let entries = content.entries().filter_map(|(key, entry)| Some((key, entry.ok()?)));
    entries.map(|(key, entry)| Change::kept(document(store.scope(), bank, key, &entry))).collect()
}

fn put_back(
    store: &Store,
    bank: &BankName,
    before: &[u8],
    after: Option<&[u8]>,
    now: Timestamp,
) -> Result<Vec<Change>, BankError> {
    let before = read(store, bank, before)?;
    let after = after.map(|bytes| read(store, bank, bytes)).transpose()?;
    let left_as = |key: &str| after.as_ref().and_then(|after| text(after, key));
    store.change(bank, now, |content, existed| {
        if !existed {
            content.meta = before.meta.clone();
        }
        let mut changes = Vec::new();
        let added_by_step = after.iter().flat_map(Bank::keys).filter(|key| text(&before, key).is_none());
        for key in before.keys().chain(added_by_step) {
            if text(content, key) != left_as(key) {
                continue;
            }
            match before.entry(key) {
                Some(Ok(entry)) => {
                    content.put(key, &entry);
                    changes.push(Change::kept(document(store.scope(), bank, key, &entry)));
                }
                Some(Err(_)) => {}
                None => {
                    content.take(key);
                    changes.push(Change::gone(address(store.scope(), bank, key)));
                }
            }
        }
        Ok(Edit::Write(changes))
    })
}

fn read<'a>(store: &Store, bank: &BankName, bytes: &'a [u8]) -> Result<Bank<'a>, BankError> {
    let text = std::str::from_utf8(bytes).map_err(|_| store.damaged(bank, "its copy is not UTF-8"))?;
    Bank::parse(text).map_err(|flaw| store.damaged(bank, &format!("its copy can't be read: {flaw}")))
}

fn text(content: &Bank<'_>, key: &str) -> Option<String> {
    content.entry(key).and_then(Result::ok).map(|entry| entry.render())
}
