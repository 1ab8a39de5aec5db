//! Texts of entries put back into banks, for undo.

use std::collections::BTreeMap;

use memory_core::{Actor, Change, Flaw, Step, Survey, Timestamp, Undone};
use memory_history::{Planned, Put};
use memory_storage::{ChangeSet, EntryChange, Op, PATIENCE, Read, Storage, TextVersion};

use crate::change::{By, bank_address, file_address, file_bytes, file_text, first_expiry, record};
use crate::document::{KIND, document};
use crate::format::{Bank, Meta};
use crate::store::{Form, Store};
use crate::{BankError, BankName, Entry, limits};

/// The files of a step in the trash of an earlier version: the touched entries before and after it.
const BEFORE: &str = ".json";
const AFTER: &str = ".after.json";

/// Returns the steps that can be undone.
pub(crate) fn steps(store: &Store) -> Survey<Step> {
    let mut survey = Survey::default();
    if let Err(error) = import_trash(store) {
        survey
            .flaws
            .push(Flaw::of(store.scope().as_str(), &error.into()));
    }
    match memory_history::steps(&store.storage, KIND) {
        Ok(steps) => survey.good = steps,
        Err(error) => survey
            .flaws
            .push(Flaw::of(store.scope().as_str(), &error.into())),
    }
    survey
}

/// Returns the steps that undid others.
pub(crate) fn undos(store: &Store) -> Survey<Step> {
    match memory_history::undos(&store.storage, KIND) {
        Ok(good) => Survey {
            good,
            flaws: Vec::new(),
        },
        Err(error) => Survey::failed(store.scope().as_str(), &error.into()),
    }
}

/// Takes a step back; `None` if there is no such step, or it was undone already.
pub(crate) fn undo(
    store: &Store,
    step: &Step,
    by: Actor,
    now: Timestamp,
) -> Result<Option<Undone>, BankError> {
    let undone = memory_history::undo(&store.storage, &step.id, by, now, |at, puts| {
        put(store, at, puts, now)
    })?;
    if let Some(planned) = &undone {
        store.note_expiry(first_expiry(&planned.entries));
    }
    Ok(undone.map(|planned| Undone {
        changes: planned
            .entries
            .iter()
            .filter_map(|entry| change_of(store, entry))
            .collect(),
        conflicts: planned.conflicts,
    }))
}

/// What an address of the history means.
enum Target<'a> {
    Bank,
    /// A file that cannot be read as a bank.
    File,
    Entry(&'a str),
}

fn parse_address<'a>(store: &Store, address: &'a str) -> Option<(BankName, Target<'a>)> {
    let scope = address.strip_prefix(KIND)?.strip_prefix(':')?;
    let rest = scope
        .strip_prefix(store.scope().as_str())?
        .strip_prefix('/')?;
    match rest.split_once('/') {
        Some((bank, key)) => Some((BankName::parse(bank).ok()?, Target::Entry(key))),
        None => match rest.trim_end_matches(".gz").strip_suffix(".json") {
            Some(bank) => Some((BankName::parse(bank).ok()?, Target::File)),
            None => Some((BankName::parse(rest).ok()?, Target::Bank)),
        },
    }
}

