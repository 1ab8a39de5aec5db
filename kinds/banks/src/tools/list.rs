//! `list`: the banks, or the keys of one.

use std::collections::HashSet;

use memory_core::{Call, Done, Flaw, Timestamp, instant};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::scopes::Scopes;
use crate::store::Store;
use crate::tools::{Metadata, banks_of};
use crate::{BankError, BankName, Scope, ScopeChoice};

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    /// Bank to list keys from (omit to list banks)
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bank: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<ScopeChoice>,
    #[serde(default)]
    #[schemars(skip)]
    pub verbose: bool,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Reply {
    Banks(Banks),
    Keys(Keys),
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Banks {
    pub banks: Vec<BankLine>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flaws: Vec<Flaw>,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct BankLine {
    pub name: String,
    pub scope: Scope,
    pub key_count: usize,
    pub updated_at: String,
    pub size_bytes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compressed: Option<bool>,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Keys {
    pub bank: String,
    pub scope: Scope,
    pub keys: Vec<KeyLine>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flaws: Vec<Flaw>,
}

/// A key alone, or with what is known of its entry.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum KeyLine {
    Plain(String),
    Verbose(KeyDetails),
}

#[derive(Debug, Serialize, Deserialize)]
pub struct KeyDetails {
    pub key: String,
    pub scope: Scope,
    pub size_bytes: usize,
    #[serde(flatten)]
    pub times: Metadata,
}

pub fn run(scopes: &Scopes, call: &Call<'_>, params: Params) -> Result<Done<Reply>, BankError> {
    let stores = scopes.chosen(params.scope)?;
    let reply = match &params.bank {
        None => Reply::Banks(list_banks(&stores, call, params.verbose)),
        Some(bank) => {
            let bank = BankName::parse(bank)?;
            let single = params.scope.and_then(ScopeChoice::single);
            let keys = list_keys(&stores, &bank, call.now, params.verbose)?;
            Reply::Keys(keys.ok_or_else(|| scopes.no_bank(&bank, single))?)
        }
    };
    Ok(Done::read(reply))
}

fn list_banks(stores: &[&Store], call: &Call<'_>, verbose: bool) -> Banks {
    let mut found = Banks {
        banks: vec![],
        flaws: vec![],
    };
    for (store, bank) in banks_of(stores, &mut found.flaws) {
        match line(store, &bank, call.now, verbose, &mut found.flaws) {
            Ok(line) => found.banks.extend(line),
            Err(error) => found.flaws.push(store.flaw(&bank, error)),
        }
    }
    found
}

fn line(
    store: &Store,
    bank: &BankName,
    now: Timestamp,
    verbose: bool,
    flaws: &mut Vec<Flaw>,
) -> Result<Option<BankLine>, BankError> {
    let Some(loaded) = store.load(bank)? else {
        return Ok(None);
    };
    let content = store.parse(bank, &loaded)?;
    let mut key_count = 0;
    for (key, entry) in content.entries() {
        match entry {
            Ok(entry) => key_count += usize::from(!entry.is_expired(now)),
            Err(why) => flaws.push(store.flaw(bank, store.bad_entry(bank, key, &why))),
        }
    }
    Ok(Some(BankLine {
        name: bank.to_string(),
        scope: store.scope(),
        key_count,
        updated_at: instant(content.meta.updated_at),
        size_bytes: loaded.size,
        created_at: verbose.then(|| instant(content.meta.created_at)),
        compressed: verbose.then(|| loaded.is_compressed()),
    }))
}

/// Lists the keys of the bank in all chosen scopes; where both have a key, the project's comes first.
///
/// A scope whose bank is damaged is told, unless it is the only one.
fn list_keys(
    stores: &[&Store],
    bank: &BankName,
    now: Timestamp,
    verbose: bool,
) -> Result<Option<Keys>, BankError> {
    let mut found: Option<Keys> = None;
    let mut failed = None;
    let mut seen = HashSet::new();
    for store in stores {
        match keys_of(store, bank, now) {
            Ok(None) => {}
            Ok(Some((lines, flaws))) => {
                let keys = found.get_or_insert_with(|| Keys {
                    bank: bank.to_string(),
                    scope: store.scope(),
                    keys: vec![],
                    flaws: vec![],
                });
                keys.flaws.extend(flaws);
                keys.keys.extend(lines.into_iter().filter_map(|details| {
                    if verbose {
                        Some(KeyLine::Verbose(details))
                    } else {
                        seen.insert(details.key.clone())
                            .then_some(KeyLine::Plain(details.key))
                    }
                }));
            }
            Err(error) => failed = failed.or(Some((*store, error))),
        }
    }
    match (found, failed) {
        (None, Some((_, error))) => Err(error),
        (Some(mut keys), Some((store, error))) => {
            keys.flaws.push(store.flaw(bank, error));
            Ok(Some(keys))
        }
        (found, None) => Ok(found),
    }
}

type KeysAndFlaws = (Vec<KeyDetails>, Vec<Flaw>);

fn keys_of(
    store: &Store,
    bank: &BankName,
    now: Timestamp,
) -> Result<Option<KeysAndFlaws>, BankError> {
    let Some(loaded) = store.load(bank)? else {
        return Ok(None);
    };
    let content = store.parse(bank, &loaded)?;
    let (mut lines, mut flaws) = (Vec::new(), Vec::new());
    for (key, entry) in content.entries() {
        match entry {
            Ok(entry) if entry.is_expired(now) => {}
            Ok(entry) => lines.push(KeyDetails {
                key: key.to_owned(),
                scope: store.scope(),
                size_bytes: entry.value.len(),
                times: Metadata::of(&entry),
            }),
            Err(why) => flaws.push(store.flaw(bank, store.bad_entry(bank, key, &why))),
        }
    }
    Ok(Some((lines, flaws)))
}
