//! Looking for damage in a store's banks, and mending it without losing a byte.

use std::collections::HashSet;

use memory_core::{Actor, Flaw, Json, Rehearsal, Timestamp};
use memory_files::Spot;
use memory_storage::{ChangeSet, Op, PATIENCE, update};
use serde::{Deserialize, Serialize};

use crate::change::{By, record};
use crate::format::Bank;
use crate::salvage::salvage;
use crate::store::{Form, Store};
use crate::{BankError, BankName, Key, Scope, limits};

/// What was found in one bank, and what was done about it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Finding {
    pub bank: String,
    pub scope: Scope,
    pub status: Status,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flaws: Vec<Flaw>,
    /// How many entries the mended bank has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entries: Option<usize>,
    /// Where the damaged file was kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub original: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    Ok,
    Damaged,
    Repaired,
    /// Something that is not damage keeps us out: a permission, a newer version.
    Unreadable,
}

/// Examines one bank; mends it if that is wanted and needed. What keeps us out is told, too.
pub(crate) fn examine(store: &Store, bank: &BankName, now: Timestamp, how: Rehearsal) -> Finding {
    try_to(store, bank, now, how).unwrap_or_else(|error| {
        finding(
            store,
            bank,
            Status::Unreadable,
            vec![Flaw::new(place(bank), error.to_string())],
        )
    })
}

fn try_to(
    store: &Store,
    bank: &BankName,
    now: Timestamp,
    how: Rehearsal,
) -> Result<Finding, BankError> {
    let flaws = match inspect(store, bank) {
        Ok(flaws) => flaws,
        Err(error @ BankError::Damaged { .. }) => vec![Flaw::new(place(bank), error.to_string())],
        Err(error) => return Err(error),
    };
    match (flaws.is_empty(), how) {
        (true, _) => Ok(finding(store, bank, Status::Ok, flaws)),
        (false, Rehearsal::Dry) => Ok(finding(store, bank, Status::Damaged, flaws)),
        (false, Rehearsal::Real) => mend(store, bank, flaws, now),
    }
}

fn finding(store: &Store, bank: &BankName, status: Status, flaws: Vec<Flaw>) -> Finding {
    Finding {
        bank: bank.to_string(),
        scope: store.scope(),
        status,
        flaws,
        entries: None,
        original: None,
    }
}

fn place(bank: &BankName) -> String {
    format!("{bank}.json")
}

/// Lists the flaws of a bank's file: of the whole, or of single entries.
pub(crate) fn inspect(store: &Store, bank: &BankName) -> Result<Vec<Flaw>, BankError> {
    let Some(loaded) = store.load(bank)? else {
        return Ok(vec![]);
    };
    let content = store.parse(bank, &loaded)?;
    let mut flaws: Vec<Flaw> = content
        .duplicates
        .iter()
        .map(|key| {
            Flaw::new(
                place(bank),
                format!("Key '{key}' occurs more than once; the last one is used"),
            )
        })
        .collect();
    flaws.extend(content.entries().filter_map(|(key, entry)| {
        let problem = match entry {
            Err(why) => why,
            Ok(entry) => match (Json::parse_value(&entry.value), Key::parse(key)) {
                (Ok(_), Ok(_)) => return None,
                (Err(flaw), _) => flaw.to_string(),
                (_, Err(error)) => error.to_string(),
            },
        };
        Some(Flaw::new(
            place(bank),
            format!("Entry '{key}' cannot be read: {problem}"),
        ))
    }));
    Ok(flaws)
}

/// Keeps the damaged files beside the bank and puts what could be salvaged in their place.
fn mend(
    store: &Store,
    bank: &BankName,
    flaws: Vec<Flaw>,
    now: Timestamp,
) -> Result<Finding, BankError> {
    let by = By {
        actor: Actor::Person,
        now,
        action: "repair",
    };
    let mended = update(&store.storage, PATIENCE, |at| {
        // The versions are looked up first: a change since is a conflict.
        let mut set = store.remove_set(bank, at)?;
        // Another process may have repaired or removed it.
        if matches!(inspect(store, bank), Ok(flaws) if flaws.is_empty()) {
            return Ok((None, ChangeSet::default()));
        }
        let texts: Vec<String> = store
            .present_files(bank)?
            .iter()
            .map(|file| readable_text(store, file))
            .collect::<Result<_, _>>()?;
        let mut rescued = Bank::new(now);
        // The plain form counts; what only the other has is kept too.
        for (n, text) in texts.iter().enumerate() {
            let part = rescue(text, now);
            if n == 0 {
                rescued.take_meta_of(&part);
            }
            for (key, entry) in part
                .entries()
                .filter_map(|(key, entry)| Some((key, entry.ok()?)))
            {
                if !rescued.has(key) {
                    rescued.put(key, &entry);
                }
            }
        }
        let plain = store.path(bank, Form::Plain);
        set.ops.retain(|op| *op.path() != plain);
        set.ops
            .push(Op::Put(plain, rescued.render().text.into_bytes()));
        let kept = store.keep_damaged(bank, at, now, &mut set)?;
        let summary = format!("repair bank '{bank}' ({})", store.scope());
        set.record = Some(record(by, summary, Vec::new()));
        Ok::<_, BankError>((Some((kept, rescued.len())), set))
    })?;
    let Some((kept, entries)) = mended.answer else {
        return Ok(finding(store, bank, Status::Ok, vec![]));
    };
    let mut found = finding(store, bank, Status::Repaired, flaws);
    found.entries = Some(entries);
    let noun = if entries == 1 { "entry" } else { "entries" };
    let remedy = format!(
        "The damaged file is kept as {}; the bank has {entries} {noun}",
        kept.join(", "),
    );
    found
        .flaws
        .iter_mut()
        .for_each(|flaw| flaw.remedy = Some(remedy.clone()));
    found.original = kept.into_iter().next();
    Ok(found)
}

/// Returns as much text as can be had from a file, whatever it is.
fn readable_text(store: &Store, file: &Spot) -> Result<String, BankError> {
    let seen = store.files.read(file, limits::READ_BYTES)?;
    let bytes = seen.map(|seen| seen.bytes).unwrap_or_default();
    let text = String::from_utf8_lossy(&inflate(&bytes).unwrap_or(bytes)).into_owned();
    Ok(text.trim_start_matches('\u{feff}').to_owned())
}

/// Returns as much of a compressed file as can be had; none when it is not one.
fn inflate(bytes: &[u8]) -> Option<Vec<u8>> {
    use std::io::Read;
    let most = limits::READ_BYTES;
    let mut text = Vec::new();
    let mut decoder = flate2::read::GzDecoder::new(bytes).take(most);
    let mut chunk = [0; 4096];
    decoder.get_ref().header()?;
    while let Ok(read @ 1..) = decoder.read(&mut chunk) {
        text.extend_from_slice(&chunk[..read]);
    }
    Some(text)
}

/// A file that is JSON keeps what is said of the bank as a whole; only its bad entries go.
fn rescue(text: &str, now: Timestamp) -> Bank<'_> {
    let Ok(mut bank) = Bank::parse(text) else {
        return salvage(text, now);
    };
    let is_good = |key: &str| match bank.entry(key) {
        Some(Ok(entry)) => Key::parse(key).is_ok() && Json::parse_value(&entry.value).is_ok(),
        _ => false,
    };
    let good: HashSet<String> = bank
        .keys()
        .filter(|key| is_good(key))
        .map(str::to_owned)
        .collect();
    bank.retain(|key| good.contains(key));
    bank.duplicates.clear();
    bank
}