/// Plans that entries have the given texts. An entry of another version than expected stays as it is.
pub(crate) fn put(
    store: &Store,
    at: &dyn Read,
    puts: &[Put],
    now: Timestamp,
) -> Result<Planned, BankError> {
    let mut planned = Planned::default();
    let mut banks: BTreeMap<BankName, Vec<(&Put, Target<'_>)>> = BTreeMap::new();
    for put in puts {
        match parse_address(store, &put.address) {
            Some((bank, target)) => banks.entry(bank).or_default().push((put, target)),
            None => planned.conflicts.push(put.address.clone()),
        }
    }
    for (bank, puts) in &banks {
        put_in_bank(store, at, bank, puts, now, &mut planned)?;
    }
    Ok(planned)
}

fn put_in_bank(
    store: &Store,
    at: &dyn Read,
    bank: &BankName,
    puts: &[(&Put, Target<'_>)],
    now: Timestamp,
    planned: &mut Planned,
) -> Result<(), BankError> {
    for (put, target) in puts {
        if matches!(target, Target::File) {
            put_file(store, at, put, planned)?;
        }
    }
    if puts
        .iter()
        .all(|(_, target)| matches!(target, Target::File))
    {
        return Ok(());
    }
    let loaded = store.load_from(at, bank)?;
    let mut content = match &loaded {
        Some(loaded) => store.parse(bank, loaded)?,
        None => Bank::new(now),
    };
    let mut exists = loaded.is_some();
    // Positions are those at the time of each change, the last one first.
    for (put, target) in puts.iter().rev() {
        let is_put = match target {
            Target::Entry(key) => put_entry(&mut content, key, put),
            Target::Bank => put_meta(&mut content, &mut exists, put),
            Target::File => true,
        };
        if !is_put {
            planned.conflicts.push(put.address.clone());
        }
    }
    let mut entries = store.changes(bank, &content, loaded.is_some());
    if exists || !content.is_empty() {
        content.meta.updated_at = now;
        let set = store.put_set(bank, loaded.as_ref(), &content.render(), at)?;
        if entries.is_empty() {
            return Ok(());
        }
        planned.set.ops.extend(set.ops);
        planned.set.expect.extend(set.expect);
    } else if loaded.is_some() {
        let address = bank_address(store.scope(), bank);
        entries.retain(|entry| entry.address != address);
        entries.insert(
            0,
            EntryChange::new(
                address,
                store.path(bank, Form::Plain),
                Some(content.meta.canonical()),
                None,
            ),
        );
        let mut set = store.remove_set(bank, at)?;
        // The version is that of what was read.
        for (path, version) in &mut set.expect {
            if let Some(loaded) = &loaded
                && *path == store.path(bank, loaded.form())
            {
                *version = Some(loaded.version.clone());
            }
        }
        planned.set.ops.extend(set.ops);
        planned.set.expect.extend(set.expect);
    }
    planned.entries.extend(entries);
    Ok(())
}

/// Puts the text of an entry; returns `false` if the entry has another version than expected.
fn put_entry(content: &mut Bank<'_>, key: &str, put: &Put) -> bool {
    if content.text(key).map(TextVersion::of) != put.expected {
        return false;
    }
    match &put.text {
        Some(text) => content.put_text_at(key, text, put.position.unwrap_or(usize::MAX)),
        None => content.take(key),
    }
    true
}

/// Puts the bank's own entry. A bank without it exists as long as it has entries.
fn put_meta(content: &mut Bank<'_>, exists: &mut bool, put: &Put) -> bool {
    let version = exists.then(|| TextVersion::of(&content.meta.canonical()));
    if version != put.expected {
        return false;
    }
    match put.text.as_deref().map(Meta::parse) {
        Some(Ok(meta)) => {
            content.meta = meta;
            *exists = true;
        }
        Some(Err(_)) => return false,
        None => *exists = false,
    }
    true
}

/// Puts a file back that is no bank, unless there is another one.
fn put_file(
    store: &Store,
    at: &dyn Read,
    put: &Put,
    planned: &mut Planned,
) -> Result<(), BankError> {
    let found = at.read(&put.path, limits::READ_BYTES)?;
    let version = found.as_ref().map(|object| object.version.clone());
    let before = found.map(|object| file_text(object.bytes));
    let bytes = put.text.as_deref().map(file_bytes);
    if before.as_deref().map(TextVersion::of) != put.expected || bytes == Some(None) {
        planned.conflicts.push(put.address.clone());
        return Ok(());
    }
    planned.set.expect.push((put.path.clone(), version));
    planned.set.ops.push(match bytes.flatten() {
        Some(bytes) => Op::Put(put.path.clone(), bytes),
        None => Op::Remove(put.path.clone()),
    });
    let address = file_address(store.scope(), &put.path);
    let change = EntryChange::new(address, put.path.clone(), before, put.text.clone());
    planned.entries.push(change);
    Ok(())
}

fn change_of(store: &Store, entry: &EntryChange) -> Option<Change> {
    let (bank, Target::Entry(key)) = parse_address(store, &entry.address)? else {
        return None;
    };
    let address = crate::document::address(store.scope(), &bank, key);
    let Some(text) = &entry.text else {
        return Some(Change::gone(address));
    };
    let entry = Entry::parse(text, Timestamp::UNIX_EPOCH).ok()?;
    Some(Change::kept(document(store.scope(), &bank, key, &entry)))
}

/// Records the steps of the trash that an earlier version has written, once. A step that another machine may have made
/// stays where it is.
fn import_trash(store: &Store) -> Result<(), BankError> {
    let trash = store.trash();
    let mut steps = trash.steps()?.good;
    steps.retain(Step::was_made_here);
    for step in steps.iter().rev() {
        let Some(_claim) = trash.claim(step)? else {
            continue;
        };
        let saved = trash.saved(step, limits::READ_BYTES)?;
        let file = |suffix: &str| {
            let is_meant =
                |name: &str| name.ends_with(suffix) && (suffix == AFTER || !name.ends_with(AFTER));
            saved.iter().find(|file| is_meant(&file.name))
        };
        let Some(before) = file(BEFORE).or_else(|| file(".json.gz")) else {
            continue;
        };
        let name = before.name.trim_end_matches(".gz").trim_end_matches(BEFORE);
        let bank = BankName::parse(name)?;
        let text = store.decode_named(&bank, &before.name, &before.bytes)?;
        let after = match file(AFTER) {
            Some(after) => Some(store.decode_named(&bank, &after.name, &after.bytes)?),
            None => None,
        };
        let by = By {
            actor: Actor::Person,
            now: step.at,
            action: "delete",
        };
        let entries = entries_of(store, &bank, text, after.as_deref());
        let set = ChangeSet {
            record: Some(record(by, step.what.clone(), entries)),
            ..ChangeSet::default()
        };
        store.storage.begin(PATIENCE)?.commit(set)?;
        trash.drop_step(step)?;
    }
    Ok(())
}

/// Returns the entries that a step in the trash has changed.
fn entries_of(
    store: &Store,
    bank: &BankName,
    before: String,
    after: Option<&str>,
) -> Vec<EntryChange> {
    let path = store.path(bank, Form::Plain);
    let Ok(old) = Bank::parse(&before) else {
        let address = file_address(store.scope(), &path);
        return vec![EntryChange::new(address, path, Some(before), None)];
    };
    let new = after.and_then(|after| Bank::parse(after).ok());
    let text = |bank: Option<&Bank<'_>>, key: &str| bank?.text(key).map(str::to_owned);
    let mut changes = Vec::new();
    if new.is_none() {
        let address = bank_address(store.scope(), bank);
        let meta = Some(old.meta.canonical());
        changes.push(EntryChange::new(address, path.clone(), meta, None));
    }
    let added = new.iter().flat_map(Bank::keys).filter(|key| !old.has(key));
    for key in old.keys().chain(added) {
        let address = crate::document::address(store.scope(), bank, key).to_string();
        let (before, after) = (text(Some(&old), key), text(new.as_ref(), key));
        changes.push(EntryChange::new(address, path.clone(), before, after));
    }
    changes.reverse();
    changes
}
